"""Keys: two 64-bit numbers that all draws are functions of, and how one key becomes several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import int32, int64, uint64
from runtime.core.shapes import Shape, compatible
from runtime.core.spec import ArraySpec, Spec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import DTypeError, InvalidValue, ShapeError
from runtime.graph.build import as_operand, as_tensor, bind
from runtime.ops.arguments import shape_argument
from runtime.ops.facts import INTEGER, GraphDefBuilder, GraphDefTensor, Sample
from runtime.ops.families import Opaque
from runtime.ops.promotion import require_dtype

__all__ = ["FoldIn", "SplitKey", "fold_in", "key", "split"]

KEY = np.array([1, 2], np.uint64)
"""The key of the samples."""


def generator_at(key: Array, first: Any = 0, purpose: int = 0) -> np.random.Generator:
    """NumPy's generator over the blocks of Philox from `first` on; purposes share no blocks."""
    if np.shape(key) != (2,):
        raise ShapeError(f"a key of random numbers has shape {np.shape(key)}, not (2,)")
    bits = np.random.Philox(0)  # any seed: without one, NumPy would ask the system, which takes long
    bits.state = {
        "bit_generator": "Philox",
        "state": {"counter": np.array([first, 0, 0, purpose], np.uint64), "key": key},
        "buffer": np.zeros(4, np.uint64),
        "buffer_pos": 4,
        "has_uint32": 0,
        "uinteger": 0,
    }
    return np.random.Generator(bits)


def require_key(spec: Spec) -> None:
    """Refuses what is no key.

    Raises
    ------
    DTypeError, ShapeError
    """
    if not isinstance(spec, ArraySpec) or spec.dtype is not uint64:
        raise DTypeError(f"a key of random numbers is {spec}", why=_WHAT_KEYS_ARE, way_out=_WAY_OUT)
    if not compatible(spec.shape, (2,)):
        raise ShapeError(f"a key of random numbers is {spec}", why=_WHAT_KEYS_ARE, way_out=_WAY_OUT)


_WHAT_KEYS_ARE = "A key is two numbers, u64[2]."
_WAY_OUT = "Make one with `rt.random.key(seed)`; of several, pick one: `keys[i]`."


def as_key(key: TensorLike) -> Tensor:
    """`key` as a tensor, once it is known to be one."""
    tensor = as_tensor(key)
    require_key(tensor.spec)
    return tensor


def require_seed(seed: int, limit: int) -> None:
    """Refuses numbers that are no seeds.

    Raises
    ------
    InvalidValue
    """
    if not 0 <= seed < limit:
        raise InvalidValue(
            f"{seed} is no seed",
            why="A seed is 0 or more" + ("." if seed < 0 else f", and below 2**{limit.bit_length() - 1}."),
            way_out="Give a number from 0 on.",
        )


def key(seed: TensorLike, /) -> Tensor:
    """The key of a seed.

    Parameters
    ----------
    seed : int or Tensor of one integer
        From 0 on, below 2**128; a tensor counts modulo 2**64.

    Returns
    -------
    Tensor of uint64, shape (2,)
        The seed modulo 2**64, and what is above: the key that NumPy's Philox has for this number.

    Raises
    ------
    ValueError
        When the seed is negative or too large.
    DTypeError
        When it is no integer.

    Notes
    -----
    GraphDef "Const", or "Pack" where the seed is a tensor. Semantics: NumPy `numpy.random.Philox(key=seed)`;
    JAX `jax.random.key`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.random.key(7)
    <Tensor: shape=(2,), dtype=uint64, numpy=array([7, 0], dtype=uint64)>
    """
    if isinstance(seed, (int, np.integer)) and not isinstance(seed, bool):
        number = int(seed)
        require_seed(number, 1 << 128)
        return Tensor(np.array([number % (1 << 64), number >> 64], np.uint64))
    return ops.stack([_one_integer("random.key", "seed", seed), Tensor(np.uint64(0))])


def _one_integer(function: str, name: str, value: TensorLike) -> Tensor:
    """A tensor of one integer as 64 bits."""
    tensor = as_tensor(value)
    require_dtype(function, tensor.dtype, INTEGER)
    if not compatible(tensor.static_shape, ()):
        raise ShapeError(
            f"`{name}` of `rt.{function}` has shape {tensor.static_shape}",
            why="It is one integer.",
            way_out="Pick an element, or call the function for each.",
        )
    return ops.cast(tensor, uint64)


class FoldIn(Opaque):
    """The key that a key and a number make."""

    samples = (
        Sample((KEY, np.array(3, np.uint64))),
        Sample((KEY, np.array(2**64 - 1, np.uint64))),
    )
    why_no_graphdef = "TensorFlow derives its keys in other ways"

    def infer(self, key: ArraySpec, data: ArraySpec) -> ArraySpec:
        del data
        require_key(key)
        return ArraySpec((2,), uint64)

    def kernel(self, key: Array, data: Array) -> Any:
        return generator_at(key, data, 1).bit_generator.random_raw(2)


def fold_in(key: TensorLike, data: TensorLike, /) -> Tensor:
    """A new key, made of a key and a number: of a step, a row, a worker.

    Parameters
    ----------
    key : Tensor of uint64, shape (2,)
    data : int or Tensor of one integer
        Counts modulo 2**64.

    Returns
    -------
    Tensor of uint64, shape (2,)
        Other numbers give other keys.

    Raises
    ------
    DTypeError, ShapeError
        When `key` is no key, or `data` is not one integer.

    Notes
    -----
    Draw `n` of `rt.random.Generator(seed)` has the key `fold_in(key(seed), n)`. Semantics: JAX
    `jax.random.fold_in`; the key itself is what Philox makes of the number as its counter.

    Examples
    --------
    >>> import runtime as rt
    >>> start = rt.random.key(7)
    >>> rt.random.fold_in(start, 1) == rt.random.fold_in(start, 2)
    <Tensor: shape=(2,), dtype=bool, numpy=array([False, False])>
    """
    operand = as_operand(data)
    number = np.uint64(operand % (1 << 64)) if type(operand) is int else operand
    return bind(FoldIn(), as_key(key), _one_integer("random.fold_in", "data", number))


class SplitKey(Opaque):
    """Keys made of one, in a shape that is the second input; `known` are its dims known before the run."""

    known: Shape

    samples = (
        Sample((KEY, np.array([3])), {"known": (3,)}),
        Sample((KEY, np.array([2, 0])), {"known": (UNKNOWN, 0)}),
    )
    why_no_graphdef = "TensorFlow derives its keys in other ways"

    def infer(self, key: ArraySpec, shape: ArraySpec) -> ArraySpec:
        del shape
        require_key(key)
        return ArraySpec(None if self.known is None else (*self.known, 2), uint64)

    def kernel(self, key: Array, shape: Array) -> Any:
        return _split(key, tuple(shape))


def _split(key: Array, shape: tuple[int, ...]) -> Array:
    count = 2 * int(np.prod(shape, dtype=np.int64))
    return np.reshape(generator_at(key, 0, 2).bit_generator.random_raw(count), (*shape, 2))


def split(key: TensorLike, /, n: Any = 2) -> Tensor:
    """New keys, made of one, which is not used again.

    Parameters
    ----------
    key : Tensor of uint64, shape (2,)
    n : int, tuple of ints and tensors of one int, or Tensor of ints, optional
        How many, or in which shape.

    Returns
    -------
    Tensor of uint64, shape (n, 2)
        The first of them do not depend on how many there are.

    Raises
    ------
    DTypeError, ShapeError
        When `key` is no key.

    Notes
    -----
    Semantics: JAX `jax.random.split`; the keys themselves are numbers of Philox where no draw is made.

    Examples
    --------
    >>> import runtime as rt
    >>> first, second = rt.random.split(rt.random.key(7))
    >>> rt.random.uniform(key=first) == rt.random.uniform(key=second)
    <Tensor: shape=(), dtype=bool, numpy=False>
    """
    known, dims = drawn_shape(n)
    return bind(SplitKey(known), as_key(key), dims)


def drawn_shape(shape: Any) -> tuple[Shape, Any]:
    """The dims of a `shape` argument that are known now, and all of them as a vector.

    Raises
    ------
    ShapeError
        When one is negative, or a key stands in its place.
    """
    if isinstance(shape, Tensor) and shape.dtype is uint64 and shape.static_shape == (2,):
        raise ShapeError(
            "a key was given for the shape of random numbers",
            why="The shape comes first, and a key is given by its name.",
            way_out="Write `key=…`, as in `rt.random.normal((2, 3), key=key)`.",
        )
    known, dims = shape_argument(shape)
    if any(isinstance(dim, int) and dim < 0 for dim in known or ()):
        raise ShapeError(
            f"random numbers in shape {known} were asked for",
            why="The dims of a shape are 0 or more.",
            way_out="Give as many as are wanted.",
        )
    return known, np.array(known, np.int64) if dims is None else dims


# ── in TensorFlow ──


def philox_inputs(builder: GraphDefBuilder, key: GraphDefTensor) -> list[GraphDefTensor]:
    """What TensorFlow's draws without state take for a key: a key of one number, a counter of two, Philox."""
    first, second = (_word(builder, key, place) for place in (0, 1))
    zero = builder.constant([0], uint64)
    counter = builder.node("ConcatV2", [zero, second, builder.constant(0, int32)], T=uint64, Tidx=int32, N=2)
    return [first, counter, builder.constant(1, int32)]


def _word(builder: GraphDefBuilder, key: GraphDefTensor, place: int) -> GraphDefTensor:
    ends: Sequence[Any] = [builder.constant([end], int64) for end in (place, place + 1, 1)]
    return builder.node("StridedSlice", [key, *ends], T=uint64, Index=int64)
