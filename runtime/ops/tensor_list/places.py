"""Where an element lies: what dicts and sets ask of the lists that hold their keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from runtime.core.dtypes import bool_, int32, int64
from runtime.core.lists import ListValue
from runtime.core.spec import ArraySpec, Spec, as_array_spec
from runtime.errors import DTypeError
from runtime.ops.facts import (
    GraphDefBuilder,
    GraphDefTensor,
    Sample,
    Samples,
    raising,
    sharing,
    type_in_graphdef,
)
from runtime.ops.tensor_list.base import ListOp, is_equal
from runtime.ops.tensor_list.nodes import element_of, element_shape

__all__ = ["TensorListPlace"]


def _samples() -> list[Sample]:
    floats, ints = ListValue.of([1.0, 2.0, 4.0]), ListValue.of([7, 7, 8])
    return [
        Sample((floats, np.array(2.0)), {"columns": 1}),
        Sample((floats, np.array(3.0)), {"columns": 1}),
        Sample((floats, ints, np.array(4.0), np.array(8)), {"columns": 2}),
        Sample((floats, ints, np.array(4.0), np.array(7)), {"columns": 2}),
    ]


class TensorListPlace(ListOp):
    """The place of an element, whose parts are in several lists of numbers; the length, where it is in none.

    The lists are as long as each other, and no two places hold equal elements: so executors may keep what
    finds a place at once (a hash table), and a list may lose it where another element gets a place.
    """

    columns: int
    """How many lists there are; as many parts come behind them."""
    is_core = True
    keeps_scalars = True
    input_names: ClassVar[tuple[str, ...]] = ("input_handle", "value")
    samples = Samples(_samples)
    raises = raising()
    aliases = sharing()

    @property
    def lists(self) -> int:  # type: ignore[override]  # it is the op that knows
        return self.columns

    def infer(self, *specs: Spec) -> Spec:
        for handle, part in zip(specs[: self.columns], specs[self.columns :], strict=True):
            element = element_of(handle)
            if element is not None and as_array_spec(element).dtype is not as_array_spec(part).dtype:
                raise DTypeError(f"a list of {element} is asked for the place of {part}")
        return ArraySpec((), int64)

    def on_items(self, *operands: Any) -> Any:
        return place_of(operands[: self.columns], operands[self.columns :])

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[Spec]
    ) -> list[GraphDefTensor]:
        found, count = None, self.columns
        columns = zip(inputs[:count], inputs[count:], specs[:count], specs[count:], strict=True)
        for handle, part, held, own in columns:
            dtype, shape = type_in_graphdef(own), element_shape(builder, element_of(held))
            stacked = builder.node(
                "TensorListStack", [handle, shape], "tensor", element_dtype=dtype, num_elements=-1
            )
            equal = builder.node("Equal", [stacked, part], "z", T=dtype, incompatible_shape_error=True)
            found = equal if found is None else builder.node("LogicalAnd", [found, equal], "z")
        zero = builder.constant(0, int32)
        ends = builder.node(
            "ConcatV2", [found, builder.constant([True], bool_), zero], "output", N=2, T=bool_, Tidx=int32
        )
        numbers = builder.node("Cast", [ends], "y", SrcT=bool_, DstT=int32)
        return [builder.node("ArgMax", [numbers, zero], T=int32, Tidx=int32, output_type=int64)]


def place_of(lists: Sequence[list[Any]], parts: Sequence[Any]) -> Any:
    """The first place where lists of one length hold these parts; the length, where there is none."""
    for place, held in enumerate(zip(*lists, strict=True)):
        if all(map(is_equal, held, parts)):
            return np.int64(place)
    return np.int64(len(lists[0]))
