"""A Fourier transform along one axis, as TensorFlow's nodes write it.

TensorFlow transforms the last axis as long as it is, in single or double precision. `FFT` and `RFFT` divide
by nothing, `IFFT` and `IRFFT` by the number of samples.
"""

from __future__ import annotations

from runtime.core.dims import Dim
from runtime.core.dtypes import DType, complex64, complex128, float16, float32, float64, int32
from runtime.core.spec import ArraySpec
from runtime.errors import ExportError
from runtime.ops.facts import GraphDefBuilder, GraphDefTensor

__all__ = ["write_transform"]

_NODES = {"fft": "FFT", "ifft": "IFFT", "rfft": "RFFT", "irfft": "IRFFT", "hfft": "IRFFT", "ihfft": "RFFT"}
_POWERS = {"backward": (0.0, -1.0), "ortho": (-0.5, -0.5), "forward": (-1.0, 0.0)}
"""For each way to normalise, the power of the number of samples that a transform and an inverse have."""


def write_transform(
    builder: GraphDefBuilder,
    x: GraphDefTensor,
    spec: ArraySpec,
    function: str,
    n: int | None,
    axis: int,
    norm: str,
) -> GraphDefTensor:
    """Writes the function of `numpy.fft` of that name.

    Raises
    ------
    ExportError
        When a length or rank that the nodes must name is not known.
    """
    node = _NODES[function]
    single = spec.dtype in {float16, float32, complex64}
    real, complex_ = (float32, complex64) if single else (float64, complex128)
    taken, given = (real if node == "RFFT" else complex_), (real if node == "IRFFT" else complex_)
    order = _axis_last(spec, axis)
    x = _transposed(builder, _cast(builder, x, spec.dtype, taken), order, taken)
    if function == "hfft":
        x = builder.node("Conj", [x], T=complex_)
    length = None if spec.shape is None else _number(spec.shape[axis])
    if n is None:
        count = 2 * (length - 1) if node == "IRFFT" and length is not None else length
    else:
        count = n
        x = _fitted(builder, x, spec.rank, length, n // 2 + 1 if node == "IRFFT" else n, taken)
    if node in {"FFT", "IFFT"}:
        y = builder.node(node, [x], Tcomplex=complex_)
    else:
        samples = builder.constant([_known(count, "number of samples")], int32)
        y = builder.node(node, [x, samples], Treal=real, Tcomplex=complex_)
    if function == "ihfft":
        y = builder.node("Conj", [y], T=complex_)
    power = _POWERS[norm][function.startswith("i")] + (1.0 if node.startswith("I") else 0.0)
    if power:
        scale = builder.constant(_known(count, "number of samples") ** power, given)
        y = builder.node("Mul", [y, scale], "z", T=given)
    y = _transposed(builder, y, order, given)
    return _cast(builder, y, given, float16) if given is real and spec.dtype is float16 else y


def _number(dim: Dim) -> int | None:
    return dim if isinstance(dim, int) else None


def _known(length: int | None, what: str) -> int:
    if length is None:
        raise ExportError(
            f"a Fourier transform cannot be written to a GraphDef where the {what} is not known",
            why="TensorFlow's nodes name it.",
            way_out="Give the function an `input_signature` with a shape.",
        )
    return length


def _cast(builder: GraphDefBuilder, x: GraphDefTensor, dtype: DType, wanted: DType) -> GraphDefTensor:
    if dtype is wanted:
        return x
    return builder.node("Cast", [x], "y", SrcT=dtype, DstT=wanted, Truncate=False)


def _axis_last(spec: ArraySpec, axis: int) -> list[int] | None:
    """The order of axes that puts `axis` last, and back; None where it is last already."""
    if axis == -1:
        return None
    rank = _known(spec.rank, "number of axes")
    order = list(range(rank))
    order[axis], order[-1] = order[-1], order[axis]
    return None if order == sorted(order) else order


def _transposed(
    builder: GraphDefBuilder, x: GraphDefTensor, order: list[int] | None, dtype: DType
) -> GraphDefTensor:
    if order is None:
        return x
    return builder.node("Transpose", [x, builder.constant(order, int32)], "y", T=dtype, Tperm=int32)


def _fitted(
    builder: GraphDefBuilder,
    x: GraphDefTensor,
    rank: int | None,
    length: int | None,
    wanted: int,
    dtype: DType,
) -> GraphDefTensor:
    """`x` with its last axis cut, or filled with zeros."""
    given = _known(length, "length of the axis")
    others = _known(rank, "number of axes") - 1
    if given > wanted:
        start = builder.constant([0] * (others + 1), int32)
        size = builder.constant([-1] * others + [wanted], int32)
        return builder.node("Slice", [x, start, size], T=dtype, Index=int32)
    if given < wanted:
        widths = builder.constant([[0, 0]] * others + [[0, wanted - given]], int32)
        return builder.node("Pad", [x, widths], T=dtype, Tpaddings=int32)
    return x
