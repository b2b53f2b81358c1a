"""What the ops of a family have in common: promotion, shape rules, facets.

`Elementwise` ops work on each element, `Reduction` ops fold axes away, `IndexMap` ops move elements without
computing, `Contraction` ops are sums of products, and `Opaque` ops are none of these.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np

from runtime import ops
from runtime.core import dims, shapes
from runtime.core.dims import UNKNOWN, Dim
from runtime.core.dtypes import (
    DTYPES,
    LOW_PRECISION,
    DType,
    as_dtype,
    bfloat16,
    float32,
    int64,
    low_precision,
    result_type,
    uint64,
)
from runtime.core.shapes import Shape, normalise_axes
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Operators, Tensor, TensorLike, short
from runtime.errors import DTypeError, Error, ShapeError
from runtime.graph.build import array_spec_of, as_operand, as_tensor, bind, current_builder, promotion_operand
from runtime.graph.graph import Value
from runtime.graph.op import FRESH, NOTHING, Aliases, Const, Failures, Op, Placeholder
from runtime.graph.symbol import Symbol
from runtime.ops.facts import GraphDef, GraphDefTensor, misfits, misranked
from runtime.ops.scalars import SCALARS

__all__ = [
    "ALL",
    "Axes",
    "Contraction",
    "Elementwise",
    "Family",
    "IndexMap",
    "Opaque",
    "Reduction",
    "accumulator",
    "as_constant",
    "cast_operand",
    "checked_axes",
    "checked_axis",
    "computing_dtypes",
    "concrete",
    "known_dim",
    "known_elements",
    "promoted",
    "promotion_kinds",
    "require_dtype",
    "require_lengths",
    "require_vector",
    "rounded_once",
    "shape_argument",
    "whole_number",
    "widened",
]

ALL = frozenset([*DTYPES, *LOW_PRECISION])
"""Every dtype of a tensor."""

Axes: TypeAlias = int | Sequence[int] | None
"""An axis, several, or None for all."""


class Family(Op, abstract=True):
    """An op with the facets that the suite over the registry asks of everyone."""

    accepts: ClassVar[frozenset[DType]] = ALL
    """The dtypes that the first operand may have, after promotion."""
    graphdef: ClassVar[GraphDef | None] = None
    """How TensorFlow writes it; None where it does not, or where `to_graphdef` says how."""
    to_graphdef: ClassVar[Callable[..., Sequence[GraphDefTensor]] | None] = None
    """``to_graphdef(self, builder, inputs, specs) -> outputs``, for what `GraphDef` cannot say as data."""
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

    if not TYPE_CHECKING:

        def __init_subclass__(cls, *, abstract: bool = False, **options: Any) -> None:
            if "ufunc" in cls.__dict__ and "kernel" not in cls.__dict__:
                cls.kernel = cls.ufunc
                cls.scalar = cls.ufunc.__name__
            elif "kernel" in cls.__dict__:
                cls.takes_mixed = False
            super().__init_subclass__(abstract=abstract, **options)

    def operand_dtypes(self, kinds: tuple[Any, ...]) -> tuple[DType, ...]:
        """What operands of these dtypes, or of the classes of Python numbers, are cast to."""
        return computing_dtypes(self.ufunc, kinds)[: len(kinds)]

    def result_dtype(self, *dtypes: DType) -> DType:
        """The dtype of the output."""
        return computing_dtypes(self.ufunc, dtypes)[-1]

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        dtypes = self.operand_dtypes(promotion_kinds(operands))
        if not self.takes_mixed:  # a kernel of its own may take what NumPy's function does not
            require_dtype(self.name, dtypes[0], self.accepts)
        return [cast_operand(operand, dtype) for operand, dtype in zip(operands, dtypes, strict=True)]

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
        return ops.core.scalar_map(f"{self.scalar}({names})", *cast)

    decompose: ClassVar[Callable[..., Any] | None] = _mapped


def promotion_kinds(operands: Sequence[Any]) -> tuple[Any, ...]:
    """What each operand counts as in promotion: its dtype, or the class of a Python number."""
    weights = list(map(promotion_operand, operands))
    kinds = [weight if isinstance(weight, DType) else _weak_kind(weight) for weight in weights]
    if any([isinstance(weight, DType) for weight in weights]):  # noqa: C419  # quicker than a generator
        return tuple(kinds)
    return (_common_default(operands),) * len(operands)


def _weak_kind(number: complex) -> Any:
    return as_dtype(bool) if type(number) is bool else type(number)


def _common_default(operands: Sequence[Any]) -> DType:
    """The dtype of Python numbers among themselves: the default one of their highest kind."""
    dtypes = [array_spec_of(operand).dtype for operand in operands]
    if all(dtype is dtypes[0] for dtype in dtypes):
        return dtypes[0]
    highest = max(_KIND_ORDER.index(dtype.kind) for dtype in dtypes)
    return result_type(*[dtype for dtype in dtypes if _KIND_ORDER.index(dtype.kind) == highest])


_KIND_ORDER = "buifc"


@cache
def computing_dtypes(ufunc: np.ufunc, kinds: tuple[Any, ...]) -> tuple[DType, ...]:
    """The dtypes in which `ufunc` takes operands of these dtypes or classes, and those that it gives."""
    wanted = tuple([kind.numpy if isinstance(kind, DType) else kind for kind in kinds])
    if bfloat16 in kinds:
        one = [kind if isinstance(kind, DType) else kind() for kind in kinds]
        wanted = (result_type(*one).numpy,) * len(kinds)
    try:
        return tuple([as_dtype(dtype) for dtype in ufunc.resolve_dtypes((*wanted, *[None] * ufunc.nout))])
    except TypeError:  # no such loop
        listed = " and ".join(
            kind.name if isinstance(kind, DType) else f"Python {kind.__name__}" for kind in kinds
        )
        name = _STANDARD_NAMES.get(ufunc.__name__, ufunc.__name__)
        raise DTypeError(f"`{name}` is not defined for {listed}") from None


_STANDARD_NAMES = {
    **{f"arc{name}": f"a{name}" for name in ("cos", "cosh", "sin", "sinh", "tan", "tan2", "tanh")},
    "absolute": "abs",
    "invert": "bitwise_invert",
    "power": "pow",
    "true_divide": "divide",
    **{f"{side}_shift": f"bitwise_{side}_shift" for side in ("left", "right")},
}
"""What the standard calls ufuncs that have other names in NumPy."""


def cast_operand(operand: Any, dtype: DType) -> Any:
    """An operand that `Op.prepare` meets, as a tensor of `dtype`.

    Raises
    ------
    OverflowError
        When a Python integer does not fit.
    """
    if isinstance(operand, (bool, int, float, complex)):
        return Tensor(np.asarray(operand, dtype.numpy))
    return operand if operand.dtype is dtype else ops.cast(operand, dtype)


def concrete(operand: Any, depth: int = 4) -> Array | None:
    """The array of a tensor whose value is known before the run; None where it is not, or is not small.

    In a graph that is a constant, or a few pure ops away from constants: what arithmetic on shapes gives.
    """
    if type(operand) is Tensor:
        return operand._array  # ops are friends of Tensor
    value = operand.value if isinstance(operand, Symbol) else operand
    if not isinstance(value, Value):
        return None
    if isinstance(value.op, Const):
        return value.op.value
    if depth == 0 or not isinstance(value.op, Family) or value.op.effects or not value.inputs:
        return None
    if (shapes.size(value.shape) or _LARGE) >= _LARGE:
        return None
    inputs = [concrete(each, depth - 1) for each in value.inputs]
    return None if any(each is None for each in inputs) else np.asarray(value.op.kernel(*inputs))


_LARGE = 64


def known_elements(operand: Any, depth: int = 8) -> Array | None:
    """The elements of a small tensor of integers as far as they are known before the run: an array of dims.

    In the place of one that is nothing that a graph has a name for is `UNKNOWN`. The result is None where not
    even the number of elements is known. Looked through is what takes shapes apart, computes with lengths,
    and puts shapes together again.
    """
    array = concrete(operand)
    if array is not None:
        return array.astype(object)
    value = operand.value if isinstance(operand, Symbol) else operand
    if not isinstance(value, Value) or not value.dtype.is_integer:
        return None
    value = _captured(value)
    found = _read_from_shapes(value)
    if found is None and depth and isinstance(value.op, _seen_through()):
        inputs: list[Any] = [known_elements(each, depth - 1) for each in value.inputs]
        if all(each is not None for each in inputs):
            found = _computed(value.op, inputs)
    if found is not None:
        return found
    is_small = shapes.is_known(value.shape) and (shapes.size(value.shape) or 0) < _LARGE
    return np.full(value.shape, UNKNOWN, object) if is_small else None


def known_dim(operand: Any) -> Dim:
    """What is known before the run of a length that a scalar says."""
    elements = known_elements(operand)
    dim: Dim = UNKNOWN if elements is None or elements.size != 1 else elements.reshape(-1)[0]
    return dim


def _captured(value: Value) -> Value:
    """The value itself where it is only the input through which a graph inside sees it."""
    builder = current_builder()
    while builder is not None and isinstance(value.op, Placeholder):
        if builder.graph is value.node.graph:
            value = next((outer for outer, own in builder.captures.items() if own is value), value)
        builder = builder.parent
    return value


def _read_from_shapes(value: Value) -> Array | None:
    """The dims that a question about a shape gives."""
    from runtime.ops.core import Length  # noqa: PLC0415  # its file stands on this one

    if not isinstance(value.op, (ops.Shape, ops.Size, Length)):
        return None
    shape = value.inputs[0].shape
    if isinstance(value.op, ops.Size):
        return np.array(shapes.elements(shape), object)
    if shape is None:
        return None
    if isinstance(value.op, Length):
        return np.array(shape[value.op.axis], object)
    return np.array(shape, object)


@cache
def _seen_through() -> tuple[type[Op], ...]:
    return (*_arithmetic(), ops.Cast, ops.StridedSlice, ops.Pack, ops.ConcatV2, ops.ExpandDims, ops.Reshape)


@cache
def _arithmetic() -> dict[type[Op], np.ufunc]:
    """What arithmetic does to dims."""
    return {
        op: np.frompyfunc(function, 2, 1)
        for op, function in {
            ops.AddV2: operator.add,
            ops.Sub: operator.sub,
            ops.Mul: operator.mul,
            ops.FloorDiv: dims.quotient,
            ops.FloorMod: lambda dim, by: dim - dims.quotient(dim, by) * by,
            ops.Maximum: dims.maximum,
            ops.Minimum: dims.minimum,
        }.items()
    }


def _computed(op: Op, inputs: list[Any]) -> Array | None:
    """What an op that is looked through makes of dims."""
    function = _arithmetic().get(type(op))
    if function is not None:
        return np.asarray(function(*inputs), object)
    return np.asarray(inputs[0] if isinstance(op, ops.Cast) else op.kernel(*inputs), object)


def as_constant(array: Array) -> Tensor:
    """A tensor of a known value: in a graph, a constant of it."""
    builder = current_builder()
    return Tensor(array) if builder is None else Symbol(builder.constant(array))


def shape_argument(shape: Any) -> tuple[Shape, Tensor | None]:
    """What a function means by its `shape` argument.

    Parameters
    ----------
    shape : int, tensor of one integer, sequence of these, or vector of integers

    Returns
    -------
    known : tuple of dims, or None
        What is known of them now; None where not even their number is.
    dims : Tensor of int64, shape (rank,), or None
        All of them, where not all are numbers.

    Raises
    ------
    DTypeError
        When a length is no integer.
    ShapeError
        When a length is None.
    """
    if type(shape) is tuple and set(map(type, shape)) <= {int}:
        return shape, None
    if isinstance(shape, (list, tuple)):
        parts = [_dim_argument(part) for part in shape]
    elif isinstance(shape, (int, np.integer)) and not isinstance(shape, bool):
        parts = [int(shape)]
    else:
        vector = as_tensor(shape)
        _require_whole(vector, shape)
        known = concrete(vector)
        if known is None and vector.static_shape != ():
            return _with_known_dims(ops.cast(vector, int64))
        parts = [vector] if known is None else [int(dim) for dim in np.atleast_1d(known)]
    numbers = [part for part in parts if isinstance(part, int)]
    if len(numbers) == len(parts):
        return tuple(numbers), None
    return _with_known_dims(ops.stack([ops.cast(part, int64) for part in parts]))


def _with_known_dims(vector: Tensor) -> tuple[Shape, Tensor | None]:
    """A vector of lengths, and before it those that are known now; without it where all are."""
    elements = known_elements(vector)
    if elements is None:
        length = vector.static_shape[0] if vector.static_shape else UNKNOWN
        return (UNKNOWN,) * length if isinstance(length, int) else None, vector
    known = tuple(elements.reshape(-1).tolist())
    return known, None if shapes.all_known(known) else vector


def _dim_argument(part: Any) -> Any:
    if isinstance(part, (int, np.integer)) and not isinstance(part, bool):
        return int(part)
    if part is None:
        raise ShapeError(
            "a dim of a shape is None",
            why="None stands for a length that is only known when the graph runs.",
            way_out="Take the lengths from `rt.shape(x)`, which is a tensor, in place of `x.shape`.",
        )
    tensor = as_tensor(part)
    _require_whole(tensor, part)
    known = concrete(tensor)
    return tensor if known is None else int(known)


def _require_whole(lengths: Tensor, given: Any) -> None:
    if not lengths.dtype.is_integer and shapes.size(lengths.static_shape) != 0:
        what = lengths.dtype.name if isinstance(given, (Operators, np.ndarray)) else short(given)
        raise DTypeError(
            f"a dim of a shape is {what}",
            why="A length is an integer.",
            way_out="Cast it with `rt.astype(n, rt.int64)`, or divide with `//`.",
        )


def require_lengths(shape: Shape) -> None:
    """Refuses a shape with a negative length.

    Raises
    ------
    ShapeError
        When there is one.
    """
    if any(isinstance(dim, int) and dim < 0 for dim in shape or ()):
        raise ShapeError(
            f"a tensor of shape {shapes.text(shape)} was asked for",
            why="A length is 0 or more.",
            way_out="Say each length; only `rt.reshape` finds one that is -1.",
        )


def require_vector(shape: ArraySpec) -> None:
    """Refuses what is no shape: that is a vector of lengths.

    Raises
    ------
    ShapeError
        When it has another number of axes.
    """
    if shape.rank not in {1, None}:
        raise ShapeError(
            f"{shape} is no shape of a tensor",
            why="A shape is a vector of lengths, one for each axis.",
            way_out="Flatten it with `rt.reshape(shape, (-1,))`.",
        )


def promoted(operands: Sequence[Any]) -> Sequence[Any]:
    """Operands cast to the one dtype that holds them all."""
    if _are_of_one_dtype(operands):
        return operands
    weights = [promotion_operand(operand) for operand in operands]
    strong = any(isinstance(weight, DType) for weight in weights)
    dtype = result_type(*weights) if strong else _common_default(operands)
    return [cast_operand(operand, dtype) for operand in operands]


def _are_of_one_dtype(operands: Sequence[Any]) -> bool:
    """Whether all operands are eager tensors of the first one's dtype: then there is nothing to promote."""
    first = operands[0] if operands else None
    if type(first) is not Tensor:
        return False
    dtype = first._array.dtype
    for operand in operands:  # noqa: SIM110  # `all` of a generator takes three times as long, in every call
        if type(operand) is not Tensor or operand._array.dtype is not dtype:
            return False
    return True


def rounded_once(op: Op, *operands: TensorLike) -> Tensor:
    """As `bind`, for sums and products: those of bfloat16 are computed in float32 and rounded at the end.

    NumPy does so for float16 by itself. One by one, bfloat16 would stop counting at 256.
    """
    if low_precision and any(getattr(each, "dtype", None) in low_precision for each in operands):
        tensors: Sequence[Tensor] = promoted([as_operand(each) for each in operands])
        if tensors[0].dtype is bfloat16:
            return ops.cast(bind(op, *[ops.cast(each, float32) for each in tensors]), bfloat16)
    return bind(op, *operands)


def widened(operands: Sequence[Any]) -> Sequence[Any]:
    """The operands, bfloat16 among them in float32: for kernels that know NumPy's own dtypes alone."""
    return [
        cast_operand(each, float32) if getattr(each, "dtype", None) is bfloat16 else each for each in operands
    ]


def require_dtype(name: str, dtype: DType, accepted: frozenset[DType]) -> None:
    """Refuses a dtype that an op does not take.

    Raises
    ------
    DTypeError
        When `dtype` is not in `accepted`.
    """
    if dtype not in accepted:
        listed = ", ".join(each.name for each in (*DTYPES, *LOW_PRECISION) if each in accepted)
        raise DTypeError(f"`{name}` is not defined for {dtype.name}", why=f"It takes {listed}.")


def checked_axes(axis: Axes, x: TensorLike) -> tuple[int, ...] | None:
    """`axis` as a sorted tuple counted from the front; None only where the rank is not known.

    Raises
    ------
    AxisError, ShapeError
        When an axis is out of range or named twice.
    """
    shape: Shape = x.shape
    if shape is not None:
        return normalise_axes(axis, len(shape))
    if axis is None:
        return None
    return tuple(map(shapes.as_axis, axis if isinstance(axis, Sequence) else (axis,)))


def checked_axis(axis: int, x: TensorLike, extra: int = 0) -> int:
    """`axis` counted from the front where the rank is known; `extra` axes are about to be added.

    Raises
    ------
    AxisError
        When it is out of range.
    """
    shape: Shape = x.shape
    return shapes.as_axis(axis) if shape is None else shapes.normalise_axis(axis, len(shape) + extra)


def whole_number(value: Any, name: str) -> int:
    """The argument `name` of a function as a Python integer.

    Raises
    ------
    DTypeError
        When it is no integer.
    """
    try:
        return operator.index(value)
    except TypeError as error:
        if isinstance(error, Error):  # a tensor says itself why it is no integer of Python
            raise
        raise DTypeError(
            f"`{name}` is {value!r}", why="It counts, so it is an integer.", way_out="Give it as one."
        ) from None


def accumulator(dtype: DType) -> DType:
    """The dtype in which NumPy adds up elements of `dtype`: 64 bits for bools and integers."""
    return _WIDEST.get(dtype.kind, dtype)


_WIDEST: dict[str, DType] = {"b": int64, "i": int64, "u": uint64}


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
