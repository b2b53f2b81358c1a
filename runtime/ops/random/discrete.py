"""Discrete distributions: integers, bits, Bernoulli, Poisson, categories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import DType, as_dtype, float64, int64, uint64
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import DTypeError, ExportError, InvalidValue, ShapeError
from runtime.graph.build import as_tensor, bind, current_defaults
from runtime.ops.facts import FLOATING, INTEGER, GraphDefBuilder, GraphDefTensor, Sample
from runtime.ops.promotion import require_dtype
from runtime.ops.random.continuous import Drawn, RandomExponential, RandomUniform
from runtime.ops.random.keys import KEY, generator_at, philox_inputs
from runtime.ops.random.parameters import filling, parameter, shape_for
from runtime.ops.random.streams import given_or_next

__all__ = [
    "RandomPoisson",
    "RandomUniformInt",
    "bernoulli",
    "bits",
    "categorical",
    "integers",
    "poisson",
]


class RandomUniformInt(Drawn):
    """Integers, all from the third input up to the fourth, which is among them at an `endpoint`, alike."""

    endpoint: bool

    samples = (
        Sample(
            (KEY, np.array([5]), np.array(-2), np.array(3)),
            {"dtype": int64, "known": (5,), "endpoint": False},
        ),
        Sample(
            (KEY, np.array([2, 2]), np.array([0, 200]), np.array([[255], [201]])),
            {"dtype": as_dtype("uint8"), "known": (UNKNOWN, 2), "endpoint": True},
        ),
    )

    def kernel(self, key: Array, shape: Array, low: Array, high: Array) -> Any:
        return _integers(
            generator_at(key), tuple(shape), low, high, endpoint=self.endpoint, dtype=self.dtype.numpy
        )

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        key, shape, *limits = inputs
        if self.endpoint or any(spec.shape != () for spec in specs[2:]):
            raise ExportError(
                "random integers between such limits cannot be written to a GraphDef",
                why="TensorFlow draws them between two numbers, the upper of which it leaves out.",
                way_out="Give single numbers that the dtype holds.",
            )
        cast = [
            builder.node("Cast", [limit], "y", SrcT=spec.dtype, DstT=self.dtype)
            for limit, spec in zip(limits, specs[2:], strict=True)
        ]
        operands = [shape, *philox_inputs(builder, key), *cast]
        return [
            builder.node("StatelessRandomUniformIntV2", operands, dtype=self.dtype, Tshape=specs[1].dtype)
        ]


def _integers(
    generator: np.random.Generator, shape: tuple[int, ...], low: Any, high: Any, *, endpoint: bool, dtype: Any
) -> Array:
    empty = np.greater(low, high) if endpoint else np.greater_equal(low, high)
    if np.any(empty):
        first, last = (np.asarray(each)[empty].flat[0] for each in np.broadcast_arrays(low, high))
        raise InvalidValue(
            f"random integers from {first} up to {last} were asked for",
            why="There is no integer between these limits.",
            way_out="Give a lower limit that is below the upper one.",
        )
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    if np.any(np.less(low, least)) or np.any(np.greater(high, most if endpoint else most + 1)):
        raise _outside(np.dtype(dtype).name, np.min(low), np.max(high), least, most)
    return np.asarray(generator.integers(low, high, shape, dtype, endpoint))


def _outside(name: str, low: Any, high: Any, least: Any, most: Any) -> InvalidValue:
    return InvalidValue(
        f"random integers of {name} from {low} up to {high} were asked for",
        why=f"This dtype holds {least} to {most}.",
        way_out="Give a wider `dtype`, or limits that it holds.",
    )


class RandomPoisson(Drawn):
    """Integers of the Poisson distribution; the third input is its mean."""

    samples = (Sample((KEY, np.array([3]), np.array(4.0)), {"dtype": int64, "known": (3,)}),)
    why_no_graphdef = "its own takes no key"

    def kernel(self, key: Array, shape: Array, mean: Array) -> Any:
        return np.asarray(generator_at(key).poisson(mean, tuple(shape)), self.dtype.numpy)


def integers(
    low: TensorLike,
    high: TensorLike | None = None,
    shape: Any = None,
    *,
    dtype: Any = None,
    endpoint: bool = False,
    key: TensorLike | None = None,
) -> Tensor:
    """Random integers, all from `low` up to `high`, which is not among them, alike.

    Parameters
    ----------
    low, high : int or Tensor of integers
        With one of them only, from 0. Broadcast to `shape`.
    shape : int, tuple of ints and tensors of one int, or Tensor of ints, optional
        By default that of the limits, broadcast together.
    dtype : DType, optional
        An integer dtype, the default one where it is not given.
    endpoint : bool, optional
        Whether `high` is among them.
    key : Tensor of uint64, shape (2,), optional
        What the numbers are a function of; by default the next key of the process.

    Returns
    -------
    Tensor of `dtype` and `shape`

    Raises
    ------
    ValueError
        When there is no integer between the limits, or a limit is outside the dtype; in a graph, in the run.
    DTypeError
        When a limit is no integer.

    Notes
    -----
    GraphDef "StatelessRandomUniformIntV2". Semantics: NumPy `Generator.integers`; TensorFlow
    `tf.random.uniform`. No integer is more likely than another, whatever the limits.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.random.integers(6, shape=3, key=rt.random.key(0)).dtype
    int64
    """
    to = current_defaults().integer if dtype is None else as_dtype(dtype)
    require_dtype("random.integers", to, INTEGER)
    first, last = (0, low) if high is None else (low, high)
    if isinstance(last, int) and not endpoint and last > int64.max:
        last, endpoint = last - 1, True  # 2**64 itself has no dtype
    limits = [_limit(each, to) for each in (first, last)]
    known, dims = shape_for(shape, limits, "integers")
    return bind(RandomUniformInt(to, known, endpoint), given_or_next(key), dims, *limits)


def _limit(value: TensorLike, to: DType) -> Tensor:
    """A limit of random integers as it is, which may be one above what the dtype holds."""
    if isinstance(value, int):
        if not int64.min <= value <= uint64.max:
            raise _outside(to.name, value, value, to.min, to.max)
        return Tensor(np.asarray(value, np.int64 if value <= int64.max else np.uint64))
    tensor = as_tensor(value)
    if not tensor.dtype.is_integer:
        raise DTypeError(
            f"a limit of random integers is {tensor.spec}",
            why="Integers are drawn between integers.",
            way_out="Cast it with `rt.astype`, or draw floats with `rt.random.uniform`.",
        )
    return tensor


def bits(shape: Any = (), *, dtype: Any = uint64, key: TensorLike | None = None) -> Tensor:
    """Random bits: integers of which each that the dtype holds is as likely.

    Parameters
    ----------
    shape : int, tuple of ints and tensors of one int, or Tensor of ints, optional
    dtype : DType, optional
        An integer dtype.
    key : Tensor of uint64, shape (2,), optional
        What the numbers are a function of; by default the next key of the process.

    Returns
    -------
    Tensor of `dtype` and `shape`

    Notes
    -----
    Semantics: JAX `jax.random.bits`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.random.bits(2, key=rt.random.key(0)).dtype
    uint64
    """
    to = as_dtype(dtype)
    require_dtype("random.bits", to, INTEGER)
    return integers(int(to.min), int(to.max), shape, dtype=to, endpoint=True, key=key)


def bernoulli(p: TensorLike = 0.5, shape: Any = None, *, key: TensorLike | None = None) -> Tensor:
    """Random truth values, true with probability `p`.

    Parameters
    ----------
    p : number or Tensor, optional
        From 0 to 1. Broadcast to `shape`.
    shape : int, tuple of ints and tensors of one int, or Tensor of ints, optional
        By default that of `p`.
    key : Tensor of uint64, shape (2,), optional
        What the values are a function of; by default the next key of the process.

    Returns
    -------
    Tensor of bool and `shape`

    Raises
    ------
    ValueError
        When `p` is outside 0 to 1; in a graph, in the run.

    Notes
    -----
    Semantics: JAX `jax.random.bernoulli`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.random.bernoulli(rt.asarray([0.0, 1.0]), key=rt.random.key(0))
    <Tensor: shape=(2,), dtype=bool, numpy=array([False,  True])>
    """
    chance = parameter(p, float64, "`p` of `rt.random.bernoulli`", 0.0, 1.0)
    known, dims = shape_for(shape, [chance], "bernoulli")
    drawn = bind(RandomUniform(float64, known), given_or_next(key), dims)
    return drawn < filling(chance, known, dims)


def poisson(
    mean: TensorLike = 1.0, shape: Any = None, *, dtype: Any = None, key: TensorLike | None = None
) -> Tensor:
    """Random integers of a Poisson distribution.

    Parameters
    ----------
    mean : number or Tensor, optional
        Broadcast to `shape`.
    shape : int, tuple of ints and tensors of one int, or Tensor of ints, optional
        By default that of `mean`.
    dtype : DType, optional
        An integer dtype, the default one where it is not given.
    key : Tensor of uint64, shape (2,), optional
        What the numbers are a function of; by default the next key of the process.

    Returns
    -------
    Tensor of `dtype` and `shape`

    Raises
    ------
    ValueError
        When `mean` is negative or too large; in a graph, in the run.

    Notes
    -----
    Semantics: NumPy `Generator.poisson`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.random.poisson(4.0, 3, key=rt.random.key(0)).shape
    (3,)
    """
    to = current_defaults().integer if dtype is None else as_dtype(dtype)
    require_dtype("random.poisson", to, INTEGER)
    rate = parameter(mean, float64, "`mean` of `rt.random.poisson`")
    known, dims = shape_for(shape, [rate], "poisson")
    return bind(RandomPoisson(to, known), given_or_next(key), dims, rate)


def categorical(logits: TensorLike, shape: Any = None, *, key: TensorLike | None = None) -> Tensor:
    """Random places along the last axis of `logits`, each as likely as the exponential of what is there.

    Parameters
    ----------
    logits : Tensor of floats, shape (..., k)
        Logarithms of probabilities, which need not sum to 1; minus infinity is never drawn.
    shape : int, tuple of ints and tensors of one int, or Tensor of ints, optional
        The shape of the result, which `logits` without the last axis broadcasts to: its own by default.

    Returns
    -------
    Tensor of int64 and `shape`

    Raises
    ------
    ShapeError
        When there are no categories.

    Notes
    -----
    Semantics: JAX `jax.random.categorical`. One number is drawn for each category of each result.

    Examples
    --------
    >>> import runtime as rt
    >>> never = -rt.inf
    >>> rt.random.categorical(rt.asarray([never, 0.0, never]), 4, key=rt.random.key(0)).tolist()
    [1, 1, 1, 1]
    """
    weights = as_tensor(logits)
    require_dtype("random.categorical", weights.dtype, FLOATING)
    if weights.static_shape is not None and weights.static_shape[-1:] in {(), (0,)}:
        raise ShapeError(
            f"`rt.random.categorical` of shape {shapes.text(weights.static_shape)}",
            why="The last axis has the categories, and one of them is drawn.",
            way_out="Give at least one category.",
        )
    known, dims = shape_for(shape, [weights[..., 0]], "categorical")
    count = weights.static_shape[-1] if weights.static_shape is not None else UNKNOWN
    all_known = None if known is None else (*known, count)
    sizes = ops.concat([ops.cast(dims, int64), ops.shape(weights)[-1:]])
    race = bind(RandomExponential(float64, all_known), given_or_next(key), sizes)
    return ops.argmax(ops.cast(weights, float64) - ops.log(race), axis=-1)
