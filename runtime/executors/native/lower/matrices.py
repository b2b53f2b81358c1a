"""Linear algebra by NumPy's own loops, with its bits: determinants, solutions, factors, eigenvalues.

A stack of matrices is handed over as it lies in memory, in double precision: so NumPy does with single
precision, too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.core.dtypes import DType, bool_, complex128, float64, int64
from runtime.executors.native.beyond import Beyond, Unsupported
from runtime.executors.native.language.loops import Apply, Cast, Expression, Matrices, Number
from runtime.executors.native.lower.lowering import Lowering, lowers, op_of
from runtime.executors.native.lower.values import Dims, InMemory, Lowered, Scalar, count_of
from runtime.executors.native.numpys_matrices import LOOPS, has_loop_of_matrices
from runtime.graph.graph import Node
from runtime.graph.op import Op
from runtime.ops.linalg.eigenvalues import Eigvalsh, SelfAdjointEigV2
from runtime.ops.linalg.equations import LogMatrixDeterminant, MatrixDeterminant, MatrixInverse, MatrixSolve
from runtime.ops.linalg.factors import Cholesky
from runtime.ops.linalg.singular_values import SingularValues, Svd


@lowers(
    MatrixDeterminant,
    LogMatrixDeterminant,
    MatrixInverse,
    Cholesky,
    SelfAdjointEigV2,
    Eigvalsh,
    Svd,
    SingularValues,
)
def _of_matrices(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    return _called(lowering, node, _loop_of(op_of(node)))


def _loop_of(op: Op) -> str:
    """The loop of an op on one stack of matrices."""
    match op:
        case MatrixDeterminant():
            return "det"
        case LogMatrixDeterminant():
            return "slogdet"
        case MatrixInverse():
            return "inv"
        case Cholesky(upper):
            return "cholesky_up" if upper else "cholesky_lo"
        case SelfAdjointEigV2(lower):
            return "eigh_lo" if lower else "eigh_up"
        case Eigvalsh(lower):
            return "eigvalsh_lo" if lower else "eigvalsh_up"
        case Svd(full_matrices):
            return "svd_f" if full_matrices else "svd_s"
    return "svd"


@lowers(MatrixSolve)
def _solve(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    """Equations and what is on their right, of which there are as many, or one vector."""
    x, y = [lowering.dims(value) for value in node.inputs]
    if len(y) != 1 and len(x) != len(y):
        raise Unsupported("stacks of matrices are broadcast")
    if len(y) == 1 and len(x) != 2:
        raise Unsupported("a vector is broadcast to a stack of matrices")
    for one, other in zip(x[:-2], y[:-2], strict=True) if len(y) > 1 else ():
        lowering.assume(_equal(one, other), "stacks of matrices are broadcast")
    return _called(lowering, node, "solve1" if len(y) == 1 else "solve")


def _called(lowering: Lowering, node: Node, function: str) -> Sequence[Lowered]:
    """What a loop of NumPy's gives."""
    given = node.inputs[0].dtype
    dtype = complex128 if given.is_complex else float64
    if lowering.shared.beyond is Beyond.NOBODY or not has_loop_of_matrices(function, dtype):
        raise Unsupported("it runs in Python")
    of = LOOPS[function]
    operands, found, letters = of.signature(function)
    lengths: dict[str, Expression] = {}
    outer: Dims = ()
    for value, axes in zip(node.inputs, operands, strict=True):
        dims = lowering.dims(value)
        outer, own = dims[: len(dims) - len(axes)], dims[len(dims) - len(axes) :]
        for letter, dim in zip(axes, own, strict=True):
            known = lengths.setdefault(letter, dim)
            lowering.assume(_equal(known, dim), "matrices are not square, or lengths differ")
    for dim in lengths.values():
        lowering.assume(Apply("greater", (dim, Number(0, int64)), bool_), "there are matrices of no elements")
    if "p" in letters:
        lengths["p"] = lowering.name(_least(lengths["m"], lengths["n"]), "n")
    of_double = [_in_double(lowering, lowering.in_memory(value), dtype) for value in node.inputs]
    dtypes = of.dtypes(function, dtype)[len(of_double) :]
    results = [
        lowering.allocated((*outer, *[lengths[letter] for letter in axes]), each)
        for axes, each in zip(found, dtypes, strict=True)
    ]
    count = lowering.name(count_of(outer), "n")
    is_solved = lowering.variable(bool_, "solved")
    counts = (count, *[lengths[letter] for letter in letters])
    arrays = tuple([each.array for each in results]), tuple([each.array for each in of_double])
    lowering.emit(Matrices(function, *arrays, counts, is_solved))
    if of.error:
        lowering.raise_unless(is_solved, node, np.linalg.LinAlgError, of.error)
    return [
        _given(lowering, result, value.dtype) for result, value in zip(results, node.outputs, strict=True)
    ]


def _in_double(lowering: Lowering, array: InMemory, dtype: DType) -> InMemory:
    """An array in double precision."""
    return array if array.dtype is dtype else _copied(lowering, array, dtype)


def _given(lowering: Lowering, result: InMemory, dtype: DType) -> Lowered:
    """What a loop has given, in the precision of what it was asked for."""
    if result.dtype is not dtype:
        result = _copied(lowering, result, dtype)
    return result if result.dims else Scalar(lowering.name(result.at(())))


def _copied(lowering: Lowering, array: InMemory, dtype: DType) -> InMemory:
    result = lowering.allocated(array.dims, dtype)
    with lowering.nest(array.dims) as indices:
        lowering.store(result, indices, Cast(array.at(indices), dtype))
    return result


def _equal(one: Expression, other: Expression) -> Expression:
    return Number(True, bool_) if one == other else Apply("equal", (one, other), bool_)


def _least(one: Expression, other: Expression) -> Expression:
    return one if one == other else Apply("minimum", (one, other), int64)
