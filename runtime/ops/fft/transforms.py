"""Fourier transforms along one axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from runtime import ops
from runtime.core.dtypes import DType, bool_, complex64, complex128, float16, float32, float64
from runtime.core.shapes import Dim, as_axis, normalise_axis
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Operators, Tensor, TensorLike
from runtime.errors import DTypeError, InvalidValue, ShapeError
from runtime.graph.build import array_spec_of, as_tensor, bind
from runtime.ops.arguments import is_named, whole_number
from runtime.ops.facts import INTEGER, GraphDefBuilder, GraphDefTensor, shaped
from runtime.ops.families import Opaque
from runtime.ops.fft.graphdef import write_transform
from runtime.ops.known import concrete
from runtime.ops.promotion import require_dtype, widened

__all__ = [
    "COMPLEX_INPUT",
    "REAL_INPUT",
    "FourierTransform",
    "Norm",
    "checked_norm",
    "fft",
    "frequencies_dtype",
    "hfft",
    "ifft",
    "ihfft",
    "irfft",
    "refuse_nothing",
    "rfft",
    "samples_dtype",
    "whole_length",
]

Norm: TypeAlias = Literal["backward", "ortho", "forward"]
"""Which of a transform and its inverse divides by the number of samples; with "ortho" both, by its root."""

_SWAPPED: dict[Norm, Norm] = {"backward": "forward", "ortho": "ortho", "forward": "backward"}

REAL_INPUT = INTEGER | {bool_, float16, float32, float64}
"""What the transforms of real samples take."""
COMPLEX_INPUT = REAL_INPUT | {complex64, complex128}
"""What the others take; real numbers become complex."""

_SINGLE = frozenset([float16, float32, complex64])
_OF_REALS = frozenset(["rfft", "ihfft"])
_TO_REALS = frozenset(["irfft", "hfft", "irfftn"])
_ONES = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")


def frequencies_dtype(dtype: DType) -> DType:
    """The complex dtype in which samples of `dtype` are transformed."""
    return complex64 if dtype in _SINGLE else complex128


def samples_dtype(dtype: DType) -> DType:
    """The real dtype of the samples that frequencies of `dtype` give."""
    if dtype is float16:
        return float16
    return float32 if dtype in _SINGLE else float64


def refuse_nothing(function: str, x: Any, axis: int) -> None:
    """Refuses an axis known to be empty where NumPy would read beyond its end: in inverses that give reals.

    Raises
    ------
    ShapeError
        When the axis has no elements, or is out of range.
    """
    shape = array_spec_of(x).shape
    if shape and 0 in shape and function in _TO_REALS and shape[normalise_axis(axis, len(shape))] == 0:
        raise ShapeError(
            f"`{function}` of an axis of length 0 transforms 0 samples",
            why="A transform is of one sample or more.",
            way_out="Test the length first; of zeros alone the result is `rt.zeros`.",
        )


class FourierTransform(Opaque):
    """The function of `numpy.fft` of that name: frequencies from samples, or samples from frequencies."""

    function: str
    n: int | None
    """How many samples there are, or shall be; None for as many as the operand has."""
    axis: int
    norm: str

    accepts = COMPLEX_INPUT
    samples = (
        *[
            shaped((2, 5), function=name, n=None, axis=1, norm="backward", elements=np.float64)
            for name in _ONES
        ],
        *[shaped((4, 2), function=name, n=6, axis=0, norm="ortho", elements=np.float32) for name in _ONES],
        shaped((5,), function="fft", n=3, axis=-1, norm="forward", elements=np.complex64),
        shaped((5,), function="irfft", n=None, axis=0, norm="forward", elements=np.float16),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        prepared = widened(operands)
        refuse_nothing(self.function, prepared[0], self.axis)
        return prepared

    def infer(self, x: ArraySpec) -> ArraySpec:
        require_dtype(self.function, x.dtype, REAL_INPUT if self.function in _OF_REALS else COMPLEX_INPUT)
        find = samples_dtype if self.function in _TO_REALS else frequencies_dtype
        if x.shape is None:
            return ArraySpec(None, find(x.dtype))
        axis = normalise_axis(self.axis, len(x.shape))
        return ArraySpec((*x.shape[:axis], self.length(x.shape[axis]), *x.shape[axis + 1 :]), find(x.dtype))

    def length(self, given: Dim) -> Dim:
        """How long an axis of length `given` is in the result."""
        count: Dim = given if self.n is None else self.n
        if self.n is None and self.function in _TO_REALS:
            count = 2 * (given - 1)
        if isinstance(count, int) and count < 1:
            raise ShapeError(
                f"`{self.function}` of an axis of length {given} transforms {max(count, 0)} samples",
                why="A transform is of one sample or more.",
                way_out="Test the length first, or say how many samples there shall be with `n`.",
            )
        return count // 2 + 1 if self.function in _OF_REALS else count

    def kernel(self, x: Array) -> Any:
        return getattr(np.fft, self.function)(x, n=self.n, axis=self.axis, norm=self.norm)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        (x,), (spec,) = inputs, specs
        return [write_transform(builder, x, spec, self.function, self.n, self.axis, self.norm)]


def whole_length(n: Any, name: str) -> int | Tensor:
    """A number of samples that an argument gives: a tensor where only the run knows it.

    Raises
    ------
    DTypeError
        When it is no integer.
    InvalidValue
        When it is less than 1.
    """
    if isinstance(n, Operators):
        tensor = as_tensor(n)
        if not tensor.dtype.is_integer or tensor.static_shape not in {(), None}:
            raise DTypeError(
                f"`{name}` is {tensor.spec}",
                why="It is a number of samples, which is one integer.",
                way_out="Cast it with `rt.astype(n, rt.int64)`, or divide with `//`.",
            )
        known = concrete(tensor)
        if known is None:
            return tensor
        n = known[()]
    count = whole_number(n, name)
    if count < 1:
        raise InvalidValue(
            f"`{name}` is {count}",
            why="It is a number of samples, and a transform is of one or more.",
            way_out="Give a positive integer, or leave it out for the length of the axis.",
        )
    return count


def checked_norm(norm: Any) -> Norm:
    """`norm` itself; None, as NumPy has it, stands for the default.

    Raises
    ------
    InvalidValue
        When there is no such way to normalise.
    """
    if norm is None:
        return "backward"
    if is_named(norm, _SWAPPED):
        known: Norm = norm
        return known
    raise InvalidValue(f"`norm` is {norm!r}", way_out='Give "backward", "ortho" or "forward".')


_SEVERAL = {"fft": "fftn", "ifft": "ifftn", "rfft": "rfftn", "irfft": "irfftn"}


def _transformed(function: str, x: TensorLike, n: Any, axis: int, norm: Any) -> Tensor:
    count = None if n is None else whole_length(n, "n")
    axis, norm = as_axis(axis), checked_norm(norm)
    if not isinstance(count, Tensor):
        return bind(FourierTransform(function, count, axis, norm), x)
    lengths: dict[str, Any] = {"s": (count,), "axes": (axis,)}
    match function:
        case "hfft":
            return ops.fft.irfftn(ops.conj(x), norm=_SWAPPED[norm], **lengths)
        case "ihfft":
            return ops.conj(ops.fft.rfftn(x, norm=_SWAPPED[norm], **lengths))
    transform: Callable[..., Tensor] = getattr(ops.fft, _SEVERAL[function])
    return transform(x, norm=norm, **lengths)


def fft(x: TensorLike, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """Discrete Fourier transform along an axis.

    Parameters
    ----------
    x : Tensor of any numeric dtype, shape (..., m, ...)
    n : int, or Tensor of one integer, optional
        How many samples to transform: a longer axis is cut, a shorter one gets zeros. By default m.
    axis : int, optional
        Negative: counted from the end.
    norm : {"backward", "ortho", "forward"}, optional
        Whether the inverse divides by `n`, both by its root, or this function.

    Returns
    -------
    Tensor, shape (..., n, ...)
        complex64 from float32 and complex64, otherwise complex128.

    Raises
    ------
    ShapeError
        When the axis is out of range, or no samples are on it and `n` is not given.
    InvalidValue
        When `n` is not positive, or there is no such `norm`.

    Notes
    -----
    GraphDef "FFT". Semantics: Array API 2025.12, `fft.fft`; integers become float64, as in NumPy.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.fft.fft(rt.asarray([1.0, 0.0, 0.0]))
    <Tensor: shape=(3,), dtype=complex128, numpy=array([1.+0.j, 1.+0.j, 1.+0.j])>
    """
    return _transformed("fft", x, n, axis, norm)


def ifft(x: TensorLike, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """Inverse of `fft`.

    Parameters
    ----------
    x : Tensor of any numeric dtype, shape (..., m, ...)
    n : int, or Tensor of one integer, optional
        How many frequencies to transform: a longer axis is cut, a shorter one gets zeros. By default m.
    axis : int, optional
        Negative: counted from the end.
    norm : {"backward", "ortho", "forward"}, optional
        Whether this function divides by `n`, both by its root, or `fft`.

    Returns
    -------
    Tensor, shape (..., n, ...)
        complex64 from float32 and complex64, otherwise complex128.

    Raises
    ------
    ShapeError
        When the axis is out of range, or nothing is on it and `n` is not given.
    InvalidValue
        When `n` is not positive, or there is no such `norm`.

    Notes
    -----
    GraphDef "IFFT". Semantics: Array API 2025.12, `fft.ifft`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.fft.ifft(rt.asarray([1.0, 1.0, 1.0]))
    <Tensor: shape=(3,), dtype=complex128, numpy=array([1.+0.j, 0.+0.j, 0.+0.j])>
    """
    return _transformed("ifft", x, n, axis, norm)


def rfft(x: TensorLike, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """Discrete Fourier transform of real samples along an axis: the frequencies that are not negative.

    Parameters
    ----------
    x : Tensor of a real dtype, shape (..., m, ...)
    n : int, or Tensor of one integer, optional
        How many samples to transform: a longer axis is cut, a shorter one gets zeros. By default m.
    axis : int, optional
        Negative: counted from the end.
    norm : {"backward", "ortho", "forward"}, optional
        As for `fft`.

    Returns
    -------
    Tensor, shape (..., n // 2 + 1, ...)
        complex64 from float32, otherwise complex128.

    Raises
    ------
    DTypeError
        When `x` is complex.
    ShapeError
        When the axis is out of range, or no samples are on it and `n` is not given.
    InvalidValue
        When `n` is not positive, or there is no such `norm`.

    Notes
    -----
    GraphDef "RFFT". Semantics: Array API 2025.12, `fft.rfft`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.fft.rfft(rt.asarray([1.0, 0.0, 0.0]))
    <Tensor: shape=(2,), dtype=complex128, numpy=array([1.+0.j, 1.+0.j])>
    """
    return _transformed("rfft", x, n, axis, norm)


def irfft(x: TensorLike, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """Inverse of `rfft`.

    Parameters
    ----------
    x : Tensor of any numeric dtype, shape (..., m, ...)
        The frequencies that are not negative.
    n : int, or Tensor of one integer, optional
        How many samples there shall be; by default ``2 * (m - 1)``, an odd number must be given.
    axis : int, optional
        Negative: counted from the end.
    norm : {"backward", "ortho", "forward"}, optional
        As for `ifft`.

    Returns
    -------
    Tensor, shape (..., n, ...)
        float32 from float32 and complex64, float16 from itself, otherwise float64.

    Raises
    ------
    ShapeError
        When the axis is out of range, or too short where `n` is not given.
    InvalidValue
        When `n` is not positive, or there is no such `norm`.

    Notes
    -----
    GraphDef "IRFFT". Semantics: Array API 2025.12, `fft.irfft`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.fft.irfft(rt.asarray([1.0, 1.0]), n=3)
    <Tensor: shape=(3,), dtype=float64, numpy=array([1., 0., 0.])>
    """
    return _transformed("irfft", x, n, axis, norm)


def hfft(x: TensorLike, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """Discrete Fourier transform, along an axis, of samples that mirrored in time are their conjugates.

    Parameters
    ----------
    x : Tensor of any numeric dtype, shape (..., m, ...)
        Half of the samples: those from the middle on.
    n : int, or Tensor of one integer, optional
        How many frequencies there shall be; by default ``2 * (m - 1)``, an odd number must be given.
    axis : int, optional
        Negative: counted from the end.
    norm : {"backward", "ortho", "forward"}, optional
        As for `fft`.

    Returns
    -------
    Tensor, shape (..., n, ...)
        float32 from float32 and complex64, float16 from itself, otherwise float64.

    Raises
    ------
    ShapeError
        When the axis is out of range, or too short where `n` is not given.
    InvalidValue
        When `n` is not positive, or there is no such `norm`.

    Notes
    -----
    GraphDef "IRFFT". Semantics: Array API 2025.12, `fft.hfft`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.fft.hfft(rt.asarray([1.0, 1.0]), n=3)
    <Tensor: shape=(3,), dtype=float64, numpy=array([3., 0., 0.])>
    """
    return _transformed("hfft", x, n, axis, norm)


def ihfft(x: TensorLike, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """Inverse of `hfft`.

    Parameters
    ----------
    x : Tensor of a real dtype, shape (..., m, ...)
    n : int, or Tensor of one integer, optional
        How many frequencies to transform: a longer axis is cut, a shorter one gets zeros. By default m.
    axis : int, optional
        Negative: counted from the end.
    norm : {"backward", "ortho", "forward"}, optional
        As for `ifft`.

    Returns
    -------
    Tensor, shape (..., n // 2 + 1, ...)
        complex64 from float32, otherwise complex128.

    Raises
    ------
    DTypeError
        When `x` is complex.
    ShapeError
        When the axis is out of range, or nothing is on it and `n` is not given.
    InvalidValue
        When `n` is not positive, or there is no such `norm`.

    Notes
    -----
    GraphDef "RFFT". Semantics: Array API 2025.12, `fft.ihfft`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.fft.ihfft(rt.asarray([3.0, 0.0, 0.0]))
    <Tensor: shape=(2,), dtype=complex128, numpy=array([1.-0.j, 1.-0.j])>
    """
    return _transformed("ihfft", x, n, axis, norm)
