"""Machine code draws the numbers that NumPy's and Python's generators draw, and leaves these as they do."""

# ruff: noqa: NPY002  (programs are written as users write them)

import random
import warnings

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import CompileError, GraphError
from runtime.executors.native.beyond import Beyond
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.randomness.draws import DRAWS, is_there
from runtime.executors.native.whole import lowered

GENERATOR = [
    lambda rng: rng.random(),
    lambda rng: rng.uniform(),
    lambda rng: rng.uniform(-1.0, 5),
    lambda rng: rng.integers(10),
    lambda rng: rng.integers(-5, 5),
    lambda rng: rng.integers(7, 8),
    lambda rng: rng.integers(0, 2**32),
    lambda rng: rng.integers(0, 2**40),
    lambda rng: rng.integers(1, 6, endpoint=True),
    lambda rng: rng.normal(),
    lambda rng: rng.normal(1, scale=2.0),
    lambda rng: rng.normal(0.0, 0.0),
    lambda rng: rng.standard_normal(),
    lambda rng: rng.standard_exponential(),
    lambda rng: rng.standard_cauchy(),
    lambda rng: rng.exponential(2.0),
    lambda rng: rng.rayleigh(2.0),
    lambda rng: rng.lognormal(0.5, 0.25),
    lambda rng: rng.laplace(0.5, 2.0),
    lambda rng: rng.logistic(0.5, 2.0),
    lambda rng: rng.gumbel(0.5, 2.0),
    lambda rng: rng.standard_gamma(0.5),
    lambda rng: rng.gamma(2.0, 3.0),
    lambda rng: rng.beta(0.5, 2.0),
    lambda rng: rng.chisquare(3),
    lambda rng: rng.standard_t(4),
    lambda rng: rng.f(3.0, 5.0),
    lambda rng: rng.weibull(1.5),
    lambda rng: rng.pareto(2.5),
    lambda rng: rng.power(2.0),
    lambda rng: rng.vonmises(0.1, 2.0),
    lambda rng: rng.wald(1.0, 2.0),
    lambda rng: rng.poisson(3.5),
    lambda rng: rng.poisson(30),
    lambda rng: rng.geometric(0.3),
    lambda rng: rng.binomial(10, 0.3),
    lambda rng: rng.binomial(1000, 0.9),
    lambda rng: rng.choice(5),
    lambda rng: rng.choice([3, 1, 7]),
    lambda rng: rng.choice([0.5, 2.5], p=[0.25, 0.75]),
    lambda rng: rng.choice(3, p=[0.2, 0.5, 0.3]),
    lambda rng: rng.random(3)[2],
    lambda rng: rng.random((2, 2))[1, 0],
    lambda rng: rng.normal(0.0, 1.0, size=(2, 3))[1, 1],
    lambda rng: rng.integers(0, 9, size=4)[3],
    lambda rng: rng.permutation(9)[4],
    lambda rng: rng.choice(9, 4, replace=False)[3],
    lambda rng: rng.choice(9, 4, replace=False, shuffle=False)[2],
    lambda rng: rng.choice([3, 1, 7], 3, replace=False)[1],
    lambda rng: rng.choice(np.array([0.5, 2.5, 4.0]), (1, 2), replace=False)[0, 1],
    lambda rng: rng.choice(7, 0, replace=False).sum(),
]
OLD = [
    lambda rng: rng.random(),
    lambda rng: rng.random_sample(),
    lambda rng: rng.rand(),
    lambda rng: rng.rand(2, 3)[1, 1],
    lambda rng: rng.uniform(2.0, 3.0),
    lambda rng: rng.randint(10),
    lambda rng: rng.randint(-3, 9),
    lambda rng: rng.randint(0, 2**40),
    lambda rng: rng.randn(),
    lambda rng: rng.randn(3)[2],
    lambda rng: rng.standard_normal(),
    lambda rng: rng.normal(1.0, 2.0),
    lambda rng: rng.normal(size=5)[4],
    lambda rng: rng.choice([3, 1, 7]),
    lambda rng: rng.permutation(9)[4],
    lambda rng: rng.choice(9, 4, replace=False)[3],
]
PYTHONS = [
    lambda rng: rng.random(),
    lambda rng: rng.uniform(1.0, 4.5),
    lambda rng: rng.uniform(1, 6),
    lambda rng: rng.randint(1, 6),
    lambda rng: rng.randint(0, 2**40),
    lambda rng: rng.randrange(10),
    lambda rng: rng.randrange(3, 9),
    lambda rng: rng.getrandbits(5),
    lambda rng: rng.getrandbits(32),
    lambda rng: rng.getrandbits(63),
    lambda rng: rng.gauss(0, 1),
    lambda rng: rng.gauss(1.0, 2.0),
    lambda rng: rng.normalvariate(0.0, 1.0),
    lambda rng: rng.expovariate(1.5),
    lambda rng: rng.choice([1, 2, 5]),
]
MAKERS = [
    (np.random.default_rng, GENERATOR),
    *[
        (lambda seed, bits=bits: np.random.Generator(bits(seed)), GENERATOR[:10])
        for bits in (np.random.MT19937, np.random.SFC64, np.random.Philox, np.random.PCG64DXSM)
    ],
    (np.random.RandomState, OLD),
    (random.Random, PYTHONS),
]


def state_of(rng):
    if isinstance(rng, random.Random):
        return rng.getstate()
    return repr(
        rng.bit_generator.state if isinstance(rng, np.random.Generator) else rng.get_state(legacy=False)
    )


def drawn(draw, count, rng):
    found = []
    for _ in range(count):
        found.append(draw(rng))
    return found


def outcome(function, *arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return np.asarray(function(*arguments)).tolist()
        except Exception as error:  # noqa: BLE001  # as the program under test may raise any
            return type(error).__mro__[-4:], str(error).partition("\n")[0]


def is_machine_code(function):
    calls = [step for step in function.concrete_functions[-1].report().steps if step.op == "PyFunc"]
    return len(calls) > 0 and all(step.runs == "machine code" for step in calls)


def require_alike(function, make, calls, **options):
    """The graph gives what Python gives, call by call, and leaves the generator as Python does."""
    ours, pythons = make(3), make(3)
    graph = ag.function(function, **options)
    for arguments in calls:
        assert outcome(graph, *arguments, ours) == outcome(function, *arguments, pythons)
        assert state_of(ours) == state_of(pythons)
    return graph


@pytest.mark.parametrize(
    ("make", "draw"),
    [
        pytest.param(make, draw, id=f"{at}-{index}")
        for at, (make, draws) in enumerate(MAKERS)
        for index, draw in enumerate(draws)
    ],
)
def test_a_draw_is_the_next_one_of_the_generator(make, draw):
    def several(count, rng):
        return drawn(draw, count, rng)

    graph = require_alike(several, make, [(np.int64(70),), (np.int64(3),)])
    assert is_machine_code(graph)


@pytest.mark.parametrize("function", DRAWS)
def test_each_way_to_draw_is_there_on_this_machine(function):
    assert is_there(function)


STAGED = [
    (np.random.default_rng, lambda a, b, rng: rng.normal(a, b), [(1.0, 2.0), (0.0, -1.0), (0.0, -0.0)]),
    (np.random.default_rng, lambda a, b, rng: rng.uniform(a, b), [(1.0, 2.0), (2.0, 1.0), (-1e308, 1e308)]),
    (np.random.default_rng, lambda a, b, rng: rng.integers(a, b), [(1, 9), (3, 3), (-(2**62), 2**62)]),
    (np.random.default_rng, lambda a, b, rng: rng.beta(a, b), [(0.5, 2.0), (0.0, 1.0)]),
    (np.random.default_rng, lambda a, b, rng: rng.binomial(a, b), [(9, 0.5), (9, 1.5), (-1, 0.5)]),
    (np.random.default_rng, lambda a, b, rng: rng.poisson(a * b), [(1.0, 2.0), (1.0, -2.0)]),
    (
        np.random.default_rng,
        lambda a, b, rng: rng.choice(a, b, replace=False).sum(),
        [(9, 4), (2, 2), (2, 3), (0, 1), (20_000, 3), (5, -1)],
    ),
    (
        np.random.RandomState,
        lambda a, b, rng: rng.choice(a, b, replace=False).sum(),
        [(9, 4), (2, 2), (2, 3), (0, 1)],
    ),
    (np.random.default_rng, lambda a, _, rng: rng.choice(a), [(9, 0), (0, 0)]),
    (np.random.RandomState, lambda a, b, rng: rng.randint(a, b), [(1, 9), (3, 3)]),
    (np.random.RandomState, lambda a, b, rng: rng.normal(a, b), [(1.0, 2.0), (0.0, -1.0)]),
    (random.Random, lambda a, b, rng: rng.uniform(a, b), [(1.0, 2.5), (3.0, 1.0)]),
    (random.Random, lambda a, b, rng: rng.randint(a, b), [(1, 9), (3, 3), (5, 4)]),
    (random.Random, lambda a, b, rng: rng.gauss(a, b), [(1.0, 2.5), (3.0, -1.0)]),
    (random.Random, lambda a, b, rng: rng.expovariate(a) + b, [(1.0, 2.5), (0.0, 1.0)]),
]


@pytest.mark.parametrize("jit_compile", [None, True])
@pytest.mark.parametrize(("make", "draw", "calls"), STAGED)
def test_parameters_of_the_run_are_asked_for_as_the_method_does(make, draw, calls, jit_compile):
    def several(a, b, rng):
        total = 0.0
        for _ in range(rt.asarray(5)):
            total += draw(a, b, rng)
        return total

    staged = [tuple(map(np.asarray, each)) for each in calls]
    require_alike(several, make, [(one[()], other[()]) for one, other in staged], jit_compile=jit_compile)


# ── programs ──


def pi(count, rng):
    inside = 0
    for _ in range(count):
        x, y = rng.random(), rng.random()
        if x * x + y * y < 1:
            inside += 1
    return 4 * inside / count


def chain(count, rng):
    place, taken, total = 0.0, 0, 0.0
    for _ in range(count):
        other = place + rng.uniform(-1, 1)
        if rng.random() < np.exp((place * place - other * other) / 2):
            place = other
            taken += 1
        total += place * place
    return total, taken


def until(count, rng):
    turns = 0
    while rng.random() > 1 / count:
        turns += 1
    return turns


def ended(count, rng):
    total = 0.0
    for _ in range(count):
        found = rng.normal()
        if found > 2:
            raise ValueError("too far")
        total += found
    return total


def caught(count, rng):
    bad = 0
    for _ in range(count):
        try:
            bad += 1 // int(rng.integers(0, 3))
        except ZeroDivisionError:
            bad += 10 * int(rng.integers(0, 2))
    return bad


def overflowing(count, rng):
    found = np.float64(1.0)
    for _ in range(count):
        found = found * (2.0 + rng.random())
    return found


def nested(count, rng):
    return 0.0 if count <= 0 else rng.random() + nested(count - 1 - rng.integers(0, 2), rng)


def with_arrays(count, rng):
    total = 0.0
    for _ in range(count):
        one = rng.normal(size=3)
        total += one[0] * one[1] - one[2]
    return total, rng.random(size=count)[-1]


def sorted_by_chance(count, rng):
    items, total = np.arange(10), 0
    for _ in range(count):
        rng.shuffle(items)
        total = (total * 31 + items[3]) % 1_000_003
    return total


def pairs(count, rng):
    items, total = np.arange(12.0), 0.0
    for turn in range(count):
        one, other = rng.choice(len(items), 2, replace=False)
        few = rng.choice(items, turn % 13, replace=False)
        total = total * 0.5 + items[one] - items[other] + few.sum()
    return total


def by_weights(count, rng):
    parts, drawn = np.array([0.2, 0.5, 0.3]), np.zeros(4, int)
    for turn in range(count):
        drawn[rng.choice(3, p=parts)] += 1
        drawn[3] += rng.choice(np.array([5, 7, 11]), p=parts)
        parts = parts + np.array([0.01, -0.01, 0.0]) * (turn % 3 - 1)
    return drawn


def by_weights_that_are_none(count, rng):
    parts, drawn = np.array([0.25, 0.5, 0.25]), 0
    for _ in range(count):
        drawn += rng.choice(3, p=parts)
        parts[0] -= 0.125
        parts[2] += 0.125
    return drawn


def by_python_too(count, rng):
    total = 0.0
    for _ in range(count):
        total += rng.multivariate_normal([0.0, 0.0], [[1.0, 0.0], [0.0, 1.0]])[1] + rng.random()
    return total


PROGRAMS = [
    pi,
    chain,
    until,
    ended,
    caught,
    overflowing,
    nested,
    with_arrays,
    sorted_by_chance,
    pairs,
    by_weights,
    by_weights_that_are_none,
    by_python_too,
]


@pytest.mark.parametrize("jit_compile", [None, True])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_leaves_the_generator_where_python_does(program, jit_compile):
    calls = [(np.int64(count),) for count in (20, 400, 3000 if program is not nested else 30, 2)]
    require_alike(program, np.random.default_rng, calls, jit_compile=jit_compile)


def kept_normals(count, rng):
    total = 0.0
    for _ in range(count):
        total += rng.gauss(0, 1) if isinstance(rng, random.Random) else rng.randn()
        if total > 9:
            raise ValueError("too far")
    return total


@pytest.mark.parametrize("jit_compile", [None, True])
@pytest.mark.parametrize("make", [np.random.RandomState, random.Random])
def test_a_normal_number_that_a_generator_keeps_is_the_first_of_the_next_call(make, jit_compile):
    calls = [(np.int64(count),) for count in (3, 3, 1, 2, 400, 400, 3)]
    require_alike(kept_normals, make, calls, jit_compile=jit_compile)


def with_python_between(count, rng):
    total = 0.0
    for _ in range(count):
        total += rng.gauss(0, 1) + rng.triangular(0, 1, 0.5) + ag.host_call(rng.gauss, 0, 1, result=float)
    return total


def test_a_call_of_python_finds_the_normal_number_that_a_generator_keeps():
    ours, pythons = random.Random(3), random.Random(3)
    graph = ag.function(with_python_between, jit_compile=True)
    for _ in range(3):
        assert graph(rt.asarray(3), ours) == with_python_between(3, pythons)
        assert ours.getstate() == pythons.getstate()


def seeded(count, seed):
    np.random.seed(seed)
    random.seed(seed)
    total = 0.0
    for _ in range(count):
        total += np.random.randn() * np.random.rand() + random.gauss(0, 1) + random.random()
    return total


@pytest.mark.parametrize("seed", [0, 7, 2**32 - 1, -1, 2**40])
def test_a_seed_starts_the_generators_of_the_modules_anew(seed):
    before = np.random.get_state(), random.getstate()
    try:
        graph = ag.function(seeded)
        found = outcome(graph, np.int64(5), seed), repr(np.random.get_state()), random.getstate()
        np.random.set_state(before[0])
        random.setstate(before[1])
        assert found == (outcome(seeded, 5, seed), repr(np.random.get_state()), random.getstate())
    finally:
        np.random.set_state(before[0])
        random.setstate(before[1])


def of_a_seed(count, seed):
    rng = np.random.default_rng(seed)
    total = 0.0
    for _ in range(count):
        total += rng.normal() * rng.integers(1, 7)
    return total, rng.random(3)


def of_a_seed_each_turn(count, seed):
    total = 0.0
    for turn in range(count):
        rng = np.random.default_rng(seed + turn)
        total += rng.random() + rng.integers(5)
    return total


def of_one_of_two(count, seed):
    one, other = np.random.default_rng(seed), np.random.default_rng(7)
    total = 0.0
    for turn in range(count):
        rng = one if turn % 3 == 0 else other
        total += rng.random() - one.random()
    return total


def in_a_recursion(count, seed):
    def below(left, rng):
        return 0.0 if left <= 0 else rng.random() + below(left - 1 - rng.integers(0, 2), rng)

    return below(count, np.random.default_rng(seed))


def in_a_try(count, seed):
    rng, bad = np.random.default_rng(seed), 0
    for _ in range(count):
        try:
            bad += 1 // int(rng.integers(0, 3))
        except ZeroDivisionError:
            bad += int(rng.integers(0, 9))
    return bad


def of_what_is_refused(count, seed):
    rng = np.random.default_rng(seed)
    total = 0.0
    for turn in range(count):
        total += rng.exponential(30.0 - turn)
    return total


def given_to_python(count, seed):
    rng = np.random.default_rng(seed)
    total = 0.0
    for _ in range(count):
        total += rng.random() + ag.host_call(np.random.Generator.normal, rng, result=float)
    return total


def shuffled_by_a_seed(count, seed):
    rng, items, total = np.random.default_rng(seed), np.arange(10.0), 0.0
    for _ in range(count):
        rng.shuffle(items)
        one, other = rng.choice(10, 2, replace=False)
        total = total * 0.5 + items[one] - items[other]
    return total, rng.random()


MADE = [
    of_a_seed,
    shuffled_by_a_seed,
    of_a_seed_each_turn,
    of_one_of_two,
    in_a_recursion,
    in_a_try,
    of_what_is_refused,
    given_to_python,
]


@pytest.mark.parametrize("jit_compile", [None, True])
@pytest.mark.parametrize("program", MADE)
def test_a_generator_that_the_program_makes_draws_as_numpys(program, jit_compile):
    graph = ag.function(program, jit_compile=jit_compile)
    for count, seed in ((3, 0), (30, 7), (40, 2**40 + 3), (2, -1), (0, 5)):
        wanted = outcome(program, np.int64(count), np.int64(seed))
        assert outcome(graph, np.int64(count), np.int64(seed)) == wanted
    concrete = graph.concrete_functions[-1]
    if program is not given_to_python:
        assert {step.runs for step in concrete.report().steps if step.op == "PyFunc"} == {"machine code"}


def test_the_interpreter_of_loops_makes_the_same_generator():
    module = ag.function(of_a_seed).get_concrete_function(rt.asarray(20), rt.asarray(7)).optimised_module
    one, several = Interpreted(lowered(module, Beyond.ANOTHER), module.entry).run(
        [np.asarray(20), np.asarray(7)]
    )
    wanted = of_a_seed(20, 7)
    assert one == wanted[0]
    assert several.tolist() == wanted[1].tolist()


def test_a_generator_of_new_bits_is_found_where_these_are():
    rng, other = np.random.RandomState(3), np.random.RandomState(3)
    graph = ag.function(pi)
    assert graph(rt.asarray(30), rng) == pi(30, other)
    for each in (rng, other):
        each.__setstate__(np.random.RandomState(5).__getstate__())
    assert graph(rt.asarray(30), rng) == pi(30, other)


def test_old_generators_of_other_bits_draw_as_numpy_does():
    require_alike(pi, lambda seed: np.random.RandomState(np.random.PCG64(seed)), [(np.int64(30),)] * 2)
    require_alike(
        kept_normals, lambda seed: np.random.RandomState(np.random.SFC64(seed)), [(np.int64(3),)] * 3
    )


def test_only_a_mersenne_twister_takes_an_old_seed():
    def again(count, rng):
        rng.seed(3)
        return pi(count, rng)

    require_alike(again, np.random.RandomState, [(np.int64(30),)] * 2)
    require_alike(again, lambda seed: np.random.RandomState(np.random.PCG64(seed)), [(np.int64(30),)] * 2)


def test_a_generator_whose_bits_are_of_another_class_now_is_refused():
    rng = np.random.default_rng(3)
    graph = ag.function(lambda n: pi(n, rng))
    graph(rt.asarray(30))
    rng.__init__(np.random.MT19937(3))
    with pytest.raises(GraphError, match="bits of a MT19937 now"):
        graph(rt.asarray(30))


def test_a_generator_whose_bits_are_of_another_class_now_has_another_graph_where_it_is_given():
    rng, graph = np.random.default_rng(3), ag.function(pi)
    graph(rt.asarray(30), rng)
    rng.__init__(np.random.MT19937(3))
    twin = np.random.Generator(np.random.MT19937(3))
    assert float(graph(rt.asarray(30), rng)) == pi(30, twin)
    assert state_of(rng) == state_of(twin)


def test_the_interpreter_of_loops_draws_the_same():
    for program in (pi, chain, with_arrays):
        rngs = [np.random.default_rng(4) for _ in range(3)]
        concrete = ag.function(program).get_concrete_function(rt.TensorSpec((), rt.int64), rngs[0])
        module = concrete.optimised_module
        found = Interpreted(lowered(module, Beyond.ANOTHER), module.entry).run([np.asarray(20)])
        assert [*map(float, found)] == [*np.atleast_1d(program(20, rngs[1]))]
        assert state_of(rngs[0]) == state_of(rngs[1])


def test_a_library_in_c_has_no_generator_of_this_process(tmp_path):
    concrete = ag.function(pi).get_concrete_function(rt.TensorSpec((), rt.int64), np.random.default_rng(4))
    with pytest.raises(CompileError, match="PyFunc"):
        ag.compile_library(concrete, str(tmp_path / "pi.so"))
