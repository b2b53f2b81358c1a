"""Random numbers: what a seed promises, and that draws are effects of a graph."""

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, ShapeError
from runtime.executors.base import choose
from runtime.graph.build import building
from runtime.graph.graph import Graph


def traced(function):
    graph = Graph("f")
    with building(graph):
        graph.outputs = [function().value]
    run = choose("numpy").compile(graph)
    return lambda: np.asarray(run([])[0]).tolist()


def test_a_seed_of_the_process_repeats_a_program():
    def draw():
        return [
            rt.random.uniform(2).tolist(),
            rt.random.normal(2).tolist(),
            rt.random.integers(9, shape=2).tolist(),
        ]

    rt.random.set_seed(5)
    first = draw()
    rt.random.set_seed(5)
    assert draw() == first
    rt.random.set_seed(6)
    assert draw() != first


def test_a_seed_of_its_own_makes_a_stream_that_goes_on():
    rt.random.set_seed(1)
    first, second = rt.random.uniform((), seed=7).item(), rt.random.uniform((), seed=7).item()
    assert first != second
    rt.random.uniform(3)
    rt.random.set_seed(1)
    assert rt.random.uniform((), seed=7).item() == first


def test_each_place_of_a_graph_that_draws_has_a_stream_of_its_own():
    rt.random.set_seed(1)
    run = traced(lambda: rt.stack([rt.random.uniform((), seed=7), rt.random.uniform((), seed=7)]))
    first, second = run(), run()
    assert first[0] == first[1]
    assert first != second
    rt.random.set_seed(1)
    assert run() == first


def test_draws_without_a_seed_differ_from_run_to_run():
    run = traced(lambda: rt.random.normal(3))
    assert run() != run()


def test_numbers_are_of_the_shape_dtype_and_range_that_was_asked_for():
    x = rt.random.uniform((1000,), -2, 3, dtype=rt.float32)
    assert (x.dtype, x.shape) == (rt.float32, (1000,))
    assert -2 <= x.min().item() < -1.5 < 2.5 < x.max().item() < 3
    n = rt.random.integers(-2, 3, (1000,), dtype=rt.int8)
    assert n.dtype == rt.int8
    assert set(n.tolist()) == {-2, -1, 0, 1, 2}
    normal = rt.random.normal(1000, 10.0, 2.0, dtype=rt.float16)
    assert normal.dtype == rt.float16
    assert 9.5 < normal.mean().item() < 10.5


def test_shapes_may_be_tensors(staged):
    shapes = []

    def draw(n):
        drawn = rt.random.uniform((n, 2))
        shapes.append(drawn.shape)
        return drawn

    assert staged(draw, np.int32(3)).shape == (3, 2)
    assert shapes == [(None, 2)]


def test_shuffling_keeps_every_slice(staged):
    x = np.arange(20).reshape(10, 2)
    assert sorted(staged(rt.random.shuffle, x).tolist()) == x.tolist()


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(DTypeError, match=r"rt\.random\.integers"):
        rt.random.uniform(2, dtype=rt.int32)
    with pytest.raises(DTypeError, match="is not defined for float32"):
        rt.random.integers(3, dtype=rt.float32)
    with pytest.raises(ShapeError, match="nothing to shuffle"):
        rt.random.shuffle(1)
    with pytest.raises(ValueError, match="-1 is no seed"):
        rt.random.set_seed(-1)
