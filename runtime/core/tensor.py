"""The tensor that holds an array. Its arithmetic is written onto `Operators` by `runtime.ops.methods`."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeAlias

import numpy as np

from runtime.core import shapes
from runtime.core.dtypes import _BY_NUMPY, DType, as_dtype, low_precision
from runtime.core.lists import ListValue
from runtime.core.shapes import Shape, Written
from runtime.core.spec import ArraySpec, Spec, TensorSpec
from runtime.core.text import mark
from runtime.core.tracing import tracing
from runtime.errors import DTypeError, Error, IntTooLarge, InvalidValue, NotASequence, ShapeError

if TYPE_CHECKING:
    from runtime.ops.at import At

__all__ = [
    "EAGER",
    "PLAIN_ARRAYS",
    "Array",
    "Operators",
    "PrintOptions",
    "Tensor",
    "TensorLike",
    "may_be_tensor",
    "only_exchanges",
    "owner_of",
    "print_options",
    "require_plain",
    "set_print_options",
    "set_shape",
    "short",
]

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"
TensorLike: TypeAlias = Any
"""A tensor, a variable, a Python number, a NumPy array or a nested list of numbers."""


def owner_of(array: Any) -> Any:
    """The array whose memory an array of NumPy's shows; anything else itself."""
    while isinstance(array, np.ndarray) and isinstance(array.base, np.ndarray):
        array = array.base
    return array


def set_shape(array: Array, shape: tuple[int, ...]) -> None:
    """Gives an array of NumPy's another shape under all of its names, of which NumPy warns from 2.5 on."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        array.shape = shape


class PrintOptions:
    """How tensors are printed.

    Attributes
    ----------
    prefix : str
        What stands before ``Tensor(`` in ``str`` and ``repr``; ``"tf."`` under `autograph.compat.tf`, where
        numbers show as TensorFlow shows them.
    """

    prefix = ""


print_options = PrintOptions()


def set_print_options(*, prefix: str) -> None:
    """Sets how tensors are printed, for the whole process (NumPy's own options format the numbers).

    Parameters
    ----------
    prefix : str
        What stands before ``Tensor`` in ``str`` and ``repr``.
    """
    print_options.prefix = prefix


class Operators:
    """Python's operators, written by `runtime.ops.methods` and declared here for types."""

    __slots__ = ()
    __hash__ = object.__hash__

    if TYPE_CHECKING:

        def __add__(self, other: TensorLike) -> Tensor: ...
        def __radd__(self, other: TensorLike) -> Tensor: ...
        def __iadd__(self, other: TensorLike) -> Tensor: ...
        def __sub__(self, other: TensorLike) -> Tensor: ...
        def __rsub__(self, other: TensorLike) -> Tensor: ...
        def __isub__(self, other: TensorLike) -> Tensor: ...
        def __mul__(self, other: TensorLike) -> Tensor: ...
        def __rmul__(self, other: TensorLike) -> Tensor: ...
        def __imul__(self, other: TensorLike) -> Tensor: ...
        def __truediv__(self, other: TensorLike) -> Tensor: ...
        def __rtruediv__(self, other: TensorLike) -> Tensor: ...
        def __itruediv__(self, other: TensorLike) -> Tensor: ...
        def __floordiv__(self, other: TensorLike) -> Tensor: ...
        def __rfloordiv__(self, other: TensorLike) -> Tensor: ...
        def __ifloordiv__(self, other: TensorLike) -> Tensor: ...
        def __mod__(self, other: TensorLike) -> Tensor: ...
        def __rmod__(self, other: TensorLike) -> Tensor: ...
        def __imod__(self, other: TensorLike) -> Tensor: ...
        def __pow__(self, other: TensorLike) -> Tensor: ...
        def __rpow__(self, other: TensorLike) -> Tensor: ...
        def __ipow__(self, other: TensorLike) -> Tensor: ...
        def __matmul__(self, other: TensorLike) -> Tensor: ...
        def __rmatmul__(self, other: TensorLike) -> Tensor: ...
        def __imatmul__(self, other: TensorLike) -> Tensor: ...
        def __and__(self, other: TensorLike) -> Tensor: ...
        def __rand__(self, other: TensorLike) -> Tensor: ...
        def __iand__(self, other: TensorLike) -> Tensor: ...
        def __or__(self, other: TensorLike) -> Tensor: ...
        def __ror__(self, other: TensorLike) -> Tensor: ...
        def __ior__(self, other: TensorLike) -> Tensor: ...
        def __xor__(self, other: TensorLike) -> Tensor: ...
        def __rxor__(self, other: TensorLike) -> Tensor: ...
        def __ixor__(self, other: TensorLike) -> Tensor: ...
        def __lshift__(self, other: TensorLike) -> Tensor: ...
        def __rlshift__(self, other: TensorLike) -> Tensor: ...
        def __ilshift__(self, other: TensorLike) -> Tensor: ...
        def __rshift__(self, other: TensorLike) -> Tensor: ...
        def __rrshift__(self, other: TensorLike) -> Tensor: ...
        def __irshift__(self, other: TensorLike) -> Tensor: ...
        def __lt__(self, other: TensorLike) -> Tensor: ...
        def __le__(self, other: TensorLike) -> Tensor: ...
        def __gt__(self, other: TensorLike) -> Tensor: ...
        def __ge__(self, other: TensorLike) -> Tensor: ...
        def __eq__(self, other: TensorLike) -> Tensor: ...  # type: ignore[override]  # elementwise, as in NumPy
        def __ne__(self, other: TensorLike) -> Tensor: ...  # type: ignore[override]  # elementwise, as in NumPy
        def __neg__(self) -> Tensor: ...
        def __pos__(self) -> Tensor: ...
        def __abs__(self) -> Tensor: ...
        def __invert__(self) -> Tensor: ...
        def __getitem__(self, key: Any) -> Tensor: ...
        def __setitem__(self, key: Any, value: TensorLike) -> None: ...
        def __array_namespace__(self, /, *, api_version: str | None = None) -> ModuleType: ...
        def __dlpack__(self, **options: Any) -> Any: ...
        def __dlpack_device__(self) -> tuple[int, int]: ...
        @property
        def device(self) -> str: ...
        @property
        def T(self) -> Tensor: ...
        @property
        def at(self) -> At: ...
        @property
        def mT(self) -> Tensor: ...
        @property
        def flat(self) -> Tensor: ...
        @property
        def imag(self) -> Tensor: ...
        @property
        def itemsize(self) -> int: ...
        @property
        def nbytes(self) -> Any: ...
        @property
        def real(self) -> Tensor: ...
        def all(self, axis: Any = None, *rest: Any, **options: Any) -> Tensor: ...
        def any(self, axis: Any = None, *rest: Any, **options: Any) -> Tensor: ...
        def argmax(self, axis: int | None = None, *rest: Any, **options: Any) -> Tensor: ...
        def argmin(self, axis: int | None = None, *rest: Any, **options: Any) -> Tensor: ...
        def argpartition(self, kth: Any, axis: int | None = -1, **options: Any) -> Tensor: ...
        def argsort(self, axis: int | None = -1, **options: Any) -> Tensor: ...
        def astype(self, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Tensor: ...
        def choose(self, choices: Any, **options: Any) -> Tensor: ...
        def clip(self, min: Any = None, max: Any = None, *rest: Any, **options: Any) -> Tensor: ...
        def compress(self, condition: TensorLike, axis: int | None = None) -> Tensor: ...
        def conj(self) -> Tensor: ...
        def conjugate(self) -> Tensor: ...
        def copy(self, order: str = "C") -> Tensor: ...
        def cumprod(self, axis: int | None = None, dtype: Any = None) -> Tensor: ...
        def cumsum(self, axis: int | None = None, dtype: Any = None) -> Tensor: ...
        def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor: ...
        def dot(self, b: TensorLike) -> Tensor: ...
        def flatten(self, order: str = "C") -> Tensor: ...
        def is_integer(self) -> Any: ...
        def item(self, *index: Any) -> Any: ...
        def max(self, axis: Any = None, *rest: Any, **options: Any) -> Tensor: ...
        def mean(self, axis: Any = None, *rest: Any, **options: Any) -> Tensor: ...
        def min(self, axis: Any = None, *rest: Any, **options: Any) -> Tensor: ...
        def nonzero(self) -> tuple[Tensor, ...]: ...
        def prod(self, axis: Any = None, *rest: Any, **options: Any) -> Tensor: ...
        def ravel(self, order: str = "C") -> Tensor: ...
        def repeat(self, repeats: Any, axis: int | None = None) -> Tensor: ...
        def reshape(self, *shape: Any, order: str = "C", copy: bool | None = None) -> Tensor: ...
        def round(self, decimals: int = 0) -> Tensor: ...
        def searchsorted(self, v: TensorLike, side: str = "left", sorter: Any = None) -> Tensor: ...
        def squeeze(self, axis: Any = None) -> Tensor: ...
        def std(self, axis: Any = None, *rest: Any, **options: Any) -> Tensor: ...
        def sum(self, axis: Any = None, *rest: Any, **options: Any) -> Tensor: ...
        def swapaxes(self, axis1: int, axis2: int) -> Tensor: ...
        def take(self, indices: TensorLike, axis: int | None = None, **options: Any) -> Tensor: ...
        def to_device(self, device: Any, /, *, stream: Any = None) -> Tensor: ...
        def trace(self, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Tensor: ...
        def transpose(self, *axes: Any) -> Tensor: ...
        def var(self, axis: Any = None, *rest: Any, **options: Any) -> Tensor: ...
        def view(self, dtype: Any = None) -> Tensor: ...


class _SpecsOfNumbers(dict[Any, ArraySpec]):
    """By dtype of NumPy's, the spec of a number: a list of lists is many of these."""

    def __missing__(self, dtype: Any) -> ArraySpec:
        found = self[dtype] = ArraySpec((), _BY_NUMPY[dtype])
        return found


_SPECS_OF_NUMBERS = _SpecsOfNumbers()


class Tensor(Operators):
    """An immutable array of one dtype.

    The handle of a list is one too, which has no shape and no dtype: only the functions on lists take it.

    Made by `rt.asarray` and by every function of the namespace; not by calling this class.

    Attributes
    ----------
    dtype : DType
    shape : tuple of int
    ndim : int
    size : int
    """

    __slots__ = ("__weakref__", "_array")
    written: ClassVar[type[TensorSpec]] = TensorSpec
    """What users write for its spec."""
    symbol: ClassVar[type[Tensor] | None] = None
    """What stands for one in a finished graph; None for `Symbol`."""
    _array: Array
    """Behind the handle of a list, a `ListValue`."""

    @staticmethod
    def failed(error: BaseException) -> BaseException:
        """What is raised where an operation on one fails at once."""
        return error

    def __init__(self, array: Any) -> None:
        if type(array) is not np.ndarray and not isinstance(array, ListValue):
            array = np.asarray(array)
        self._array = array

    @property
    def spec(self) -> Spec:
        """Shape and dtype together; of the handle of a list, what its elements are."""
        array: Any = self._array
        if isinstance(array, ListValue):
            return array.spec
        return (
            ArraySpec(array.shape, _BY_NUMPY[array.dtype]) if array.shape else _SPECS_OF_NUMBERS[array.dtype]
        )

    @property
    def dtype(self) -> DType:
        """The element type."""
        return _BY_NUMPY[self._array.dtype]

    @property
    def static_shape(self) -> Shape:
        """What is known of the shape before a run."""
        shape: Shape = self._array.shape
        return shape

    @property
    def shape(self) -> tuple[Any, ...] | Any:
        """The length of each axis; in a graph, a tensor for each that only a run knows.

        Raises
        ------
        NoConcreteValue
            In a graph, when only a run knows the number of axes.
        """
        shape: tuple[int, ...] = self._array.shape
        return shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._array.ndim

    @property
    def size(self) -> Any:
        """The number of elements; in a graph, a tensor where only a run knows it."""
        return self._array.size

    def get_shape(self) -> Written:
        """The shape, under TensorFlow's name: None for what only a run knows."""
        return shapes.written(self.static_shape)

    def numpy(self) -> Any:
        """The value as a read-only NumPy array, or as a NumPy scalar where there are no axes."""
        if self._array.ndim == 0:
            return self._array[()]
        view = self._array.view()
        view.flags.writeable = False
        return view

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if dtype is not None and np.dtype(dtype) != self._array.dtype:
            if copy is False:
                raise InvalidValue(
                    f"a tensor of dtype {self.dtype} cannot become {dtype} without a copy",
                    why="`copy=False` asks for the memory that the tensor has.",
                    way_out="Leave out `copy=False`.",
                )
            return self._array.astype(dtype)
        if copy:
            return self._array.copy()
        view = self._array.view()
        view.flags.writeable = False
        return view

    def tolist(self) -> Any:
        """The value as nested Python lists, or one Python number."""
        return self._array.tolist()

    def __bool__(self) -> bool:
        if self._array.size != 1:
            raise ShapeError(
                f"the truth of a tensor of shape {self.shape} is ambiguous",
                why="Some of its elements may be true and others not.",
                way_out="Say which you mean: `rt.any(x)`, `rt.all(x)`, or `rt.size(x) > 0`.",
            )
        return bool(self._array)

    def __int__(self) -> int:
        return int(self._array)

    def __float__(self) -> float:
        return float(self._array)

    def __complex__(self) -> complex:
        return complex(self._array)

    def __index__(self) -> int:
        if not self.dtype.is_integer or self._array.ndim:
            raise DTypeError(
                f"only an integer tensor without axes can be an index of Python, not {self.spec}",
                why="Python indexes and counts with one whole number.",
                way_out="Convert it with `int(x)`, or pick one element first.",
            )
        return int(self._array)

    def __hash__(self) -> int:
        """That of the number, to which it is equal: both are one key of a dict."""
        array: Any = self._array
        if isinstance(array, ListValue):
            return object.__hash__(self)
        if array.ndim:
            raise DTypeError(
                f"unhashable type: a tensor of shape {self.shape}",
                why="A key is found by one `==`, and a tensor with axes has one for each of its elements.",
                way_out="Take `x.tobytes()`, `tuple(x.tolist())`, or `id(x)` if you mean this one tensor.",
            )
        number = array.item()
        return hash(number) if number == number else object.__hash__(self)  # noqa: PLR0124  # of a NaN

    def __len__(self) -> int:
        if not self._array.ndim:
            raise NotASequence("a tensor without axes has no len()")
        return len(self._array)

    def __contains__(self, item: object) -> bool:
        found: Any = self == item
        return found if isinstance(found, bool) else bool(found.any())

    def __iter__(self) -> Iterator[Tensor]:
        if not self._array.ndim:
            raise NotASequence("a tensor without axes has nothing to iterate over")
        return (self[i] for i in range(len(self._array)))

    def __format__(self, spec: str) -> str:
        marked = mark(self, "format", spec)
        if marked is not None:
            return marked
        return format(self._array[()] if self._array.ndim == 0 else self._array, spec) if spec else str(self)

    def __str__(self) -> str:
        marked = mark(self, "str")
        if marked is not None:
            return marked
        if not isinstance(self.spec, ArraySpec):
            return repr(self)
        if tracing.runs_plainly:
            return str(self._array[()])
        text = str(self._array)
        start = "\n" if "\n" in text else ""
        return f"{print_options.prefix}Tensor({start}{text}, shape={self.shape}, dtype={self.dtype})"

    def __repr__(self) -> str:
        marked = mark(self, "repr")
        if marked is not None:
            return marked
        name = f"{print_options.prefix}Tensor"
        if not isinstance(self.spec, ArraySpec):
            return f"<{name}: {self.spec}>"
        if tracing.runs_plainly:
            return repr(self._array[()])
        return f"<{name}: shape={self.shape}, dtype={self.dtype}, numpy={array_text(self._array)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (np.array(self._array),)

    def __deepcopy__(self, memo: object) -> Tensor:
        return self

    def __copy__(self) -> Tensor:
        return self


EAGER: set[type] = {Tensor}
"""The classes of tensors that have their value: another namespace may show its own in another way."""


def _restore(array: Array) -> Tensor:
    as_dtype(array.dtype)
    return Tensor(array)


def array_text(array: Array) -> str:
    """An array inside a `repr`; TensorFlow shows all digits of the Python number that a number equals."""
    if not array.ndim:
        return repr(array.item()) if print_options.prefix else str(array)
    lines = np.array_repr(array)
    return lines if "\n" not in lines else "\n" + lines


def as_array(value: TensorLike, dtype: DType | None = None) -> Array:
    """An array that may stand behind a tensor: the tensor's own, or a fresh one; nobody else will change it.

    Raises
    ------
    DTypeError
        For strings and objects, and for arrays of a class of their own.
    OverflowError
        For a Python integer that no dtype holds.
    ShapeError
        For ragged sequences.
    """
    if type(value) in EAGER:
        array: Array = value._array  # the class's own module
    elif isinstance(value, np.ndarray):
        require_plain(value)
        if value.dtype.hasobject:
            _refuse_elements(value, value)
        array = np.array(value)
    else:
        array = _from_python(value)
    if dtype is not None and array.dtype != dtype.numpy:
        return array.astype(dtype.numpy)
    if array.dtype.kind in _OTHER_ELEMENTS or array.dtype.names:
        _refuse_elements(value, array)
    if array.dtype not in _BY_NUMPY:
        array = array.astype(as_dtype(array.dtype).numpy)
    return array


PLAIN_ARRAYS = frozenset({np.ndarray, np.memmap, np.recarray})
"""Classes of arrays that compute as NumPy's do: without masks or units, and not as matrices."""


def require_plain(array: Array) -> None:
    """Sees to it that an array may become a tensor, whose class says how it computes.

    Raises
    ------
    DTypeError
        When its class is one of its own.
    """
    if type(array) not in PLAIN_ARRAYS:
        name = type(array).__name__
        raise DTypeError(
            f"a {name} cannot become a tensor",
            why="It computes in its own way, which would be lost: a tensor computes as NumPy's arrays do.",
            way_out="Give its numbers, `np.asarray(x)`, and what it adds beside them.",
        )


def may_be_tensor(value: Any) -> bool:
    """Whether an array of NumPy's, or a number, is of a class and a dtype that tensors have."""
    if isinstance(value, np.ndarray) and type(value) not in PLAIN_ARRAYS:
        return False
    return not isinstance(value, (np.ndarray, np.generic)) or value.dtype.newbyteorder("=") in _BY_NUMPY


def only_exchanges(value: Any) -> bool:
    """Whether an array of another library shows its memory through ``__dlpack__`` alone."""
    kind = type(value)
    if kind is list or kind is tuple:
        return False
    return hasattr(kind, "__dlpack__") and not (hasattr(kind, "__array__") or hasattr(kind, "__buffer__"))


def _from_python(value: Any) -> Array:
    try:
        array = np.from_dlpack(value) if only_exchanges(value) else np.asarray(value)
    except Error:  # the object itself says why it is no array
        raise
    except ValueError as error:
        raise ShapeError(
            f"{short(value)} has no one shape",
            why=f"The rows of a tensor are equally long: {str(error).strip()}",
            way_out="Make the rows equally long, or keep a list of tensors.",
        ) from None
    if array.dtype.kind not in "biufc" and array.dtype not in low_precision:
        _refuse_elements(value, array)
    return array if isinstance(value, (list, tuple, np.generic)) else np.array(array)  # others may own it


def _refuse_elements(value: Any, array: Array) -> NoReturn:
    whole = array.dtype.kind == "O" and all(type(item) is int for item in array.flat)
    if whole and not all(-(2**63) <= item < 2**64 for item in array.flat):
        given = f"an integer in {short(value)}" if array.ndim else str(array[()])
        raise IntTooLarge(f"{given} fits no dtype; the widest are int64 and uint64")
    elements, way_out = _kind_of(array)
    if not (isinstance(value, np.ndarray) and value.ndim):
        way_out = "Convert them to numbers first, or keep the object outside of tensors."
    raise DTypeError(
        f"{short(value)} cannot become a tensor",
        why=f"Its elements are {elements}, and a tensor holds numbers or truth values.",
        way_out=way_out,
    )


def _kind_of(array: Array) -> tuple[str, str]:
    """What the elements are that no tensor holds, and what to give in the place of the array."""
    if array.dtype.names:
        return "records", f"Give its fields, each as an array of its own: `x[{array.dtype.names[0]!r}]`."
    if array.dtype.kind in "US":
        return "text", (
            "Give a list of its strings (`x.tolist()`), or numbers for them "
            "(`np.unique(x, return_inverse=True)`)."
        )
    if array.dtype.kind in "mM":
        return "dates or times", "Give the numbers behind them: `x.astype(np.int64)`."
    kind = "objects" if array.ndim else f"of type {type(array.item()).__name__}"
    return kind, "Convert them to numbers first (`x.astype(float)`), or give a list of them (`x.tolist()`)."


_OTHER_ELEMENTS = "USmM"
"""Kinds of elements that NumPy has, and no tensor: text, dates and times."""


def short(value: Any, width: int = 60) -> str:
    """What stands in a message for a value."""
    shown = repr(value)
    return shown if len(shown) <= width else shown[: width - 1] + "…"
