"""Random numbers that a seed alone decides, bit by bit those of TensorFlow: Philox-4x32-10.

A pair of seeds is scrambled into a key and a counter; the counter goes up by one for four words of 32 bits.
The words are made into numbers as TensorFlow's kernels on processors make them.
"""

from __future__ import annotations

import math
from typing import Any

from autograph.compat.tf import libm
from autograph.compat.tf.tensors import as_eager
from autograph.compat.tf.values import convert_to_tensor
from runtime import ops
from runtime.core.dtypes import DType, as_dtype, bfloat16, float16, float32, float64, int64, uint64
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import DTypeError

__all__ = ["classes", "integers", "normal", "truncated", "uniform", "whole_words"]

_LOW = (1 << 32) - 1
_MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
_WEYL = 0x9E3779B9, 0xBB67AE85
_ROUNDS = 10
_SCRAMBLING = 0x3EC8F720, 0x02461E29
"""The key under which TensorFlow encrypts a seed."""

Words = tuple[Any, Any, Any, Any]
"""Four words of 32 bits each, in uint64."""


def _number(value: int) -> Tensor:
    return ops.asarray(value, dtype=uint64)


def _philox(counter: Words, key: tuple[Any, Any]) -> Words:
    """What a block cipher makes of a counter, word by word."""
    low, shift = _number(_LOW), _number(32)

    def turn(number: Any, words: Words, keys: tuple[Any, Any]) -> tuple[Any, Words, tuple[Any, Any]]:
        zero, one, two, three = words
        left, right = zero * _number(_MULTIPLIERS[0]), two * _number(_MULTIPLIERS[1])
        above, below = right >> shift, left >> shift
        mixed = above ^ one ^ keys[0], right & low, below ^ three ^ keys[1], left & low
        raised = (keys[0] + _number(_WEYL[0])) & low, (keys[1] + _number(_WEYL[1])) & low
        return number + 1, mixed, raised

    start = ops.asarray(0, dtype=int64), counter, key
    words: Words = ops.while_loop(lambda number, *_: number < _ROUNDS, turn, start)[1]
    return words


def _start(seed: TensorLike) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """The key of a pair of seeds, and the upper half of the counter."""
    pair = ops.cast(ops.cast(convert_to_tensor(seed), int64), uint64)
    low, shift = _number(_LOW), _number(32)
    words = pair[0] & low, pair[0] >> shift, pair[1] & low, pair[1] >> shift
    mixed = _philox(words, (_number(_SCRAMBLING[0]), _number(_SCRAMBLING[1])))
    return (mixed[0], mixed[1]), (mixed[2], mixed[3])


def _blocks(seed: TensorLike, count: Any, step: int = 1, length: int = 1) -> Tensor:
    """`count` rows of words, each of `length` times four; they begin `step` blocks apart."""
    key, upper = _start(seed)
    numbers = ops.cast(ops.arange(count), uint64) * _number(step)
    if length > 1:
        within = ops.cast(ops.arange(length), uint64)
        numbers = ops.reshape(ops.expand_dims(numbers, axis=1) + within, (-1,))
    high = ops.zeros_like(numbers)
    counter = numbers & _number(_LOW), numbers >> _number(32), high + upper[0], high + upper[1]
    return ops.reshape(ops.stack(list(_philox(counter, key)), axis=1), (-1, 4 * length))


def _words(seed: TensorLike, count: Any) -> Tensor:
    """So many words, one after the other."""
    blocks = _blocks(seed, (count + 3) // 4)
    return ops.reshape(blocks, (-1,))[:count]


def _size(shape: Any) -> tuple[Any, Any]:
    """A shape as it is asked for, and how many elements it has."""
    lengths = ops.cast(convert_to_tensor(shape, None), int64)
    return shape, ops.prod(ops.reshape(lengths, (-1,)), dtype=int64)


def _shaped(numbers: Tensor, shape: Any) -> Tensor:
    return as_eager(ops.reshape(numbers, shape))


# ── what words become ──


def whole_words(shape: Any, seed: TensorLike, dtype: Any) -> Tensor:
    """Integers of all bits."""
    to = as_dtype(dtype)
    _, count = _size(shape)
    bits = _words(seed, count) if to.itemsize <= 4 else _pairs(seed, count)
    if to.itemsize == 4 and to.kind == "i":
        bits = ops.where(bits > _number(_LOW >> 1), bits | _number(_LOW << 32), bits)  # the sign
    return _shaped(ops.cast(ops.cast(bits, int64), to), shape)


def _pairs(seed: TensorLike, count: Any) -> Tensor:
    """So many integers of 64 bits: the first word of two is the lower half."""
    words = _blocks(seed, (count + 1) // 2)
    words = ops.reshape(words, (-1, 2))[:count]
    return words[:, 0] | (words[:, 1] << _number(32))


def integers(shape: Any, seed: TensorLike, low: TensorLike, high: TensorLike, dtype: Any) -> Tensor:
    """Integers from `low` on, below `high`: the remainders of words."""
    to = as_dtype(dtype)
    _, count = _size(shape)
    first, last = (ops.cast(convert_to_tensor(bound, to), int64) for bound in (low, high))
    ops.check(first < last, "Need minval < maxval, got", first, last)
    width = ops.cast(last - first, uint64)
    bits = _words(seed, count) if to.itemsize <= 4 else _pairs(seed, count)
    return _shaped(ops.cast(first + ops.cast(bits % width, int64), to), shape)


def _fractions(words: Tensor, dtype: DType) -> Tensor:
    """Numbers from 0 on, below 1, of the lowest bits of words; a float64 takes two words."""
    if dtype is float64:
        top = (words[..., 0] & _number(0xFFFFF)) << _number(32)
        return ops.cast(top | words[..., 1], float64) * 2.0**-52
    bits = {float32: 23, float16: 10, bfloat16: 7}.get(dtype)
    if bits is None:
        raise DTypeError(f"random numbers of {dtype} were asked for, which is no float")
    exact = ops.cast(words & _number((1 << bits) - 1), float64) * 2.0**-bits
    return ops.cast(exact, dtype)


def uniform(shape: Any, seed: TensorLike, dtype: Any) -> Tensor:
    """Numbers from 0 on, below 1."""
    to = as_dtype(dtype)
    _, count = _size(shape)
    if to is float64:
        return _shaped(_fractions(ops.reshape(_blocks(seed, (count + 1) // 2), (-1, 2))[:count], to), shape)
    return _shaped(_fractions(_words(seed, count), to), shape)


def _box_muller(blocks: Tensor, dtype: DType) -> Tensor:
    """Normal numbers: two of two words, or of four for a float64; a row for each row of words."""
    inner = float64 if dtype is float64 else float32
    parts = 4 if dtype is float64 else 2
    words = ops.reshape(blocks, (-1, parts))
    if dtype is float64:
        first, second = _fractions(words[:, :2], inner), _fractions(words[:, 2:], inner)
    else:
        first, second = _fractions(words[:, 0], inner), _fractions(words[:, 1], inner)
    first = ops.maximum(first, ops.asarray(1.0e-7, dtype=inner))
    angle = ops.cast(ops.cast(second, float64) * (2.0 * math.pi), inner)
    functions: Any = ops if dtype is float64 else libm
    distance = ops.sqrt(ops.asarray(-2.0, dtype=inner) * functions.log(first))
    return ops.stack([functions.sin(angle) * distance, functions.cos(angle) * distance], axis=1)


def normal(shape: Any, seed: TensorLike, dtype: Any) -> Tensor:
    """Normal numbers."""
    to = as_dtype(dtype)
    _, count = _size(shape)
    each = 2 if to is float64 else 4
    numbers = _box_muller(_blocks(seed, (count + each - 1) // each), to)
    return _shaped(ops.cast(ops.reshape(numbers, (-1,))[:count], to), shape)


_RESERVED = 256
"""Words that TensorFlow keeps for each number that may be drawn again."""
_LIMIT = 2.0
_TRIED = 8
"""Blocks in which four numbers are within the limit, but for a chance of 1 in 10³⁰."""


def truncated(shape: Any, seed: TensorLike, dtype: Any) -> Tensor:
    """Normal numbers of which the absolute value is less than 2: what is not is left out."""
    to = as_dtype(dtype)
    _, count = _size(shape)
    each = 2 if to is float64 else 4
    rows = (count + each - 1) // each
    blocks = _blocks(seed, rows, step=each * _RESERVED // 4, length=_TRIED)
    found = ops.reshape(_box_muller(blocks, to), (rows, -1))
    kept = ops.argsort(ops.abs(found) >= _LIMIT, axis=1, stable=True)[:, :each]
    numbers = ops.take_along_axis(found, kept, axis=1)
    return _shaped(ops.cast(ops.reshape(numbers, (-1,))[:count], to), shape)


def classes(logits: TensorLike, count: Any, seed: TensorLike, dtype: Any) -> Tensor:
    """For each row of logits, `count` classes: each is the first whose running sum is more than a part."""
    rows = ops.cast(convert_to_tensor(logits), float64)
    most = ops.max(rows, axis=1, keepdims=True)
    sums = ops.cumulative_sum(ops.where(ops.isfinite(rows), ops.exp(rows - most), 0.0), axis=1)
    drawn = uniform((ops.dimension(rows, 0), count), seed, float64) * sums[:, -1:]
    chosen = ops.sum(ops.expand_dims(sums, axis=1) <= ops.expand_dims(drawn, axis=2), axis=2)
    return as_eager(ops.cast(chosen, dtype))
