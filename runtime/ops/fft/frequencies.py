"""Which frequency is where in a transform, and the order of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.devices import require_device
from runtime.core.dtypes import DType, as_dtype, int32
from runtime.core.shapes import normalise_axes
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Operators, Tensor, TensorLike
from runtime.errors import DTypeError
from runtime.graph.build import as_tensor, bind, current_defaults
from runtime.graph.op import Failures
from runtime.ops.arguments import Axes, checked_axes, number
from runtime.ops.arranging.turning import rolled
from runtime.ops.core import computed, length
from runtime.ops.facts import GraphDefBuilder, GraphDefTensor, misranked, shaped, sharing
from runtime.ops.families import IndexMap
from runtime.ops.fft.transforms import whole_length
from runtime.ops.known import as_constant

__all__ = ["FFTShift", "fftfreq", "fftshift", "ifftshift", "rfftfreq"]


class FFTShift(IndexMap):
    """Elements moved along some axes by half of the length, or back."""

    axes: tuple[int, ...] | None
    """The axes; None means all, where the rank is not known."""
    inverse: bool

    samples = (
        shaped((5,), axes=(0,), inverse=False),
        shaped((5,), axes=(0,), inverse=True),
        shaped((2, 3, 4), axes=(0, 1, 2), inverse=False, elements=np.int32),
        shaped((0, 3), axes=(0, 1), inverse=True),
    )
    aliases = sharing()

    def infer(self, x: ArraySpec) -> ArraySpec:
        if x.shape is not None:
            normalise_axes(self.axes, len(x.shape))
        return x

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs)

    def kernel(self, x: Array) -> Any:
        return np.fft.ifftshift(x, self.axes) if self.inverse else np.fft.fftshift(x, self.axes)

    def decompose(self, x: Tensor) -> Tensor | None:
        if x.static_shape is None:
            return None
        for axis in normalise_axes(self.axes, x.ndim):
            own = length(x, axis)
            half = computed("x0 // i64(2)", own)
            x = rolled(x, axis, own - half if self.inverse else half)
        return x

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        dtype, counted = specs[0].dtype, {"T": int32}
        lengths = builder.node("Shape", inputs, T=dtype, out_type=int32)
        if self.axes is None:
            count = builder.node("Size", [lengths], T=int32, out_type=int32)
            zero, one = builder.constant(0, int32), builder.constant(1, int32)
            axes = builder.node("Range", [zero, count, one], Tidx=int32)
        else:
            axes = builder.constant(self.axes, int32)
            lengths = builder.node(
                "GatherV2",
                [lengths, axes, builder.constant(0, int32)],
                Tparams=int32,
                Tindices=int32,
                Taxis=int32,
            )
        shift = builder.node("FloorDiv", [lengths, builder.constant(2, int32)], "z", **counted)
        if self.inverse:
            shift = builder.node("Neg", [shift], "y", **counted)
        return [builder.node("Roll", [*inputs, shift, axes], T=dtype, Tshift=int32, Taxis=int32)]


def _dtype_of_frequencies(dtype: Any, device: Any) -> DType:
    require_device(device)
    wanted: DType = current_defaults().floating if dtype is None else as_dtype(dtype)
    if not wanted.is_floating:
        raise DTypeError(
            f"frequencies cannot be {wanted.name}",
            why="They are fractions.",
            way_out="Give `rt.float32` or `rt.float64`.",
        )
    return wanted


def _shifted(x: TensorLike, axes: Axes, *, inverse: bool) -> Tensor:
    tensor = as_tensor(x)
    along = checked_axes(axes, tensor)
    return tensor if along == () else bind(FFTShift(along, inverse), tensor)


def fftshift(x: TensorLike, /, *, axes: Axes = None) -> Tensor:
    """`x` with the frequency 0 in the middle of each axis.

    Parameters
    ----------
    x : Tensor of any dtype
    axes : int or sequence of ints, optional
        The axes along which elements move; all of them by default.

    Returns
    -------
    Tensor of the same shape and dtype

    Raises
    ------
    ShapeError
        When an axis is out of range or named twice.

    Notes
    -----
    GraphDef "Roll". Semantics: Array API 2025.12, `fft.fftshift`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.fft.fftshift(rt.asarray([0, 1, 2, -2, -1]))
    <Tensor: shape=(5,), dtype=int64, numpy=array([-2, -1,  0,  1,  2])>
    """
    return _shifted(x, axes, inverse=False)


def ifftshift(x: TensorLike, /, *, axes: Axes = None) -> Tensor:
    """`x` with what `fftshift` moved back in its place.

    Parameters
    ----------
    x : Tensor of any dtype
    axes : int or sequence of ints, optional
        The axes along which elements move; all of them by default.

    Returns
    -------
    Tensor of the same shape and dtype

    Raises
    ------
    ShapeError
        When an axis is out of range or named twice.

    Notes
    -----
    GraphDef "Roll". Semantics: Array API 2025.12, `fft.ifftshift`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.fft.ifftshift(rt.asarray([-2, -1, 0, 1, 2]))
    <Tensor: shape=(5,), dtype=int64, numpy=array([ 0,  1,  2, -2, -1])>
    """
    return _shifted(x, axes, inverse=True)


def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Tensor:
    """Frequencies in the order in which `fft` gives them.

    Parameters
    ----------
    n : int, or Tensor of one integer
        How many samples there are.
    d : float, optional
        The time from a sample to the next.
    dtype : DType, optional
        A real floating-point dtype; by default that of Python's floats.
    device : str, optional
        There is one, ``"cpu"``.

    Returns
    -------
    Tensor of `dtype`, shape (n,)
        0 and the positive frequencies, then the negative ones.

    Raises
    ------
    InvalidValue
        When `n` is less than 1, or there is no such device.
    DTypeError
        When `n` is no integer, `d` no number, or `dtype` not a real floating-point dtype.

    Notes
    -----
    In a graph the length is unknown where `n` is. Semantics: Array API 2025.12, `fft.fftfreq`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.fft.fftfreq(5)
    <Tensor: shape=(5,), dtype=float64, numpy=array([ 0. ,  0.2,  0.4, -0.4, -0.2])>
    """
    wanted, count = _dtype_of_frequencies(dtype, device), whole_length(n, "n")
    d = _spacing(d)
    if isinstance(count, int):
        return as_constant(np.fft.fftfreq(count, d).astype(wanted.numpy))
    numbers = ops.arange(count)
    later = ops.greater_equal(numbers, (count - 1) // 2 + 1)
    return ops.cast(ops.where(later, numbers - count, numbers) * (1.0 / (count * d)), wanted)


def _spacing(d: Any) -> Any:
    """The time between samples as a number, which may be known to the run alone."""
    return d if isinstance(d, Operators) else number(d, "d")


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Tensor:
    """Frequencies in the order in which `rfft` gives them.

    Parameters
    ----------
    n : int, or Tensor of one integer
        How many samples there are.
    d : float, optional
        The time from a sample to the next.
    dtype : DType, optional
        A real floating-point dtype; by default that of Python's floats.
    device : str, optional
        There is one, ``"cpu"``.

    Returns
    -------
    Tensor of `dtype`, shape (n // 2 + 1,)

    Raises
    ------
    InvalidValue
        When `n` is less than 1, or there is no such device.
    DTypeError
        When `n` is no integer, `d` no number, or `dtype` not a real floating-point dtype.

    Notes
    -----
    In a graph the length is unknown where `n` is. Semantics: Array API 2025.12, `fft.rfftfreq`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.fft.rfftfreq(5)
    <Tensor: shape=(3,), dtype=float64, numpy=array([0. , 0.2, 0.4])>
    """
    wanted, count = _dtype_of_frequencies(dtype, device), whole_length(n, "n")
    d = _spacing(d)
    if isinstance(count, int):
        return as_constant(np.fft.rfftfreq(count, d).astype(wanted.numpy))
    return ops.cast(ops.arange(count // 2 + 1) * (1.0 / (count * d)), wanted)
