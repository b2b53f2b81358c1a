"""`Plan`: a graph as Python functions, with all that they refer to. It is run as it stands, or printed."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Callable, Collection, Mapping, Set
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core.tensor import Array
from runtime.executors.notes import as_told
from runtime.executors.numpy_plan.kernels import Helpers
from runtime.graph.graph import Graph, Node, Value

if TYPE_CHECKING:
    from runtime.executors.numpy_plan.relays import Relay

__all__ = ["Function", "Plan", "Taken"]

_RESERVED = frozenset(
    [*keyword.kwlist, *keyword.softkwlist, *dir(builtins), "np", "base64", "math", "operator"]
)


class Taken:
    """Names that are taken; those that are alike have numbers, of which the lowest free one is the next."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self._lowest: dict[str, int] = {}
        """The number below which none is free, by the name that has them."""

    def take(self, wish: str, others: Collection[str]) -> str:
        """`wish` as an identifier that is not in `others` either, which only grow; numbered where it is."""
        base = _identifier(wish)
        number = self._lowest.get(base, 0)
        while (name := f"{base}_{number}" if number else base) in self.names or name in others:
            number += 1
        self._lowest[base] = number
        self.names.add(name)
        return name

    def release(self, name: str) -> None:
        """Lets the name be taken again."""
        self.names.discard(name)
        self._lowest.pop(name, None)
        base, _, number = name.rpartition("_")
        if number.isdecimal():
            self._lowest[base] = min(self._lowest.get(base, 0), int(number))


def _identifier(wish: str) -> str:
    """`wish` as an identifier that no other means something by."""
    is_plain = wish.isascii() and wish.isidentifier()
    base = (wish if is_plain else re.sub(r"\W+", "_", wish)).strip("_") or "value"
    if not base.isidentifier() or base in _RESERVED:
        base = f"{base}_" if base.isidentifier() else f"value_{base}"
    return base


@dataclass
class Function:
    """A function of the program.

    Attributes
    ----------
    name : str
    parameters : list of str
    graph : Graph
    body : list of statements
    operands : mapping of Value to str, expression or array
        What stands for each value: a name, an expression that is written where it is used, or a constant.
    runs : mapping of statement or expression to Node
        What each runs.
    """

    name: str
    parameters: list[str]
    graph: Graph
    body: list[ast.stmt] = field(default_factory=list)
    operands: Mapping[Value, str | ast.expr | Array] = field(default_factory=dict)
    runs: Mapping[ast.AST, Node] = field(default_factory=dict)


@dataclass
class Plan:
    """The functions of a program, the entry last, and the objects behind its global names.

    Attributes
    ----------
    functions : list of Function
    constants : dict of str to array or scalar
    callables : dict of str to (callable, Node)
        Kernels that only run with a live object, such as a variable, and the first node of each.
    wraps : bool
        Whether scalar integers may wrap in an operator: NumPy's scalars would warn, its arrays do not.
    wrapping : set of Node
        Those that are no operators because of that, where NumPy is to tell of floats that overflow.
    ran : list of (Node, int, str, str)
        Each node that is written: how deep, as what, and why not as something faster.
    relays : dict of Node to Relay
        What may run loops in the place of the program.
    explained : callable
        An exception of a kernel → what the program is told of it; whoever runs the program says it better.
    """

    functions: list[Function] = field(default_factory=list)
    constants: dict[str, Array | np.generic] = field(default_factory=dict)
    callables: dict[str, tuple[Callable[..., Any], Node]] = field(default_factory=dict)
    wraps: bool = False
    wrapping: Set[Node] = frozenset()
    explained: Callable[[Exception], Exception] = as_told
    ran: list[tuple[Node, int, str, str]] = field(default_factory=list)
    relays: dict[Node, Relay] = field(default_factory=dict)
    helpers: Helpers = field(init=False)
    _global_names: Taken = field(default_factory=Taken)
    _local_names: set[str] = field(default_factory=set)
    _constant_names: dict[object, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.helpers = Helpers(self.global_name)

    def global_name(self, wish: str) -> str:
        """A global name that nothing else has, like `wish`."""
        return self._global_names.take(wish, self._local_names)

    def local_name(self, wish: str, taken: Taken) -> str:
        """A name like `wish` that was neither `taken` nor global, and is taken now."""
        name = taken.take(wish, self._global_names.names)
        self._local_names.add(name)
        return name

    def constant(self, array: Array, *, scalar: bool, wish: str = "constant") -> str:
        """The global name of a constant, as a NumPy scalar or as an array."""
        key = array.dtype, array.shape, array.tobytes() if array.size <= _COMPARED else id(array), scalar
        if key not in self._constant_names:
            value = array[()] if scalar else array
            name = self.global_name(_scalar_name(array, scalar) if array.ndim == 0 else wish)
            self._constant_names[key] = name
            self.constants[name] = value
        return self._constant_names[key]

    def callable(self, kernel: Callable[..., Any], node: Node, wish: str) -> str:
        """The global name of a kernel that is bound as it is."""
        name = self.global_name(wish)
        self.callables[name] = kernel, node
        return name


_COMPARED = 1024
"""Elements up to which constants are compared by their bytes."""


def _scalar_name(array: Array, scalar: bool) -> str:
    """``FLOAT32_2_5`` for an array without axes, ``float32_2_5`` for a scalar."""
    text = str(array[()]).replace("-", "minus_")
    name = f"{array.dtype.name}_{text}"
    return name if scalar else name.upper()
