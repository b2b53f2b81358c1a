"""Draws without keys: what a seed promises, generators, and that draws are effects of a graph."""

import threading

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.base import choose
from runtime.graph.build import building
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from runtime.ops.random.streams import key_of_process


def traced(function):
    builder = Builder("f")
    with building(builder):
        graph = builder.finish([function().value])
    run = choose("numpy").compile(Module(graph)).run
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


def test_the_streams_of_seeds_go_on_by_themselves():
    rt.random.set_seed(1)
    first, second = key_of_process(7).tolist(), key_of_process(7).tolist()
    assert first != second
    rt.random.uniform(3)
    rt.random.set_seed(1)
    assert key_of_process(7).tolist() == first
    assert key_of_process(8).tolist() != second


def test_each_place_of_a_graph_that_asks_for_a_seed_has_a_stream_of_its_own():
    rt.random.set_seed(1)
    run = traced(lambda: rt.stack([key_of_process(7), key_of_process(7)]))
    first, second = run(), run()
    assert first[0] == first[1]
    assert first != second
    rt.random.set_seed(1)
    assert run() == first


def test_draws_without_a_key_differ_from_run_to_run():
    run = traced(lambda: rt.random.normal(3))
    assert run() != run()


def test_a_seed_repeats_graphs_and_eager_code_alike():
    def draw():
        return rt.random.uniform(2), rt.random.integers(100, shape=2)

    rt.random.set_seed(3)
    expected = [each.tolist() for each in (*draw(), *draw())]
    for executor in ("numpy", "reference"):
        staged = ag.function(draw, executor=executor)
        rt.random.set_seed(3)
        assert [each.tolist() for each in (*staged(), *staged())] == expected


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(ValueError, match="is no seed"):
        rt.random.set_seed(seed)


# ── generators ──


def test_draw_n_of_a_generator_has_the_key_with_n_folded_in():
    generator, key = rt.random.Generator(7), rt.random.key(7)
    for n in range(3):
        assert generator.random(2).tolist() == rt.random.uniform(2, key=rt.random.fold_in(key, n)).tolist()


def test_the_methods_of_a_generator_are_the_functions_with_its_keys():
    mine = rt.random.Generator(1)
    source = rt.random.Generator(1)
    pairs = [
        (mine.uniform(1, 2, 3), lambda key: rt.random.uniform(3, 1, 2, key=key)),
        (mine.normal(1, 2, 3), lambda key: rt.random.normal(3, 1, 2, key=key)),
        (mine.standard_normal(3, rt.float32), lambda key: rt.random.normal(3, dtype=rt.float32, key=key)),
        (mine.exponential(2, 3), lambda key: rt.random.exponential(3, 2, key=key)),
        (mine.standard_exponential(3), lambda key: rt.random.exponential(3, key=key)),
        (mine.gamma(2, 3, 4), lambda key: rt.random.gamma(2, 4, 3, key=key)),
        (mine.standard_gamma(2, 4), lambda key: rt.random.gamma(2, 4, key=key)),
        (mine.integers(5, 9, 3), lambda key: rt.random.integers(5, 9, 3, key=key)),
        (mine.poisson(5, 3), lambda key: rt.random.poisson(5, 3, key=key)),
        (mine.permutation(5), lambda key: rt.random.permutation(5, key=key)),
        (mine.shuffle([3, 4, 5]), lambda key: rt.random.shuffle([3, 4, 5], key=key)),
        (mine.choice(5, 2, replace=False), lambda key: rt.random.choice(5, 2, replace=False, key=key)),
    ]
    for drawn, function in pairs:
        assert drawn.tolist() == function(source.key()).tolist()


def test_a_generator_does_not_hear_of_the_seed_of_the_process():
    generator = rt.random.Generator(4)
    rt.random.set_seed(0)
    first = generator.random().item()
    rt.random.set_seed(0)
    assert rt.random.Generator(4).random().item() == first
    assert generator.random().item() != first


def test_a_generator_without_a_seed_starts_from_the_seed_of_the_process():
    rt.random.set_seed(0)
    first = rt.random.Generator().random().item()
    assert rt.random.Generator().random().item() != first
    rt.random.set_seed(0)
    assert rt.random.Generator().random().item() == first


@pytest.mark.parametrize("executor", ["numpy", "reference"])
def test_a_generator_from_outside_goes_on_from_run_to_run(executor):
    expected = rt.random.Generator(9)
    generator = rt.random.Generator(9)
    draw = ag.function(lambda: generator.normal(size=2), executor=executor)
    for _ in range(3):
        assert draw().tolist() == expected.normal(size=2).tolist()


@pytest.mark.parametrize("executor", ["numpy", "reference"])
def test_a_generator_of_a_graph_starts_anew_in_each_run(executor):
    def estimate(seed, n):
        generator = rt.random.Generator(seed)
        total = 0.0
        for _ in range(n):
            total = total + generator.random()
        return total

    staged = ag.function(estimate, executor=executor)
    expected = estimate(3, 50)
    for seed, n in ((3, 50), (3, rt.asarray(50)), (rt.asarray(3), rt.asarray(50)), (3, 50)):
        assert staged(seed, n) == expected


def test_threads_take_every_key_once():
    generator = rt.random.Generator(5)
    draw = ag.function(lambda: generator.key())
    taken = []

    def work():
        taken.extend([tuple(draw().tolist()) for _ in range(50)])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    start = rt.random.key(5)
    assert set(taken) == {tuple(rt.random.fold_in(start, n).tolist()) for n in range(200)}
    assert len(taken) == 200


def test_threads_with_keys_of_their_own_do_not_meet():
    draw = ag.function(lambda key: rt.random.normal(100, key=key).sum())
    keys = rt.unstack(rt.random.split(rt.random.key(0), 20))
    expected = [draw(key).item() for key in keys]
    found = {}

    def work(place):
        found[place] = draw(keys[place]).item()

    threads = [threading.Thread(target=work, args=(place,)) for place in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[place] for place in range(20)] == expected
