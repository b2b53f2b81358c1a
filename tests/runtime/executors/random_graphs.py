"""Random graphs with nested branches and loops, made by calling the library while a graph is open."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

import runtime as rt
from runtime.core.spec import ArraySpec
from runtime.graph.build import as_tensor, building
from runtime.graph.builder import Builder
from runtime.graph.graph import Graph
from runtime.graph.symbol import Symbol

__all__ = ["Case", "cases"]

SHAPES = ((), (3,), (64, 64))
"""A scalar, a small array, and one that is large enough to be written over."""
DTYPES = (rt.int32, rt.int64, rt.float32, rt.float64, rt.bool)
DEPTH = 2


@dataclass(frozen=True)
class Case:
    """A graph and arrays for its inputs."""

    graph: Graph
    arrays: list

    def __repr__(self) -> str:
        return f"{self.graph.as_text()}\n{self.arrays}"


class _Author:
    """Draws values of one graph."""

    def __init__(self, draw) -> None:
        self._draw = draw

    def pick(self, choices):
        return self._draw(st.sampled_from(choices))

    def step(self, values, depth):
        """The values after one more computation."""
        kinds = ["binary", "binary", "unary", "compare", "choose", "fold", "part", "cast", "constant"]
        kind = self.pick(kinds + ["cond", "while", "and"] * (depth > 0))
        return [*values, *getattr(self, f"_{kind}")(values, depth)]

    def steps(self, values, depth, most=5):
        """The values after some computations."""
        for _ in range(self._draw(st.integers(1, most))):
            values = self.step(values, depth)
        return values

    def _number(self, values):
        return self.pick([value for value in values if value.dtype is not rt.bool] or [rt.asarray(2.5)])

    def _beside(self, value, values):
        """An operand that broadcasts with `value`."""
        fitting = [
            each
            for each in values
            if each.dtype is not rt.bool
            and (each.static_shape in {value.static_shape, ()} or value.static_shape == ())
        ]
        return self.pick([*fitting, value])

    def _binary(self, values, _):
        left = self._number(values)
        right = self._beside(left, values)
        return [self.pick([rt.add, rt.subtract, rt.multiply, rt.maximum, rt.minimum])(left, right)]

    def _unary(self, values, _):
        x = self._number(values)
        return [
            self.pick([rt.negative, rt.abs, rt.square, lambda y: y + 1, lambda y: y * 2, lambda y: y % 7])(x)
        ]

    def _compare(self, values, _):
        left = self._number(values)
        operator = self.pick([rt.less, rt.less_equal, rt.equal, rt.not_equal, rt.greater])
        return [operator(left, self._beside(left, values))]

    def _choose(self, values, _):
        left = self._number(values)
        right = self._beside(left, values)
        return [rt.where(left > right, left, right)]

    def _fold(self, values, _):
        return [self.pick([rt.sum, rt.max, rt.min])(self._number(values))]

    def _part(self, values, _):
        lengths = [value.static_shape[0] if value.static_shape else 0 for value in values]
        known = zip(values, lengths, strict=True)
        arrays = [value for value, length in known if isinstance(length, int) and length > 1]
        if not arrays:
            return []
        x = self.pick(arrays)
        index = rt.astype(rt.sum(rt.astype(self._test(values), rt.int32)), rt.int64)
        parts = [x[1:], x[0], x[-1], x[::-1], rt.reshape(x, (-1,))[2:3], rt.take(x, 1, axis=0), x[index]]
        return [self.pick([*parts, x[index:], rt.take(x, index, axis=0)])]

    def _cast(self, values, _):
        x = self.pick(values)
        narrow = [rt.bool] if x.dtype in {rt.float32, rt.float64} else [rt.int32, rt.int64]
        return [rt.astype(x, self.pick([rt.float32, rt.float64, *narrow]))]

    def _constant(self, values, _):
        dtype = self.pick([rt.int32, rt.int64, rt.float32, rt.float64])
        return [rt.asarray(self._draw(st.integers(-3, 3)), dtype=dtype) + rt.astype(values[0] * 0, dtype)]

    def _test(self, values):
        x = self._number(values)
        return (
            rt.sum(x) > self._draw(st.integers(-5, 5))
            if x.static_shape
            else x > self._draw(st.integers(-5, 5))
        )

    def _and(self, values, _):
        first, second = self._test(values), self._test(values)
        if self.pick([True, False]):
            return [rt.cond(first, lambda: second, lambda: first)]
        return [rt.cond(first, lambda: first, lambda: self._test(values))]

    def _cond(self, values, depth):
        def branch():
            inside = self.steps(values, depth - 1, most=3)
            return [like(rt.where(self._test(values), inside[-1], inside[-1]), result) for result in results]

        results = [self.pick(values) for _ in range(self._draw(st.integers(1, 3)))]
        return list(rt.cond(self._test(values), branch, branch))

    def _while(self, values, depth):
        count = self._draw(st.integers(0, 3))
        start = [self.pick(values) for _ in range(self._draw(st.integers(1, 3)))]

        def body(i, *variables):
            inside = self.steps([*values, *variables], depth - 1, most=3)
            after = [self.pick([variable, self.pick(inside), inside[-1]]) for variable in variables]
            if self.pick([True, False, False]):
                after.reverse()
            return (i + 1, *[like(new, old) for new, old in zip(after, variables, strict=True)])

        def test(i, *variables):
            limit = i < count
            if self.pick([True, False]):
                return rt.logical_and(limit, rt.sum(rt.astype(variables[0], rt.float64)) < 1e6)
            return limit

        return list(rt.while_loop(test, body, (0, *start)))[1:]


def like(value, wanted):
    """`value` in the dtype and shape of `wanted`."""
    value = as_tensor(value)
    if value.static_shape != wanted.static_shape:
        value = rt.sum(rt.astype(value, rt.float64)) + rt.zeros_like(wanted, dtype=rt.float64)
    if wanted.dtype.is_integer and value.dtype.is_floating:
        value = rt.where(value == value, rt.clip(value, -1e3, 1e3), rt.zeros_like(value))
    return rt.astype(value, wanted.dtype)


@st.composite
def cases(draw) -> Case:
    """A graph and arrays for it."""
    author = _Author(draw)
    builder = Builder("random")
    specs = draw(
        st.lists(st.tuples(st.sampled_from(SHAPES), st.sampled_from(DTYPES)), min_size=1, max_size=3)
    )
    specs = [((), rt.float64), *specs]
    inputs = [
        Symbol(builder.input(ArraySpec(shape, dtype), f"x{i}")) for i, (shape, dtype) in enumerate(specs)
    ]
    with building(builder):
        values = author.steps(inputs, DEPTH, most=7)
        results = [author.pick(values) for _ in range(draw(st.integers(1, 3)))] + [values[-1]]
    graph = builder.finish([builder.resolve(result.value) for result in results])
    generator = np.random.default_rng(draw(st.integers(0, 9)))
    arrays = [generator.integers(-4, 5, shape).astype(dtype.numpy) for shape, dtype in specs]
    return Case(graph, arrays)
