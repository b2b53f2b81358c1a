"""`Dot`: sums of products over axes that are named by letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from runtime.core import shapes
from runtime.core.dims import UNKNOWN
from runtime.core.shapes import Dim
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor
from runtime.errors import GraphError
from runtime.graph.build import bind
from runtime.graph.op import FRESH, Aliases, Failures
from runtime.ops.facts import misfits, shaped
from runtime.ops.families import Family

__all__ = ["Dot", "dot"]

Order: TypeAlias = Literal["matmul", "vecdot", "tensordot", "einsum"]


class Dot(Family):
    """Products of elements, added up over the axes whose letters the result does not have.

    In ``ij,jk->ik`` an axis of length 1 fits any other one of its letter.
    """

    equation: str
    """The letters of the axes of each operand, and of the result."""
    order: Order
    """The function of NumPy in whose order they are added up; of integers, no bit depends on it."""

    is_core = True
    why_no_graphdef = "a graph is written to a GraphDef as it was traced"
    samples = (
        shaped((2, 3), (3, 4), equation="ij,jk->ik", order="matmul"),
        shaped((2, 2, 3), (3,), equation="bij,j->bi", order="matmul"),
        shaped((1, 2, 3), (5, 3, 2), equation="bij,bjk->bik", order="matmul"),
        shaped((2, 3), (2, 3), equation="bi,bi->b", order="vecdot"),
        shaped((2, 3), (3, 4), equation="ij,jk->ik", order="tensordot"),
        shaped((3, 3), (3,), equation="ii,i->i", order="einsum"),
        shaped((2, 3), (3, 4), (4,), equation="ij,jk,k->i", order="einsum", elements=np.int64),
    )

    def infer(self, *operands: ArraySpec) -> ArraySpec:
        left, _, right = self.equation.partition("->")
        letters = left.split(",")
        if len(letters) != len(operands):
            raise GraphError(f"{self.equation!r} is not of {len(operands)} operands")
        dims: dict[str, Dim] = {}
        for names, spec in zip(letters, operands, strict=True):
            if spec.shape is not None and len(spec.shape) != len(names):
                raise GraphError(f"{names!r} in {self.equation!r} does not name the axes of {spec}")
            for name, dim in zip(names, spec.shape or (UNKNOWN,) * len(names), strict=True):
                (dims[name],) = shapes.broadcast((dims.get(name, 1),), (dim,)) or (UNKNOWN,)
        return operands[0].with_shape(tuple([dims[name] for name in right]))

    def raises(self, *specs: ArraySpec) -> Failures:
        return misfits(*specs)

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return FRESH if len(specs) > 1 else frozenset([0])

    def kernel(self, *operands: Array) -> Any:
        dtype = operands[0].dtype  # NumPy multiplies matrices of bfloat16 in float32
        return np.asarray(_summed(self.order, self.equation, operands)).astype(dtype, copy=False)


def _summed(order: str, equation: str, operands: Sequence[Array]) -> Any:
    """Sums of products, by the function of NumPy that is named."""
    if order == "matmul":
        return np.matmul(*operands)
    if order == "vecdot":  # which takes the conjugate of the first itself
        x, y = operands
        return np.vecdot(np.conjugate(x) if np.iscomplexobj(x) else x, y)
    if order == "tensordot":
        left, right = equation.partition("->")[0].split(",")
        shared = [name for name in left if name in right]
        axes = [left.index(name) for name in shared], [right.index(name) for name in shared]
        return np.tensordot(operands[0], operands[1], axes)
    return np.einsum(equation, *operands)


def dot(equation: str, *operands: Tensor, order: Order) -> Tensor:
    """Sums of products, in the order of a function of NumPy."""
    return bind(Dot(equation, order), *operands)
