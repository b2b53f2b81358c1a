"""A graph as text that a person reads, and that `runtime.graph.parser` reads back.

Inputs first, then one line per node, its sub-graphs indented below it::

    x: f32[3]
    a = Const(0.0, dtype=f32)
    b = Greater(x, a)
    c = StatelessIf(b, x, then_branch=cond_true, else_branch=cond_false)
        cond_true:
            x: f32[3]
            return x
        ...
    return c
"""

from __future__ import annotations

import itertools
import re
import string
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.core.dtypes import DTYPES, LOW_PRECISION, DType, as_dtype
from runtime.core.spec import Spec
from runtime.core.tensor import Array
from runtime.graph.op import Const, Op, Placeholder

if TYPE_CHECKING:
    from runtime.graph.graph import Graph, Node, Value

__all__ = ["printed_objects", "to_text"]

_INDENT = "    "
_COMMENT_COLUMN = 48
_LONGEST_NAME = 40
_SHORT = 4


def to_text(
    graph: Graph, *, show_specs: bool = False, show_locations: bool = False, longest: int | None = 64
) -> str:
    """The graph as text.

    Parameters
    ----------
    graph : Graph
    show_specs : bool
        Ends each line with what the node gives: ``# f32[3]``.
    show_locations : bool
        Ends each line with where the user wrote it: ``# model.py:12``.
    longest : int or None
        Constants with more elements are shortened, and can then not be read back; None prints all of them.

    Returns
    -------
    str
        Without a final newline. `runtime.graph.parser.from_text` reads it back.
    """
    printer = _Printer(show_specs, show_locations, longest)
    return "\n".join(printer.lines(graph))


def printed_objects(graph: Graph) -> dict[str, Any]:
    """What ``<name>`` stands for in the text of a graph: attributes that have no text of their own.

    Given to `runtime.graph.parser.from_text`, they let any graph be read back.
    """
    printer = _Printer(show_specs=False, show_locations=False, longest=None)
    for _ in printer.lines(graph):
        pass
    return printer.objects


class _Printer:
    """The choices of one call of `to_text`, and what the text calls objects that are no literals."""

    def __init__(self, show_specs: bool, show_locations: bool, longest: int | None) -> None:
        self.show_specs = show_specs
        self.show_locations = show_locations
        self.longest = longest
        self.objects: dict[str, Any] = {}

    def lines(self, graph: Graph, indent: str = "") -> Iterator[str]:
        """The lines of a graph, inputs to `return`."""
        names = _names(graph)
        for value in graph.inputs:
            yield self._commented(f"{indent}{names[value]}: {value.spec}", value.node, specs=False)
        for node in graph.nodes:
            yield from self._node(node, names, indent)
        yield f"{indent}return {', '.join([names[value] for value in graph.outputs])}".rstrip()

    def _node(self, node: Node, names: dict[Value, str], indent: str) -> Iterator[str]:
        blocks = _block_names(node.op)
        operands = [names[value] for value in node.inputs]
        targets = ", ".join([names[output] for output in node.outputs])
        call = f"{node.op.name}({', '.join([*operands, *self._attributes(node.op, blocks)])})"
        yield self._commented(f"{indent}{targets} = {call}" if targets else f"{indent}{call}", node)
        for graph in {id(graph): graph for graph in node.op.graphs}.values():
            yield f"{indent}{_INDENT}{blocks[id(graph)]}:"
            yield from self.lines(graph, indent + 2 * _INDENT)

    def _attributes(self, op: Op, blocks: dict[int, str]) -> list[str]:
        if isinstance(op, Const):
            return [_array_text(op.value, self.longest)]

        def text(value: object) -> str:
            return blocks.get(id(value)) or _attribute(value, text) or f"<{self._object(value)}>"

        return [f"{name}={text(value)}" for name, value in op.attributes().items()]

    def _object(self, value: object) -> str:
        """The name of an object, which no other one has in this text."""
        wanted = _object_name(value)
        tries = itertools.chain([wanted], (f"{wanted}_{number}" for number in itertools.count(1)))
        name = next(name for name in tries if self.objects.get(name, value) is value)
        self.objects[name] = value
        return name

    def _commented(self, line: str, node: Node, *, specs: bool = True) -> str:
        remarks = []
        if self.show_specs and specs:
            remarks.append(", ".join(map(str, node.specs)))
        if self.show_locations and node.location.line:
            remarks.append(f"{node.location.filename}:{node.location.line}")
        comment = "  ".join(filter(None, remarks))
        return f"{line:<{_COMMENT_COLUMN}}  # {comment}" if comment else line


def _names(graph: Graph) -> dict[Value, str]:
    """A name for each value: inputs keep their labels, nodes take the letters that are left."""
    names: dict[Value, str] = {}
    taken: set[str] = set()
    for value in graph.inputs:
        op = value.op
        label = op.label if isinstance(op, Placeholder) else "arg"
        names[value] = _unused(re.sub(r"\W+", "_", label).strip("_") or "arg", taken)
    letters = _letters()
    for node in graph.nodes:
        for output in node.outputs:
            names[output] = next(name for name in letters if name not in taken)
    return names


def _unused(wanted: str, taken: set[str]) -> str:
    """`wanted`, or `wanted_1`, … where it is taken; takes it."""
    start = wanted if wanted.isidentifier() and wanted != "return" else f"arg_{wanted}"
    tries = itertools.chain([start], (f"{start}_{number}" for number in itertools.count(1)))
    name = next(name for name in tries if name not in taken)
    taken.add(name)
    return name


def _letters() -> Iterator[str]:
    """Gives ``a … z, aa, ab, …``."""
    for length in itertools.count(1):
        for letters in itertools.product(string.ascii_lowercase, repeat=length):
            yield "".join(letters)


def _block_names(op: Op) -> dict[int, str]:
    """What each sub-graph is called in the text, by its id."""
    taken = set(_MEANINGS)
    distinct = {id(graph): graph.name for graph in op.graphs}
    return {key: _unused(re.sub(r"\W+", "_", name), taken) for key, name in distinct.items()}


_MEANINGS = frozenset(
    ["None", "True", "False", "inf", "nan", "slice", "complex", "error", "text", "cell"]
    + [name for dtype in (*DTYPES, *LOW_PRECISION) for name in (dtype.name, dtype.short)]
)
"""Words that mean something where an attribute stands, so that no sub-graph is called by them."""


def _attribute(value: Any, text: Callable[[object], str]) -> str | None:
    """An attribute as the parser reads it back, if it can; `text` prints what is nested inside."""
    match value:
        case DType():
            return value.short
        case Spec():
            return str(value)
        case None | bool() | int() | float() | complex() | str():
            return _literal(value)
        case tuple():
            return f"({', '.join(map(text, value))}{',' * (len(value) == 1)})"
        case slice():
            return f"slice({text(value.start)}, {text(value.stop)}, {text(value.step)})"
    return "..." if value is Ellipsis else None


def _object_name(value: Any) -> str:
    """What an object calls itself, in one short line."""
    name = getattr(value, "name", None) or getattr(value, "__name__", None)
    if name is None:
        name = type(value).__name__ if repr(value) == object.__repr__(value) else str(value)
    return re.sub(r"[<>\s]+", " ", str(name)).strip()[:_LONGEST_NAME]


def _literal(value: Any) -> str:
    """A Python or NumPy scalar, as short as reads back exactly."""
    if isinstance(value, np.generic):
        if value.dtype.kind == "f":
            return str(value)
        value = value.item()
    if isinstance(value, complex):
        return f"complex({value.real!r}, {value.imag!r})"
    return repr(value)


def _array_text(array: Array, longest: int | None) -> str:
    """An array: nested lists, or one number and a shape where all elements are the same."""
    dtype = as_dtype(array.dtype).short
    if array.ndim == 0:
        return f"{_element(array[()])}, dtype={dtype}"
    if _is_uniform(array):
        return f"{_element(array.flat[0])}, dtype={dtype}, shape={array.shape}"
    if array.size == 0:
        return f"[], dtype={dtype}, shape={array.shape}"
    if longest is not None and array.size > longest:
        ends = [_element(array.flat[index]) for index in (0, 1, -1)]
        return f"[{ends[0]}, {ends[1]}, ..., {ends[2]}], dtype={dtype}, shape={array.shape}"
    return f"{_nested(array)}, dtype={dtype}"


def _element(value: Any) -> str:
    if value.dtype.kind == "c":
        parts = np.real(value), np.imag(value)
        return f"complex({parts[0]}, {parts[1]})"
    return _literal(value)


def _is_uniform(array: Array) -> bool:
    """Whether all elements of an array are one value, bit for bit, and too many to write out."""
    if array.size <= _SHORT:
        return False
    content: Any = array.reshape(-1).view(f"V{array.itemsize}")
    return bool(np.all(content == content[0]))


def _nested(array: Array) -> str:
    if array.ndim == 0:
        return _element(array[()])
    return f"[{', '.join(_nested(part) for part in array)}]"
