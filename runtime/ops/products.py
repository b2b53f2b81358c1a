"""Sums of products: matrix products and their generalisations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import LOW_PRECISION, int64
from runtime.core.shapes import Shape, normalise_axis
from runtime.core.spec import Spec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import ShapeError
from runtime.graph.build import as_tensor
from runtime.ops.facts import NUMERIC, GraphDef, GraphDefBuilder, Sample, shaped
from runtime.ops.families import ALL, Contraction, promoted, require_dtype, rounded_once

__all__ = ["Einsum", "MatMul", "einsum", "matmul", "outer", "tensordot", "vecdot"]


class MatMul(Contraction):
    """Products of matrices along the last two axes; a vector is a row on the left, a column on the right."""

    accepts = ALL.difference(LOW_PRECISION)
    samples = (
        shaped((2, 3), (3, 4)),
        shaped((3,), (3,)),
        shaped((2, 3), (3,)),
        shaped((3,), (3, 2), elements=np.int32),
        shaped((5, 1, 2, 3), (4, 3, 2)),
        shaped((2, 0), (0, 3)),
        shaped((3,), (2, 3, 4), elements=np.complex64),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        return promoted(operands)

    def infer(self, x: Spec, y: Spec) -> Spec:
        require_dtype("matmul", x.dtype, self.accepts)
        return x.with_shape(_product_shape(x.shape, y.shape))

    def kernel(self, x: Array, y: Array) -> Any:
        return np.matmul(x, y)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[str], specs: Sequence[Spec]
    ) -> list[str]:
        ranks = [spec.rank for spec in specs]
        if ranks == [2, 2]:
            return [builder.node("MatMul", inputs, "product", T=specs[0].dtype)]
        vectors = [rank == 1 for rank in ranks]
        added = [-2, -1]
        matrices = [
            _with_axis(builder, each, axis, spec) if vector else each
            for each, vector, axis, spec in zip(inputs, vectors, added, specs, strict=True)
        ]
        product = builder.node("BatchMatMulV2", matrices, T=specs[0].dtype)
        dropped = [axis for axis, vector in zip(added, vectors, strict=True) if vector]
        if dropped:
            product = builder.node("Squeeze", [product], T=specs[0].dtype, squeeze_dims=dropped)
        return [product]


def _with_axis(builder: GraphDefBuilder, x: Any, axis: int, spec: Spec) -> Any:
    return builder.node("ExpandDims", [x, builder.constant(axis, int64)], T=spec.dtype, Tdim=int64)


def _product_shape(x: Shape, y: Shape) -> Shape:
    """The shape of a matrix product."""
    if x == () or y == ():
        raise ShapeError(
            "`matmul` was given a tensor without axes",
            why="It multiplies matrices and vectors.",
            way_out="Multiply by a single number with `*`.",
        )
    if x is None or y is None:
        return None
    rows, columns = x[-2:-1], y[-1:] if len(y) > 1 else ()
    inner = y[-2] if len(y) > 1 else y[0]
    if not shapes.compatible((x[-1],), (inner,)):
        raise ShapeError(
            f"shapes {shapes.text(x)} and {shapes.text(y)} do not multiply",
            why=f"The last axis on the left has length {x[-1]}, and the "
            f"{'first' if len(y) == 1 else 'last but one'} on the right {inner}: these must be equal.",
            way_out="Transpose one of them (`x.T`, or `x.mT` for a stack of matrices), or reshape it.",
        )
    batch = shapes.broadcast(x[:-2], y[:-2])
    assert batch is not None, "both ranks are known"
    return (*batch, *rows, *columns)


def matmul(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Product of matrices.

    Parameters
    ----------
    x1 : Tensor, shape (..., n, k) or (k,)
    x2 : Tensor, shape (..., k, m) or (k,)
        Axes before the last two broadcast together. A vector is a row on the left, a column on the right.

    Returns
    -------
    Tensor of the promoted dtype, shape (..., n, m)
        Without n, m or both where a side is a vector.

    Raises
    ------
    ShapeError
        When the shapes do not fit.

    Notes
    -----
    GraphDef "MatMul" or "BatchMatMulV2". Semantics: Array API 2025.12, `matmul`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.matmul(rt.asarray([[1, 2], [3, 4]]), rt.asarray([1, 1]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([3, 7])>
    """
    return rounded_once(MatMul(), x1, x2)


class Einsum(Contraction):
    """A sum of products over axes named by letters."""

    equation: str

    graphdef = GraphDef("Einsum", types={"T": "in0", "N": "count"}, attributes={"equation": "equation"})
    accepts = NUMERIC.difference(LOW_PRECISION)
    samples = (
        shaped((2, 3), (3, 4), equation="ij,jk->ik"),
        shaped((2, 3), equation="ij->ji"),
        shaped((3, 3), equation="ii->"),
        shaped((5, 2, 3), (3,), equation="...j,j->..."),
        Sample((np.arange(3), np.arange(3)), {"equation": "i,j->ij"}),
    )

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        return promoted(operands)

    def infer(self, *operands: Spec) -> Spec:
        require_dtype("einsum", operands[0].dtype, self.accepts)
        inputs, output = self.equation.split("->")
        dims: dict[str, int | None] = {}
        rest: list[Shape] = [()]
        for subscript, operand in zip(inputs.split(","), operands, strict=True):
            if operand.shape is None:
                return operand.with_shape(None)
            rest.append(self._read(subscript, operand.shape, dims))
        batch = shapes.broadcast(*rest)
        assert batch is not None, "all ranks are known"
        before, dots, after = output.partition("...")
        shape = [dims[letter] for letter in before], batch if dots else (), [dims[letter] for letter in after]
        return operands[0].with_shape(tuple([dim for part in shape for dim in part]))

    def _read(self, subscript: str, shape: tuple[int | None, ...], dims: dict[str, int | None]) -> Shape:
        """Notes the length of each letter; returns the dims that the dots stand for."""
        before, dots, after = subscript.partition("...")
        covered = len(shape) - len(before) - len(after)
        if covered < 0 or (covered and not dots):
            raise ShapeError(
                f"{subscript!r} in {self.equation!r} does not describe shape {shapes.text(shape)}",
                why="It names each axis of an operand by one letter.",
                way_out="Write a letter for each axis, or `...` for those that are not named.",
            )
        named = [
            *zip(before, shape, strict=False),
            *zip(after, shape[len(shape) - len(after) :], strict=True),
        ]
        for letter, dim in named:
            known = dims.setdefault(letter, dim)
            if not shapes.compatible((known,), (dim,)):
                raise ShapeError(
                    f"{letter!r} in {self.equation!r} is {known} in one place and {dim} in another",
                    why="Axes of one letter have one length.",
                    way_out="Give axes that differ letters of their own, or transpose the operand.",
                )
            dims[letter] = dim if known is None else known
        return shape[len(before) : len(before) + covered]

    def kernel(self, *operands: Array) -> Any:
        return np.asarray(np.einsum(self.equation, *operands))


def einsum(equation: str, /, *operands: TensorLike) -> Tensor:
    """Sum of products over axes named by letters.

    Parameters
    ----------
    equation : str
        Such as ``"ij,jk->ik"``; ``...`` stands for axes that broadcast. Without ``->``, the result has the
        letters that occur once, in order.
    *operands : Tensor of a numeric dtype

    Returns
    -------
    Tensor of the promoted dtype

    Raises
    ------
    ShapeError
        When the equation does not describe the shapes, or a letter has two lengths.

    Notes
    -----
    GraphDef "Einsum". Semantics: NumPy `einsum`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.einsum("ij->i", rt.asarray([[1, 2], [3, 4]]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([3, 7])>
    """
    text = equation.replace(" ", "")
    inputs, arrow, output = text.partition("->")
    if inputs.count(",") + 1 != len(operands):
        raise ShapeError(
            f"{equation!r} describes {inputs.count(',') + 1} operands, but there are {len(operands)}",
            why="The letters between commas are the axes of one operand.",
            way_out="Give each operand its letters: `'ij,jk->ik'` is for two.",
        )
    if not arrow:
        letters = inputs.replace(",", "").replace(".", "")
        once = sorted(letter for letter in letters if letters.count(letter) == 1)
        output = ("..." if "..." in inputs else "") + "".join(once)
    unknown = set(output.replace(".", "")) - set(inputs)
    if unknown:
        raise ShapeError(
            f"{min(unknown)!r} in the result of {equation!r} names no axis of an operand",
            why="The axes of the result are those of the operands.",
            way_out="Take a letter from the left of the arrow.",
        )
    return rounded_once(Einsum(f"{inputs}->{output}"), *operands)


def tensordot(
    x1: TensorLike, x2: TensorLike, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2
) -> Tensor:
    """Sum of products over some axes of `x1` and as many of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor of any numeric dtype and known rank
    axes : int or pair of sequences of ints, optional
        How many axes, the last of `x1` and the first of `x2`; or which axes of each.

    Returns
    -------
    Tensor of the promoted dtype
        The axes of `x1` that are left, then those of `x2`.

    Raises
    ------
    ShapeError
        When an axis is out of range, or two paired axes differ in length.

    Notes
    -----
    GraphDef "Transpose", "Reshape" and "MatMul". Semantics: Array API 2025.12, `tensordot`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.tensordot(rt.asarray([1, 2]), rt.asarray([3, 4]), axes=1)
    <Tensor: shape=(), dtype=int64, numpy=11>
    """
    left, right = as_tensor(x1), as_tensor(x2)
    if isinstance(axes, int):
        axes = tuple(range(left.ndim - axes, left.ndim)), tuple(range(axes))
    folded = [
        [normalise_axis(axis, tensor.ndim) for axis in each]
        for each, tensor in zip(axes, (left, right), strict=True)
    ]
    letters = iter("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    names = [[next(letters) for _ in range(tensor.ndim)] for tensor in (left, right)]
    for one, other in zip(*folded, strict=True):
        names[1][other] = names[0][one]
    kept = [
        name
        for side, axes_of_side in zip(names, folded, strict=True)
        for axis, name in enumerate(side)
        if axis not in axes_of_side
    ]
    return einsum(f"{''.join(names[0])},{''.join(names[1])}->{''.join(kept)}", left, right)


def vecdot(x1: TensorLike, x2: TensorLike, /, *, axis: int = -1) -> Tensor:
    """Inner products of vectors along an axis.

    Parameters
    ----------
    x1, x2 : Tensor of any numeric dtype, shape (..., n, ...)
        The other axes broadcast together.
    axis : int, optional
        Negative: counted from the end.

    Returns
    -------
    Tensor of the promoted dtype, shape (..., ...)

    Raises
    ------
    ShapeError
        When the shapes do not fit.

    Notes
    -----
    The left side of complex vectors is conjugated. GraphDef "Mul" and "Sum". Semantics: Array API 2025.12,
    `vecdot`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.vecdot(rt.asarray([[1, 2], [3, 4]]), rt.asarray([1, 1]))
    <Tensor: shape=(2,), dtype=int64, numpy=array([3, 7])>
    """
    product = ops.multiply(ops.conj(x1), x2)
    return ops.sum(product, axis=axis, dtype=product.dtype)


def outer(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """Products of each element of `x1` with each one of `x2`.

    Parameters
    ----------
    x1 : Tensor of any numeric dtype, shape (n,)
    x2 : Tensor of any numeric dtype, shape (m,)

    Returns
    -------
    Tensor of the promoted dtype, shape (n, m)

    Notes
    -----
    GraphDef "Mul". Semantics: Array API 2025.12, `linalg.outer`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.outer(rt.asarray([1, 2]), rt.asarray([3, 4]))
    <Tensor: shape=(2, 2), dtype=int64, numpy=
    array([[3, 4],
           [6, 8]])>
    """
    return ops.multiply(ops.expand_dims(x1, axis=-1), x2)
