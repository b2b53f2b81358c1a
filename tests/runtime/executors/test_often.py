"""A graph without loops that is called often becomes machine code, with NumPy's bits, warnings and errors."""

import warnings

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.often import CALLS, CALLS_OF_FEW


def noise(x, y):
    a, b = np.sin(x) * 43758.5, np.cos(y) * 2.5
    f, g = a - np.floor(a), b - np.floor(b)
    u, v = f * f * (3.0 - 2.0 * f), g * g * (3.0 - 2.0 * g)
    return u * (1.0 - v) + v if u > v else v / (1.0 - u)


def executor_of(graph):
    return graph.concrete_functions[0].report().executor


def test_it_begins_on_numpy_and_has_the_same_bits_before_and_behind():
    graph = ag.function(noise)
    ran = set()
    for turn in range(CALLS + 20):
        x, y = np.float64(turn / 7), np.float64(turn / 3)
        assert graph(x, y).numpy().tobytes() == noise(x, y).tobytes()
        ran.add((turn < CALLS, executor_of(graph)))
    assert ran == {(True, "numpy"), (False, "native")}


def test_one_result_is_served_by_a_function_in_c_from_then_on():
    graph = ag.function(noise)
    x = rt.asarray(0.5)
    for turn in range(CALLS + 3):
        graph(x, x)
        assert graph._front is None or turn > CALLS
    assert graph._front is not None


def blurred(x):
    for _ in range(6):
        x = (x[:-2] + x[1:-1] + x[2:]) / 3.0
    return x


@pytest.mark.parametrize(("length", "calls"), [(100, CALLS), (1 << 13, CALLS // 2), (1 << 20, 1)])
def test_calls_with_large_arrays_count_as_several(length, calls):
    graph = ag.function(blurred)
    x = np.random.default_rng(0).normal(size=length)
    expected, ran = blurred(x).tobytes(), []
    for _ in range(calls + 1):
        assert graph(x).numpy().tobytes() == expected
        ran.append(executor_of(graph))
    assert ran == ["numpy"] * calls + ["native"]


def logarithms(x):
    y = x * 2.0 + 1.0
    z = y * y - x
    return np.log(z) + y / (x - 3.0) + np.floor(y) * 0.5 - z


@pytest.mark.parametrize(("x", "word"), [(3.0, "divide by zero"), (-0.5, "invalid value")])
def test_numpys_warnings_are_given_behind_it_too(x, word):
    graph = ag.function(logarithms)
    for _ in range(CALLS + 3):
        graph(np.float64(1.0))
    assert executor_of(graph) == "native"
    with warnings.catch_warnings(record=True) as expected:
        warnings.simplefilter("always")
        logarithms(np.float64(x))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        graph(np.float64(x))
    assert [str(each.message) for each in told] == [str(each.message) for each in expected]
    assert all(word in str(each.message) for each in told)


def picked(x, i):
    y = x * 2.0
    z = y[i] + x[i] * 3.0 - y[0]
    return z * z + x[i] - y[i] / 2.0 + z


def test_an_index_outside_is_an_error_behind_it_too():
    graph = ag.function(picked)
    x = np.arange(1.0, 5.0)
    said = set()
    for turn in range(CALLS + 5):
        assert graph(x, np.int64(turn % 4)).numpy() == picked(x, turn % 4)
        with pytest.raises(IndexError) as caught:
            graph(x, np.int64(4))
        said.add(str(caught.value))
    assert len(said) == 1


def filled(x, y):
    x[0] = y * 2.0
    x[1] = x[0] + y * y - 1.0
    x[2] = x[1] * x[0] + np.sin(y)
    return x[0] + x[1] + x[2]


def test_arrays_that_are_written_into_change_for_their_caller_behind_it_too():
    graph = ag.function(filled)
    for turn in range(CALLS + 5):
        x, own, y = np.zeros(4), np.zeros(4), np.float64(turn)
        assert graph(x, y).numpy() == filled(own, y)
        assert x.tolist() == own.tolist()


def described(x):
    y = x * 2.0 + 1.0
    z = y * y - x + np.floor(y) - 2.0 * x
    return f"{z:.3f}", z + y


def test_what_has_no_machine_code_stays_where_it_is():
    graph = ag.function(described)
    for turn in range(CALLS + 5):
        text, number = graph(np.float64(turn))
        assert (text, number.numpy()) == described(np.float64(turn))


def test_a_short_graph_stays_on_numpy():
    graph = ag.function(lambda x: x * 2.0 + 1.0)
    for _ in range(CALLS + 5):
        graph(np.float64(1.0))
    assert executor_of(graph) == "numpy"


UNROLLING = ag.Options(rolls=False)


def unrolled(x):
    for number in [0.5 / k for k in range(1, 800)]:
        x = (x * number + 1.0) / (number + 2.0)
    return x


def one_loop(x, n):
    x, i = unrolled(x), 0
    while i < n:
        x = x * 0.75 + 1.0 / (i + 1)
        i += 1
    return x


def nest(x, n):
    rows, i = dict.fromkeys("abcdefghijklmnopqrstuvwxyzABCDEFGHIJ", unrolled(x)), 0  # too many to hand over
    while i < n:
        j = 0
        while j < i:
            for key, row in rows.items():
                rows[key] = row * 0.75 + 1.0 / (j + ord(key))
            j += 1
        i += 1
    return sum(rows.values())


@pytest.mark.filterwarnings("ignore::runtime.errors.UnrollingWarning")
def test_what_a_long_graph_runs_once_is_not_compiled_for_a_few_calls_but_its_loop_is():
    graph, expected = ag.function(one_loop, options=UNROLLING), one_loop(np.float64(0.3), 50)
    assert graph(np.float64(0.3), np.int64(50)).numpy().tobytes() == expected.tobytes()
    report = graph.concrete_functions[0].report()
    assert report.executor == "numpy"
    assert "machine code for loops, not for all: " in report.why
    assert "operations run once in a call" in report.why


@pytest.mark.filterwarnings("ignore::runtime.errors.UnrollingWarning")
def test_loops_inside_of_loops_are_machine_code_in_the_second_call_however_long_the_graph_is():
    graph, expected = ag.function(nest, options=UNROLLING), nest(np.float64(0.3), 5)
    for _ in range(2):
        assert graph(np.float64(0.3), np.int64(5)).numpy().tobytes() == expected.tobytes()
    assert executor_of(graph) == "native"


def test_a_few_operations_wait_for_more_calls():
    graph = ag.function(lambda x, y: x * y + 1.0)
    x = np.arange(4.0)
    for _ in range(CALLS_OF_FEW):
        graph(x, x)
    assert executor_of(graph) == "numpy"
    np.testing.assert_array_equal(graph(x, x).numpy(), x * x + 1.0)
    assert executor_of(graph) == "native"
    graph(x, x)
    assert graph._front is not None


def test_large_products_of_integers_do_not_wait():
    graph, x = ag.function(lambda x: x @ x), np.arange(400 * 400).reshape(400, 400)
    np.testing.assert_array_equal(graph(x).numpy(), x @ x)
    assert executor_of(graph) == "native"
    floats = ag.function(lambda x: x @ x)
    floats(x * 1.0)
    assert executor_of(floats) == "numpy"
