"""One graph serves all generators of a kind among its arguments, and leaves each as Python does."""

import random
import threading

import numpy as np
import pytest

import autograph as ag

MAKERS = [
    np.random.default_rng,
    np.random.RandomState,
    random.Random,
    lambda seed: np.random.Generator(np.random.MT19937(seed)),
    lambda seed: np.random.Generator(np.random.Philox(seed)),
]


def state(generator):
    """Where a generator is, as text: what two have in common that go on alike."""
    if isinstance(generator, random.Random):
        return repr(generator.getstate())
    if isinstance(generator, np.random.RandomState):
        return repr(generator.get_state(legacy=False))
    return repr(generator.bit_generator.state)


def walk(rng, n):
    place = 0.0
    for _ in range(n):
        place += rng.normal(0.0, 1.0) if not isinstance(rng, random.Random) else rng.gauss(0.0, 1.0)
    return place


@pytest.mark.parametrize("make", MAKERS)
def test_a_graph_serves_generators_with_any_seed(make):
    graph = ag.function(walk)
    for seed in 1, 2, 1:
        plain, given = make(seed), make(seed)
        for n in 3, 4:  # so that a normal number is kept, and is not
            assert float(graph(given, np.int64(n))) == walk(plain, n)
            assert state(given) == state(plain)
    assert len(graph.concrete_functions) == 1


def test_generators_of_other_bits_have_another_graph():
    graph = ag.function(walk)
    for make in MAKERS:
        graph(make(1), np.int64(3))
    assert len(graph.concrete_functions) == len(MAKERS)


def test_a_generator_that_is_two_arguments_is_one():
    def both(one, other):
        return one.random() + 10 * other.random()

    graph = ag.function(both)
    for _ in range(2):
        once, plain = np.random.default_rng(1), np.random.default_rng(1)
        assert float(graph(once, once)) == both(plain, plain)
        pair = np.random.default_rng(1), np.random.default_rng(2)
        twins = np.random.default_rng(1), np.random.default_rng(2)
        assert float(graph(*pair)) == both(*twins)
    assert len(graph.concrete_functions) == 2


class Holder:
    """Keeps a generator."""

    def __init__(self, rng):
        self.rng = rng


def test_what_holds_the_generator_afterwards_holds_that_of_the_caller():
    holder = Holder(None)

    def kept(rng):
        rng.random()
        holder.rng = rng
        return rng, [rng], Holder(rng)

    graph = ag.function(kept)
    for seed in 1, 2:
        given = np.random.default_rng(seed)
        itself, [item], made = graph(given)
        assert itself is given
        assert item is given
        assert made.rng is given
        assert holder.rng is given


shared = np.random.default_rng(0)


def test_one_that_the_function_has_from_outside_as_well_is_that_one():
    def drawn(rng):
        return rng is shared, shared.random(), rng.random()

    graph, start = ag.function(drawn), shared.bit_generator.state
    for mine in True, False, True:
        shared.bit_generator.state = start
        expected = drawn(shared if mine else np.random.default_rng(1))
        shared.bit_generator.state = start
        assert [each.item() for each in graph(shared if mine else np.random.default_rng(1))] == [*expected]


def test_a_function_that_asks_for_the_bits_is_for_one_generator():
    def drawn(rng, x):
        return np.random.Generator(rng.bit_generator).random() + x

    graph = ag.function(drawn)
    for seed in 1, 2:
        assert float(graph(np.random.default_rng(seed), np.float64(1.0))) == drawn(
            np.random.default_rng(seed), 1.0
        )


def test_a_function_hands_its_generator_on_to_itself_and_to_others():
    def gathered(rng, n):
        if n <= 0:
            return 0.0
        return rng.random() + gathered(rng, n - 1)

    inside = ag.function(walk)

    def both(rng, n):
        return gathered(rng, n) + inside(rng, n) + inside(rng, n)

    graph = ag.function(both)
    for seed in 1, 2:
        plain, given = np.random.default_rng(seed), np.random.default_rng(seed)
        assert float(graph(given, np.int64(3))) == pytest.approx(both(plain, 3))
        assert state(given) == state(plain)
    assert len(graph.concrete_functions) == 1


@pytest.mark.parametrize("make", [np.random.default_rng, random.Random])
def test_one_is_left_where_the_exception_comes(make):
    def drawn(rng, n):
        rng.random()
        if n > 3:
            raise ValueError("too much")
        return rng.random()

    graph = ag.function(drawn)
    for n in 2, 5, 2:
        plain, given = make(1), make(1)
        try:
            expected = drawn(plain, n)
        except ValueError:
            with pytest.raises(ValueError, match="too much"):
                graph(given, np.int64(n))
        else:
            assert float(graph(given, np.int64(n))) == expected
        assert state(given) == state(plain)


@pytest.mark.parametrize("make", [np.random.default_rng, random.Random])
def test_a_run_that_calls_the_function_again_goes_on_where_it_was(make):
    def drawn(rng, n):
        first = rng.random()
        inner = ag.host_call(again, n, result=float)
        return first + 10 * inner + 100 * rng.random()

    def again(n):
        return float(graph(make(int(n) + 7), n - 1)) if n > 0 else 0.0

    graph = ag.function(drawn)
    plain, mine = [make(seed) for seed in (1, 8)], make(1)
    expected = plain[0].random(), plain[1].random()
    last = plain[1].random(), plain[0].random()
    found = float(graph(mine, np.int64(1)))
    assert found == pytest.approx(expected[0] + 10 * (expected[1] + 100 * last[0]) + 100 * last[1])
    assert state(mine) == state(plain[0])


def test_threads_draw_from_their_own():
    graph, found = ag.function(walk), {}

    def run(seed):
        rng = np.random.default_rng(seed)
        found[seed] = [float(graph(rng, np.int64(50))) for _ in range(20)]

    graph(np.random.default_rng(0), np.int64(50))
    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    for seed, numbers in found.items():
        rng = np.random.default_rng(seed)
        assert numbers == [walk(rng, 50) for _ in range(20)]


def test_a_concrete_function_wants_its_generator():
    concrete = ag.function(walk).get_concrete_function(np.random.default_rng(0), np.int64(5))
    assert float(concrete(np.random.default_rng(3), np.int64(5))) == walk(np.random.default_rng(3), 5)
    with pytest.raises(TypeError, match="not of the signature"):
        concrete(np.int64(5))
