"""What is known of a value before it is there: of a tensor, its shape and dtype."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import field
from typing import Any, ClassVar, NoReturn, TypeAlias

from autograph_base.dataclass import dataclass
from runtime.core.dims import SymbolicDim
from runtime.core.dtypes import DType, as_dtype, float32, result_type
from runtime.core.shapes import UNKNOWN, Dim, Shape, Written, compatible, contains, is_known, join, written
from runtime.errors import DTypeError, ShapeError

__all__ = [
    "ArraySpec",
    "CellSpec",
    "Element",
    "ErrorSpec",
    "GeneratorSpec",
    "ListSpec",
    "ObjectSpec",
    "Spec",
    "TensorSpec",
    "TextSpec",
    "as_array_spec",
    "as_shape",
    "refuse_join",
]

_SHAPE = "A shape is a tuple of lengths: integers from 0 on, and None where a length is not known."


class Spec:
    """What is known of a value of a graph before it is there: the base class of every kind.

    A value is a tensor (`ArraySpec`), a list (`ListSpec`), an exception (`ErrorSpec`), text (`TextSpec`), any
    other object of Python's (`ObjectSpec`) or a cell that keeps what a `try` had done (`CellSpec`).
    """

    __slots__ = ()
    noun: ClassVar[str]
    """What messages call a value of this kind."""
    way_out: ClassVar[str] = "Give a tensor in its place."
    """What to do with it where a tensor is wanted."""

    @property
    def is_scalar(self) -> bool:
        """Whether it is a tensor that is known to have no axes."""
        return False

    def contains(self, other: Spec) -> bool:
        """Whether every value of spec `other` also has this spec."""
        return self == other

    def join(self, other: Spec) -> Spec:
        """The most exact spec that holds both.

        Raises
        ------
        DTypeError
            When there is none.
        """
        if self != other:
            refuse_join(self, other)
        return self


def refuse_join(left: Spec, right: Spec) -> NoReturn:
    """Raises the error for two specs that no one spec holds."""
    if isinstance(left, ArraySpec) and isinstance(right, ArraySpec):
        why, way_out = "A spec has one dtype.", "Cast one of the tensors with `rt.astype`."
    else:
        why = f"One is {left.noun} and the other {right.noun}."
        way_out = "Give both values one kind."
    raise DTypeError(f"{left} and {right} have no spec in common", why=why, way_out=way_out)


@dataclass(frozen=True, slots=True)
class ArraySpec(Spec):
    """Shape and dtype of a tensor; a length that is not known is a symbolic dim, never None.

    Parameters
    ----------
    shape : tuple of int or SymbolicDim, or None
        None where not even the number of axes is known.
    dtype : DType

    Raises
    ------
    ShapeError
        When a dim is None.
    """

    shape: Shape
    dtype: DType
    noun: ClassVar[str] = "a tensor"

    def __post_init__(self) -> None:
        for dim in self.shape or ():
            if dim is None:
                _refuse_none(self.shape)

    @property
    def is_scalar(self) -> bool:
        """Whether it is known to have no axes."""
        return self.shape == ()

    @property
    def rank(self) -> int | None:
        """The number of axes, or None where it is unknown."""
        return None if self.shape is None else len(self.shape)

    def with_shape(self, shape: Shape) -> ArraySpec:
        """The same dtype in another shape."""
        return ArraySpec(shape, self.dtype)

    def with_dtype(self, dtype: DType) -> ArraySpec:
        """The same shape in another dtype."""
        return ArraySpec(self.shape, dtype)

    def contains(self, other: Spec) -> bool:
        """Whether every tensor of spec `other` also has this spec."""
        return (
            isinstance(other, ArraySpec) and self.dtype is other.dtype and contains(self.shape, other.shape)
        )

    def join(self, other: Spec) -> ArraySpec:
        """The most exact spec that holds both; the dtypes must agree already."""
        if self == other:
            return self
        if not isinstance(other, ArraySpec) or self.dtype is not other.dtype:
            refuse_join(self, other)
        return ArraySpec(join(self.shape, other.shape), self.dtype)

    def __str__(self) -> str:
        if self.shape is None:
            return f"{self.dtype.short}[...]"
        return f"{self.dtype.short}[{','.join(map(str, self.shape))}]"


def _refuse_none(shape: object) -> NoReturn:
    raise ShapeError(
        f"None is a dim in the shape {shape} of a spec",
        why="None does not say which lengths are equal; it stands for one where users write shapes.",
        way_out="Make the shape with `as_shape`, or the spec as `TensorSpec(shape, dtype).plain`.",
    )


class _NoTensor(Spec):
    """What is known of a value that is no tensor: it has no shape and no dtype."""

    __slots__ = ()

    @property
    def dtype(self) -> NoReturn:
        """There is none: asking is an error."""
        refuse_as_tensor(self)

    @property
    def shape(self) -> NoReturn:
        """There is none: asking is an error."""
        refuse_as_tensor(self)

    @property
    def rank(self) -> NoReturn:
        """There is none: asking is an error."""
        refuse_as_tensor(self)


@dataclass(frozen=True, slots=True)
class ListSpec(_NoTensor):
    """A list of tensors, or of lists of them: what each element is, None while nothing was put into it."""

    element: Element | None = None
    noun: ClassVar[str] = "a list of tensors"
    way_out: ClassVar[str] = "Stack it first: `rt.stack(items)`."

    def __post_init__(self) -> None:
        # a list outlives the places that name lengths, and each of its elements may have others
        if isinstance(self.element, ArraySpec) and not is_known(self.element.shape):
            hidden = as_shape(written(self.element.shape))
            object.__setattr__(self, "element", self.element.with_shape(hidden))

    def contains(self, other: Spec) -> bool:
        """Whether every list of spec `other` also has this spec; an empty list fits every list."""
        if not isinstance(other, ListSpec):
            return False
        return other.element is None or (self.element is not None and self.element.contains(other.element))

    def join(self, other: Spec) -> ListSpec:
        """The most exact spec that holds both: dtypes of elements are promoted."""
        if not isinstance(other, ListSpec):
            refuse_join(self, other)
        return ListSpec(_common_element(self.element, other.element))

    def __str__(self) -> str:
        return f"list[{self.element or '?'}]"


Element: TypeAlias = ArraySpec | ListSpec
"""What a list can hold."""


def _common_element(left: Element | None, right: Element | None) -> Element | None:
    """What the elements of two lists have in common."""
    if left is None or right is None:
        return left or right
    if isinstance(left, ArraySpec) and isinstance(right, ArraySpec):
        return ArraySpec(join(left.shape, right.shape), result_type(left.dtype, right.dtype))
    return left.join(right)


@dataclass(frozen=True, slots=True)
class ErrorSpec(_NoTensor):
    """An exception that a graph has caught, or the absence of one."""

    noun: ClassVar[str] = "an exception"
    way_out: ClassVar[str] = "Read its arguments or attributes, such as `error.args[0]`."

    def __str__(self) -> str:
        return "error"


@dataclass(frozen=True, slots=True)
class TextSpec(_NoTensor):
    """A string that is only known when the graph runs: what an exception says."""

    noun: ClassVar[str] = "text"
    way_out: ClassVar[str] = "Print it, or raise an exception that says it."

    def __str__(self) -> str:
        return "text"


@dataclass(frozen=True, slots=True)
class ObjectSpec(_NoTensor):
    """An object that a function of the program's has made: a generator of numbers, a date, a file."""

    noun: ClassVar[str] = "an object of Python's"
    way_out: ClassVar[str] = "Ask it for a number or for text."

    def __str__(self) -> str:
        return "object"


@dataclass(frozen=True, slots=True)
class GeneratorSpec(ObjectSpec):
    """A `numpy.random.Generator` that the run makes."""

    def __str__(self) -> str:
        return "generator"


@dataclass(frozen=True, slots=True)
class CellSpec(_NoTensor):
    """A cell in which the graph of a `try` leaves what it has done so far."""

    noun: ClassVar[str] = "a cell for checkpoints"
    way_out: ClassVar[str] = "Give it to the `try` that it belongs to."

    def __str__(self) -> str:
        return "cell"


def as_array_spec(spec: Spec) -> ArraySpec:
    """`spec`, which must be that of a tensor.

    Raises
    ------
    DTypeError
        When it is of another kind.
    """
    if not isinstance(spec, ArraySpec):
        refuse_as_tensor(spec)
    return spec


def refuse_as_tensor(spec: Spec) -> NoReturn:
    """Raises the error for what is no tensor and was used as one."""
    raise DTypeError(
        f"{spec.noun} was used as a tensor",
        why=f"A tensor has a shape and a dtype; {spec.noun} has none.",
        way_out=spec.way_out,
    )


def as_shape(shape: Any) -> Shape:
    """A shape from what users write: a tuple or list of ints and None, one int, or None for unknown rank.

    An object with `dims`, such as TensorFlow's shapes, counts as those.

    Raises
    ------
    ShapeError
        When a dim is negative or no integer.
    """
    shape = getattr(shape, "dims", shape)
    if shape is None:
        return None
    if hasattr(shape, "__index__") and not hasattr(shape, "__len__"):
        shape = (shape,)
    if not isinstance(shape, Iterable):
        raise ShapeError(f"{shape!r} is no shape", why=_SHAPE, way_out="Write `(2, 3)`, or `(None, 3)`.")
    return tuple(_as_dim(dim, shape) for dim in shape)


def _as_dim(dim: Any, shape: object) -> Dim:
    if dim is None:
        return UNKNOWN
    if isinstance(dim, SymbolicDim):
        return dim
    try:
        result = operator.index(dim)
    except TypeError:
        raise ShapeError(
            f"{dim!r} in shape {shape!r} is no dim", why=_SHAPE, way_out="Write `(2, 3)`, or `(None, 3)`."
        ) from None
    if result < 0:
        raise ShapeError(
            f"{dim!r} in shape {shape!r} is negative", why=_SHAPE, way_out="Write None for an unknown dim."
        )
    return result


@dataclass(frozen=True, slots=True, init=False)
class TensorSpec:
    """A spec as a user writes it, in `input_signature` and `get_concrete_function`.

    Parameters
    ----------
    shape : tuple of int or None, int, or None
        None for an unknown dim; None alone for an unknown rank.
    dtype : DType, numpy.dtype, type or str
    name : str, optional
        What the argument is called in the graph.

    >>> TensorSpec((None, 3), "float32")
    TensorSpec(shape=(None, 3), dtype=float32, name=None)
    """

    shape: Written
    dtype: DType
    name: str | None = field(compare=False)

    def __init__(self, shape: Any, dtype: Any = float32, name: str | None = None) -> None:
        object.__setattr__(self, "shape", written(as_shape(shape)))
        object.__setattr__(self, "dtype", as_dtype(dtype))
        object.__setattr__(self, "name", name)

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The spec of a tensor."""
        return cls(tensor.shape, tensor.dtype, name)

    @property
    def rank(self) -> int | None:
        """The number of axes, or None where it is unknown."""
        return None if self.shape is None else len(self.shape)

    @property
    def plain(self) -> ArraySpec:
        """What a graph knows of the tensors that it describes."""
        return ArraySpec(as_shape(self.shape), self.dtype)

    def is_compatible_with(self, other: Any) -> bool:
        """Whether a tensor or spec could be of this spec."""
        return as_dtype(other.dtype) is self.dtype and compatible(self.plain.shape, as_shape(other.shape))

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype}, name={self.name!r})"
