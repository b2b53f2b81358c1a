"""What a turn of a loop may call, while the loop is tried to be rolled: once for all turns.

Only what is known to compute, or whose effects are the graph's. Iterators that were there before are asked
for nothing, and arrays of NumPy's hold afterwards what they held.
"""

from __future__ import annotations

from collections import deque
from dataclasses import is_dataclass
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from autograph.backends.tensors.containers.keyed import StagedKeyed
from autograph.backends.tensors.containers.lists import Staged, StagedList
from autograph.backends.tensors.containers.other_names import other_names
from autograph.backends.tensors.effects.host import HostMethod
from autograph.backends.tensors.statements.turn_numbers import (
    TurnNumber,
    applied,
    are_integers,
    holds_number,
    with_tensors,
)
from autograph.backends.tensors.statements.turns import GiveUp
from autograph.staging.opaque import is_opaque
from autograph.staging.places import CONTAINERS
from runtime.core.structure import flatten
from runtime.core.tensor import Tensor
from runtime.graph.build import is_symbolic
from runtime.graph.graph import Value

__all__ = ["TurnCalls"]


class TurnCalls:
    """Says of each call, while a loop is tried to be rolled, whether it may happen once for all turns.

    Attributes
    ----------
    mixed : set of Value
        Numbers that are Python's in some turns, and NumPy's in others.
    """

    def __init__(self) -> None:
        self.mixed: set[Value] = set()
        self._own: dict[int, Any] = {}
        self._read: dict[int, tuple[Any, Any]] = {}

    def is_known(self, name: str, callee: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether one of Python's builtins is handed numbers, and `computed` says what it gives.

        Raises
        ------
        GiveUp
            When nobody knows what it gives.
        """
        for each in (*args, *kwargs.values()):
            self.require_own(each)
        if not holds_number(args, kwargs):
            return False
        if name in _COMPUTING and not kwargs and _are_numbers(args):
            return True
        if name in _CHOOSING and not kwargs and other_names().rolls_freely():
            return False  # which compares the items one by one, as the program would
        if name in _SHOWING or (name in _CLASSES and not holds_number(args[1:])):
            return False
        if _takes_any(callee, args):
            return False
        if name == "range_" and not kwargs and are_integers(each for each in args if not is_symbolic(each)):
            return False  # a loop over it is one of the graph
        raise GiveUp(f"a number of the loop is handed to {callee.__name__}()")

    @staticmethod
    def computed(callee: Any, args: tuple[Any, ...]) -> Any:
        """What a builtin gives, turn by turn."""
        return applied(callee, *args)

    def require_own(self, value: Any) -> None:
        """Sees to it that no iterator is asked for items that was there before the turn."""
        if hasattr(type(value), "__next__") and id(value) not in self._own:
            raise GiveUp("a turn asks an iterator for items")

    def made(self, value: Any) -> None:
        """Notes an iterator or an array that the turn has made."""
        if hasattr(type(value), "__next__") or type(value) is np.ndarray:
            self._own[id(value)] = value

    def read(self, value: Any) -> None:
        """Sees to it that nothing is about to change without a word that was there before the turn.

        An array may: it is compared afterwards.
        """
        if id(value) in self._own:
            return
        if isinstance(value, np.ndarray):
            if value.size > _MOST_COMPARED and value.flags.writeable:
                raise GiveUp("a turn reads a large array of NumPy's")
            self._read.setdefault(id(value), (value, value.copy()))
        elif is_opaque(type(value)):  # type: ignore[arg-type]  # a class is hashable
            raise GiveUp(f"a turn has to do with a {type(value).__name__}")

    def require_unchanged(self) -> None:
        """Sees to it that no array of NumPy's is another one after the turn; else it is what it was."""
        changed = False
        for array, before in self._read.values():
            if array.tobytes() != before.tobytes():
                array[...] = before
                changed = True
        if changed:
            raise GiveUp("a turn changes an array of NumPy's")

    def outside(self, callee: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function gives that is not converted and is handed numbers; else `NotImplemented`.

        Raises
        ------
        GiveUp
            When nobody knows that it only computes.
        """
        for each in (*args, *kwargs.values()):
            self.require_own(each)
        name = getattr(callee, "__qualname__", type(callee).__name__)
        if not _only_computes(callee):
            raise GiveUp(f"{name}() is called, and may do more than compute")
        for each in flatten((args, kwargs))[0]:
            self.read(each)
        if not holds_number(args, kwargs) or callee is divmod or _takes_any(callee, args):
            return NotImplemented
        is_known = callee in _OF_NUMBERS or callee.__module__ in {"math", "cmath"}
        if is_known and _are_numbers(args) and not kwargs:
            return applied(callee, *args)
        if isinstance(callee, np.ufunc) and not kwargs:  # as an operator, it takes what stands for a number
            return callee(*map(with_tensors, args))
        raise GiveUp(f"a number of the loop is handed to {name}()")


def _takes_any(callee: Any, args: tuple[Any, ...]) -> bool:
    """Whether a call means the same whatever numbers it is handed: a length, items, a container of the graph.

    There a number becomes what it would be as a constant.
    """
    if callee is len or callee in _HOLDING or callee in _ITERATING:
        return (len(args) == 1 or callee is zip) and all(type(each) in {list, tuple} for each in args)
    return isinstance(getattr(callee, "__self__", None), StagedList | StagedKeyed)


def _are_numbers(args: tuple[Any, ...]) -> bool:
    return all(isinstance(each, TurnNumber | int | float | complex) for each in args)


_OF_NUMBERS = frozenset({chr})
_MOST_COMPARED = 1 << 17
"""Elements of an array up to which it is looked at whether a turn has changed it."""
_COMPUTING = frozenset(
    {"abs_", "bool_", "complex_", "float_", "index_", "int_", "max_", "min_", "pow_", "round_"}
)
_CHOOSING = frozenset({"max_", "min_"})
_SHOWING = frozenset({"format_", "print_", "repr_", "str_"})
_CLASSES = frozenset({"is_instance", "type_"})


_PURE_MODULES = frozenset({"math", "cmath", "numpy", "ml_dtypes", "runtime", "typing"})
_OPERATORS = frozenset(
    {"abs", "add", "and_", "eq", "floordiv", "ge", "getitem", "gt", "invert", "le", "lshift", "lt", "matmul"}
    | {"mod", "mul", "ne", "neg", "not_", "or_", "pos", "pow", "rshift", "sub", "truediv", "truth", "xor"}
)
_IMMUTABLE = (bool, int, float, complex, str, bytes, tuple, frozenset, range, slice)
_CHANGES_ARRAY = frozenset({"fill", "itemset", "partition", "put", "resize", "setfield", "setflags", "sort"})
_HOLDING = frozenset({list, tuple, deque})
"""Classes of containers that hold what they are handed, in its order."""
_ITERATING = frozenset({enumerate, reversed, zip})
"""Classes of iterators that give what is in what they are handed."""
_PLAIN_CLASSES = frozenset({*_IMMUTABLE, *_HOLDING, *_ITERATING, dict, set, object, np.ndarray})
_BUILTINS = frozenset(
    {abs, all, any, callable, chr, divmod, format, getattr, hasattr, isinstance, issubclass, len, max, min}
    | {ord, pow, repr, round, sorted, sum}
)


def _only_computes(callee: Any) -> bool:
    """Whether a callable that is not converted is known to change nothing that it is not seen to change."""
    if isinstance(callee, HostMethod) or callee is divmod:
        return True
    own = getattr(callee, "__self__", None)
    name = str(getattr(callee, "__name__", ""))
    if isinstance(own, Staged):
        return True  # what it does is in the graph, and it says what changes
    if isinstance(callee, type):
        if callee in _PLAIN_CLASSES or issubclass(callee, BaseException | np.generic | Tensor):
            return True
        has_text = (
            isinstance(callee.__init__, FunctionType) and callee.__init__.__code__.co_filename != "<string>"
        )
        return not has_text and (is_dataclass(callee) or hasattr(callee, "_fields"))
    if own is not None and not isinstance(own, ModuleType):
        kind = own if isinstance(own, type) else type(own)
        if kind in CONTAINERS or kind in _IMMUTABLE:
            return True  # what they hold is looked at
        if issubclass(kind, np.ndarray | np.generic):
            return name not in _CHANGES_ARRAY
        return str(kind.__module__).partition(".")[0] == "runtime"
    if isinstance(callee, BuiltinFunctionType) and own is not None and own.__name__ == "builtins":
        return callee in _BUILTINS
    if isinstance(callee, np.ufunc):
        return True
    home = str(getattr(callee, "__module__", None) or "").partition(".")[0]
    if home == "_operator":
        return name in _OPERATORS
    if home == "numpy":
        return name not in {"copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"} and (
            ".random" not in str(callee.__module__)
        )
    if isinstance(callee, MethodType):
        return False
    return home in _PURE_MODULES
