"""Continuous distributions: uniform, normal, exponential, gamma."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import DType, as_dtype
from runtime.core.limits import finfo
from runtime.core.shapes import Shape
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.graph.build import bind
from runtime.ops.facts import INTEGER, GraphDefBuilder, GraphDefTensor, Sample
from runtime.ops.families import Opaque
from runtime.ops.promotion import require_dtype
from runtime.ops.random.keys import KEY, generator_at, philox_inputs, require_key
from runtime.ops.random.parameters import filling, floating_dtype, parameter, shape_for, wide
from runtime.ops.random.streams import given_or_next

__all__ = [
    "RandomExponential",
    "RandomGamma",
    "RandomStandardNormal",
    "RandomUniform",
    "exponential",
    "gamma",
    "normal",
    "uniform",
]


class Drawn(Opaque, abstract=True):
    """Numbers made of a key, in a shape that is the second input; `known` are its dims known now."""

    dtype: DType
    known: Shape

    def infer(self, key: ArraySpec, shape: ArraySpec, *parameters: ArraySpec) -> ArraySpec:
        del parameters
        require_key(key)
        require_dtype("random", shape.dtype, INTEGER)
        return ArraySpec(self.known, self.dtype)

    @property
    def wide(self) -> DType:
        """The dtype in which NumPy draws."""
        return wide(self.dtype)


def _samples(*parameters: Array) -> tuple[Sample, ...]:
    shapes = ((np.array([2, 3]), (2, 3)), (np.array([4]), (UNKNOWN,)), (np.array([], np.int64), ()))
    kinds = ("float16", "float32", "float64")
    return tuple(
        Sample((KEY, dims, *parameters), {"dtype": as_dtype(kind), "known": known})
        for (dims, known), kind in zip(shapes, kinds, strict=True)
    )


class RandomUniform(Drawn):
    """Floating-point numbers, all in [0, 1) alike."""

    samples = _samples()

    @property
    def steps(self) -> int:
        """How many numbers there are, where those of float32 would round to 1; 0 where NumPy draws them."""
        return round(2 / finfo(self.dtype).eps) if self.dtype.itemsize < 4 else 0

    def kernel(self, key: Array, shape: Array) -> Any:
        return _uniform(generator_at(key), tuple(shape), self.steps, self.dtype.numpy)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        return _stateless(self, "StatelessRandomUniformV2", builder, inputs, specs)


def _uniform(generator: np.random.Generator, shape: tuple[int, ...], steps: int, dtype: Any) -> Array:
    if not steps:
        return np.asarray(generator.random(shape, dtype))
    return np.asarray(generator.integers(0, steps, shape, np.uint16) / np.float32(steps), dtype)


class RandomStandardNormal(Drawn):
    """Floating-point numbers of the normal distribution, mean 0 and standard deviation 1."""

    samples = _samples()

    def kernel(self, key: Array, shape: Array) -> Any:
        return np.asarray(generator_at(key).standard_normal(tuple(shape), self.wide.numpy), self.dtype.numpy)

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        return _stateless(self, "StatelessRandomNormalV2", builder, inputs, specs)


class RandomExponential(Drawn):
    """Floating-point numbers of the exponential distribution of mean 1."""

    samples = _samples()
    why_no_graphdef = "it computes them of uniform ones"

    def kernel(self, key: Array, shape: Array) -> Any:
        return np.asarray(
            generator_at(key).standard_exponential(tuple(shape), self.wide.numpy), self.dtype.numpy
        )


class RandomGamma(Drawn):
    """Floating-point numbers of the gamma distribution of scale 1; the third input is its shape parameter."""

    samples = _samples(np.array(0.5))
    why_no_graphdef = "its own takes no key"

    def kernel(self, key: Array, shape: Array, concentration: Array) -> Any:
        return np.asarray(
            generator_at(key).standard_gamma(concentration, tuple(shape), self.wide.numpy), self.dtype.numpy
        )


def _stateless(
    op: Drawn,
    name: str,
    builder: GraphDefBuilder,
    inputs: Sequence[GraphDefTensor],
    specs: Sequence[ArraySpec],
) -> list[GraphDefTensor]:
    """TensorFlow's draw of a key, also by Philox; it makes other numbers of the bits."""
    key, shape = inputs
    of_key = philox_inputs(builder, key)
    return [builder.node(name, [shape, *of_key], dtype=op.dtype, Tshape=specs[1].dtype)]


def _is_number(value: Any, number: float) -> bool:
    return type(value) in {int, float} and value == number


def uniform(
    shape: Any = None,
    minval: TensorLike = 0.0,
    maxval: TensorLike = 1.0,
    *,
    dtype: Any = None,
    key: TensorLike | None = None,
) -> Tensor:
    """Random numbers, all between two limits alike.

    Parameters
    ----------
    shape : int, tuple of ints and tensors of one int, or Tensor of ints, optional
        By default that of the limits, broadcast together.
    minval, maxval : number or Tensor, optional
        Broadcast to `shape`. The upper limit is not among the numbers, unless rounding leads there.
    dtype : DType, optional
        A floating-point dtype, the default one where it is not given.
    key : Tensor of uint64, shape (2,), optional
        What the numbers are a function of; by default the next key of the process.

    Returns
    -------
    Tensor of `dtype` and `shape`

    Raises
    ------
    ValueError
        When `maxval` is below `minval`; in a graph, in the run.

    Notes
    -----
    GraphDef "StatelessRandomUniformV2". Semantics: NumPy `Generator.uniform`; TensorFlow `tf.random.uniform`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.random.uniform((2, 3), key=rt.random.key(0)).shape
    (2, 3)
    """
    to = floating_dtype(dtype)
    if _is_number(minval, 0) and _is_number(maxval, 1):
        known, dims = shape_for(() if shape is None else shape, (), "uniform")
        return bind(RandomUniform(to, known), given_or_next(key), dims)
    low = ops.cast(ops.asarray(minval), to)
    span = parameter(ops.cast(ops.asarray(maxval), to) - low, to, "`maxval - minval` of `rt.random.uniform`")
    known, dims = shape_for(shape, [low, span], "uniform")
    drawn = bind(RandomUniform(to, known), given_or_next(key), dims)
    return drawn * filling(span, known, dims) + filling(low, known, dims)


def normal(
    shape: Any = None,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    *,
    dtype: Any = None,
    key: TensorLike | None = None,
) -> Tensor:
    """Random numbers of a normal distribution.

    Parameters
    ----------
    shape : int, tuple of ints and tensors of one int, or Tensor of ints, optional
        By default that of the parameters, broadcast together.
    mean, stddev : number or Tensor, optional
        Broadcast to `shape`.
    dtype : DType, optional
        A floating-point dtype, the default one where it is not given.
    key : Tensor of uint64, shape (2,), optional
        What the numbers are a function of; by default the next key of the process.

    Returns
    -------
    Tensor of `dtype` and `shape`

    Raises
    ------
    ValueError
        When `stddev` is negative; in a graph, in the run.

    Notes
    -----
    GraphDef "StatelessRandomNormalV2". Semantics: NumPy `Generator.normal`; TensorFlow `tf.random.normal`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.random.normal(4, dtype=rt.float32, key=rt.random.key(0)).dtype
    float32
    """
    to = floating_dtype(dtype)
    if _is_number(mean, 0) and _is_number(stddev, 1):
        known, dims = shape_for(() if shape is None else shape, (), "normal")
        return bind(RandomStandardNormal(to, known), given_or_next(key), dims)
    centre = ops.cast(ops.asarray(mean), to)
    scale = parameter(stddev, to, "`stddev` of `rt.random.normal`")
    known, dims = shape_for(shape, [centre, scale], "normal")
    drawn = bind(RandomStandardNormal(to, known), given_or_next(key), dims)
    return drawn * filling(scale, known, dims) + filling(centre, known, dims)


def exponential(
    shape: Any = None, scale: TensorLike = 1.0, *, dtype: Any = None, key: TensorLike | None = None
) -> Tensor:
    """Random numbers of an exponential distribution.

    Parameters
    ----------
    shape : int, tuple of ints and tensors of one int, or Tensor of ints, optional
        By default that of `scale`.
    scale : number or Tensor, optional
        The mean. Broadcast to `shape`.
    dtype : DType, optional
        A floating-point dtype, the default one where it is not given.
    key : Tensor of uint64, shape (2,), optional
        What the numbers are a function of; by default the next key of the process.

    Returns
    -------
    Tensor of `dtype` and `shape`

    Raises
    ------
    ValueError
        When `scale` is negative; in a graph, in the run.

    Notes
    -----
    Semantics: NumPy `Generator.exponential`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.random.exponential(scale=rt.asarray([1.0, 10.0]), key=rt.random.key(0)).shape
    (2,)
    """
    to = floating_dtype(dtype)
    mean = parameter(scale, to, "`scale` of `rt.random.exponential`")
    known, dims = shape_for(shape, [mean], "exponential")
    drawn = bind(RandomExponential(to, known), given_or_next(key), dims)
    return drawn if _is_number(scale, 1) else drawn * filling(mean, known, dims)


def gamma(
    concentration: TensorLike,
    shape: Any = None,
    scale: TensorLike = 1.0,
    *,
    dtype: Any = None,
    key: TensorLike | None = None,
) -> Tensor:
    """Random numbers of a gamma distribution.

    Parameters
    ----------
    concentration : number or Tensor
        The shape parameter, often called k or alpha. Broadcast to `shape`.
    shape : int, tuple of ints and tensors of one int, or Tensor of ints, optional
        By default that of the parameters, broadcast together.
    scale : number or Tensor, optional
        Broadcast to `shape`.
    dtype : DType, optional
        A floating-point dtype, the default one where it is not given.
    key : Tensor of uint64, shape (2,), optional
        What the numbers are a function of; by default the next key of the process.

    Returns
    -------
    Tensor of `dtype` and `shape`

    Raises
    ------
    ValueError
        When a parameter is negative; in a graph, in the run.

    Notes
    -----
    Semantics: NumPy `Generator.gamma`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.random.gamma(2.0, 5, key=rt.random.key(0)).shape
    (5,)
    """
    to = floating_dtype(dtype)
    form = parameter(concentration, wide(to), "`concentration` of `rt.random.gamma`")
    factor = parameter(scale, to, "`scale` of `rt.random.gamma`")
    known, dims = shape_for(shape, [form, factor], "gamma")
    drawn = bind(RandomGamma(to, known), given_or_next(key), dims, form)
    return drawn if _is_number(scale, 1) else drawn * filling(factor, known, dims)
