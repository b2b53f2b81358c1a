"""`tf.random`: numbers drawn in program order, in graphs too.

Those that a pair of seeds decides are TensorFlow's; the streams of all others are our own.
"""

from __future__ import annotations

from enum import Enum
from types import SimpleNamespace
from typing import Any

from autograph.compat.tf import philox
from autograph.compat.tf.tensors import as_eager
from autograph.compat.tf.values import convert_to_tensor, known_integers
from runtime import ops
from runtime.core.dtypes import as_dtype, float32
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import InvalidValue
from runtime.ops import random
from runtime.ops.random import set_seed
from runtime.ops.random.streams import key_of_process

__all__ = [
    "Algorithm",
    "Generator",
    "categorical",
    "experimental",
    "fold_in",
    "gamma",
    "get_global_generator",
    "normal",
    "poisson",
    "set_global_generator",
    "set_seed",
    "shuffle",
    "split",
    "stateless_categorical",
    "stateless_gamma",
    "stateless_normal",
    "stateless_poisson",
    "stateless_truncated_normal",
    "stateless_uniform",
    "truncated_normal",
    "uniform",
]


def uniform(
    shape: Any,
    minval: TensorLike = 0,
    maxval: TensorLike | None = None,
    dtype: Any = float32,
    seed: int | None = None,
    name: Any = None,
) -> Tensor:
    """`tf.random.uniform`; integers where the dtype is one.

    Raises
    ------
    ValueError
        When integers are asked for without `maxval`.
    """
    del name
    return _uniform(shape, minval, maxval, dtype, key_of_process(seed))


def _uniform(shape: Any, minval: TensorLike, maxval: TensorLike | None, dtype: Any, key: Tensor) -> Tensor:
    if not as_dtype(dtype).is_integer:
        high = 1 if maxval is None else maxval
        return as_eager(random.uniform(shape, minval, high, dtype=dtype, key=key))
    if maxval is None:
        raise InvalidValue(
            f"random numbers of {as_dtype(dtype)} were asked for without an upper limit",
            why="Integers are drawn from 0 up to a limit.",
            way_out="Give `maxval`.",
        )
    return as_eager(random.integers(minval, maxval, shape, dtype=dtype, key=key))


def normal(
    shape: Any,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: Any = float32,
    seed: int | None = None,
    name: Any = None,
) -> Tensor:
    """`tf.random.normal`."""
    del name
    return as_eager(random.normal(shape, mean, stddev, dtype=dtype, key=key_of_process(seed)))


def shuffle(value: TensorLike, seed: int | None = None, name: Any = None) -> Tensor:
    """`tf.random.shuffle`: the rows in random order."""
    del name
    return as_eager(random.shuffle(convert_to_tensor(value), key=key_of_process(seed)))


# ── other distributions, from the stream of the program ──


def truncated_normal(
    shape: Any,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: Any = float32,
    seed: int | None = None,
    name: Any = None,
) -> Tensor:
    """`tf.random.truncated_normal`: normal numbers at most two standard deviations from the mean."""
    del name
    return _truncated(shape, mean, stddev, dtype, key_of_process(seed))


def _truncated(shape: Any, mean: TensorLike, stddev: TensorLike, dtype: Any, key: Tensor) -> Tensor:
    """Normal numbers, drawn again and again where they are too far out."""

    def drawn(turn: Any) -> Tensor:
        return random.normal(shape, dtype=dtype, key=random.fold_in(key, turn))

    def is_outside(_: Any, numbers: Tensor) -> Tensor:
        return ops.any(ops.abs(numbers) > 2)

    def again(turn: Any, numbers: Tensor) -> tuple[Any, Tensor]:
        return turn + 1, ops.where(ops.abs(numbers) > 2, drawn(turn), numbers)

    start = ops.asarray(1, dtype="int64"), drawn(0)
    _, numbers = ops.while_loop(is_outside, again, start)
    return as_eager(numbers * convert_to_tensor(stddev, dtype) + convert_to_tensor(mean, dtype))


def gamma(
    shape: Any,
    alpha: TensorLike,
    beta: TensorLike | None = None,
    dtype: Any = float32,
    seed: int | None = None,
    name: Any = None,
) -> Tensor:
    """`tf.random.gamma`: samples of `shape` for each pair of parameters."""
    del name
    return _gamma(shape, alpha, beta, dtype, key_of_process(seed))


def _gamma(shape: Any, alpha: TensorLike, beta: TensorLike | None, dtype: Any, key: Tensor) -> Tensor:
    rate = ops.ones((), dtype=dtype) if beta is None else convert_to_tensor(beta, dtype)
    strength = convert_to_tensor(alpha, dtype) + ops.zeros_like(rate)
    return as_eager(random.gamma(strength, _before(shape, strength), dtype=dtype, key=key) / rate)


def _before(shape: Any, parameter: Tensor) -> tuple[int, ...]:
    """The shape of samples: what is asked for, and then the parameters'."""
    asked = known_integers(shape)
    return (*((asked,) if isinstance(asked, int) else asked), *(parameter.static_shape or ()))


def poisson(
    shape: Any, lam: TensorLike, dtype: Any = float32, seed: int | None = None, name: Any = None
) -> Tensor:
    """`tf.random.poisson`: samples of `shape` for each rate."""
    del name
    return _poisson(shape, lam, dtype, key_of_process(seed))


def _poisson(shape: Any, lam: TensorLike, dtype: Any, key: Tensor) -> Tensor:
    rate = convert_to_tensor(lam)
    return as_eager(ops.cast(random.poisson(rate, _before(shape, rate), key=key), dtype))


def categorical(
    logits: TensorLike, num_samples: int, dtype: Any = "int64", seed: int | None = None, name: Any = None
) -> Tensor:
    """`tf.random.categorical`: classes drawn for each row of logarithms."""
    del name
    return _categorical(logits, num_samples, dtype, key_of_process(seed))


def _categorical(logits: TensorLike, num_samples: int, dtype: Any, key: Tensor) -> Tensor:
    rows = convert_to_tensor(logits)
    drawn = random.categorical(rows, (known_integers(num_samples), ops.dimension(rows, 0)), key=key)
    return as_eager(ops.cast(ops.matrix_transpose(drawn), dtype))


# ── numbers that a seed alone decides: those of TensorFlow, but for gamma and Poisson ──


def _key(seed: TensorLike) -> Tensor:
    """The key of a seed of two integers."""
    return ops.cast(convert_to_tensor(seed), "uint64")


def stateless_uniform(
    shape: Any,
    seed: TensorLike,
    minval: TensorLike | None = 0,
    maxval: TensorLike | None = None,
    dtype: Any = float32,
    name: Any = None,
    alg: Any = None,
) -> Tensor:
    """`tf.random.stateless_uniform`, bit by bit; integers where the dtype is one.

    Raises
    ------
    ValueError
        When integers are asked for with one limit alone.
    """
    del name, alg
    to = as_dtype(dtype)
    if not to.is_integer:
        low = convert_to_tensor(0 if minval is None else minval, to)
        high = convert_to_tensor(1 if maxval is None else maxval, to)
        return philox.uniform(shape, seed, to) * (high - low) + low
    if (minval is None) != (maxval is None):
        raise InvalidValue(
            f"random numbers of {to} were asked for with one limit",
            why="Integers are drawn between two limits, or from all that there are.",
            way_out="Give `maxval`, or None for both.",
        )
    if minval is None or maxval is None:
        return philox.whole_words(shape, seed, to)
    return philox.integers(shape, seed, minval, maxval, to)


def stateless_normal(
    shape: Any,
    seed: TensorLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: Any = float32,
    name: Any = None,
    alg: Any = None,
) -> Tensor:
    """`tf.random.stateless_normal`; of float32 bit by bit."""
    del name, alg
    drawn = philox.normal(shape, seed, dtype)
    return drawn * convert_to_tensor(stddev, dtype) + convert_to_tensor(mean, dtype)


def stateless_truncated_normal(
    shape: Any,
    seed: TensorLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: Any = float32,
    name: Any = None,
    alg: Any = None,
) -> Tensor:
    """`tf.random.stateless_truncated_normal`: at most two standard deviations from the mean."""
    del name, alg
    drawn = philox.truncated(shape, seed, dtype)
    return drawn * convert_to_tensor(stddev, dtype) + convert_to_tensor(mean, dtype)


def stateless_gamma(
    shape: Any,
    seed: TensorLike,
    alpha: TensorLike,
    beta: TensorLike | None = None,
    dtype: Any = float32,
    name: Any = None,
) -> Tensor:
    """`tf.random.stateless_gamma`: of a shape that ends with that of the parameters; numbers of our own."""
    del name
    strength = convert_to_tensor(alpha, dtype)
    rate = ops.ones((), dtype=dtype) if beta is None else convert_to_tensor(beta, dtype)
    return as_eager(random.gamma(strength, shape, dtype=dtype, key=_key(seed)) / rate)


def stateless_poisson(
    shape: Any, seed: TensorLike, lam: TensorLike, dtype: Any = "int32", name: Any = None
) -> Tensor:
    """`tf.random.stateless_poisson`: of a shape that ends with that of the rates; numbers of our own."""
    del name
    return as_eager(ops.cast(random.poisson(convert_to_tensor(lam), shape, key=_key(seed)), dtype))


def stateless_categorical(
    logits: TensorLike, num_samples: int, seed: TensorLike, dtype: Any = "int64", name: Any = None
) -> Tensor:
    """`tf.random.stateless_categorical`: classes drawn for each row of logarithms."""
    del name
    return philox.classes(logits, num_samples, seed, dtype)


def split(seed: TensorLike, num: int = 2, alg: Any = None) -> Tensor:
    """`tf.random.split`: new seeds made of one."""
    del alg
    pair = convert_to_tensor(seed)
    return philox.whole_words((num, 2), pair, pair.dtype)


def fold_in(seed: TensorLike, data: TensorLike, alg: Any = None) -> Tensor:
    """`tf.random.fold_in`: a new seed, made of one and a number."""
    del alg
    number = convert_to_tensor(data)
    return ops.stack([philox.whole_words((), seed, number.dtype), number])


class Algorithm(Enum):
    """`tf.random.Algorithm`: all are Philox here."""

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


class Generator:
    """`tf.random.Generator`: random numbers with a state of their own.

    Examples
    --------
    >>> from autograph.compat import tf
    >>> tf.random.Generator.from_seed(1).normal([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(self, seed: TensorLike | None = None) -> None:
        self._numbers = random.Generator(seed)

    @classmethod
    def from_seed(cls, seed: TensorLike, alg: Any = None) -> Generator:
        """A generator that always begins alike."""
        del alg
        return cls(seed)

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """A generator that begins anywhere."""
        del alg
        return cls()

    def uniform(
        self,
        shape: Any,
        minval: TensorLike = 0,
        maxval: TensorLike | None = None,
        dtype: Any = float32,
        name: Any = None,
    ) -> Tensor:
        """As `tf.random.uniform`."""
        del name
        return _uniform(shape, minval, maxval, dtype, self._numbers.key())

    def normal(
        self,
        shape: Any,
        mean: TensorLike = 0.0,
        stddev: TensorLike = 1.0,
        dtype: Any = float32,
        name: Any = None,
    ) -> Tensor:
        """As `tf.random.normal`."""
        del name
        return as_eager(random.normal(shape, mean, stddev, dtype=dtype, key=self._numbers.key()))

    def truncated_normal(
        self,
        shape: Any,
        mean: TensorLike = 0.0,
        stddev: TensorLike = 1.0,
        dtype: Any = float32,
        name: Any = None,
    ) -> Tensor:
        """As `tf.random.truncated_normal`."""
        del name
        return _truncated(shape, mean, stddev, dtype, self._numbers.key())

    def split(self, count: int = 1) -> list[Generator]:
        """Generators that begin with the next key, each with another stream."""
        keys = random.split(self._numbers.key(), count)
        return [Generator(key) for key in ops.unstack(keys)]

    def make_seeds(self, count: int = 1) -> Tensor:
        """Seeds for the stateless functions, one in each column."""
        keys = random.split(self._numbers.key(), count)
        return as_eager(ops.cast(ops.matrix_transpose(keys), "int64"))


def get_global_generator() -> Generator:
    """`tf.random.get_global_generator`: made when it is first asked for."""
    return _made.setdefault("global", Generator())


def set_global_generator(generator: Generator) -> None:
    """`tf.random.set_global_generator`."""
    _made["global"] = generator


_made: dict[str, Generator] = {}

experimental = SimpleNamespace(
    Generator=Generator,
    get_global_generator=get_global_generator,
    set_global_generator=set_global_generator,
    stateless_fold_in=fold_in,
    stateless_split=split,
)
