"""What a function returns as plain Python, in the form that its graph gives it: with tensors for numbers.

The structure of what the graph returns says which these are. Of containers that a run fills, every number is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

import numpy as np

from runtime.core.lists import ListValue
from runtime.core.rebuilding import named
from runtime.core.spec import ArraySpec
from runtime.core.structure import Level, Structure, is_container, level_of
from runtime.core.tensor import Tensor
from runtime.executors.native.giving import giving
from runtime.functions.trace import OUTPUT, Trace

__all__ = ["Unfit", "agree", "as_graph_gives", "in_any_form"]


class Unfit(Exception):
    """What a function has returned is not of the form that its graph gives, or it has raised."""

    def __init__(self, *, has_raised: bool = False) -> None:
        super().__init__()
        self.has_raised = has_raised


_Form = Callable[[Any], Any]


def as_graph_gives(trace: Trace, tensors: type[Tensor]) -> _Form | None:
    """What gives a result of plain Python the form of the graph's; None where that is not known.

    It raises `Unfit` for a result of another form, of another length of a tuple for one.
    """
    if not trace.returns:
        return _unfit
    if trace.same or trace.structure.shares or trace.structure.leaf_count > _MOST:
        return None
    iter(trace.graph.output_specs[: trace.count])
    guards = trace.guards
    is_as_traced = (lambda: True) if guards is None else guards.hold
    forms = _Forms(trace.leaves, trace.graph.output_specs[: trace.count], tensors, is_as_traced)
    return forms.of(trace.structure)


_MOST = 1000
"""Leaves of a result that is looked at."""


class _Forms:
    """Makes what gives the form of a structure, whose leaves come one after the other.

    What is in lists and tuples is written as one function::

        [tensor, (tensor, "a")]   ⇒   [v1, v2] = v0; [v3, v4] = v2; return [give(v1), (give(v3), same(v4))]
    """

    def __init__(
        self,
        leaves: Sequence[Any],
        specs: Sequence[Any],
        tensors: type[Tensor],
        is_as_traced: Callable[[], bool],
    ) -> None:
        self._leaves = iter(leaves)
        self._specs = iter(specs)
        self._tensors = tensors
        self._is_as_traced = is_as_traced
        self._give = in_any_form(tensors)

    def of(self, structure: Structure) -> _Form | None:
        """What gives that form; None where it is not known."""
        kind = structure.kind
        if kind is list or kind is tuple:
            return self._sequence(structure)
        if kind is None:
            return self._leaf()
        if kind is not dict and not _is_of_users(kind):
            for _ in range(structure.leaf_count):
                if next(self._leaves) is OUTPUT:
                    next(self._specs)
            return self._give
        inside = [self.of(child) for child in structure.children]
        forms = [each for each in inside if each is not None]
        level = Level(kind, structure.keys, structure.extra)
        return _nest(level, forms) if len(forms) == len(inside) else None

    def _leaf(self) -> _Form | None:
        leaf = next(self._leaves)
        if leaf is not OUTPUT:
            return _same(type(leaf))
        spec = next(self._specs)
        if not isinstance(spec, ArraySpec):
            return None
        return _tensor(spec, self._tensors, self._give, self._is_as_traced)

    def _sequence(self, structure: Structure) -> _Form | None:
        names: dict[str, Any] = {"unfit": Unfit}
        lines: list[str] = []
        made = self._made(structure, "v0", lines, names)
        if made is None:
            return None
        text = "\n    ".join(["def sequence(v0):", *lines, f"return {made}"])
        exec(compile(text, "<results>", "exec"), names)  # noqa: S102
        sequence: _Form = names["sequence"]
        return sequence

    def _made(self, structure: Structure, place: str, lines: list[str], names: dict[str, Any]) -> str | None:
        """An expression for the form of what is in a place; `lines` are to run before it."""
        kind = structure.kind
        if kind is not list and kind is not tuple:
            form = self.of(structure)
            return None if form is None else f"{named(names, form)}({place})"
        count = len(structure.children)
        lines.append(f"if type({place}) is not {kind.__name__} or len({place}) != {count}: raise unfit")
        places = [f"v{len(names)}_{index}" for index in range(count)]
        named(names, None)  # the next places have other names
        if places:
            lines.append(f"[{', '.join(places)}] = {place}")
        inside = [
            self._made(child, each, lines, names)
            for child, each in zip(structure.children, places, strict=True)
        ]
        items = [each for each in inside if each is not None]
        if len(items) < count:
            return None
        return f"[{', '.join(items)}]" if kind is list else f"({', '.join(items)}{',' * (count == 1)})"


def _unfit(_: Any) -> Any:
    raise Unfit


def _is_of_users(kind: type) -> bool:
    """Whether a container is a named tuple or an instance of a dataclass, and stands for no other."""
    is_named = issubclass(kind, tuple) and hasattr(kind, "_fields")
    return is_container(kind) and (is_named or hasattr(kind, "__dataclass_fields__"))


def _same(kind: type) -> _Form:
    def same(value: Any) -> Any:
        if type(value) is not kind:
            raise Unfit
        return value

    return same


def _tensor(spec: ArraySpec, tensors: type[Tensor], give: _Form, is_as_traced: Callable[[], bool]) -> _Form:
    """What makes the tensor of a number or an array."""
    wanted, shape = spec.dtype.numpy, spec.shape

    def other(value: Any) -> Any:
        return tensors(_own(value, wanted, shape, is_as_traced))

    def array(value: Any) -> Any:
        if type(value) is np.ndarray and value.dtype is wanted and value.shape == shape:
            return tensors(value.copy())
        return other(value)

    def number(value: Any) -> Any:
        return give(value) if type(value) in numbers else other(value)

    numbers = {wanted.type, _OF_PYTHON.get(wanted.type)}
    return number if shape == () else array


_OF_PYTHON = {np.bool_: bool, np.int64: int, np.float64: float, np.complex128: complex}
"""The class of Python's own number that becomes one of NumPy's."""


def _own(
    value: Any, wanted: np.dtype[Any], shape: Any, is_as_traced: Callable[[], bool]
) -> np.ndarray[Any, Any]:
    """The array of a result; it is a copy, as others may have the one that the function returned.

    An int of Python's may stand where the graph has a float, as long as it is the graph of the function.
    """
    array = value._array if isinstance(value, Tensor) else value
    if not isinstance(array, (np.ndarray, np.generic, bool, int, float, complex)):
        raise Unfit
    try:
        given = np.asarray(array)
    except OverflowError:
        raise Unfit from None
    is_of_python = type(value) in {bool, int, float} and np.can_cast(given.dtype, wanted, "safe")
    if given.dtype != wanted and not (is_of_python and is_as_traced()):
        raise Unfit
    if shape is not None and (
        len(shape) != given.ndim
        or any(isinstance(dim, int) and dim != there for dim, there in zip(shape, given.shape, strict=True))
    ):
        raise Unfit
    return np.array(given, wanted)


def _nest(level: Level, forms: list[_Form]) -> _Form:
    build = level.building()

    def nest(value: Any) -> Any:
        found = level_of(value)
        if found is None or found[0] != level:
            raise Unfit
        return build([form(each) for form, each in zip(forms, found[1], strict=True)])

    return nest


def in_any_form(tensors: type[Tensor]) -> _Form:
    """What gives containers that a run fills: each number is a tensor, and texts are what they are."""

    def filled(value: Any) -> Any:
        kind = type(value)
        if kind is str or value is None or kind is bytes or isinstance(value, (Enum, type)):
            return value
        if kind is list:
            return [give(each) for each in value]
        if kind is tuple:
            return tuple([give(each) for each in value])
        if kind is deque:
            return deque(map(give, value), value.maxlen)
        if kind is dict:
            return {key: give(each) for key, each in value.items()}
        return _number(value, tensors)

    give: _Form = giving(tensors, filled) or filled
    return give


def _number(value: Any, tensors: type[Tensor]) -> Any:
    if isinstance(value, tensors):
        return value
    if not isinstance(value, (np.ndarray, np.generic, bool, int, float, complex)):
        raise Unfit
    try:
        array = np.array(value)
    except OverflowError:
        raise Unfit from None
    if array.dtype.hasobject or (type(value) is int and array.dtype != np.int64):
        raise Unfit
    return tensors(array)


def agree(one: Any, other: Any) -> bool:
    """Whether two results are of one form: of the same classes, dtypes and numbers of axes."""
    kind = type(one)
    if kind is not type(other):
        return False
    if isinstance(one, Tensor):
        here: Any = one._array
        there: Any = other._array
        if isinstance(here, ListValue) or isinstance(there, ListValue):
            return False
        return bool(here.dtype == there.dtype and here.ndim == there.ndim)
    if kind is dict:
        pairs = zip(one.items(), other.items(), strict=False)
        return all(agree(*keys) and agree(*values) for keys, values in map(_turned, pairs))
    if kind in {list, tuple, deque}:
        return all(agree(*pair) for pair in zip(one, other, strict=False))
    found, also = level_of(one), level_of(other)
    if found is None or also is None:
        return found is also
    return found[0] == also[0] and all(agree(*pair) for pair in zip(found[1], also[1], strict=True))


def _turned(pair: tuple[tuple[Any, Any], tuple[Any, Any]]) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    (key, value), (other_key, other_value) = pair
    return (key, other_key), (value, other_value)
