"""Random graphs: optimised they give the same results to the last bit, and have the same effects in order."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import runtime as rt
from runtime.core.spec import ArraySpec
from runtime.graph.build import building
from runtime.graph.builder import Builder
from runtime.graph.file import digest, from_bytes, to_bytes
from runtime.graph.graph import Graph
from runtime.graph.module import Module
from runtime.graph.parser import from_text
from runtime.graph.printer import resources_of, to_text
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow import cond, while_loop
from runtime.ops.control_flow.call import call_graph
from runtime.passes.pipeline import optimise
from tests.runtime.passes.equivalence import arguments, outcome

DTYPES = [rt.float64, rt.float32, rt.int64, rt.int8, rt.bool]
SHAPES = [(), (3,)]
NUMBERS = {"f": [0.0, -0.0, 1.0, 2.0, -1.0, float("nan")], "i": [0, 1, -1, 2, 3], "b": [False, True]}
DEPTH = 2

UNARY = {
    "f": [rt.negative, rt.abs, rt.square, rt.tanh],
    "i": [rt.negative, rt.abs, rt.square, rt.bitwise_invert],
    "b": [rt.logical_not],
}
BINARY = {
    "f": [rt.add, rt.subtract, rt.multiply, rt.divide, rt.maximum],
    "i": [rt.add, rt.subtract, rt.multiply, rt.floor_divide, rt.remainder, rt.minimum, rt.bitwise_and],
    "b": [rt.logical_and, rt.logical_or, rt.logical_xor],
}
COMPARISONS = [rt.equal, rt.not_equal, rt.less, rt.greater_equal]
SHAPINGS = [
    lambda x: x[::-1],
    lambda x: x[1:][:1],
    lambda x: rt.reshape(rt.expand_dims(x, axis=1), (-1,)),
    lambda x: rt.squeeze(rt.expand_dims(x, axis=0), axis=0),
    lambda x: rt.broadcast_to(rt.broadcast_to(x, (1, 3)), (2, 3)),
    lambda x: rt.permute_dims(rt.stack([x, x]), (1, 0))[:, 1],
    lambda x: rt.sum(x),
]
CASTS = {
    "f": [rt.float32, rt.float64],
    "i": [rt.int8, rt.int64, rt.float64],
    "b": [rt.int8, rt.int64, rt.float32],
}


@dataclass
class Writer:
    """Writes random operations into the graph that is being built."""

    draw: st.DrawFn
    variable: rt.Variable
    values: list = field(default_factory=list)

    def block(self, depth, *, most=4, also=()):
        """A writer with a few operations on the values that there are, and on some others."""
        writer = Writer(self.draw, self.variable, [*self.values, *also])
        for _ in range(self.draw(st.integers(1, most))):
            kinds = [writer.arithmetic, writer.arithmetic, writer.arithmetic, writer.effect]
            if depth < DEPTH:
                kinds += [lambda: writer.branch(depth + 1), lambda: writer.loop(depth + 1), writer.call]
            self.draw(st.sampled_from(kinds))()
        return writer

    def any_value(self):
        return self.draw(st.sampled_from(self.values))

    def value(self, dtype, shape):
        """A value of this dtype and shape: one that is there, or a constant."""
        known = [each for each in self.values if each.dtype is dtype and each.shape == shape]
        number = self.draw(st.sampled_from(NUMBERS[dtype.kind]))
        constant = rt.asarray(np.full(shape, number, dtype.numpy))
        return self.draw(st.sampled_from([*known, constant]))

    def scalar(self, dtype):
        return self.value(dtype, ())

    def arithmetic(self):
        x = self.any_value()
        kind = x.dtype.kind
        choice = self.draw(st.integers(0, 6))
        if choice == 0:
            made = self.draw(st.sampled_from(UNARY[kind]))(x)
        elif choice == 1:
            made = rt.astype(x, self.draw(st.sampled_from(CASTS[kind])))
        elif choice == 2:
            made = self.draw(st.sampled_from(COMPARISONS))(x, self.value(x.dtype, x.shape))
        elif choice == 3 and x.shape == (3,):
            made = self.draw(st.sampled_from(SHAPINGS))(x)
        elif choice == 4:
            made = rt.where(self.scalar(rt.bool), x, self.value(x.dtype, x.shape))
        else:
            y = self.draw(st.sampled_from([self.value(x.dtype, x.shape), self.scalar(x.dtype)]))
            made = self.draw(st.sampled_from(BINARY[kind]))(x, y)
        self.values.append(made)

    def effect(self):
        x = self.scalar(rt.float64)
        choice = self.draw(st.integers(0, 3))
        if choice == 0:
            rt.print("saw", x)
        elif choice == 1:
            self.variable.assign(x)
        elif choice == 2:
            self.variable.assign_add(x)
        else:
            self.values.append(self.variable + 0.0)

    def kinds(self):
        pairs = st.tuples(st.sampled_from(DTYPES), st.sampled_from(SHAPES))
        return self.draw(st.lists(pairs, min_size=1, max_size=3))

    def branch(self, depth):
        wanted = self.kinds()

        def arm():
            inner = self.block(depth)
            return tuple([inner.value(*kind) for kind in wanted])

        predicate = self.scalar(rt.bool)
        self.values.extend(cond(predicate, arm, arm))

    def loop(self, depth):
        wanted = self.kinds()
        limit = self.draw(st.integers(0, 3))

        def step(i, *state):
            inner = self.block(depth, also=[i, *state])
            return (i + 1, *[inner.value(*kind) for kind in wanted])

        start = [self.value(*kind) for kind in wanted]
        self.values.extend(while_loop(lambda i, *_: i < limit, step, (rt.asarray(0), *start)))

    def call(self):
        builder = Builder("called")
        wanted = self.kinds()
        with building(builder):
            inner = Writer(self.draw, self.variable)
            inner.values = [Symbol(builder.input(ArraySpec(shape, dtype), "x")) for dtype, shape in wanted]
            inner = inner.block(DEPTH)
        graph = builder.finish([value.value for value in inner.values[:3]])
        arguments = [self.value(*kind) for kind in wanted]
        self.values.extend(call_graph(graph, arguments))


class Drawn(NamedTuple):
    """A graph, and the variable that it uses; shown with the inputs that it is first given."""

    graph: Graph
    variable: rt.Variable

    def __repr__(self):
        inputs = "\n".join(map(repr, arguments(self.graph)))
        return f"\n{to_text(self.graph, longest=None)}\n{inputs}\n"


@st.composite
def graphs(draw):
    """A graph, and the variable that it uses."""
    builder = Builder("random")
    variable = rt.Variable(1.5, name="v")
    writer = Writer(draw, variable)
    for dtype in DTYPES:
        for shape in SHAPES:
            writer.values.append(Symbol(builder.input(ArraySpec(shape, dtype), "x")))
    with building(builder):
        writer = writer.block(0, most=8)
        made = writer.values[len(DTYPES) * len(SHAPES) :]
        chosen = draw(st.lists(st.sampled_from(made), max_size=4)) if made else []
        graph = builder.finish([builder.resolve(value.value) for value in chosen])
    return Drawn(graph, variable)


def run(graph, variable, arrays):
    """Results and prints, or the error; and what the variable is then."""
    variable.assign(1.5)
    try:
        seen = outcome(graph, arrays)
    except ZeroDivisionError as error:
        seen = str(error)
    return seen, variable.numpy().tobytes()


EFFORT = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@EFFORT
@given(graphs())
def test_an_optimised_graph_does_the_same(pair):
    graph, variable = pair
    after = optimise(Module(graph)).entry
    for seed in range(3):
        arrays = arguments(graph, seed)
        assert run(after, variable, arrays) == run(graph, variable, arrays)
    assert optimise(Module(after)).entry is after


@EFFORT
@given(graphs())
def test_a_graph_is_read_back_from_its_text(pair):
    graph, _ = pair
    text = to_text(graph, longest=None)
    assert to_text(from_text(text, objects=resources_of(graph)), longest=None) == text


@EFFORT
@given(graphs())
def test_a_graph_is_read_back_from_its_bytes_and_runs_the_same(pair):
    graph, variable = pair
    module = Module(graph)
    again = from_bytes(to_bytes(module), objects=resources_of(graph)).entry
    assert to_text(again, longest=None) == to_text(graph, longest=None)
    assert digest(Module(again)) == digest(module)
    arrays = arguments(graph, 0)
    assert run(again, variable, arrays) == run(graph, variable, arrays)


def test_a_graph_that_fails_is_shown_with_its_inputs():
    graph = from_text("x: i64[2]\na = Neg(x)\nreturn a")
    assert repr(Drawn(graph, None)).split() == [
        *("x:", "i64[2]", "a", "=", "Neg(x)", "return", "a"),
        *repr(arguments(graph)[0]).split(),
    ]
