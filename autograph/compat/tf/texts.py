"""Tensors of strings, `tf.string`: they have their values, as bytes; a graph has one text at a time.

Numbers are arrays of NumPy's to the runtime, and texts are none: so a tensor of strings belongs to this
namespace alone, and `tf.strings` computes with it. What a run puts together, as `tf.strings.as_string` of a
number of the graph, is a `StagedString` while a function is traced, and a `StringTensor` when it returns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import numpy as np

from autograph.backends.tensors.text.strings import Text, concatenated, grounded
from autograph.compat.tf.shapes import TensorShape
from runtime import ops
from runtime.core.containers import count_as, register
from runtime.core.structure import level_of
from runtime.core.tensor import EAGER, Array, Tensor
from runtime.core.text import CHARACTERS, filled
from runtime.errors import DTypeError, SignatureError
from runtime.functions.eagerly import switch
from runtime.functions.signature import ADAPTERS
from runtime.graph.build import current_builder, is_symbolic
from runtime.graph.symbol import Symbol

__all__ = [
    "StagedString",
    "StringDType",
    "StringTensor",
    "TextArgument",
    "are_texts",
    "as_strings",
    "as_text",
    "is_number",
    "renewed",
    "settled",
    "spec_of_texts",
    "string",
    "text_at",
]


class StringDType:
    """`tf.string`, the dtype of texts."""

    name = "string"
    as_numpy_dtype = object
    is_floating = is_integer = is_bool = is_complex = False

    def __repr__(self) -> str:
        return "tf.string"

    def __str__(self) -> str:
        return self.name


string = StringDType()


class StringTensor:
    """A tensor of strings, as bytes.

    Parameters
    ----------
    array : array of bytes objects

    >>> from autograph.compat import tf
    >>> tf.strings.join([tf.constant(["one", "two"]), "!"])
    <tf.Tensor: shape=(2,), dtype=string, numpy=array([b'one!', b'two!'], dtype=object)>
    """

    __slots__ = ("__weakref__", "_array")
    dtype = string
    __hash__ = None  # type: ignore[assignment]  # as TensorFlow's
    __array_priority__ = 100

    def __init__(self, array: Array) -> None:
        self._array = array

    @property
    def shape(self) -> TensorShape:
        """The length of each axis."""
        return TensorShape(self._array.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._array.ndim

    def get_shape(self) -> TensorShape:
        """The length of each axis."""
        return self.shape

    def numpy(self) -> Any:
        """The bytes, or an array of them."""
        return self._array[()] if self._array.ndim == 0 else self._array.copy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self._array, dtype, copy=copy)

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Iterator[StringTensor]:
        return (self[index] for index in range(len(self)))

    def __getitem__(self, key: Any) -> StringTensor:
        if isinstance(key, slice) and any(map(is_symbolic, (key.start, key.stop))):
            raise DTypeError(
                "several strings were asked for, and only the run knows which",
                why="A graph has one text at a time.",
                way_out="Loop over single strings, and batch what is computed of them.",
            )
        return StringTensor(_boxed(self._array[key]))

    def __eq__(self, other: object) -> Any:
        return self._compared(other, equal=True)

    def __ne__(self, other: object) -> Any:
        return self._compared(other, equal=False)

    def _compared(self, other: object, *, equal: bool) -> Any:
        if not are_texts(other) or isinstance(other, Text):
            return NotImplemented
        return ops.asarray(np.asarray((self._array == as_strings(other)._array) == equal, np.bool_))

    def __bool__(self) -> NoReturn:  # it has no truth
        raise DTypeError("a tensor of strings is no condition", way_out="Compare it, or ask for its length.")

    def __add__(self, other: Any) -> Any:
        return _added(self, other)

    def __radd__(self, other: Any) -> Any:
        return _added(other, self)

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape={self._array.shape}, dtype=string, numpy={_shown(self._array, repr)}>"

    def __str__(self) -> str:
        return f"tf.Tensor({_shown(self._array, str)}, shape={self._array.shape}, dtype=string)"

    def __format__(self, spec: str) -> str:
        return format(_shown(self._array, str), spec)


def _shown(array: Array, show: Any) -> str:
    shown: str = show(array[()] if array.ndim == 0 else array)
    return f"\n{shown}" if show is repr and array.ndim > 1 else shown


def _boxed(value: Any) -> Array:
    """An item of an array of objects as an array."""
    array = np.empty(np.shape(value), object)
    array[...] = value
    return array


def _added(left: Any, right: Any) -> Any:
    if not are_texts(left) or not are_texts(right):
        return NotImplemented
    if isinstance(left, Text) or isinstance(right, Text):
        return StagedString.of(concatenated([as_text(left), as_text(right)]))
    return StringTensor(np.asarray(as_strings(left)._array + as_strings(right)._array, object))


class StagedString(Text):
    """A string of one text that a run puts together; returned, it is a `StringTensor`."""

    __slots__ = ()
    dtype = string
    shape = TensorShape(())

    @classmethod
    def of(cls, text: Any) -> Any:
        """What Python or a graph has as a text; outside of graphs, a tensor."""
        if isinstance(text, Text):
            return cls(text.template, text.tensors)
        return as_strings(text) if current_builder() is None else cls(as_text(text), ())

    def __add__(self, other: Any) -> Any:
        return _added(self, other)

    def __radd__(self, other: Any) -> Any:
        return _added(other, self)


def _split(text: StagedString) -> tuple[Sequence[Any], Sequence[Any], Any]:
    return range(len(text.tensors)), text.tensors, text.template


def _build(_: type, __: Sequence[Any], tensors: Sequence[Any], template: Any) -> Any:
    """A `StringTensor` where every tensor has its value, as in what a graph returns to its caller."""
    if current_builder() is None and all(type(tensor) in EAGER for tensor in tensors):
        return as_strings(filled(template, [tensor._array for tensor in tensors]))
    return StagedString(template, tensors)


register(StagedString, _split, _build, lambda _, __: "a string with values of the graph")


class TextArgument:
    """A string that a graph takes, by the code points of its characters.

    Parameters
    ----------
    codes : Tensor or TensorSpec
    """

    __slots__ = ("codes",)

    def __init__(self, codes: Any) -> None:
        self.codes = codes

    @classmethod
    def of(cls, value: Any) -> TextArgument:
        """What a caller gives for one.

        Raises
        ------
        SignatureError
            When it is no string.
        """
        if isinstance(value, cls) or type(value) in _COUNTED:
            return cls(value.codes)
        if not are_texts(value):
            raise SignatureError(
                f"{value!r} was given for a string",
                why="The signature asks for a tensor of the dtype tf.string.",
                way_out="Give a string, or `tf.strings.as_string` of it.",
            )
        text = as_text(value)
        if isinstance(text, Text):
            return cls(grounded(text).tensors[0])
        return cls(Tensor(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<i4").astype(np.int32)))

    def settled(self) -> StringTensor:
        """The string, where it is known."""
        return as_strings(filled(CHARACTERS, [self.codes._array]))


_COUNTED: set[type] = set()


def spec_of_texts(kind: type) -> type:
    """Has instances of a class, whose `codes` are a spec, stand for arguments that are strings."""
    _COUNTED.add(kind)
    count_as(kind, TextArgument)
    return kind


def _of_codes(_: type, __: Sequence[Any], codes: Sequence[Any], ___: Any) -> Any:
    """A string of the graph, while that is built."""
    if isinstance(codes[0], Symbol):
        return StagedString(CHARACTERS, [ops.stands_for_python(codes[0])])
    argument = TextArgument(codes[0])
    return argument.settled() if switch.on else argument


register(TextArgument, lambda text: ((0,), (text.codes,), None), _of_codes, lambda _, __: "a string")
ADAPTERS[TextArgument] = TextArgument.of


def renewed(value: Any) -> Any:
    """A nest in which texts that came as arguments are known strings, or texts of their own."""
    if isinstance(value, TextArgument):
        return value.settled()
    if isinstance(value, StagedString):
        return StagedString(value.template, value.tensors)
    level = level_of(value)
    if level is None:
        return value
    children = [renewed(child) for child in level[1]]
    unchanged = all(one is other for one, other in zip(children, level[1], strict=True))
    return value if unchanged else level[0].build(children)


def text_at(texts: StringTensor, index: Any) -> Any:
    """The string at an index that only a run knows.

    Raises
    ------
    DTypeError
        When what is there is a tensor of several.
    """
    array = texts._array
    if array.ndim > 1:
        raise DTypeError(
            "rows of strings were asked for by an index that only the run knows",
            why="A graph has one text at a time.",
            way_out="Use a dataset of single strings.",
        )
    rows = [np.frombuffer(each.decode().encode("utf-32-le"), "<i4") for each in array]
    ends = np.cumsum([len(row) for row in rows])
    codes = ops.asarray(np.concatenate([*rows, np.empty(0, "<i4")]).astype(np.int32))
    starts = ops.take(ops.asarray(np.concatenate([[0], ends]).astype(np.int64)), index)
    stop = ops.take(ops.asarray(ends.astype(np.int64)), index)
    return StagedString(CHARACTERS, [ops.stands_for_python(codes[starts:stop])])


def are_texts(value: Any) -> bool:
    """Whether a value is a string, or a tensor, an array or a nest of strings."""
    if isinstance(value, (list, tuple)):
        return bool(value) and all(map(are_texts, value))
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "US" or (value.dtype.kind == "O" and all(map(are_texts, value.flat)))
    return isinstance(value, (str, bytes, StringTensor, Text))


def as_strings(value: Any) -> StringTensor:
    """Strings, an array or a nest of them as a tensor."""
    if isinstance(value, StringTensor):
        return value
    return StringTensor(_encoded(value))


def _encoded(value: Any) -> Array:
    if isinstance(value, (list, tuple)):
        rows = [_encoded(each) for each in value]
        return np.stack(rows) if rows else np.empty(0, object)
    if isinstance(value, StringTensor):
        return value._array
    if isinstance(value, np.ndarray):
        return _boxed([_encoded(each) for each in value.flat]).reshape(value.shape)
    if isinstance(value, Text):
        raise DTypeError(
            "a tensor of several strings was made of one that only the run knows",
            why="A graph has one text at a time.",
            way_out="Use each text for itself, or join them.",
        )
    array = np.empty((), object)
    array[()] = value.encode() if isinstance(value, str) else bytes(value)
    return array


def as_text(value: Any) -> Any:
    """One string as Python has it, or as a graph does.

    Raises
    ------
    DTypeError
        For a tensor of several.
    """
    if isinstance(value, Text):
        return value
    array = as_strings(value)._array
    if array.ndim:
        raise DTypeError(
            "a tensor of several strings stands where the run knows one",
            why="A graph has one text at a time.",
            way_out="Use each text for itself, or compute with the tensor outside of the function.",
        )
    text: bytes = array.item()
    return text.decode()


def settled(value: Any) -> Any:
    """A text that is known, as a tensor; anything else as it is."""
    return as_strings(filled(value.template, ())) if isinstance(value, Text) and not value.tensors else value


def is_number(value: Any) -> bool:
    """Whether a value is a tensor of a graph that is being built."""
    return isinstance(value, Tensor) and type(value) not in EAGER
