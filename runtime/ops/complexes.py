"""The parts of complex numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from runtime import ops
from runtime.core.dtypes import DType, complex64, complex128, float32, float64
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ImmutableTensor
from runtime.graph.build import as_tensor, bind
from runtime.ops.facts import (
    COMPLEX,
    NUMERIC,
    GraphDef,
    GraphDefBuilder,
    GraphDefTensor,
    binary,
    sharing,
    unary,
)
from runtime.ops.families import Elementwise
from runtime.ops.roundings import of_parts

__all__ = [
    "Complex",
    "Conj",
    "Imag",
    "Real",
    "complex_of_parts",
    "conj",
    "imag",
    "real",
]


def refuse_parts(*_: Any) -> NoReturn:
    """`Op.put_back` of one of the two parts of complex numbers.

    Raises
    ------
    ImmutableTensor
        Always.
    """
    raise ImmutableTensor(
        "the real or the imaginary part of an array of complex numbers was written to",
        why="No op puts the parts of complex numbers together.",
        way_out="Write to the numbers: `x[...] = real + 1j * imag`.",
    )


class Real(Elementwise):
    """The real part of each element."""

    ufunc = np.absolute
    scalar = "real"
    graphdef = GraphDef("Real", types={"T": "in0", "Tout": "out0"})
    accepts = COMPLEX
    samples = unary(dtypes=COMPLEX)
    aliases = sharing(0)

    def kernel(self, x: Array) -> Any:
        return np.real(x)

    put_back = refuse_parts


def real(x: TensorLike, /) -> Tensor:
    """Real part of each element of `x`.

    Parameters
    ----------
    x : Tensor of a numeric dtype

    Returns
    -------
    Tensor of the real dtype and the same shape
        `x` itself where it is real.

    Notes
    -----
    GraphDef "Real". Semantics: Array API 2025.12, `real`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.real(rt.asarray([1 + 2j]))
    <Tensor: shape=(1,), dtype=float64, numpy=array([1.])>
    """
    tensor = as_tensor(x)
    return bind(Real(), tensor) if tensor.dtype.is_complex else tensor


class Imag(Elementwise):
    """The imaginary part of each element."""

    ufunc = np.absolute
    scalar = "imag"
    graphdef = GraphDef("Imag", types={"T": "in0", "Tout": "out0"})
    accepts = COMPLEX
    samples = unary(dtypes=COMPLEX)
    aliases = sharing(0)

    def kernel(self, x: Array) -> Any:
        return np.imag(x)

    put_back = refuse_parts


def imag(x: TensorLike, /) -> Tensor:
    """Imaginary part of each element of `x`.

    Parameters
    ----------
    x : Tensor of a numeric dtype

    Returns
    -------
    Tensor of the real dtype and the same shape
        Zeros where it is real.

    Notes
    -----
    GraphDef "Imag". Semantics: Array API 2025.12, `imag`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.imag(rt.asarray([1 + 2j]))
    <Tensor: shape=(1,), dtype=float64, numpy=array([2.])>
    """
    tensor = as_tensor(x)
    return bind(Imag(), tensor) if tensor.dtype.is_complex else ops.zeros_like(tensor)


class Complex(Elementwise):
    """Complex numbers of two parts, each the real part of an operand."""

    ufunc = np.add
    scalar = "of_parts"
    input_names = ("real", "imag")
    accepts = COMPLEX
    samples = binary(dtypes=COMPLEX)

    def kernel(self, real: Array, imag: Array) -> Any:
        return of_parts(real, imag)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        dtype = specs[0].dtype
        part = float32 if dtype is complex64 else float64
        parts = [builder.node("Real", [each], T=dtype, Tout=part) for each in inputs]
        return [builder.node("Complex", parts, "out", T=part, Tout=dtype)]


def complex_of_parts(real: TensorLike, imag: TensorLike, dtype: DType = complex128) -> Tensor:
    """Complex numbers of two parts.

    Parameters
    ----------
    real, imag : Tensor of a real dtype
        They broadcast against each other.
    dtype : DType
        Of the result.

    Returns
    -------
    Tensor
        Zeros keep their signs and infinities stay, which ``real + 1j * imag`` does not see to.

    Notes
    -----
    GraphDef "Complex".

    Examples
    --------
    >>> import runtime as rt
    >>> from runtime.ops.complexes import complex_of_parts
    >>> complex_of_parts(rt.asarray(1.0), rt.asarray(-0.0)).numpy()
    np.complex128(1-0j)
    """
    return bind(Complex(), *[ops.astype(as_tensor(part), dtype) for part in (real, imag)])


class Conj(Elementwise):
    """The complex conjugate of each element."""

    ufunc = np.conjugate
    graphdef = GraphDef("Conj")
    accepts = NUMERIC
    samples = unary(dtypes=COMPLEX)


def conj(x: TensorLike, /) -> Tensor:
    """Complex conjugate of each element of `x`.

    Parameters
    ----------
    x : Tensor of any numeric dtype

    Returns
    -------
    Tensor of the same shape and dtype
        `x` itself where it is real.

    Notes
    -----
    GraphDef "Conj". Semantics: Array API 2025.12, `conj`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.conj(rt.asarray([1 + 2j]))
    <Tensor: shape=(1,), dtype=complex128, numpy=array([1.-2.j])>
    """
    tensor = as_tensor(x)
    return bind(Conj(), tensor) if tensor.dtype.is_complex else tensor
