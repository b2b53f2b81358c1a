"""Random numbers are drawn when the graph runs, from the program's own generators, as seeds say."""

# ruff: noqa: NPY002  (programs are written as users write them)

import copy
import random
from collections import deque

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import GraphError, NoConcreteValue
from tests.beyond.kit import EXECUTORS

rng = np.random.default_rng(0)
legacy = np.random.RandomState(1)
own = random.Random(2)


def seeded():
    """All generators as they are at first."""
    global rng, legacy, own
    rng.bit_generator.state = np.random.default_rng(0).bit_generator.state
    legacy.seed(1)
    own.seed(2)
    np.random.seed(3)
    random.seed(4)


def as_plain(value):
    """Tensors as what they hold."""
    if isinstance(value, rt.Tensor):
        return value.numpy()
    if isinstance(value, (list, tuple)):
        return type(value)(map(as_plain, value))
    return value


def agree(program, *calls, **options):
    """The program draws in a graph what it draws in plain Python, call after call."""
    seeded()
    wanted = [program(*copy.deepcopy(call)) for call in calls]
    for executor in EXECUTORS:
        staged = ag.function(program, executor=executor, **options)
        seeded()
        for call, result in zip(calls, wanted, strict=True):
            np.testing.assert_equal(as_plain(staged(*copy.deepcopy(call))), as_plain(result))


def of_a_loop(n):
    total = 0.0
    for _ in range(n):
        total += rng.random()
    return total


def of_a_while_loop(x):
    total, turns = 0.0, 0
    while total < 5:
        total += rng.exponential(1.0)
        turns += 1
    return total * x, turns


def of_a_branch(x):
    if x > 1:
        y = rng.random() + x
    elif x > 0:
        y = rng.normal(x, 2.0)
    else:
        y = x
    return y, rng.random()


def of_sizes(x):
    return (
        rng.normal(x, 1.0),
        rng.normal(size=3),
        rng.random((2, 3)),
        rng.integers(0, 10, size=4),
        rng.integers(5),
        rng.uniform(0.0, x, (2,)),
        rng.standard_normal(),
        rng.poisson(3.0, 2),
        rng.permutation(5),
        rng.choice(5, size=2, replace=False),
        rng.multivariate_normal(np.zeros(2), np.eye(2)),
        rng.dirichlet(np.ones(3)),
        rng.multinomial(4, [0.5, 0.5]),
        rng.binomial(10, 0.5),
        rng.bytes(2) is None,
    )


def of_lengths_of_the_run(n):
    draws = rng.random(n)
    return draws.sum(), rng.integers(0, n + 1, size=(n, 2)), rng.permutation(n), rng.normal(size=n)


def of_arrays(x):
    y = x * np.array([1.0, 2.0, 4.0])
    return (
        rng.permutation(y),
        rng.choice(y),
        rng.choice(y, 2, p=np.array([0.5, 0.25, 0.25])),
        rng.normal(y, 1.0),
    )


def of_old_functions(x):
    return (
        np.random.rand() + x,
        np.random.randn(2),
        np.random.randint(10),
        np.random.uniform(0, x),
        np.random.permutation(4),
        np.random.choice([1.0, 2.0, 3.0]),
        legacy.normal(x, 1.0, size=2),
        legacy.rand(2, 2),
    )


def of_python(x):
    return (
        random.random() + x,
        random.randint(1, 6),
        random.uniform(0.0, x),
        random.gauss(0, 1),
        random.choice([1.0, 2.0, 5.0]),
        random.sample(range(10), 3),
        random.choices([1, 2], k=2),
        own.random(),
        own.getrandbits(8),
    )


def seeded_in_the_function(x):
    np.random.seed(7)
    random.seed(8)
    fresh = np.random.default_rng(42)
    mine = random.Random(3)
    old = np.random.RandomState(5)
    return (
        fresh.random() + x,
        fresh.integers(0, 5, size=2),
        mine.random(),
        old.rand(),
        np.random.rand(),
        random.random(),
        np.random.Generator(np.random.PCG64(1)).random(),
    )


def of_a_generator_that_is_chosen(x):
    fresh = np.random.default_rng(0) if x > 1 else np.random.default_rng(1)
    total = 0.0
    for _ in range(3):
        total += fresh.normal()
    return total


def roll(sides):
    return rng.integers(1, sides + 1)


def of_callees(n):
    rolls = [roll(6) for _ in range(3)]
    total, short = roll(n + 1), lambda: rng.random()
    return rolls, total, sorted([3, 1, 2], key=lambda _: rng.random()), short()


def of_recursion(n):
    def walk(k):
        if k <= 0:
            return 0.0
        return rng.random() + walk(k - 1)

    return walk(n)


def draws(n):
    for _ in range(n):
        yield rng.random()


def of_generators(n):
    return sum(draws(n), 0.0), [d > 0.5 for d in draws(3)]


def of_a_try(x):
    try:
        y = rng.random()
        if x > 1:
            raise ValueError(y)
    except ValueError:
        y = rng.random() + 10
    finally:
        z = rng.random()
    return y, z


@pytest.mark.parametrize(
    "program",
    [
        *(of_a_while_loop, of_a_branch, of_sizes, of_arrays, of_old_functions, of_python, of_a_try),
        *(seeded_in_the_function, of_a_generator_that_is_chosen),
    ],
)
def test_seeds_give_the_same_numbers(program):
    agree(
        program,
        (np.float64(3.0),),
        (np.float64(0.5),),
        (np.float64(2.0),),
    )


def test_a_draw_in_a_branch_is_made_where_the_branch_is_taken():
    agree(of_a_branch, (np.float64(-1.0),), (np.float64(3.0),), (np.float64(-1.0),))


@pytest.mark.parametrize(
    "program", [of_a_loop, of_lengths_of_the_run, of_callees, of_recursion, of_generators]
)
def test_seeds_give_the_same_numbers_turn_by_turn(program):
    agree(program, (np.int64(3),), (np.int64(1),), (np.int64(5),))


def test_draws_of_eager_code_go_on_where_the_graph_stopped():
    f = ag.function(of_a_loop)
    seeded()
    f(rt.asarray(2))
    after = rng.random()
    assert after == np.random.default_rng(0).random(3)[2]


def test_a_draw_while_tracing_takes_nothing_from_the_generator():
    f = ag.function(of_sizes)
    seeded()
    before = rng.bit_generator.state
    f.get_concrete_function(rt.TensorSpec((), rt.float64))
    assert rng.bit_generator.state == before


def test_a_draw_of_a_wrong_kind_is_an_error_of_the_run():
    pick = random.Random(0)

    @ag.function
    def f(x):
        return x + pick.choice(deque([1, 2, 3.5]))

    def calls():
        for _ in range(20):
            f(rt.asarray(1.0))

    with pytest.raises(TypeError, match=r"choice\(\) gave 3.5"):
        calls()


deck, python, legacy = ["ace", "king", "queen", "jack"], random.Random(5), np.random.RandomState(2)


def shuffled(n):
    own, hand, x = random.Random(7), [], np.arange(5.0)
    for k in range(n):
        hand.append(k)
    rows = np.arange(6).reshape(3, 2) + n
    alias, cards = rows, deck[:3]
    for shuffle in python.shuffle, own.shuffle, rng.shuffle, legacy.shuffle, np.random.shuffle:
        for items in hand, cards:
            shuffle(items)
    for shuffle in rng.shuffle, legacy.shuffle:
        shuffle(x)
        shuffle(rows)
    python.shuffle(deck)
    return hand, cards, x, rows, alias is rows, deck, python.random(), rng.random(), legacy.random_sample()


def test_a_shuffle_draws_as_python_and_numpy_do():
    ag.check(shuffled, np.int64(4), then=[(np.int64(0),), (np.int64(1),)])


def test_an_empty_list_is_shuffled():
    def f(x):
        items = []
        random.shuffle(items)
        np.random.shuffle(items)
        return items, x, random.random()

    ag.check(f, np.float64(1.0))


def test_an_array_of_the_caller_is_shuffled_and_a_tensor_is_not():
    @ag.function
    def f(x):
        rng.shuffle(x)
        return x

    state = rng.bit_generator.state
    given = np.arange(6.0)
    f(given)
    rng.bit_generator.state = state
    assert given.tolist() == rng.permutation(np.arange(6.0)).tolist()
    tensor = rt.asarray(np.arange(6.0))
    assert sorted(f(tensor).numpy()) == tensor.numpy().tolist() == [0, 1, 2, 3, 4, 5]


def test_a_shuffle_along_another_axis_is_refused_with_a_way_out():
    @ag.function
    def f(n):
        x = np.zeros((2, 3)) + n
        rng.shuffle(x, axis=1)
        return x

    with pytest.raises(NoConcreteValue, match="Give it a list or an array, and nothing else"):
        f(np.float64(1.0))


def test_an_error_of_a_draw_is_numpy_s():
    @ag.function
    def f(n):
        if n > 5:
            return rng.integers(n, 0)
        return n

    f(rt.asarray(1))
    with pytest.raises(ValueError, match="low >= high"):
        f(rt.asarray(7))


def test_draws_may_be_made_while_tracing():
    f = ag.function(lambda x: x + rng.random(), effects="trace")
    assert f(rt.asarray(0.0)).numpy() == f(rt.asarray(0.0)).numpy()


class Walker:
    def __init__(self, place):
        self.place = place


def squares(n):
    found = []
    for i in range(n):
        found.append(i * i)
    return found


def chosen_of_grown(n):
    random.seed(1)
    items, pairs, own = squares(n), [], random.Random(3)
    for i in range(n):
        pairs.append((i, "ab"[i % 2]))
    several = random.sample(items, 2), random.choices(items, k=2), random.sample(items, n - 1)
    return [random.choice(items) for _ in range(3)], several, own.choice(pairs), random.choice(["a", 1])


def test_items_are_chosen_of_lists_that_grow():
    ag.check(chosen_of_grown, np.int64(5), then=[(np.int64(3),), (np.int64(0),)])


def test_what_is_chosen_of_a_list_is_the_object_in_it():
    def walked(n):
        random.seed(4)
        walkers = [Walker(0), Walker(1), Walker(2)]
        for i in range(n):
            random.choice(walkers).place += i
        one, other = random.sample(walkers, 2)
        one.place = -1
        return [each.place for each in walkers], other.place

    ag.check(walked, np.int64(5), then=[(np.int64(0),)])


def test_numpys_generators_choose_of_lists_that_grow():
    def drawn(n, generator):
        items = squares(n)
        return generator.choice(items), generator.choice(items, 2), generator.permutation(items)

    rng = np.random.default_rng
    ag.check(drawn, np.int64(5), rng(0), then=[(np.int64(3), rng(1))])


def test_a_generator_of_the_run_shuffles_arrays_rows_and_lists():
    def shuffled(x, rows, seed):
        generator, items = np.random.default_rng(seed), [3, 1, 2, 5]
        for _ in range(3):
            generator.shuffle(x)
            generator.shuffle(rows)
            generator.shuffle(items)
        return x, rows, items, generator.random()

    rows = np.arange(8.0).reshape(4, 2)
    ag.check(shuffled, np.arange(5), rows, np.int64(3), then=[(np.arange(1), rows.T, 4)])


def test_more_may_be_drawn_without_putting_back_than_of_a_few():
    def drawn(n, x, generator):
        return generator.choice(n, 12, replace=False), generator.choice(x, 30, replace=False)

    rng, x = np.random.default_rng, np.arange(40.0)
    ag.check(drawn, np.int64(12), x, rng(0), then=[(np.int64(50), x[:35], rng(1)), (np.int64(5), x, rng(1))])


def test_numbers_that_are_drawn_into_an_array_are_refused():
    @ag.function
    def drawn(v):
        out = np.zeros(3)
        np.random.default_rng(1).random(out=out)
        return out + v

    with pytest.raises(GraphError, match="is to write into an array"):
        drawn(np.float64(1.0))


def test_an_object_of_the_run_is_of_its_class():
    def told(seed):
        rng = np.random.default_rng(seed)
        return isinstance(rng, np.random.Generator), isinstance(rng, np.random.RandomState), rng.random()

    ag.check(told, np.int64(3), then=[(np.int64(4),)])


def test_a_copy_of_a_generator_that_the_run_makes_draws_for_itself():
    def f(n):
        generator = np.random.default_rng(n)
        first = generator.random()
        twin = copy.deepcopy(generator)
        shared = copy.copy(generator)
        return first, generator.random() == twin.random(), twin.random(), shared.integers(100)

    ag.check(f, np.int64(3), then=[(np.int64(5),)])
