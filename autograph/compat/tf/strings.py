"""`tf.strings`: functions of strings, at once for tensors of them, in graphs for one text at a time.

Patterns are those of Python's `re`; for what both take, they mean what TensorFlow's RE2 says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.backends.tensors.text.strings import Text, ask, concatenated, grounded
from autograph.compat.tf.explained import failed
from autograph.compat.tf.texts import (
    StagedString,
    StringTensor,
    are_texts,
    as_strings,
    as_text,
    is_number,
    settled,
)
from autograph.compat.tf.values import convert_to_tensor
from runtime import ops
from runtime.core.dtypes import as_dtype, float32, int32
from runtime.core.tensor import Array, Tensor
from runtime.core.text import Apply, Slot
from runtime.errors import DTypeError, InvalidValue
from runtime.graph.build import current_builder

__all__ = [
    "as_string",
    "bytes_split",
    "format",
    "join",
    "length",
    "lower",
    "reduce_join",
    "regex_full_match",
    "regex_replace",
    "split",
    "strip",
    "substr",
    "to_number",
    "unicode_decode",
    "unicode_encode",
    "unicode_split",
    "upper",
]

SPACES = " \t\n\r\x0b\x0c"
"""What counts as a space in bytes."""


def _each(function: Callable[..., Any], *tensors: Any) -> Array:
    """What a function gives of each element, of tensors that broadcast."""
    arrays = np.broadcast_arrays(*[np.asarray(each, object) for each in tensors])
    found = np.empty(arrays[0].shape, object)
    for place in np.ndindex(found.shape):
        found[place] = function(*[array[place] for array in arrays])
    return found


def _on_bytes(text: Any, function: Callable[[bytes], bytes]) -> StringTensor:
    return StringTensor(_each(function, as_strings(text)))


def as_string(
    input: Any,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: Any = None,
) -> Any:
    """`tf.strings.as_string`: numbers as C prints them; of a graph, one number."""
    del name
    if are_texts(input):
        return StagedString.of(input) if isinstance(input, (Text, str)) else as_strings(input)
    tensor = convert_to_tensor(input)
    letter = "e" if scientific else "g" if shortest else "f"
    kind = tensor.dtype.kind
    places = f".{precision}" if precision >= 0 and kind in "fc" else ""
    spec = f"%{fill}{width if width >= 0 else ''}{places}{letter if kind in 'fc' else 'd'}"
    if not is_number(tensor):
        return StringTensor(_each(lambda each: _written(each, spec).encode(), tensor.numpy()))
    if tensor.static_shape != () or kind == "c":
        raise DTypeError(
            "a tensor of numbers of which only the run knows the texts",
            why="A graph has one text at a time.",
            way_out="Give `tf.strings.as_string` one real number, or use `tf.strings.format`.",
        )
    slot = Slot(is_number=True)
    template = Apply("lower", (Apply("str", (slot,)),)) if kind == "b" else Apply("%", (spec, slot))
    return StagedString(template, [tensor])


def _written(number: Any, spec: str) -> str:
    if isinstance(number, (bool, np.bool_)):
        return str(bool(number)).lower()
    if isinstance(number, (complex, np.complexfloating)):
        return f"({spec % number.real},{spec % number.imag})"
    written: str = spec % number
    return written


def format(  # TensorFlow's name
    template: str, inputs: Any, placeholder: str = "{}", summarize: int = 3, name: Any = None
) -> Any:
    """`tf.strings.format`: a text with tensors in it, which show as `tf.print` shows them."""
    del summarize, name
    values = inputs if isinstance(inputs, (list, tuple)) else [inputs]
    pieces = template.split(placeholder)
    if len(pieces) != len(values) + 1:
        raise InvalidValue(
            f"the template has {len(pieces) - 1} places {placeholder!r}, and there are {len(values)} inputs",
            way_out="Give an input for each of them.",
        )
    parts: list[Any] = [pieces[0]]
    for value, piece in zip(values, pieces[1:], strict=True):
        parts += [printed(value), piece]
    return StagedString.of(concatenated(parts))


def printed(value: Any) -> Any:
    """A tensor as it is printed: strings in quotes, numbers as NumPy shows them."""
    value = settled(value)
    if isinstance(value, Text):
        return concatenated(['"', value, '"'])
    if are_texts(value):
        return _quoted(as_strings(value).numpy())
    tensor = convert_to_tensor(value)
    return StagedString(Apply("str", (Slot(),)), [tensor]) if is_number(tensor) else str(tensor.numpy())


def _quoted(value: Any) -> str:
    if isinstance(value, bytes):
        return f'"{value.decode(errors="replace")}"'
    return f"[{' '.join(map(_quoted, value))}]"


def join(inputs: Sequence[Any], separator: str = "", name: Any = None) -> Any:
    """`tf.strings.join`: the elements of several tensors one after the other."""
    del name
    if current_builder() is not None and not any(map(_has_axes, inputs)):
        texts = [as_text(each) for each in inputs]
        return StagedString.of(concatenated([part for text in texts for part in (separator, text)][1:]))
    if not inputs:
        return as_strings("")
    return StringTensor(_each(lambda *each: separator.encode().join(each), *map(as_strings, inputs)))


def _has_axes(texts: Any) -> bool:
    """Whether these are several strings."""
    return not isinstance(texts, Text) and as_strings(texts).ndim > 0


def reduce_join(
    inputs: Any, axis: Any = None, keepdims: bool = False, separator: str = "", name: Any = None
) -> StringTensor:
    """`tf.strings.reduce_join`: the elements along some axes one after the other."""
    del name
    array = np.asarray(as_strings(inputs))
    axes = [*range(array.ndim)] if axis is None else [axis] if isinstance(axis, int) else [*axis][::-1]
    axes = [each % array.ndim for each in axes]  # the last is joined last
    kept = [each for each in range(array.ndim) if each not in axes]
    rows = np.transpose(array, [*kept, *axes]).reshape([*(array.shape[each] for each in kept), -1])
    found = np.empty(rows.shape[:-1], object)
    for place in np.ndindex(found.shape):
        found[place] = separator.encode().join(rows[place])
    return StringTensor(np.expand_dims(found, tuple(axes)) if keepdims else found)


def length(input: Any, unit: str = "BYTE", name: Any = None) -> Tensor:
    """`tf.strings.length`: how many bytes, or characters with ``unit="UTF8_CHAR"``, each has."""
    del name
    input = settled(input)
    if isinstance(input, Text):
        codes = grounded(input).tensors[0]
        if unit == "UTF8_CHAR":
            return ops.cast(ops.shape(codes)[0], int32)
        sizes = [ops.cast(codes >= first, int32) for first in (0, 0x80, 0x800, 0x10000)]
        return ops.cast(ops.sum(sizes[0] + sizes[1] + sizes[2] + sizes[3]), int32)
    decoded = unit == "UTF8_CHAR"
    found = _each(lambda each: len(each.decode() if decoded else each), as_strings(input))
    return convert_to_tensor(found.astype(np.int32))


def _cased(name: str) -> Callable[..., Any]:
    def call(input: Any, encoding: str = "", name: Any = None) -> Any:
        del name
        if isinstance(settled(input), Text):
            if encoding:
                return StagedString.of(getattr(input, called)())
            codes = grounded(input).tensors[0]
            first, shift = (ord("A"), 32) if called == "lower" else (ord("a"), -32)
            is_letter = ops.logical_and(codes >= first, codes < first + 26)
            return StagedString(grounded(input).template, [ops.where(is_letter, codes + shift, codes)])
        if encoding:
            return _on_bytes(settled(input), lambda each: getattr(each.decode(), called)().encode())
        return _on_bytes(settled(input), lambda each: getattr(each, called)())

    called = name
    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"`tf.strings.{name}`: letters of ASCII, or all with ``encoding='utf-8'``, in one case."
    return call


lower = _cased("lower")
upper = _cased("upper")


def strip(input: Any, name: Any = None) -> Any:
    """`tf.strings.strip`: without the spaces around."""
    del name
    text = settled(input)
    return StagedString.of(text.strip(SPACES)) if isinstance(text, Text) else _on_bytes(text, bytes.strip)


def substr(input: Any, pos: Any, len: Any, unit: str = "BYTE", name: Any = None) -> Any:
    """`tf.strings.substr`: so many bytes or characters from a position on, which may count from the end.

    Raises
    ------
    InvalidArgumentError
        When the position is outside of the string.
    """
    del name
    known = settled(input)
    if isinstance(known, Text) or is_number(pos) or is_number(len):
        return _staged_part(as_text(known), pos, len)

    def part(text: bytes, start: int, count: int) -> bytes:
        whole: Any = text.decode() if unit == "UTF8_CHAR" else text
        size = whole.__len__()
        if not -size <= start <= size:
            raise failed(InvalidValue(f"pos {start} out of range for string {text!r}"))
        first = start % size if start < 0 else start
        found = whole[first : first + count]
        return found if isinstance(found, bytes) else found.encode()

    return StringTensor(_each(part, as_strings(known), _numbers(pos), _numbers(len)))


def _numbers(value: Any) -> Array:
    return np.asarray(value.numpy() if isinstance(value, Tensor) else value)


def _staged_part(text: Any, start: Any, count: Any) -> Any:
    """A part of a text of the graph, in characters."""
    held = text if isinstance(text, Text) else grounded(text)
    size = length(held, "UTF8_CHAR")
    ops.check(ops.logical_and(start >= -size, start <= size), "pos out of range for string")
    first = ops.where(convert_to_tensor(start) < 0, start + size, start)
    return StagedString.of(held[slice(first, first + count, None)])


def split(input: Any, sep: str | None = None, maxsplit: int = -1, name: Any = None) -> StringTensor:
    """`tf.strings.split`: the parts of one string; several have parts of several lengths, and are refused."""
    del name
    text = _one(input, "split")
    return as_strings([*text.split(sep or None, maxsplit)])


def bytes_split(input: Any, name: Any = None) -> StringTensor:
    """`tf.strings.bytes_split`: the bytes of one string."""
    del name
    data = _one(input, "bytes_split").encode()
    return as_strings([data[place : place + 1] for place in range(data.__len__())])


def unicode_split(input: Any, input_encoding: str, errors: str = "replace", name: Any = None) -> StringTensor:
    """`tf.strings.unicode_split`: the characters of one string."""
    del input_encoding, errors, name
    return as_strings([*_one(input, "unicode_split")])


def unicode_decode(input: Any, input_encoding: str, errors: str = "replace", name: Any = None) -> Tensor:
    """`tf.strings.unicode_decode`: the code points of the characters of one string."""
    del input_encoding, errors, name
    if isinstance(settled(input), Text):
        codes: Tensor = grounded(input).tensors[0]
        return codes
    return convert_to_tensor([*map(ord, _one(input, "unicode_decode"))], int32)


def unicode_encode(input: Any, output_encoding: str, errors: str = "replace", name: Any = None) -> Any:
    """`tf.strings.unicode_encode`: the string of code points."""
    del output_encoding, errors, name
    codes = convert_to_tensor(input)
    if is_number(codes):
        return StagedString(Apply("characters", (Slot(),)), [codes])
    return as_strings("".join(map(chr, codes.numpy().tolist())))


def _one(text: Any, function: str) -> str:
    """One string that is known."""
    text = settled(text)
    found = None if isinstance(text, Text) else as_strings(text)
    if found is None or found.ndim:
        wanted = "that only the run knows" if found is None else "in a tensor of several"
        raise DTypeError(
            f"`tf.strings.{function}` was asked for the parts of a string {wanted}",
            why="There are no ragged tensors of strings, and none in graphs.",
            way_out="Call it for each string, before the function or in a loop of Python's.",
        )
    decoded: str = found.numpy().decode()
    return decoded


def regex_replace(
    input: Any, pattern: str, rewrite: str, replace_global: bool = True, name: Any = None
) -> StringTensor:
    r"""`tf.strings.regex_replace`: what matches becomes another text; ``\0`` is all of it, ``\1`` a group."""
    del name
    found = re.compile(pattern.encode())
    written = re.sub(rb"\\0", rb"\\g<0>", rewrite.encode())
    return _on_bytes(_known(input), lambda each: found.sub(written, each, count=int(not replace_global)))


def regex_full_match(input: Any, pattern: str, name: Any = None) -> Tensor:
    """`tf.strings.regex_full_match`: whether a pattern is all of a string."""
    del name
    found = re.compile(pattern.encode())
    matches = _each(lambda each: found.fullmatch(each) is not None, as_strings(_known(input)))
    return convert_to_tensor(matches.astype(np.bool_))


def _known(text: Any) -> Any:
    text = settled(text)
    if isinstance(text, Text):
        raise DTypeError(
            "a pattern was to be found in a string that only the run knows",
            way_out="Look for it in what the function returns, or with the methods of `str`: "
            "`in`, `replace`, `startswith`.",
        )
    return text


def to_number(input: Any, out_type: Any = float32, name: Any = None) -> Tensor:
    """`tf.strings.to_number`: the numbers that strings say.

    Raises
    ------
    InvalidArgumentError
        When one says none.
    """
    del name
    dtype = as_dtype(out_type)
    kind: Callable[[Any], Any] = int if dtype.is_integer else float
    text = settled(input)
    if isinstance(text, Text):
        return ops.cast(ask(kind.__name__, text), dtype)

    def number(digits: bytes) -> Any:
        try:
            return kind(digits.decode())
        except ValueError:
            told = f"StringToNumberOp could not correctly convert string: {digits.decode(errors='replace')}"
            raise failed(InvalidValue(told)) from None

    return convert_to_tensor(_each(number, as_strings(text)).astype(dtype.numpy))
