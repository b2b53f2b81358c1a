"""Random numbers: `rt.random.uniform`, `normal`, `integers`, `shuffle`, and the seed of them all.

Draws happen in program order, in graphs too. Without a seed they come from one stream of the process; with a
seed from a stream of their own: in eager code one for each seed, in a graph one for each place that draws.
`set_seed` starts every stream anew.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dtypes import DType, as_dtype, int64
from runtime.core.shapes import Shape
from runtime.core.spec import Spec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.errors import DTypeError, InvalidValue, ShapeError
from runtime.graph.build import as_operand, as_tensor, bind, current_defaults, current_graph
from runtime.graph.op import Effects
from runtime.ops.facts import INTEGER, GraphDef, Sample
from runtime.ops.families import Opaque, require_dtype, shape_argument

__all__ = [
    "RandomShuffle",
    "RandomStandardNormal",
    "RandomUniform",
    "RandomUniformInt",
    "Stream",
    "integers",
    "normal",
    "set_seed",
    "shuffle",
    "uniform",
]


class Stream:
    """A sequence of random numbers that starts anew after `set_seed`.

    Attributes
    ----------
    name : str
    seed : int or None
    """

    def __init__(self, seed: int | None = None) -> None:
        self.name = "random" if seed is None else f"random_{seed}"
        self.seed = seed
        self._start: object = None
        self._generator: np.random.Generator

    def __repr__(self) -> str:
        return f"<{self.name}>"

    @property
    def generator(self) -> np.random.Generator:
        """Where the next numbers come from."""
        if self._start is not _process.start:
            with _process.lock:
                if self._start is not _process.start:
                    self._generator = np.random.default_rng(_process.entropy(self.seed))
                    self._start = _process.start
        return self._generator


class _Process:
    """The seed of the whole process, and the streams of eager code."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.start = object()
        self.seed: int | None = None
        self.streams: dict[int | None, Stream] = {}

    def entropy(self, seed: int | None) -> list[int] | None:
        """What a stream with this seed of its own starts from; None for a start that nobody can repeat."""
        if seed is None:
            return None if self.seed is None else [self.seed]
        return [0 if self.seed is None else self.seed, seed]

    def stream(self, seed: int | None) -> Stream:
        """The stream that a draw without a seed, or a draw of eager code, uses."""
        with self.lock:
            return self.streams.setdefault(seed, Stream(seed))


_process = _Process()


def set_seed(seed: int) -> None:
    """Starts every stream of random numbers anew, so that a program's draws can be repeated.

    Parameters
    ----------
    seed : int
        Not negative.

    Notes
    -----
    Semantics: TensorFlow `tf.random.set_seed`; the numbers themselves are NumPy's.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.random.set_seed(1)
    >>> first = rt.random.uniform(())
    >>> rt.random.set_seed(1)
    >>> rt.random.uniform(()) == first
    <Tensor: shape=(), dtype=bool, numpy=True>
    """
    if seed < 0:
        raise InvalidValue(
            f"{seed} is no seed", why="A seed is 0 or more.", way_out="Give a number from 0 on, or None."
        )
    with _process.lock:
        _process.seed = seed
        _process.start = object()


def _stream(seed: int | None) -> Stream:
    if seed is None or current_graph() is None:
        return _process.stream(seed)
    return Stream(seed)


class _Draw(Opaque, abstract=True):
    """An op that takes numbers from a stream: it keeps its place among the effects of a graph."""

    stream: Stream

    @property
    def effects(self) -> Effects:
        return Effects.RANDOM

    @property
    def seed(self) -> int:
        """The seed as TensorFlow writes it, 0 for none."""
        return self.stream.seed or 0


class _DrawOfShape(_Draw, abstract=True):
    """Numbers in a shape that is the first input; `known` are its dims known before the run."""

    dtype: DType
    known: Shape
    accepts = INTEGER

    def infer(self, shape: Spec, *limits: Spec) -> Spec:
        require_dtype("random", shape.dtype, INTEGER)
        if any(limit.shape not in {(), None} for limit in limits):
            raise ShapeError(
                "a limit of random integers has axes",
                why="All numbers are drawn between the same two limits.",
                way_out="Give single numbers, or draw once for each limit and `rt.stack` the results.",
            )
        return Spec(self.known, self.dtype)


_DRAWN = {"T": "in0", "dtype": "out0"}


class RandomUniform(_DrawOfShape):
    """Floating-point numbers, all in [0, 1) alike."""

    graphdef = GraphDef("RandomUniform", types=_DRAWN, attributes={"seed": "seed2"})
    samples = (
        Sample((np.array([2, 3]),), {"stream": Stream(1), "dtype": as_dtype("float32"), "known": (2, 3)}),
        Sample((np.array([4]),), {"stream": Stream(1), "dtype": as_dtype("float64"), "known": (None,)}),
    )

    def kernel(self, shape: Array) -> Any:
        wide = np.float32 if self.dtype.itemsize <= 4 else np.float64
        return np.asarray(self.stream.generator.random(tuple(shape), wide), self.dtype.numpy)


class RandomStandardNormal(_DrawOfShape):
    """Floating-point numbers of the normal distribution, mean 0 and standard deviation 1."""

    graphdef = GraphDef("RandomStandardNormal", types=_DRAWN, attributes={"seed": "seed2"})
    samples = (
        Sample((np.array([2, 3]),), {"stream": Stream(2), "dtype": as_dtype("float16"), "known": (2, 3)}),
        Sample((np.array([], np.int64),), {"stream": Stream(2), "dtype": as_dtype("float64"), "known": ()}),
    )

    def kernel(self, shape: Array) -> Any:
        wide = np.float32 if self.dtype.itemsize <= 4 else np.float64
        return np.asarray(self.stream.generator.standard_normal(tuple(shape), wide), self.dtype.numpy)


class RandomUniformInt(_DrawOfShape):
    """Integers, all from the second input up to the third, which is not among them, alike."""

    input_names = ("shape", "minval", "maxval")
    graphdef = GraphDef("RandomUniformInt", types={"T": "in0", "Tout": "out0"}, attributes={"seed": "seed2"})
    samples = (
        Sample(
            (np.array([5]), np.array(-2), np.array(3)),
            {"stream": Stream(3), "dtype": int64, "known": (5,)},
        ),
    )

    def kernel(self, shape: Array, low: Array, high: Array) -> Any:
        return np.asarray(self.stream.generator.integers(low, high, tuple(shape), self.dtype.numpy))


class RandomShuffle(_Draw):
    """The slices along the first axis in random order."""

    graphdef = GraphDef("RandomShuffle", attributes={"seed": "seed2"})
    samples = (Sample((np.arange(12).reshape(4, 3),), {"stream": Stream(4)}),)

    def infer(self, x: Spec) -> Spec:
        if x.shape == ():
            raise _nothing_to_shuffle()
        return x

    def kernel(self, x: Array) -> Any:
        return self.stream.generator.permutation(x, axis=0)


def _nothing_to_shuffle() -> ShapeError:
    return ShapeError(
        "there is nothing to shuffle in a tensor without axes",
        why="The slices along the first axis are shuffled.",
        way_out="Give it an axis, or leave it as it is.",
    )


def _shape_vector(shape: Any) -> tuple[Shape, Any]:
    known, dims = shape_argument(shape)
    return known, np.array(known, np.int64) if dims is None else dims


def _floating(dtype: Any) -> DType:
    to = current_defaults().floating if dtype is None else as_dtype(dtype)
    if not to.is_floating:
        raise DTypeError(
            f"random numbers of {to.name} were asked for",
            why="This function draws floats.",
            way_out="Write `rt.random.integers`, or `rt.astype` of what is drawn.",
        )
    return to


def uniform(
    shape: Any = (),
    minval: TensorLike = 0.0,
    maxval: TensorLike = 1.0,
    *,
    dtype: Any = None,
    seed: int | None = None,
) -> Tensor:
    """Random numbers, all between two limits alike.

    Parameters
    ----------
    shape : int, tuple of ints and tensors of one int, or Tensor of ints, optional
    minval, maxval : number or Tensor, optional
        The upper limit is not among the numbers.
    dtype : DType, optional
        A floating-point dtype, the default one where it is not given.
    seed : int, optional
        For a stream of its own.

    Returns
    -------
    Tensor of `dtype` and `shape`

    Notes
    -----
    GraphDef "RandomUniform". Semantics: TensorFlow `tf.random.uniform`; the numbers themselves are NumPy's.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.random.uniform((2, 3), -1, 1).shape
    (2, 3)
    """
    to = _floating(dtype)
    known, dims = _shape_vector(shape)
    drawn = bind(RandomUniform(_stream(seed), to, known), dims)
    if type(minval) in {int, float} and minval == 0 and type(maxval) in {int, float} and maxval == 1:
        return drawn
    low, high = ops.astype(as_tensor(minval), to), ops.astype(as_tensor(maxval), to)
    return drawn * (high - low) + low


def normal(
    shape: Any = (),
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    *,
    dtype: Any = None,
    seed: int | None = None,
) -> Tensor:
    """Random numbers of a normal distribution.

    Parameters
    ----------
    shape : int, tuple of ints and tensors of one int, or Tensor of ints, optional
    mean, stddev : number or Tensor, optional
    dtype : DType, optional
        A floating-point dtype, the default one where it is not given.
    seed : int, optional
        For a stream of its own.

    Returns
    -------
    Tensor of `dtype` and `shape`

    Notes
    -----
    GraphDef "RandomStandardNormal". Semantics: TensorFlow `tf.random.normal`; the numbers themselves are
    NumPy's.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.random.normal(4, dtype=rt.float32).dtype
    float32
    """
    to = _floating(dtype)
    known, dims = _shape_vector(shape)
    drawn = bind(RandomStandardNormal(_stream(seed), to, known), dims)
    if type(mean) in {int, float} and mean == 0 and type(stddev) in {int, float} and stddev == 1:
        return drawn
    return drawn * ops.astype(as_tensor(stddev), to) + ops.astype(as_tensor(mean), to)


def integers(
    low: TensorLike,
    high: TensorLike | None = None,
    shape: Any = (),
    *,
    dtype: Any = None,
    seed: int | None = None,
) -> Tensor:
    """Random integers, all from `low` up to `high`, which is not among them, alike.

    Parameters
    ----------
    low, high : int or Tensor of one int
        With one of them only, from 0.
    shape : int, tuple of ints and tensors of one int, or Tensor of ints, optional
    dtype : DType, optional
        An integer dtype, the default one where it is not given.
    seed : int, optional
        For a stream of its own.

    Returns
    -------
    Tensor of `dtype` and `shape`

    Raises
    ------
    ValueError
        When there is no integer between the limits; in a graph, in the run.

    Notes
    -----
    GraphDef "RandomUniformInt". Semantics: NumPy `Generator.integers`; TensorFlow `tf.random.uniform`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.random.integers(6, shape=3).dtype
    int64
    """
    to = current_defaults().integer if dtype is None else as_dtype(dtype)
    require_dtype("random.integers", to, INTEGER)
    first, last = (0, low) if high is None else (low, high)
    known, dims = _shape_vector(shape)
    limits = [ops.astype(as_operand(each), to) for each in (first, last)]
    return bind(RandomUniformInt(_stream(seed), to, known), dims, *limits)


def shuffle(x: TensorLike, /, *, seed: int | None = None) -> Tensor:
    """Slices of `x` along the first axis, in random order.

    Parameters
    ----------
    x : Tensor of any dtype, shape (n, ...)
    seed : int, optional
        For a stream of its own.

    Returns
    -------
    Tensor of the same shape and dtype

    Raises
    ------
    ShapeError
        When there are no axes.

    Notes
    -----
    GraphDef "RandomShuffle". Semantics: TensorFlow `tf.random.shuffle`; the order itself is NumPy's.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.sort(rt.random.shuffle(rt.asarray([3, 1, 2])))
    <Tensor: shape=(3,), dtype=int64, numpy=array([1, 2, 3])>
    """
    tensor = as_tensor(x)
    if tensor.shape == ():
        raise _nothing_to_shuffle()
    return bind(RandomShuffle(_stream(seed)), tensor)
