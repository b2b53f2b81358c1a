"""What the ops of a family have in common: shape rules and facets.

`Elementwise` ops work on each element, `Reduction` ops fold axes away, `IndexMap` ops move elements without
computing, `Contraction` ops are sums of products, and `Opaque` ops are none of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import DTYPES, LOW_PRECISION, DType
from runtime.core.shapes import Shape, normalise_axes
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Tensor
from runtime.errors import ShapeError
from runtime.graph.op import FRESH, NOTHING, Aliases, Failures, Op
from runtime.ops.facts import GraphDef, GraphDefTensor, misfits, misranked
from runtime.ops.promotion import (
    cast_operand,
    computed_with,
    computing_dtypes,
    promotion_kinds,
    require_dtype,
)
from runtime.ops.scalars import SCALARS

__all__ = ["ALL", "Contraction", "Elementwise", "Extreme", "Family", "IndexMap", "Opaque", "Reduction"]

ALL = frozenset([*DTYPES, *LOW_PRECISION])
"""Every dtype of a tensor."""


class Family(Op, abstract=True):
    """An op with the facets that the suite over the registry asks of everyone."""

    accepts: ClassVar[frozenset[DType]] = ALL
    """The dtypes that the first operand may have, after promotion."""
    graphdef: ClassVar[GraphDef | None] = None
    """How TensorFlow writes it; None where it does not, or where `to_graphdef` says how."""
    to_graphdef: ClassVar[Callable[..., Sequence[GraphDefTensor] | None] | None] = None
    """``to_graphdef(self, builder, inputs, specs) -> outputs``, for what `GraphDef` cannot say as data.

    None where `graphdef` says it after all: most comparisons are of one dtype.
    """
    why_no_graphdef: ClassVar[str] = ""
    """Why TensorFlow cannot write it, where neither facet is there."""


class Elementwise(Family, abstract=True):
    """An op on each element of operands that broadcast together.

    Most are one NumPy ufunc, whose own promotion (`numpy.ufunc.resolve_dtypes`) is the dtype rule, so that
    eager code and graphs agree by construction. In a graph the operands are cast first: a node's inputs have
    the dtypes in which the ufunc computes.
    """

    ufunc: ClassVar[np.ufunc]
    """The NumPy function that is the kernel; beside a kernel of its own, it still decides the dtypes."""
    takes_mixed = True
    lies_as_operands = True
    of_numbers: ClassVar[str | None] = None
    """The scalar function of numbers without axes, where NumPy's scalars compute otherwise."""
    kinds_of_numbers: ClassVar[str] = "c"
    """The kinds of those."""

    if not TYPE_CHECKING:

        def __init_subclass__(cls, *, abstract: bool = False, **options: Any) -> None:
            if "ufunc" in cls.__dict__ and "kernel" not in cls.__dict__:
                cls.kernel = cls.ufunc if cls.of_numbers is None else _of_numbers_too
                cls.scalar = cls.ufunc.__name__
            elif "kernel" in cls.__dict__:
                cls.takes_mixed = False
            super().__init_subclass__(abstract=abstract, **options)

    @classmethod
    def is_ufunc(cls) -> bool:
        """Whether the kernel is the ufunc, but for numbers that NumPy's scalars compute otherwise."""
        kernel = cls.__dict__.get("kernel")
        return kernel is _of_numbers_too or kernel is getattr(cls, "ufunc", None)

    def operand_dtypes(self, kinds: tuple[Any, ...]) -> tuple[DType, ...]:
        """What operands of these dtypes, or of the classes of Python numbers, are cast to."""
        return computing_dtypes(self.ufunc, kinds)[: len(kinds)]

    def result_dtype(self, *dtypes: DType) -> DType:
        """The dtype of the output."""
        return computing_dtypes(self.ufunc, dtypes)[-1]

    def kinds_of(self, operands: Sequence[Any]) -> tuple[Any, ...]:
        """What operands count as: their dtypes, or the classes of Python numbers."""
        return promotion_kinds(operands)

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        dtypes = self.operand_dtypes(self.kinds_of(operands))
        if not self.takes_mixed:  # a kernel of its own may take what NumPy's function does not
            require_dtype(self.name, dtypes[0], self.accepts)
        return list(map(computed_with, operands, dtypes))

    def infer(self, *specs: ArraySpec) -> ArraySpec:
        dtype = self.result_dtype(*[spec.dtype for spec in specs])
        if not self.takes_mixed:
            require_dtype(self.name, specs[0].dtype, self.accepts)
        shape = shapes.broadcast(*[spec.shape for spec in specs])
        first = specs[0]
        is_same = first.shape is shape and first.dtype is dtype and type(first) is ArraySpec
        return first if is_same else ArraySpec(shape, dtype)

    def raises(self, *specs: ArraySpec) -> Failures:
        return NOTHING if shapes.broadcasts_surely(*[spec.shape for spec in specs]) else misfits(*specs)

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return FRESH

    def may_run_early(self, *specs: ArraySpec) -> bool:
        if self.scalar is None or self.raises(*specs):
            return False
        return SCALARS[self.scalar].is_quiet([spec.dtype for spec in specs])

    def _mapped(self, *operands: Tensor) -> Tensor | None:
        if self.scalar is None:
            return None
        wanted = self.operand_dtypes(tuple([each.dtype for each in operands]))
        cast = [cast_operand(*pair) for pair in zip(operands, wanted, strict=True)]
        names = ", ".join(f"x{place}" for place in range(len(cast)))
        of_those = wanted[0].kind in self.kinds_of_numbers
        are_numbers = of_those and all(each.static_shape == () for each in cast)
        function = (are_numbers and self.of_numbers) or self.scalar
        return ops.core.scalar_map(f"{function}({names})", *cast)

    decompose: ClassVar[Callable[..., Any] | None] = _mapped


def _of_numbers_too(self: Elementwise, *operands: Any) -> Any:
    """The kernel of an op that NumPy's scalars compute otherwise."""
    if not any(map(np.ndim, operands)):
        dtype = np.result_type(*operands)
        if dtype.kind in self.kinds_of_numbers:
            assert self.of_numbers is not None, "it has been asked"
            return SCALARS[self.of_numbers].meaning(*[np.asarray(each, dtype) for each in operands])
    return self.ufunc(*operands)


class Reduction(Family, abstract=True):
    """An op that folds some axes of its operand away."""

    axis: tuple[int, ...] | None
    """The axes; None means all, where the rank is not known."""
    keepdims: bool

    quiet: ClassVar[str] = "biu"
    """The kinds of dtypes in which it warns of nothing, whatever the elements are."""

    def result_dtype(self, dtype: DType) -> DType:
        """The dtype of the output: the operand's own, unless a subclass says otherwise."""
        return dtype

    def infer(self, x: ArraySpec) -> ArraySpec:
        require_dtype(self.name.lower(), x.dtype, self.accepts)
        return ArraySpec(self.reduced_shape(x.shape), self.result_dtype(x.dtype))

    def raises(self, *specs: ArraySpec) -> Failures:
        return misranked(*specs)

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return FRESH

    def may_run_early(self, *specs: ArraySpec) -> bool:
        return specs[0].dtype.kind in self.quiet and not self.raises(*specs)

    def reduced_shape(self, shape: Shape) -> Shape:
        """`shape` without the folded axes, or with 1 in their place."""
        if shape is None:
            return () if self.axis is None and not self.keepdims else None
        folded = normalise_axes(self.axis, len(shape))
        if self.keepdims:
            return tuple([1 if axis in folded else dim for axis, dim in enumerate(shape)])
        return tuple([dim for axis, dim in enumerate(shape) if axis not in folded])

    def require_elements(self, shape: Shape) -> None:
        """Refuses to fold an axis of length 0 for which there is no neutral element."""
        if shape is not None and any(shape[axis] == 0 for axis in normalise_axes(self.axis, len(shape))):
            raise ShapeError(
                f"`{self.name.lower()}` of shape {shapes.text(shape)} over axes {self.axis}, one of length 0",
                why="There is no least or greatest of nothing.",
                way_out="Test `rt.size(x) > 0` first, or join a number that may stand for nothing.",
            )


class Extreme(Reduction, abstract=True):
    """A fold without a neutral element: of nothing there is none."""

    def infer(self, x: ArraySpec) -> ArraySpec:
        self.require_elements(x.shape)
        return super().infer(x)

    def raises(self, *specs: ArraySpec) -> Failures:
        return NOTHING if shapes.size(specs[0].shape) else frozenset([ShapeError])


class IndexMap(Family, abstract=True):
    """An op that moves elements without computing on them."""

    def raises(self, *specs: ArraySpec) -> Failures:
        return misfits(*specs)

    def may_run_early(self, *specs: ArraySpec) -> bool:
        return not self.raises(*specs)


class Contraction(Family, abstract=True):
    """An op that sums products over shared axes."""

    def raises(self, *specs: ArraySpec) -> Failures:
        return misfits(*specs)

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return FRESH

    def may_run_early(self, *specs: ArraySpec) -> bool:
        dtype = specs[0].dtype
        return not (dtype.is_floating or dtype.is_complex or self.raises(*specs))


class Opaque(Family, abstract=True):
    """An op that is only known by its kernel."""

    def aliases(self, *specs: ArraySpec) -> Aliases:
        return FRESH
