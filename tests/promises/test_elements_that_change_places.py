"""Rows that change places where a tensor decides: each is the list that it was, for its caller, too."""

import copy

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees


def of_a_known_place(rows, p):
    rows[0], rows[p] = rows[p], rows[0]
    rows[1][0] = 7.0


def by_a_third_name(rows, p):
    kept = rows[p]
    rows[p] = rows[1]
    rows[1] = kept
    rows[p].append(2.0)


def maybe_one_place(rows, p):
    q = p * p % 4
    rows[q], rows[p] = rows[p], rows[q]
    rows[q][0] += 1.0


def from_the_end(rows, p):
    rows[-1], rows[p] = rows[p], rows[-1]
    rows[p], rows[p] = rows[p], rows[p]
    rows[1], rows[0] = rows[0], rows[1]
    rows[0][0] = 4.0


def neighbours_in_a_loop_of_the_graph(rows, p):
    at = p
    while at > 0:
        rows[at], rows[at - 1] = rows[at - 1], rows[at]
        at -= 1
        rows[at][0] += 1.0


def sorted_by_hand(rows, p):
    for i in range(len(rows)):
        for j in range(len(rows) - 1 - i):
            if rows[j][p] > rows[j + 1][p]:
                rows[j], rows[j + 1] = rows[j + 1], rows[j]


def on_some_paths(rows, p):
    if p > 1:
        rows[p], rows[0] = rows[0], rows[p]
    else:
        rows[p][0] = 1.0
    if p > 2:
        rows[1], rows[p] = rows[p], rows[1]


def before_the_list_grows(rows, p):
    rows[0], rows[p] = rows[p], rows[0]
    rows.append([p * 1.0])
    rows[1][0] = 3.0


def after_python_has_turned_the_list(rows, p):
    rows.reverse()
    if p > 0:
        rows.append([2.0, 1.0])
    rows[p][0] = 5.0


def replaced(rows, p):
    rows[p] = [2.0 * x for x in rows[p]]


def replaced_and_exchanged(rows, p):
    for k in range(3):
        rows[k], rows[p] = rows[p], rows[k]
        rows[k + 1] = [2.0 * x for x in rows[p]]


def eliminated(rows, p):
    n = len(rows)
    for i in range(n):
        pivot = i
        for j in range(i + 1, n):
            if abs(rows[j][i]) > abs(rows[pivot][i]):
                pivot = j
        if pivot != i:
            rows[i], rows[pivot] = rows[pivot], rows[i]
        for j in range(i + 1, n):
            factor = rows[j][i] / rows[i][i]
            for k in range(i, n):
                rows[j][k] -= factor * rows[i][k]


PROGRAMS = [
    of_a_known_place,
    by_a_third_name,
    maybe_one_place,
    from_the_end,
    neighbours_in_a_loop_of_the_graph,
    sorted_by_hand,
    on_some_paths,
    before_the_list_grows,
    after_python_has_turned_the_list,
    replaced,
    replaced_and_exchanged,
    eliminated,
]


def table():
    numbers = np.random.default_rng(5).uniform(-1, 1, (4, 4))
    return [list(row) for row in numbers]


def left_by(call, rows, p):
    """What a call leaves in the rows, and which of them is where: by number, None for another list."""
    before = list(rows)
    call(rows, np.int64(p))
    numbers = {id(each): number for number, each in enumerate(before)}
    held = [[[float(x) for x in row] for row in each] for each in (rows, before)]
    return held, [numbers.get(id(each)) for each in rows]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_each_row_of_the_caller_is_where_it_is_in_python(program):
    graph = ag.function(program)
    for p in (2, 0, 3, 1):
        assert left_by(graph, table(), p) == left_by(program, table(), p)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_rows_that_the_function_has_made_change_places(program):
    def made(rows, p):
        rows = [list(row) for row in rows]
        program(rows, p)
        return rows

    ag.check(made, table(), np.int64(2), then=[(table(), np.int64(0)), (table(), np.int64(3))])


def test_a_function_that_is_called_may_exchange():
    def exchange(rows, i, j):
        rows[i], rows[j] = rows[j], rows[i]

    def program(rows, p):
        exchange(rows, 0, p)
        exchange(rows, p - 1, p)

    assert left_by(ag.function(program), table(), 2) == left_by(program, table(), 2)


def test_a_list_that_is_put_beside_itself_is_refused():
    def twice(rows, p):
        rows[0] = rows[p]
        rows[1][0] = 3.0

    with pytest.raises(StateDisagrees, match="changed in place"):
        ag.function(twice)(table(), np.int64(2))


def test_three_elements_that_change_places_may_be_two_and_are_refused():
    def around(rows, p):
        rows[0], rows[1], rows[p] = rows[1], rows[p], rows[0]

    with pytest.raises(StateDisagrees, match="one object twice"):
        ag.function(around)(table(), np.int64(2))


def test_what_happens_between_two_halves_of_an_exchange_counts():
    def kept_elsewhere(rows, p):
        first = rows[0]
        rows[0] = rows[p]
        others = rows[:]
        rows[p] = first
        rows[0][0] = 9.0
        return others

    with pytest.raises(StateDisagrees):
        ag.function(kept_elsewhere)(table(), np.int64(2))


def test_a_row_that_was_replaced_and_one_that_was_changed_are_refused():
    """Which of the caller's rows were changed before they were replaced, nobody knows."""

    def both(rows, p):
        rows[p][0] = 3.0
        rows[p] = [1.0, 2.0]

    with pytest.raises(StateDisagrees, match="from outside"):
        ag.function(both)(table(), np.int64(2))


def test_a_concrete_function_that_a_graph_calls_keeps_the_places_of_rows():
    def exchange(rows, p):
        rows[0], rows[p] = rows[p], rows[0]

    rows = table()
    concrete = ag.function(exchange).get_concrete_function(copy.deepcopy(rows), np.int64(2))

    @ag.function
    def around(rows, p):
        concrete(rows, p)

    with pytest.raises(StateDisagrees, match="have other places"):
        around(rows, np.int64(2))
