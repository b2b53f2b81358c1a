"""What distributions are given: shapes, dtypes, and parameters that have limits of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import DType, as_dtype
from runtime.core.shapes import Shape
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import DTypeError, InvalidValue, ShapeError
from runtime.graph.build import as_tensor, bind, current_defaults
from runtime.ops.facts import GraphDefBuilder, GraphDefTensor, Sample, sharing
from runtime.ops.families import Opaque
from runtime.ops.known import concrete
from runtime.ops.random.keys import drawn_shape

__all__ = ["CheckedParameter", "require_between"]


class CheckedParameter(Opaque):
    """A parameter of a distribution, once all of it is found to be between two limits."""

    text: str
    least: float
    most: float

    samples = (
        Sample((np.array([0.0, 2.0]),), {"text": "`scale` of `normal`", "least": 0.0, "most": float("inf")}),
        Sample((np.array(0.5),), {"text": "`p` of `bernoulli`", "least": 0.0, "most": 1.0}),
    )

    aliases = sharing(0)

    def infer(self, x: ArraySpec) -> ArraySpec:
        return x

    def kernel(self, x: Array) -> Any:
        return require_between(x, self.text, self.least, self.most)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        del builder, specs  # TensorFlow looks at none of them
        return [*inputs]


def require_between(x: Any, text: str, least: float, most: float) -> Any:
    """`x`, where all of it lies between the limits.

    Raises
    ------
    InvalidValue
        It shows the first number that does not.
    """
    inside = (x >= least) & (x <= most)
    if not np.all(inside):
        wanted = f"at least {least}" if most == float("inf") else f"between {least} and {most}"
        raise InvalidValue(
            f"{text} is {np.asarray(x)[np.logical_not(inside)].flat[0]}",
            why=f"It is {wanted}.",
            way_out="Look at how it is computed, or bring it there with `rt.clip`.",
        )
    return x


def parameter(
    value: TensorLike, dtype: DType, text: str, least: float = 0.0, most: float = float("inf")
) -> Tensor:
    """A parameter of a distribution in the dtype that is drawn; looked at now or, in a graph, in the run."""
    tensor = ops.cast(as_tensor(value), dtype)
    known = concrete(tensor)
    if known is None:
        return bind(CheckedParameter(text, least, most), tensor)
    require_between(known, text, least, most)
    return tensor


def floating_dtype(dtype: Any) -> DType:
    """The dtype of floats that are drawn.

    Raises
    ------
    DTypeError
        When it is no floating-point dtype.
    """
    to = current_defaults().floating if dtype is None else as_dtype(dtype)
    if not to.is_floating:
        raise DTypeError(
            f"random numbers of {to.name} were asked for",
            why="This function draws floats.",
            way_out="Write `rt.random.integers`, or `rt.astype` of what is drawn.",
        )
    return to


def wide(dtype: DType) -> DType:
    """The dtype in which NumPy draws floats that become those of `dtype`."""
    return dtype if dtype.itemsize >= 4 else as_dtype("float32")


def shape_for(shape: Any, parameters: Sequence[Tensor], function: str) -> tuple[Shape, Any]:
    """What is known of the shape to draw, and all of it: by default, what the parameters make together.

    Raises
    ------
    ShapeError
        When the parameters do not broadcast to it.
    """
    if shape is not None:
        known, dims = drawn_shape(shape)
        for each in parameters:
            _require_fit(each.static_shape, known, function)
        return known, dims
    common = shapes.broadcast(*[each.static_shape for each in parameters])
    if shapes.is_known(common):
        return common, np.array(common, np.int64)
    return common, ops.shape(ops.broadcast_arrays(*parameters)[0])


def _require_fit(given: Shape, wanted: Shape, function: str) -> None:
    """Refuses a parameter that does not broadcast to what is drawn."""
    if given is None or wanted is None:
        return
    padded = (1,) * (len(wanted) - len(given)) + given
    if len(padded) > len(wanted) or any(
        have != 1 and not shapes.compatible((have,), (want,)) and isinstance(have, int)
        for have, want in zip(padded, wanted, strict=True)
    ):
        raise ShapeError(
            f"`rt.random.{function}` draws shape {shapes.text(wanted)} with a parameter of shape "
            f"{shapes.text(given)}",
            why="Each number has parameters of its own: they broadcast to the shape that is drawn.",
            way_out="Leave out the shape, which then is that of the parameters, or reshape the parameter.",
        )


def filling(value: Tensor, known: Shape, dims: Any) -> Tensor:
    """A parameter in the shape that is drawn; left to the arithmetic where it has no axes."""
    if value.static_shape == ():
        return value
    return ops.broadcast_to(value, known if shapes.is_known(known) else dims)
