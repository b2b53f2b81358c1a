"""An array of a list that stayed empty is another one than NumPy's: the run warns at its line."""

import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.errors import KindsMeetWarning


def places(x):
    found = []
    for i in range(len(x)):
        if x[i] > 2:
            found.append(i)
    return np.array(found)


def rows_of(x):
    rows = []
    for v in x:
        if v > 2:
            rows.append([v, v])
    return np.asarray(rows)


def total(x):
    found = []
    for i in range(len(x)):
        if x[i] > 2:
            found.append(i)
    return np.sum(found)


def beside_an_array(x):
    rows = []
    for v in x:
        if v > 2:
            rows.append([v, v])
    return (rows - x[:2]).sum()


def laid_beside_others(x):
    found = []
    for i in range(len(x)):
        if x[i] > 2:
            found.append(i)
    return np.concatenate([found, [7]])


FULL, EMPTY = np.arange(5.0), np.zeros(5)


def told(function, *args):
    """What a call gives, and the lines that it has warned of."""
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        found = function(*args)
    kinds = [each for each in given if each.category is KindsMeetWarning]
    assert len(kinds) == len(given)
    return found, [each.lineno for each in kinds if each.filename == __file__]


@pytest.mark.parametrize("function", [places, rows_of, total, laid_beside_others])
@pytest.mark.parametrize("executor", [None, "numpy"])
def test_a_run_whose_list_stays_empty_warns_at_the_line(function, executor):
    graph = ag.function(function)
    graph = graph if executor is None else graph.on_executor(executor)
    end = function.__code__.co_firstlineno + 5
    found, lines = told(graph, FULL)
    np.testing.assert_array_equal(found, function(FULL))
    assert lines == []
    found, lines = told(graph, EMPTY)
    assert np.size(found) == np.size(function(EMPTY))
    assert lines == [end]


@pytest.mark.parametrize("executor", [None, "numpy"])
def test_a_run_warns_of_an_operator_too(executor):
    graph = ag.function(beside_an_array)
    graph = graph if executor is None else graph.on_executor(executor)
    assert told(graph, FULL) == (beside_an_array(FULL), [])
    assert told(graph, EMPTY)[1] == [beside_an_array.__code__.co_firstlineno + 5]


@pytest.mark.parametrize("function", [np.any, np.size, np.count_nonzero, np.all])
def test_nothing_is_said_where_a_function_gives_the_same_of_no_ints(function):
    def f(x):
        return function([i for i in range(len(x)) if x[i] > 2])

    for x in (FULL, EMPTY):
        assert told(ag.function(f), x) == (f(x), [])


@pytest.mark.parametrize("options", [{"jit_compile": True}, {"executor": "reference"}])
def test_other_executors_warn_of_the_call(options):
    graph = ag.function(places, **options)
    assert told(graph, FULL)[1] == []
    assert len(told(graph, EMPTY)[1]) == 1
    assert told(graph, FULL)[0].tolist() == [3, 4]


def test_nothing_is_said_where_the_array_is_the_same():
    def floats(x):
        return np.array([v for v in x if v > 2])

    def ints(x):
        return np.array([i for i in range(len(x)) if x[i] > 2], dtype=int)

    for function in (floats, ints):
        for x in (FULL, EMPTY):
            found, lines = told(ag.function(function), x)
            assert lines == []
            assert found.dtype == function(x).dtype
            np.testing.assert_array_equal(found, function(x))


def test_an_array_that_is_not_made_is_not_told_of():
    def guarded(x):
        found = []
        for i in range(len(x)):
            if x[i] > 2:
                found.append(i)
        return np.array(found) if found else np.zeros(1, int)

    for x in (FULL, EMPTY):
        found, lines = told(ag.function(guarded), x)
        assert lines == []
        np.testing.assert_array_equal(found, guarded(x))


def test_a_graph_with_such_an_array_is_written_for_tensorflow():
    graph = ag.function(places).get_concrete_function(FULL).graph
    assert "TellEmpty" in str(graph)
    written = graph.as_graph_def()
    assert len(written.node) > 0
    assert b"TellEmpty" not in written.SerializeToString()
