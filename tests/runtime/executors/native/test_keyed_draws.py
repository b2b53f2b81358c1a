"""Machine code draws with keys what eager code draws, to the last bit, in memory of the run."""

import ctypes
import shutil
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autograph as ag
import runtime as rt
from runtime.errors import CompileError
from runtime.executors.native.beyond import Beyond
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.lower import keyed_draws
from runtime.executors.native.randomness.philox import bounds_as_known, lies_as_known
from runtime.executors.native.whole import lowered
from runtime.ops.random.keys import generator_at

SEEDS = [0, 7, 2**64 - 1, 12345678901234567890123, 2**128 - 1]

DRAWS = {
    "uniform": lambda key, i, x: rt.random.uniform((), key=key),
    "uniform, single": lambda key, i, x: rt.random.uniform((), key=key, dtype=rt.float32),
    "uniform, several": lambda key, i, x: rt.random.uniform((3, 2), key=key),
    "uniform, several single": lambda key, i, x: rt.random.uniform((5,), key=key, dtype=rt.float32),
    "uniform, limits": lambda key, i, x: rt.random.uniform((), x, x + 3.0, key=key),
    "uniform, many limits": lambda key, i, x: rt.random.uniform((3,), rt.stack([x, -x, 0.0]), 5.0, key=key),
    "normal": lambda key, i, x: rt.random.normal((), key=key),
    "normal, several": lambda key, i, x: rt.random.normal((300,), key=key),
    "normal, single": lambda key, i, x: rt.random.normal((), key=key, dtype=rt.float32),
    "normal, several single": lambda key, i, x: rt.random.normal((7,), key=key, dtype=rt.float32),
    "normal, parameters": lambda key, i, x: rt.random.normal((), x, x * x, key=key),
    "normal, many parameters": lambda key, i, x: rt.random.normal(None, 0.0, rt.stack([x, x + 1.0]), key=key),
    "exponential": lambda key, i, x: rt.random.exponential((), key=key),
    "exponential, several": lambda key, i, x: rt.random.exponential((300,), x * x, key=key),
    "exponential, single": lambda key, i, x: rt.random.exponential((3,), key=key, dtype=rt.float32),
    "gamma": lambda key, i, x: rt.random.gamma(x * x, (), key=key),
    "gamma, single": lambda key, i, x: rt.random.gamma(x * x, (4,), key=key, dtype=rt.float32),
    "poisson": lambda key, i, x: rt.random.poisson(x * x * 9, (), key=key),
    "poisson, int32": lambda key, i, x: rt.random.poisson(x, (3,), key=key, dtype=rt.int32),
    "integers": lambda key, i, x: rt.random.integers(10, key=key),
    "integers, one": lambda key, i, x: rt.random.integers(3, 4, (2,), key=key),
    "integers, wide": lambda key, i, x: rt.random.integers(-(2**40), 2**45, (3,), key=key),
    "integers, rejected": lambda key, i, x: rt.random.integers(0, 2**31 + 5, (9,), key=key),
    "integers, wide and rejected": lambda key, i, x: rt.random.integers(-5, 2**63 - 1, (9,), key=key),
    "integers, limits": lambda key, i, x: rt.random.integers(-5, i, (4,), key=key, endpoint=True),
    "integers, int32": lambda key, i, x: rt.random.integers(-5, i, (4,), key=key, dtype=rt.int32),
    "integers, uint32": lambda key, i, x: rt.random.integers(0, 2**32, (3,), key=key, dtype=rt.uint32),
    "integers, uint64": lambda key, i, x: rt.random.integers(
        2**63, 2**64 - 1, (3,), key=key, dtype=rt.uint64
    ),
    "bits": lambda key, i, x: rt.random.bits((3,), key=key),
    "bits, int64": lambda key, i, x: rt.random.bits((), key=key, dtype=rt.int64),
    "bits, uint32": lambda key, i, x: rt.random.bits((), key=key, dtype=rt.uint32),
    "bernoulli": lambda key, i, x: rt.random.bernoulli(0.3, (), key=key),
    "bernoulli, several": lambda key, i, x: rt.random.bernoulli(x / 9, (5,), key=key),
    "permutation": lambda key, i, x: rt.random.permutation(9, key=key),
    "permutation, length": lambda key, i, x: rt.random.permutation(i + 3, key=key)[2],
    "shuffle": lambda key, i, x: rt.random.shuffle(rt.stack([x, x + 1, x + 2]), key=key),
    "choice": lambda key, i, x: rt.random.choice(rt.asarray([3.5, 1.0, 2.0]), (3,), key=key),
    "choice, once each": lambda key, i, x: rt.random.choice(7, (3,), replace=False, key=key),
    "choice, probabilities": lambda key, i, x: rt.random.choice(3, (), p=[0.2, 0.5, 0.3], key=key),
    "choice, several by probabilities": lambda key, i, x: rt.random.choice(
        rt.stack([x, 2.0, 3.0]), (4, 2), p=[0.0, 0.6, 0.4], key=key
    ),
    "categorical": lambda key, i, x: rt.random.categorical(rt.stack([0.0, x, 2.0]), key=key),
    "fold_in": lambda key, i, x: rt.random.fold_in(key, i),
    "fold_in, carried": lambda key, i, x: rt.random.fold_in(key, -1 - i),
    "split": lambda key, i, x: rt.random.split(key, 3),
    "split, in a shape": lambda key, i, x: rt.random.split(key, (2, 2))[1],
    "split, length": lambda key, i, x: rt.random.split(key, i + 1)[i],
    "one key for several": lambda key, i, x: (
        rt.random.uniform((), key=key) + rt.random.normal((2,), key=key) * rt.random.uniform((), key=key)
    ),
}
BY_PYTHON = {
    "of small integers": lambda key, i, x: rt.random.integers(0, 10, (4,), key=key, dtype=rt.int8),
    "of half floats": lambda key, i, x: rt.random.uniform((2,), key=key, dtype=rt.float16),
    "by probabilities of the run": lambda key, i, x: rt.random.choice(
        2, p=rt.stack([x / 2, 1 - x / 2]), key=key
    ),
    "once each, by probabilities": lambda key, i, x: rt.random.choice(
        3, 2, replace=False, p=[0.2, 0.5, 0.3], key=key
    ),
    "of many limits": lambda key, i, x: rt.random.integers(0, rt.stack([i + 1, 9]), key=key),
    "of many means": lambda key, i, x: rt.random.poisson(rt.stack([x, x + 1]), key=key),
}


def drawn(draw):
    def program(n, key, x):
        found = []
        for i in range(n):
            key, now = rt.random.split(key)
            found.append(draw(now, i, x))
        return found

    return program


def bits_of(values):
    arrays = [np.asarray(each) for each in values]
    return [(each.dtype, each.shape, each.tobytes()) for each in arrays]


def is_machine_code(function):
    report = function.concrete_functions[-1].report()
    return report.executor == "native" and all(step.runs == "machine code" for step in report.steps)


def require_alike(program, jit_compile, seeds=SEEDS):
    function = ag.function(program, jit_compile=jit_compile)
    for seed in seeds:
        for n, x in ((6, 0.5), (3, 1.5), (0, 1.0)):
            wanted = bits_of(program(n, rt.random.key(seed), rt.asarray(x)))
            found = function(rt.asarray(n), rt.random.key(seed), rt.asarray(x))
            assert bits_of(found if n else []) == wanted
    return function


@pytest.mark.parametrize("jit_compile", [None, True])
@pytest.mark.parametrize("name", DRAWS)
def test_a_draw_with_a_key_is_what_eager_code_draws(name, jit_compile):
    assert is_machine_code(require_alike(drawn(DRAWS[name]), jit_compile))


@pytest.mark.parametrize("name", BY_PYTHON)
def test_what_has_no_machine_code_is_drawn_by_numpy(name):
    assert not is_machine_code(require_alike(drawn(BY_PYTHON[name]), True, SEEDS[:2]))


def several(n, m, key):
    one, other = rt.random.split(key)
    found = rt.random.normal((n, m), key=one), rt.random.integers(-m - 1, n + 1, (m,), key=other)
    for _ in range(rt.asarray(1)):
        other = rt.random.fold_in(other, n)
    return *found, rt.random.uniform((n,), key=other, dtype=rt.float32), rt.random.split(other, m)


ANY_KEY = rt.TensorSpec((2,), "uint64")
WHOLE = rt.TensorSpec((), "int64")


@pytest.fixture(scope="module")
def of_any_length():
    return ag.function(several, jit_compile=True).get_concrete_function(WHOLE, WHOLE, ANY_KEY)


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 2**128 - 1), n=st.integers(0, 20), m=st.integers(0, 20))
def test_any_seed_and_any_lengths_give_what_eager_code_gives(of_any_length, seed, n, m):
    key = rt.random.key(seed)
    assert bits_of(of_any_length(rt.asarray(n), rt.asarray(m), key)) == bits_of(several(n, m, key))


def bounded(low, most, key):
    return rt.random.integers(low, low + most, (9,), endpoint=True, key=key)


@pytest.fixture(scope="module")
def of_any_limits():
    return ag.function(bounded, jit_compile=True).get_concrete_function(WHOLE, WHOLE, ANY_KEY)


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 2**64), low=st.integers(-(2**62), 2**62), bits=st.integers(0, 62), data=st.data())
def test_any_limits_give_what_eager_code_gives(of_any_limits, seed, low, bits, data):
    most = min(data.draw(st.integers(0, 2**bits)), 2**63 - 1 - low)
    key = rt.random.key(seed)
    assert bits_of([of_any_limits(rt.asarray(low), rt.asarray(most), key)]) == bits_of(
        [bounded(low, most, key)]
    )


# ── programs ──


def in_branches(n, key, x):
    place = x
    for _ in range(n):
        key, now = rt.random.split(key)
        if rt.random.bernoulli(0.5, key=now):
            place = place + rt.random.normal((), key=rt.random.fold_in(now, 1))
        else:
            key, other = rt.random.split(key)
            place = place - rt.random.uniform((3,), key=other)[1]
    return place, key


def in_a_recursion(n, key, x):
    def below(left, key):
        if left <= 0:
            return rt.random.uniform((), key=key) * x
        one, other = rt.random.split(key)
        step = rt.random.normal((), key=one)
        return step + below(left - 1, other) - rt.random.uniform((), key=one)

    return below(n, key)


def until(n, key, x):
    turns = 0
    while rt.random.uniform((), key=rt.random.fold_in(key, turns)) > x / n:
        turns += 1
    return turns


def in_a_try(n, key, x):
    bad, total = 0, 0.0
    for i in range(n):
        try:
            total += rt.random.normal((), 0.0, x - i, key=rt.random.fold_in(key, i))
        except ValueError:
            bad += 1
    return bad, total


def in_a_try_of_arrays(n, key, x):
    bad, total = 0, 0.0
    for i in range(n):
        try:
            scales = rt.stack([x, x - i, x - 2.0 * i])
            total += rt.random.exponential((3,), scales, key=rt.random.fold_in(key, i))[2]
        except ValueError:
            bad += 1
    return bad, total


def of_negative_scales(n, key, x):
    total = 0.0
    for i in range(n):
        total += rt.random.exponential((), x - i, key=rt.random.fold_in(key, i))
    return total


def of_a_negative_scale_among_others(n, key, x):
    total = 0.0
    for i in range(n):
        scales = rt.stack([x, x - i, x - 2.0 * i])
        total += rt.random.exponential((3,), scales, key=rt.random.fold_in(key, i))[0]
    return total


def of_no_integers(n, key, x):
    total = 0
    for i in range(n):
        total += rt.random.integers(i, 3, key=rt.random.fold_in(key, i))
    return total


def of_limits_outside(n, key, x):
    total = 0
    for i in range(n):
        total += rt.random.integers(0, 2**30 * (i + 1), key=rt.random.fold_in(key, i), dtype=rt.int32)
    return total


def of_negative_means(n, key, x):
    total = 0
    for i in range(n):
        total += rt.random.poisson(x - i, key=rt.random.fold_in(key, i))
    return total


def of_no_probabilities(n, key, x):
    total = 0
    for i in range(n):
        total += rt.random.choice(3, p=[0.2, 0.5, 0.2], key=rt.random.fold_in(key, i))
    return total


def of_too_few(n, key, x):
    total = 0
    for i in range(n):
        total += rt.random.choice(3 - i, (2,), replace=False, key=rt.random.fold_in(key, i))[0]
    return total


PROGRAMS = [
    in_branches,
    in_a_recursion,
    until,
    in_a_try,
    in_a_try_of_arrays,
    of_negative_scales,
    of_a_negative_scale_among_others,
    of_no_integers,
    of_limits_outside,
    of_negative_means,
    of_too_few,
    of_no_probabilities,
]


def outcome(function, *arguments):
    try:
        found = function(*arguments)
    except ValueError as error:
        return type(error), str(error).replace("while the graph ran this line:\n", "")
    return bits_of(found if isinstance(found, tuple) else [found])


@pytest.mark.parametrize("jit_compile", [None, True])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_gives_and_raises_what_eager_code_does(program, jit_compile):
    function = ag.function(program, jit_compile=jit_compile)
    for seed, n, x in ((5, 2, 2.5), (6, 20, 2.5), (7, 20, 0.5)):
        key = rt.random.key(seed)
        wanted = outcome(program, n, key, rt.asarray(x))
        assert outcome(function, rt.asarray(n), key, rt.asarray(x)) == wanted
    assert is_machine_code(function) is (program is not of_no_probabilities)


def test_sums_of_what_is_drawn_are_added_in_numpys_order():
    def program(n, key):
        total = 0.0
        for i in range(n):
            total += rt.random.normal((3, 40, 5), key=rt.random.fold_in(key, i)).sum()
        return total

    function = ag.function(program)
    assert function(rt.asarray(9), rt.random.key(3)) == program(9, rt.random.key(3))
    assert is_machine_code(function)


def test_threads_draw_each_with_its_own_key():
    function, found = ag.function(in_branches), {}
    wanted = {seed: outcome(in_branches, 100, rt.random.key(seed), rt.asarray(1.0)) for seed in range(4)}
    function(rt.asarray(3), rt.random.key(0), rt.asarray(1.0))

    def draw(seed):
        calls = [outcome(function, rt.asarray(100), rt.random.key(seed), rt.asarray(1.0)) for _ in range(50)]
        found[seed] = all(each == wanted[seed] for each in calls)

    threads = [threading.Thread(target=draw, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == dict.fromkeys(range(4), True)


# ── what it stands on ──


def test_philox_lies_and_steps_as_machine_code_has_it():
    assert lies_as_known()
    assert bounds_as_known()


def test_a_philox_that_lies_in_another_way_is_called_in_python(monkeypatch):
    monkeypatch.setattr(keyed_draws, "is_there", lambda _: False)
    function = require_alike(drawn(DRAWS["normal, several"]), True, SEEDS[:1])
    steps = function.concrete_functions[-1].report().steps
    assert {step.op for step in steps if step.runs == "call of Python"} >= {
        "SplitKey",
        "RandomStandardNormal",
    }


def test_counters_go_on_where_a_word_of_theirs_is_over():
    def folded(key, number):
        return rt.random.fold_in(key, number)

    function = ag.function(folded, jit_compile=True)
    key = rt.random.key(3)
    for number in (0, 1, 2**63 - 1, -(2**63), -1):
        raw = generator_at(np.asarray(key), np.uint64(number % 2**64), 1).bit_generator.random_raw(2)
        assert function(key, rt.asarray(number)).tolist() == raw.tolist()
    assert is_machine_code(function)


def summed(draw):
    def program(n, key, x):
        total, key_now = rt.asarray(0.0), key
        for i in range(n):
            key_now, now = rt.random.split(key_now)
            for each in rt.reshape(rt.cast(draw(now, i, x), rt.float64), (-1,)):
                total = total * 0.5 + each
        return total, key_now

    return program


@pytest.mark.parametrize("name", DRAWS)
def test_the_interpreter_of_loops_draws_the_same(name):
    program = summed(DRAWS[name])
    concrete = ag.function(program).get_concrete_function(WHOLE, ANY_KEY, rt.TensorSpec((), "float64"))
    module, key = concrete.optimised_module, rt.random.key(9)
    found = Interpreted(lowered(module, Beyond.ANOTHER), module.entry).run(
        [np.asarray(5), np.asarray(key), np.asarray(1.5)]
    )
    assert bits_of(found) == bits_of(program(5, key, rt.asarray(1.5)))


# ── libraries ──


def of_a_library(n, key, low, high):
    total, many = 0.0, 0
    for i in range(n):
        key, now = rt.random.split(key)
        total += rt.random.uniform((), low, high, key=now)
        many += rt.random.integers(1, 7, key=rt.random.fold_in(now, i))
    return total, many, key


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler is installed")
def test_a_library_in_c_draws_uniform_numbers_and_splits_keys(tmp_path):
    number = rt.TensorSpec((), "float64")
    concrete = ag.function(of_a_library).get_concrete_function(WHOLE, ANY_KEY, number, number)
    path = tmp_path / "chance.so"
    ag.compile_library(concrete, str(path), name="chance")
    library = ctypes.CDLL(str(path))
    library.chance.argtypes = [
        ctypes.c_int64,
        ctypes.c_void_p,
        *[ctypes.c_double] * 2,
        *[ctypes.c_void_p] * 3,
    ]
    library.chance_error.restype = ctypes.c_char_p
    key = np.array([3, 5], np.uint64)
    total, many, left = ctypes.c_double(), ctypes.c_int64(), np.zeros(2, np.uint64)
    results = ctypes.byref(total), ctypes.byref(many), left.ctypes.data
    assert library.chance(20, key.ctypes.data, -1.0, 2.0, *results) == 0
    wanted = of_a_library(20, rt.asarray(key), -1.0, 2.0)
    assert bits_of([np.float64(total.value), np.int64(many.value), left]) == bits_of(wanted)
    assert library.chance(20, key.ctypes.data, 2.0, 1.0, *results) != 0
    assert b"`maxval - minval` of `rt.random.uniform` is -1" in library.chance_error()


def test_a_library_in_c_has_none_of_numpys_distributions(tmp_path):
    concrete = ag.function(drawn(DRAWS["normal"])).get_concrete_function(
        WHOLE, ANY_KEY, rt.TensorSpec((), "float64")
    )
    with pytest.raises(CompileError, match="`RandomStandardNormal` has no machine code"):
        ag.compile_library(concrete, str(tmp_path / "normal.so"))
