"""Loops and comprehensions over many numbers of Python's that fill a list: which of them are rolled."""

import numpy as np
import pytest

import autograph as ag
from tests.beyond.rolling import Programs, loops_of

PROGRAMS = Programs()
rolls, unrolls = PROGRAMS.rolls, PROGRAMS.unrolls

MANY = 70
"""More than the elements of an array of which a comprehension makes a list of Python's."""


class Point:
    def __init__(self, x):
        self.x = x


@rolls()
def squares(x):
    out = []
    for i in range(MANY):
        out.append(x[i % 8] * i)
    return out, len(out)


@rolls()
def sums_of_all_before(x):
    sums = [0.0]
    for i in range(MANY):
        sums.append(sums[i] + x[i % 8])
    return [sums[j] - sums[i] for i in range(3) for j in range(60, 63)]


@rolls()
def a_list_of_two_names(x):
    out = []
    other = out
    for i in range(MANY):
        out.append(x[i % 8] * i)
    other.append(3.0)
    return out, other, out is other


@rolls()
def a_list_in_another_list(x):
    out = []
    box = [out, 1]
    for i in range(MANY):
        out.append(x[i % 8] * i)
    box[0].append(3.0)
    return out, box


@rolls()
def pairs(x):
    out, total = [], 0.0
    for i in range(MANY):
        out.append((i, x[i % 8]))
    for number, value in out:
        total += number * value
    return out[5], total


@rolls()
def rows_that_change_later(x):
    out = []
    for i in range(MANY):
        out.append([x[i % 8], 0.0])
    for i in range(len(out)):
        out[i][1] = out[i - 1][0] * 2
    return out


@rolls()
def an_array_of_what_was_collected(x):
    out = []
    for i in range(72):
        out.append(x[i % 8])
    found = np.array(out)
    return (found.reshape(9, 8) * x).sum(axis=0), found.shape[0]


@rolls()
def states_of_an_array(x):
    states, state = [], x * 1.0
    for _ in range(MANY):
        state = state * 0.9
        states.append(state)
    return np.array(states).sum(axis=0), states[3]


@rolls()
def a_queue(x):
    queue = [x[0]]
    for _ in range(MANY):
        value = queue.pop(0)
        queue.append(value + 1)
        queue.append(value * 0.5)
    return queue


@rolls()
def a_list_that_gets_shorter(x):
    out = [x[0]] * 100
    for _ in range(MANY):
        out.pop()
    return out, len(out)


@unrolls()
def numbers_of_pythons_alone(x):
    out = []
    for i in range(MANY):
        out.append(i * i)
    return len({value: 1 for value in out}), x[out[2]], out


@unrolls()
def constants_beside_rows(x):
    out, rows = [], [[1000] * 20 for _ in range(20)]
    for i in range(MANY):
        out.append(1000)
        rows[i % 20][i % 20] = 0
    for i in range(20):
        for j in range(20):
            rows[i][j] = min(rows[i][j], rows[j][i] + 3) + int(x[2])
    return rows, out


@unrolls()
def numbers_of_several_kinds(x):
    out = []
    for i in range(MANY):
        out.append(i)
        out.append(x[i % 8])
    return out[:4], [type(value).__name__ for value in out[:2]]


@unrolls()
def an_int_before_floats(x):
    out = [0]
    for i in range(MANY):
        out.append(out[i] + x[i % 8])
    return out, type(out[0]).__name__


@unrolls()
def one_row_many_times(x):
    row, out = [x[0], x[1]], []
    for _ in range(MANY):
        out.append(row)
    out[3][0] = 100.0
    return out[4], row


@unrolls()
def arrays_that_are_written_to(x):
    states, state = [], x * 1.0
    for _ in range(MANY):
        state = state * 0.9
        states.append(state)
    states[3][0] = 9.0
    return np.array(states).sum(axis=0), states[3]


@unrolls()
def one_array_many_times(x):
    states, state = [], x * 1.0
    for _ in range(MANY):
        state += 1
        states.append(state)
    states[3][0] = 9.0
    return np.array(states).sum(axis=0), states[5]


@unrolls()
def texts(x):
    out = []
    for i in range(MANY):
        out.append("a" if i % 2 else "b")
    return "".join(out), x[0]


@unrolls(np.arange(20))
def a_class_that_is_asked_for(x):
    least = x[0]
    for i in range(20):
        least = min(least, i - 10)
    return least, type(least).__name__


@unrolls()
def an_exception_half_way(x):
    out = []
    try:
        for i in range(MANY):
            out.append(x[i % 8])
            if x[i % 8] > 6:
                raise ValueError("enough")
    except ValueError:
        pass
    return out


# ── comprehensions ──

COMPREHENSIONS = []


def rolled(function):
    COMPREHENSIONS.append(pytest.param(function, True, id=function.__name__))
    return function


def unrolled(function):
    COMPREHENSIONS.append(pytest.param(function, False, id=function.__name__))
    return function


@rolled
def a_list(x):
    return [x[i % 8] * x[i % 8] + i for i in range(MANY)]


@rolled
def a_list_of_two_names_behind_it(x):
    out = [x[i % 8] for i in range(MANY)]
    other = out
    other[3] = 7.0
    other.append(1.0)
    return out, other


@rolled
def a_sum(x):
    return sum(x[i % 8] * i for i in range(MANY))


@rolled
def a_condition(x):
    return [i for i in range(MANY) if x[i % 8] > 5]


@rolled
def one_from_the_other(x):
    out = [x[i % 8] for i in range(MANY)]
    return [out[i] + out[len(out) - 1 - i] for i in range(len(out))]


@rolled
def parts(x):
    out = [x[i % 8] for i in range(MANY)]
    return out[::9], out[5:10], out[-1], sorted(out)[:3], out.index(x[3])


@rolled
def float32(x):
    y = x.astype(np.float32)
    return [y[i % 8] * i for i in range(MANY)]


@rolled
def instances(x):
    points = [Point(x[i % 8]) for i in range(MANY)]
    for point in points:
        point.x = point.x + 1
    return [point.x for point in points]


@unrolled
def two_kinds_of_numbers(x):
    return [x[i % 8] if i % 2 else 0 for i in range(MANY)]


@unrolled
def a_call_with_an_effect_of_pythons(x):
    seen = []

    def noted(i):
        seen.append(str(i))
        return x[i % 8]

    return [noted(i) for i in range(MANY)], seen[-1], len(seen)


@unrolled
def arrays_that_are_written_to_behind_it(x):
    rows = [x * i for i in range(MANY)]
    rows[3][0] = 9.0
    return np.stack(rows).sum(axis=0), rows[3]


@pytest.mark.parametrize(("function", "arguments", "rolls"), PROGRAMS)
def test_a_loop_does_what_python_does_and_rolls_where_it_may(function, arguments, rolls):
    ag.check(function, *arguments)
    assert loops_of(function, *arguments) == rolls


@pytest.mark.parametrize(("function", "rolls"), COMPREHENSIONS)
def test_a_comprehension_does_what_python_does_and_is_one_loop_where_it_may_be(function, rolls):
    x = np.arange(8.0) + 0.5
    ag.check(function, x)
    graph = ag.function(function).get_concrete_function(x).graph
    assert (len(graph.nodes) < MANY) == rolls


def test_a_comprehension_of_numbers_of_pythons_alone_is_pythons():
    def squares(x):
        out = [i * i for i in range(MANY)]
        return x[out[2]], {value: 1 for value in out}[25]

    ag.check(squares, np.arange(8.0))
