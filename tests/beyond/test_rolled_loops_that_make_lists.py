"""Loops over ranges of Python's in whose turns a variable gets another list: which of them are rolled."""

import numpy as np
import pytest

import autograph as ag
from tests.beyond.rolling import Programs, X, loops_of, short_loops_roll

PROGRAMS = Programs()
rolls, unrolls = PROGRAMS.rolls, PROGRAMS.unrolls

pytestmark = pytest.mark.usefixtures(short_loops_roll.__name__)


class Holder:
    def __init__(self, cells):
        self.cells = cells


@rolls(np.array([0, 1, 1, 0, 1, 0, 0, 1]))
def cells_by_a_list_of_noughts(start):
    cells = [0] * 8
    for i in range(8):
        cells[i] = start[i]
    for _ in range(9):
        new = [0] * 8
        for i in range(8):
            new[i] = (110 >> (4 * cells[i - 1] + 2 * cells[i] + cells[(i + 1) % 8])) & 1
        cells = new
    return cells


@rolls()
def cells_by_a_comprehension(x):
    cells = [x[i] for i in range(5)]
    for t in range(9):
        cells = [(cells[i - 1] + cells[(i + 1) % 5]) * 0.5 + t for i in range(5)]
    return cells, len(cells), [0] * len(cells)


@rolls()
def cells_that_are_taken_apart_afterwards(x):
    cells = [x[0], x[1], x[2]]
    for _ in range(9):
        cells = [cells[1], cells[2], cells[0] * 0.5]
    a, b, c = cells
    return a + 2 * b + 4 * c


@rolls(np.array([3, 1, 2, 1, 0, 2, 1, 3]), np.array([1, 2, 0, 1, 3, 1, 1, 2, 2]))
def two_rows_of_a_table(a, b):
    row = list(range(len(b) + 1))
    for i in range(len(a)):
        after = [0] * (len(b) + 1)
        after[0] = i + 1
        for j in range(len(b)):
            after[j + 1] = min(row[j] + (a[i] != b[j]), row[j + 1] + 1, after[j] + 1)
        row = after
    return row


@rolls(np.arange(64.0).reshape(8, 8))
def a_table_for_each_turn(x):
    table = [[x[i, j] for j in range(8)] for i in range(8)]
    for _ in range(8):
        new = [[0.0] * 8 for _ in range(8)]
        for i in range(8):
            for j in range(8):
                new[i][j] = table[j][i] * 0.5 + table[i][(j + 1) % 8] * 0.25
        table = new
    return table


@rolls()
def rows_that_change_their_places(x):
    rows = [[x[0], x[1]], [x[2], x[3]]]
    for t in range(8):
        rows[0] = [rows[1][0] + 1.0, rows[0][1] * 0.5 + t]
    rows[0][0] = 3.0
    return rows


@rolls()
def numbers_of_pythons_beside_others(x):
    cells = [1, x[0], 3, x[1]]
    for _ in range(9):
        cells = [cells[2], cells[1] * 0.5, cells[0], cells[3] + 1]
    return cells, type(cells[0]).__name__


@rolls()
def a_list_for_each_turn_of_two_loops(x):
    cells, total = [x[0], x[1]], 0.0
    for _ in range(8):
        sums = [0.0, 0.0]
        for _ in range(8):
            sums = [sums[0] + cells[0], sums[1] - cells[1]]
        cells = [sums[0] * 0.01, sums[1] * 0.01]
        total += cells[0]
    return cells, sums, total


@rolls()
def a_list_that_is_read_by_a_closure(x):
    cells = [x[0], x[1]]

    def first():
        return cells[0]

    for _ in range(8):
        cells = [first() + 1.0, cells[1] * 0.5]
    return cells, first()


@rolls()
def a_copy_that_is_written_into(x):
    cells = [x[i] for i in range(8)]
    for _ in range(8):
        new = list(cells)
        for i in range(1, 7):
            new[i] = 0.5 * (cells[i - 1] + cells[i + 1])
        cells = new
    return cells


@rolls()
def a_list_in_order_in_each_turn(x):
    cells = [x[i * 3 % 8] for i in range(8)]
    for _ in range(8):
        cells = sorted([v * 1.5 if v < 5 else v - 4 for v in cells])
    return cells


@rolls()
def the_least_of_a_number_of_the_turn_and_others(x):
    total = 0.0
    for i in range(8):
        total += min(x[i], i * 0.75, 4.0) + max(x[i], i * 1.5)
    return total


# ── lists that turns exchange ──


@rolls()
def two_lists(x):
    one, other = [x[i] for i in range(4)], [0.0 * x[0]] * 4
    for t in range(9):
        for i in range(4):
            other[i] = one[i] * 0.5 + t
        one, other = other, one
    return one, other


@rolls()
def two_lists_of_which_one_has_another_name(x):
    one, other = [x[i] for i in range(8)], [0.0] * 8
    kept = one
    for t in range(12, 1, -1):
        for i in range(8):
            other[i] = one[i] * 0.5 + one[i - 1] + t
        one, other = other, one
    kept[0] = 5.0
    return one, other, kept is one, kept is other


@rolls()
def three_lists(x):
    a, b, c = [x[0], x[1]], [x[2], x[3]], [x[4], x[5]]
    for t in range(0, 42, 3):
        a[0] = b[1] + t
        c[1] = a[1] * 0.5
        a, b, c = c, a, b
    return a, b, c


@rolls()
def numbers_of_pythons_beside_lists(x):
    one, other, count, rate = [x[0], x[1]], [x[2], x[3]], 0, 1.0
    for t in range(11):
        other[1] = one[0] * rate + count + t % 2
        one, other = other, one
        count += 3
        rate *= 0.5
    return one, other, count, rate


@rolls(np.arange(64.0).reshape(8, 8))
def two_tables(x):
    table = [[x[i, j] for j in range(8)] for i in range(8)]
    new = [[0.0] * 8 for _ in range(8)]
    for _ in range(9):
        for i in range(8):
            for j in range(8):
                new[i][j] = table[j][i] * 0.5 + table[i][(j + 1) % 8] * 0.25
        table, new = new, table
    return table, new


@unrolls()
def two_lists_in_some_turns(x):
    one, other = [x[0], x[1]], [x[2], x[3]]
    for t in range(12):
        one[0] = other[1] + t
        if t % 3:
            one, other = other, one
    return one, other


@unrolls()
def two_lists_until_a_number_says_so(x):
    one, other = [x[0], x[1]], [x[2], x[3]]
    for t in range(20):
        one[0] = other[1] + t
        one, other = other, one
        if t == 14:
            break
    return one, other, t


# ── other names for a list ──


def outside_of_it(x):
    cells = [x[i] for i in range(8)]
    first = cells
    for _ in range(9):
        cells[0] += 1.0
        new = [0.0] * 8
        for i in range(8):
            new[i] = cells[i] * 0.5
        cells = new
    return first, cells


def behind_it(x):
    cells = [x[i] for i in range(4)]
    first = cells
    for t in range(9):
        new = [c * 0.5 + t for c in cells]
        cells = new
    cells[0] = 7.0
    return first, cells, new, new is cells, first is cells


def of_the_one_before(x):
    cells = [x[i] for i in range(4)]
    last = [0.0 * x[0]] * 4
    for _ in range(9):
        old = cells
        cells = [c + 1.0 for c in old]
        old[0] = -1.0
        last = old
    return cells, last


def in_a_list_that_grows(x):
    cells = [x[i] for i in range(4)]
    history = []
    for _ in range(9):
        history.append(cells)
        cells = [c + 1.0 for c in cells]
    cells[0] = 0.0
    history[-1][0] = 55.0
    return cells, history[0], history[-1]


def for_the_new_one(x):
    one = [x[i] for i in range(4)]
    other = one
    for _ in range(9):
        one = [c + 1.0 for c in one]
        other = one
        other[0] += 2.0
    one[1] = 0.0
    return one, other


def that_are_exchanged(x):
    one, other = [x[i] for i in range(4)], [0.0 * x[0]] * 4
    kept = one
    for _ in range(9):
        for i in range(4):
            other[i] = one[i] * 0.5 + 1
        one, other = other, one
    kept[0] = 5.0
    return one, other, kept


def of_a_row(x):
    rows = [[x[0], x[1]], [x[2], x[3]]]
    row = rows[0]
    for _ in range(9):
        rows = [rows[1], [rows[0][0] * 0.5, rows[0][1] + 1]]
    row[0] = 100.0
    return rows, row


def within_it(x):
    row = [x[0], x[1]]
    rows = [row, row]
    for _ in range(9):
        made = [rows[0][0] + 1.0, rows[1][1] * 0.5]
        rows = [made, made]
    rows[0][0] = 42.0
    return rows


def of_an_attribute(x):
    holder = Holder([x[i] for i in range(4)])
    first = holder.cells
    for _ in range(9):
        holder.cells = [c * 0.5 + 1 for c in holder.cells]
    holder.cells[0] = 1.0
    return holder.cells, first


def in_all_turns_but_the_last(x):
    cells = [x[i] for i in range(4)]
    first = cells
    for t in range(9):
        if t < 8:
            cells = [c * 0.5 for c in cells]
    cells[0] = 5.0
    return cells, first


def where_a_turn_raises(x):
    cells = [x[i] for i in range(4)]
    kept = cells
    try:
        for t in range(8):
            cells = [c + 1.0 for c in cells]
            cells[0] = -5.0
            if x[t] > 4:
                raise ValueError("enough")
    except ValueError:
        cells[1] = 44.0
    return cells, kept


def of_a_list_from_outside(x):
    kept = [x[5], x[6]]
    cells = [x[0], x[1]]
    for _ in range(9):
        cells[0] += 1.0
        cells = kept
    return cells, kept


def in_a_tuple(x):
    pair = ([x[0], x[1]], [x[2]])
    kept = pair[0]
    for _ in range(9):
        pair = ([pair[1][0], pair[0][0]], [pair[0][1] + 1])
    pair[0][0] = 77.0
    return pair, kept


def where_a_function_gives_it_back(x):
    def step(cells):
        cells[0] += 1.0
        return cells

    cells = [x[0], x[1]]
    kept = cells
    for _ in range(9):
        cells = step(cells)
        cells = [c * 0.5 for c in cells]
    return cells, kept


OTHER_NAMES = [
    outside_of_it,
    behind_it,
    of_the_one_before,
    in_a_list_that_grows,
    for_the_new_one,
    that_are_exchanged,
    of_a_row,
    within_it,
    of_an_attribute,
    in_all_turns_but_the_last,
    where_a_turn_raises,
    of_a_list_from_outside,
    in_a_tuple,
    where_a_function_gives_it_back,
]


@pytest.mark.parametrize(("function", "arguments", "rolls"), PROGRAMS)
def test_a_loop_does_what_python_does_and_rolls_where_it_may(function, arguments, rolls, capfd):
    ag.check(function, *arguments)
    assert loops_of(function, *arguments) == rolls


@pytest.mark.parametrize("function", OTHER_NAMES)
def test_other_names_for_a_list_see_what_they_see_in_python(function):
    ag.check(function, X)
