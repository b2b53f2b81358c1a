"""What is timed of later calls runs, and gives what plain Python gives."""

import copy
import random

import numpy as np
import pytest

import autograph as ag
from benchmarks import draws, lookups, printing, products, sweeps
from benchmarks.later_calls import PROGRAMS, times


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program[0].__name__)
def test_each_function_gives_what_plain_python_gives(program):
    function, make = program
    staged = ag.function(function)
    given = make()
    wanted = function(*copy.deepcopy(given))
    assert numbers(staged(*copy.deepcopy(given))) == numbers(wanted)


@pytest.mark.parametrize("program", lookups.PROGRAMS, ids=lambda program: program[0].__name__)
def test_each_function_of_lookups_gives_what_plain_python_gives(program):
    function, (make, _) = program
    assert numbers(ag.function(function)(*make())) == numbers(function(*make()))


@pytest.mark.parametrize("program", printing.PROGRAMS, ids=lambda program: program[0].__name__)
def test_each_function_that_prints_gives_and_prints_what_plain_python_does(program, capsys):
    function, make = program
    wanted = function(*make())
    shown = capsys.readouterr().out
    assert numbers(ag.function(function)(*make())) == numbers(wanted)
    assert capsys.readouterr().out == shown


@pytest.mark.parametrize("program", sweeps.PROGRAMS, ids=lambda program: program[0].__name__)
def test_each_loop_over_arrays_gives_numpys_bits(program):
    function, make = program
    given = make()
    found, wanted = ag.function(function)(*copy.deepcopy(given)), function(*copy.deepcopy(given))
    for one, other in zip(_together(found), _together(wanted), strict=True):
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()


def _together(value):
    return value if isinstance(value, tuple) else (value,)


@pytest.mark.parametrize("program", draws.PROGRAMS, ids=lambda program: program[0].__name__)
def test_each_function_that_draws_gives_what_plain_python_gives(program):
    function, make, _ = program
    count, *others = make()
    ours, pythons = copy.deepcopy(others), copy.deepcopy(others)
    before = random.getstate(), np.random.get_state()  # noqa: NPY002  # some functions draw from these
    staged = ag.function(function)
    for turns in (np.int64(50), np.int64(400)):
        found = staged(turns, *ours)
        after = random.getstate()
        random.setstate(before[0])
        assert numbers(found) == numbers(function(turns, *pythons))
        assert random.getstate() == after
        before = after, before[1]
    np.random.set_state(before[1])  # noqa: NPY002  # as above
    assert count > 0


def numbers(value):
    if isinstance(value, (list, tuple)):
        return [numbers(each) for each in value]
    if isinstance(value, dict):
        return [(key, numbers(each)) for key, each in value.items()]
    if isinstance(value, str):
        return value
    return np.round(np.asarray(value, np.float64), 9).tolist()


def test_both_have_a_time():
    function, make = PROGRAMS[0]
    plain, graph, why = times(function, make, rounds=1, warm=2)
    assert min(plain, graph) > 0
    assert why


@pytest.mark.parametrize("name", products.PROGRAMS)
def test_each_function_of_products_gives_what_plain_python_gives_in_machine_code(name):
    function, arguments = products.PROGRAMS[name]
    graph = ag.function(function)
    for _ in range(2):
        assert np.asarray(graph(*arguments)).tobytes() == np.asarray(function(*arguments)).tobytes()
    has_loops = function not in {products.layers, products.attention}
    assert graph.concrete_functions[0].report().executor == ("native" if has_loops else "numpy")
