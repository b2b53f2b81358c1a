"""Orders and choices: `permutation`, `shuffle`, `choice`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import float64, int32, int64
from runtime.core.shapes import Dim, Shape, compatible, elements, text
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import InvalidValue, ShapeError
from runtime.graph.build import as_tensor, bind
from runtime.ops.arguments import checked_axis
from runtime.ops.facts import GraphDefBuilder, GraphDefTensor, Sample
from runtime.ops.families import Opaque
from runtime.ops.known import concrete
from runtime.ops.random.discrete import integers
from runtime.ops.random.keys import KEY, drawn_shape, generator_at, philox_inputs, require_key
from runtime.ops.random.streams import given_or_next

__all__ = [
    "RandomChoice",
    "RandomPermutation",
    "choice",
    "permutation",
    "require_probabilities",
    "shuffle",
]


class RandomPermutation(Opaque):
    """The first of the numbers 0 to n-1 in random order; the inputs are the key, n, and how many."""

    known: Dim

    samples = (
        Sample((KEY, np.array(5), np.array(5)), {"known": 5}),
        Sample((KEY, np.array(5), np.array(2)), {"known": UNKNOWN}),
        Sample((KEY, np.array(0), np.array(0)), {"known": 0}),
    )

    def infer(self, key: ArraySpec, count: ArraySpec, taken: ArraySpec) -> ArraySpec:
        del count, taken
        require_key(key)
        return ArraySpec((self.known,), int64)

    def kernel(self, key: Array, count: Array, taken: Array) -> Any:
        return _order(generator_at(key), int(count), int(taken))

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        key, count, taken = inputs
        length = builder.node("ExpandDims", [count, builder.constant(0, int32)], T=int64, Tdim=int32)
        drawn = [length, *philox_inputs(builder, key)]
        numbers = builder.node("StatelessRandomUniformV2", drawn, dtype=float64, Tshape=int64)
        least = builder.node("Cast", [taken], "y", SrcT=int64, DstT=int32)
        types = {"T": float64, "Tk": int32, "index_type": int64}
        return [builder.node("TopKV2", [numbers, least], ("values", "indices"), sorted=True, **types)]


def _order(generator: np.random.Generator, count: int, taken: int) -> Array:
    if count < 0:
        raise InvalidValue(
            f"the numbers below {count} were to be put in random order",
            why="There are none: they begin with 0.",
            way_out="Give a number from 0 on.",
        )
    if taken > count:
        raise InvalidValue(
            f"{taken} of {count} were to be chosen without replacement",
            why="Each can be chosen once.",
            way_out="Choose fewer, or with `replace=True`.",
        )
    return generator.permutation(count)[:taken]


class RandomChoice(Opaque):
    """Places of the third input, which has their probabilities, in a shape that is the second."""

    known: Shape
    replace: bool

    samples = (
        Sample((KEY, np.array([2, 3]), np.array([0.5, 0.0, 0.25, 0.25])), {"known": (2, 3), "replace": True}),
        Sample(
            (KEY, np.array([3]), np.array([0.5, 0.0, 0.25, 0.25])), {"known": (UNKNOWN,), "replace": False}
        ),
    )
    why_no_graphdef = "it draws categories by their logarithms"

    def infer(self, key: ArraySpec, shape: ArraySpec, p: ArraySpec) -> ArraySpec:
        del shape
        require_key(key)
        if not compatible(p.shape, (UNKNOWN,)):
            raise ShapeError(
                f"`p` of `rt.random.choice` has shape {text(p.shape)}",
                why="It has one probability for each that may be chosen.",
                way_out="Flatten it.",
            )
        return ArraySpec(self.known, int64)

    def kernel(self, key: Array, shape: Array, p: Array) -> Any:
        return _chosen(generator_at(key), tuple(shape), p, replace=self.replace)


def _chosen(generator: np.random.Generator, shape: tuple[int, ...], p: Array, *, replace: bool) -> Array:
    require_probabilities(p)
    if replace:
        steps = np.cumsum(p)
        return np.asarray(np.searchsorted(steps / steps[-1], generator.random(shape), "right"))
    count = int(np.prod(shape, dtype=np.int64))
    if count > np.count_nonzero(p):
        raise InvalidValue(
            f"{count} were to be chosen without replacement, of {np.count_nonzero(p)} that can be",
            why="Each can be chosen once.",
            way_out="Choose fewer, or with `replace=True`.",
        )
    times = np.full(p.shape, np.inf)  # who comes first: the likelier, the earlier
    np.divide(generator.standard_exponential(p.shape), p, out=times, where=p > 0)
    return np.argsort(times, kind="stable")[:count].reshape(shape)


def require_probabilities(p: Array) -> None:
    """Refuses numbers that are no probabilities.

    Raises
    ------
    InvalidValue
    """
    total = np.sum(p)
    if not (np.all(p >= 0) and abs(total - 1) < 1e-8):
        raise InvalidValue(
            f"the probabilities of `rt.random.choice` sum to {total}, the least of them is {np.min(p)}",
            why="Probabilities are 0 or more, and sum to 1.",
            way_out="Divide them by their sum, in float64.",
        )


def _length(x: Tensor, axis: int) -> tuple[Dim, Tensor]:
    """How long an axis is, as far as it is known now, and as a tensor."""
    known = UNKNOWN if x.static_shape is None else x.static_shape[axis]
    return known, Tensor(np.int64(known)) if isinstance(known, int) else ops.shape(x)[axis]


def permutation(x: TensorLike, /, *, axis: int = 0, key: TensorLike | None = None) -> Tensor:
    """Numbers from 0 up to `x` in random order, or the slices of a tensor in random order.

    Parameters
    ----------
    x : int, or Tensor of any dtype, shape (..., n, ...)
        One integer, in a tensor too, stands for the numbers below it.
    axis : int, optional
        Along which the slices lie.
    key : Tensor of uint64, shape (2,), optional
        What the order is a function of; by default the next key of the process.

    Returns
    -------
    Tensor of int64, shape (x,), or of the shape and dtype of `x`

    Raises
    ------
    ShapeError
        When `x` has no such axis.
    ValueError
        When the number is negative; in a graph, in the run.

    Notes
    -----
    GraphDef "TopKV2" of random numbers. Semantics: NumPy `Generator.permutation`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.sort(rt.random.permutation(4, key=rt.random.key(0)))
    <Tensor: shape=(4,), dtype=int64, numpy=array([0, 1, 2, 3])>
    """
    tensor = as_tensor(x)
    if tensor.static_shape != () or not tensor.dtype.is_integer:
        return shuffle(tensor, axis=axis, key=key)
    count = ops.cast(tensor, int64)
    known = concrete(count)
    length = UNKNOWN if known is None else max(int(known), 0)
    return bind(RandomPermutation(length), given_or_next(key), count, count)


def shuffle(x: TensorLike, /, *, axis: int = 0, key: TensorLike | None = None) -> Tensor:
    """Slices of `x` along an axis, in random order, as a new tensor.

    Parameters
    ----------
    x : Tensor of any dtype, shape (..., n, ...)
    axis : int, optional
        Along which the slices lie.
    key : Tensor of uint64, shape (2,), optional
        What the order is a function of; by default the next key of the process.

    Returns
    -------
    Tensor of the same shape and dtype

    Raises
    ------
    ShapeError
        When `x` has no such axis.

    Notes
    -----
    GraphDef "GatherV2" by random places. Semantics: NumPy `Generator.permutation`, which leaves `x` as it is;
    TensorFlow `tf.random.shuffle`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.sort(rt.random.shuffle(rt.asarray([3, 1, 2])))
    <Tensor: shape=(3,), dtype=int64, numpy=array([1, 2, 3])>
    """
    tensor = as_tensor(x)
    if tensor.static_shape == ():
        raise ShapeError(
            "there is nothing to shuffle in a tensor without axes",
            why="The slices along an axis are shuffled.",
            way_out="Give it an axis, or leave it as it is.",
        )
    along = checked_axis(axis, tensor)
    known, count = _length(tensor, along)
    order = bind(RandomPermutation(known), given_or_next(key), count, count)
    return ops.take(tensor, order, axis=along)


def choice(
    x: TensorLike,
    shape: Any = (),
    *,
    replace: bool = True,
    p: TensorLike | None = None,
    axis: int = 0,
    key: TensorLike | None = None,
) -> Tensor:
    """Random ones of the numbers below `x`, or of the slices of a tensor.

    Parameters
    ----------
    x : int, or Tensor of any dtype, shape (..., n, ...)
        One integer, in a tensor too, stands for the numbers below it.
    shape : int, tuple of ints and tensors of one int, or Tensor of ints, optional
        One is chosen by default.
    replace : bool, optional
        Whether one can be chosen again.
    p : Tensor of floats, shape (n,), optional
        How likely each is; all alike by default.
    axis : int, optional
        Along which the slices lie.
    key : Tensor of uint64, shape (2,), optional
        What the choice is a function of; by default the next key of the process.

    Returns
    -------
    Tensor of the dtype of `x`
        In the place of the axis are those of `shape`.

    Raises
    ------
    ValueError
        When `p` has a negative element or does not sum to 1, or when there are too few to choose from; in
        a graph, in the run.
    ShapeError
        When `p` is not as long as the axis.

    Notes
    -----
    Semantics: NumPy `Generator.choice`; what is chosen without replacement is in random order.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.random.choice(rt.asarray([10, 20, 30]), 2, p=[0.0, 1.0, 0.0], key=rt.random.key(0)).tolist()
    [20, 20]
    """
    tensor = as_tensor(x)
    if tensor.static_shape == () and tensor.dtype.is_integer:
        count = ops.cast(tensor, int64)
        known = concrete(count)
        return _places(UNKNOWN if known is None else int(known), count, shape, replace, p, key)
    along = checked_axis(axis, tensor)
    length, count = _length(tensor, along)
    return ops.take(tensor, _places(length, count, shape, replace, p, key), axis=along)


def _places(
    length: Dim, count: Tensor, shape: Any, replace: bool, p: TensorLike | None, key: TensorLike | None
) -> Tensor:
    """Chosen places of an axis."""
    known, dims = drawn_shape(shape)
    if p is not None:
        chances = ops.cast(as_tensor(p), float64)
        _require_length(chances.static_shape, length)
        return bind(RandomChoice(known, replace), given_or_next(key), dims, chances)
    if replace:
        return integers(count, shape=shape, dtype=int64, key=key)
    many = elements(known)
    taken = Tensor(np.int64(many)) if isinstance(many, int) else ops.prod(ops.cast(dims, int64))
    chosen = bind(RandomPermutation(many), given_or_next(key), count, taken)
    return ops.reshape(chosen, shape)


def _require_length(given: Shape, length: Dim) -> None:
    if not compatible(given, (length,)):
        raise ShapeError(
            f"`p` of `rt.random.choice` has shape {text(given)}, and there are {length} to choose from",
            why="It has one probability for each of them.",
            way_out="Give as many.",
        )
