"""Functions of strings that only the run knows: a graph holds the code points of their characters."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import bool_, float64, int32, int64, uint64
from runtime.core.lists import ListValue
from runtime.core.spec import ArraySpec, ListSpec, Spec
from runtime.core.tensor import Tensor
from runtime.core.text import CHARACTERS, Apply, Slot, characters, evaluated, is_deep
from runtime.graph.build import as_tensor, bind
from runtime.graph.op import Effects, Failures, Op
from runtime.ops.facts import Sample

__all__ = ["ASKED", "TextOf", "WholeOf", "code_points"]

_TEXT = ArraySpec((UNKNOWN,), int32)
_TRUTH, _WHOLE, _REAL = ArraySpec((), bool_), ArraySpec((), int64), ArraySpec((), float64)


def _ranks(texts: Sequence[str]) -> list[int]:
    """The place of each text among all of them when they are sorted."""
    places = {text: place for place, text in enumerate(sorted(set(texts)))}
    return [places[text] for text in texts]


def _methods(result: Spec, *names: str) -> dict[str, tuple[Callable[..., Any], Spec]]:
    return {name: (getattr(str, name), result) for name in names}


ASKED: Mapping[str, tuple[Callable[..., Any], Spec]] = {
    "str": (str, _TEXT),
    "written": (str, _TEXT),
    "chr": (chr, _TEXT),
    "item": (operator.getitem, _TEXT),
    "ord": (ord, _WHOLE),
    "int": (int, _WHOLE),
    "float": (float, _REAL),
    "in": (operator.contains, _TRUTH),
    "ranks": (_ranks, ArraySpec((UNKNOWN,), int64)),
    **{name: (getattr(operator, name), _TRUTH) for name in ("eq", "ge", "gt", "le", "lt", "ne")},
    **_methods(_WHOLE, "count", "find", "index", "rfind", "rindex"),
    **_methods(_TRUTH, "endswith", "isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "isidentifier"),
    **_methods(_TRUTH, "islower", "isnumeric", "isprintable", "isspace", "istitle", "isupper", "startswith"),
    **_methods(ListSpec(_TEXT), "partition", "rpartition", "rsplit", "split", "splitlines"),
}
"""By name, functions of strings, and what a graph holds of what they give."""

_RAISES: Mapping[str, Failures] = {
    "chr": frozenset({ValueError, OverflowError}),
    "float": frozenset({ValueError}),
    "index": frozenset({ValueError}),
    "int": frozenset({ValueError}),
    "item": frozenset({IndexError}),
    "ord": frozenset({TypeError}),
    "partition": frozenset({ValueError}),
    "rindex": frozenset({ValueError}),
    "rpartition": frozenset({ValueError}),
    "rsplit": frozenset({ValueError}),
    "split": frozenset({ValueError}),
    "written": frozenset({OverflowError, TypeError, ValueError}),  # by a form that the run knows
}


class TextOf(Op):
    """What a function of strings gives of texts that the run puts together."""

    function: str
    """One of `ASKED`."""
    arguments: tuple[Any, ...]
    """Templates of texts, with a slot for each value of the graph, and literals."""

    why_no_graphdef = "TensorFlow holds text by bytes, and has no such functions of it"
    samples = (
        Sample((np.array(3),), {"function": "str", "arguments": (Apply("str", (Slot(is_number=True),)),)}),
        Sample((np.array([97, 98], np.int32),), {"function": "find", "arguments": (CHARACTERS, "b")}),
        Sample((np.array([97, 98], np.int32),), {"function": "split", "arguments": (CHARACTERS, "b")}),
        Sample((np.array([97, 98], np.int32),), {"function": "int", "arguments": (CHARACTERS,)}, ValueError),
        Sample((np.array([49, 48], np.int32),), {"function": "int", "arguments": (CHARACTERS, 2)}),
    )

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS if self.function in _RAISES else Effects.NONE

    def raises(self, *_: Spec) -> Failures:
        """What Python raises for strings of this kind."""
        return _RAISES.get(self.function, frozenset())

    def infer(self, *_: Spec) -> Spec:
        return ASKED[self.function][1]

    def kernel(self, *values: Any) -> Any:
        function, spec = ASKED[self.function]
        found = function(*evaluated(self.arguments, values))
        if spec == _TEXT:
            return code_points(found)
        if isinstance(spec, ListSpec):
            return ListValue.of([code_points(each) for each in found])
        assert isinstance(spec, ArraySpec), "the others are numbers and truths"
        return np.asarray(found, spec.dtype.numpy)

    def decompose(self, *values: Tensor) -> Tensor | None:
        """Characters are numbers: what is put together, cut out, counted off or compared one by one."""
        write = None if any(map(is_deep, self.arguments)) else _IN_CORE.get(self.function)
        places = iter(values)
        with suppress(_NeedsPython):
            return None if write is None else write(*[_operand(each, places) for each in self.arguments])
        return None


class WholeOf(Op):
    """The integer that a text says, as `int(text)` reads it, of its code points."""

    is_core = True
    why_no_graphdef = TextOf.why_no_graphdef
    samples = (
        Sample((np.array([52, 50], np.int32),)),
        Sample((np.array([45, 55], np.int32),)),
        Sample((np.array([97], np.int32),), {}, ValueError),
    )

    @property
    def effects(self) -> Effects:
        return Effects.CHECKS

    def raises(self, *_: Spec) -> Failures:
        return _RAISES["int"]

    def infer(self, *_: Spec) -> Spec:
        return _WHOLE

    def kernel(self, codes: Any) -> Any:
        return np.asarray(int(characters(codes)), np.int64)


class _NeedsPython(Exception):  # it is caught where it is raised: nobody else hears of it
    """A text that Python makes."""


def _operand(part: Any, places: Iterator[Tensor]) -> Tensor:
    """A text as its code points, or an integer."""
    if isinstance(part, Slot) or type(part) is int:
        return as_tensor(_whole(part, places))
    return _codes(part, places)


def _whole(part: Any, places: Iterator[Tensor]) -> Tensor | int:
    """An integer."""
    if type(part) is int and abs(part) < 1 << 63:
        return part
    number = next(places) if isinstance(part, Slot) else None
    if number is None or not number.dtype.is_integer or number.dtype is uint64 or number.static_shape != ():
        raise _NeedsPython
    return ops.cast(number, int64)


def _codes(part: Any, places: Iterator[Tensor]) -> Tensor:
    """The code points of a text."""
    pieces = [*_pieces(part, places)] or [as_tensor(code_points(""))]
    return pieces[0] if len(pieces) == 1 else ops.concat(pieces)


def _pieces(part: Any, places: Iterator[Tensor]) -> Iterator[Tensor]:
    """The code points of a text, piece by piece."""
    match part:
        case "":
            pass
        case str():
            yield as_tensor(code_points(part))
        case Apply("characters", (Slot(),)):
            yield ops.cast(next(places), int32)
        case Apply("str", (Slot(),)) | Apply("format", (Slot(), "")) | Apply("repr", (Slot(is_number=True),)):
            number = next(places)
            if not number.dtype.is_integer or number.static_shape != ():
                raise _NeedsPython
            yield _digits(number)
        case Apply("slice", (text, *bounds, None | int() as step)) if step != 0:  # which Python refuses
            codes = _codes(text, places)
            start, stop = [each if each is None else _whole(each, places) for each in bounds]
            yield codes[start:stop:step]
        case Apply("join" | "str", parts):
            for each in parts:
                yield from _pieces(each, places)
        case _:
            raise _NeedsPython


_POWERS = 10 ** np.arange(20, dtype=np.uint64)


def _digits(number: Tensor) -> Tensor:
    """The code points of an integer as Python writes it."""
    is_negative = ops.less(number, 0)
    size = ops.cast(number, uint64)
    size = ops.where(is_negative, ops.negative(size), size)
    powers = as_tensor(_POWERS)
    signs = ops.cast(is_negative, int64)
    count = ops.sum(ops.cast(ops.greater_equal(size, powers[1:]), int64)) + signs + 1
    place = ops.arange(count)
    digit = ops.remainder(ops.floor_divide(size, ops.take(powers, count - 1 - place)), 10)
    return ops.where(ops.less(place, signs), ord("-"), ops.cast(digit, int32) + ord("0"))


def _character(number: Tensor) -> Tensor:
    """`chr(number)`."""
    fits = ops.logical_and(ops.greater_equal(number, -(2**31)), ops.less(number, 2**31))
    ops.core.check(fits, *_TOO_LARGE)
    is_one = ops.logical_and(ops.greater_equal(number, 0), ops.less(number, 0x110000))
    ops.core.check(is_one, "ValueError", "chr() arg not in range(0x110000)")
    return ops.reshape(ops.cast(number, int32), (1,))


def _error_of(function: Callable[..., object], *arguments: object) -> tuple[str, str]:
    """What this Python raises, and says."""
    try:
        function(*arguments)
    except Exception as error:  # noqa: BLE001  # whatever it is
        return type(error).__name__, str(error)
    raise AssertionError("it was to raise")


_TOO_LARGE = _error_of(chr, 1 << 40)


def _character_at(text: Tensor, index: Tensor) -> Tensor:
    """`text[index]`."""
    count = ops.size(text)
    is_inside = ops.logical_and(ops.greater_equal(index, -count), ops.less(index, count))
    ops.core.check(is_inside, "IndexError", "string index out of range")
    return ops.reshape(ops.take(text, ops.where(ops.less(index, 0), index + count, index)), (1,))


def _ordinal(text: Tensor) -> Tensor:
    """`ord(text)`."""
    count = ops.size(text)
    message = "ord() expected a character, but string of length {0} found"
    ops.core.check(ops.equal(count, 1), "TypeError", message, count)
    return ops.cast(ops.take(text, 0), int64)


def _whole_said(text: Tensor, *base: Tensor) -> Tensor:
    """`int(text)`; to a base that is named, Python reads it."""
    if base:
        raise _NeedsPython
    found: Tensor = bind(WholeOf(), text)
    return found


def _are_equal(one: Tensor, other: Tensor) -> Tensor:
    """`one == other`."""
    if one.static_shape == other.static_shape == (1,):
        return ops.equal(one[0], other[0])
    count = ops.size(one)

    def are_equal() -> Tensor:
        places = ops.arange(count)
        return ops.all(ops.equal(ops.take(one, places), ops.take(other, places)))

    found: Tensor = ops.cond(ops.equal(count, ops.size(other)), are_equal, lambda: False)
    return found


def _has(text: Tensor, item: Tensor) -> Tensor:
    """`item in text`, of one character."""
    if item.static_shape != (1,):
        raise _NeedsPython
    return ops.any(ops.equal(text, item))


_IN_CORE: Mapping[str, Callable[..., Tensor]] = {
    "str": lambda text: text,
    "chr": _character,
    "item": _character_at,
    "ord": _ordinal,
    "int": _whole_said,
    "in": _has,
    "eq": _are_equal,
    "ne": lambda one, other: ops.logical_not(_are_equal(one, other)),
}
"""What is written in simpler ops, of texts as code points and of integers."""


def code_points(text: str) -> Any:
    """The code points of the characters of a string."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<i4").astype(np.int32)
