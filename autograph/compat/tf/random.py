"""`tf.random`: numbers drawn in program order, in graphs too. The numbers themselves are NumPy's."""

from __future__ import annotations

from typing import Any

from autograph.compat.tf.values import convert_to_tensor
from runtime.core.dtypes import as_dtype, float32
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import InvalidValue
from runtime.ops import random
from runtime.ops.random import set_seed
from runtime.ops.random.streams import key_of_process

__all__ = ["normal", "set_seed", "shuffle", "uniform"]


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
    if not as_dtype(dtype).is_integer:
        high = 1 if maxval is None else maxval
        return random.uniform(shape, minval, high, dtype=dtype, key=key_of_process(seed))
    if maxval is None:
        raise InvalidValue(
            f"random numbers of {as_dtype(dtype)} were asked for without an upper limit",
            why="Integers are drawn from 0 up to a limit.",
            way_out="Give `maxval`.",
        )
    return random.integers(minval, maxval, shape, dtype=dtype, key=key_of_process(seed))


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
    return random.normal(shape, mean, stddev, dtype=dtype, key=key_of_process(seed))


def shuffle(value: TensorLike, seed: int | None = None, name: Any = None) -> Tensor:
    """`tf.random.shuffle`: the rows in random order."""
    del name
    return random.shuffle(convert_to_tensor(value), key=key_of_process(seed))
