"""Functions of strings that only the run knows: a graph holds the code points of their characters."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import bool_, float64, int32, int64
from runtime.core.lists import ListValue
from runtime.core.spec import ArraySpec, ListSpec, Spec
from runtime.core.text import CHARACTERS, Apply, Slot, evaluated
from runtime.graph.op import Effects, Failures, Op
from runtime.ops.facts import Sample

__all__ = ["ASKED", "TextOf", "code_points"]

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


def code_points(text: str) -> Any:
    """The code points of the characters of a string."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<i4").astype(np.int32)
