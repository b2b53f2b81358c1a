"""A number in a list of a list of lists is written where it is, and nobody else sees that."""

import numpy as np
import pytest

import autograph as ag

X = np.arange(400.0).reshape(20, 20) % 7
ROWS, COLUMNS = np.array([3, -1, 0, 7, -20]), np.array([1, 19, -2, 7, 0])


def table_of(x):
    return [[x[i, j] for j in range(20)] for i in range(20)]


def each_of_them(x, rows, columns):
    table = table_of(x)
    for i in range(20):
        for j in range(20):
            table[i][j] = x[j, i] + table[i - 1][j] * 0.5
    return table


def at_places_of_the_run(x, rows, columns):
    table = table_of(x)
    for i in range(len(rows)):
        table[rows[i]][columns[i]] += table[columns[i]][rows[i]] + 1.0
    return table


def a_row_that_is_read_beside_it(x, rows, columns):
    table, total = table_of(x), 0.0
    for i in range(len(rows)):
        before = sum(table[rows[i]])
        table[rows[i]][columns[i]] = 100.0 + before
        total += sum(table[rows[i]]) - before
    return table, total


def a_number_twice(x, rows, columns):
    table = table_of(x)
    for i in range(len(rows)):
        table[rows[i]][3] = x[0, 1] + i
        table[rows[i]][3] = table[rows[i]][3] * 2.0
    return table


def a_copy_of_the_rows(x, rows, columns):
    table = table_of(x)
    for i in range(len(rows)):
        other = [row[:] for row in table]
        table[rows[i]][columns[i]] = -1.0
        other[rows[i]][columns[i]] = -2.0
        table[columns[i]][rows[i]] = sum(other[rows[i]])
    return table, other


def rows_that_grow(x, rows, columns):
    table = [[x[0, 0]] for _ in range(20)]
    for i in range(len(rows)):
        table[rows[i]].append(x[1, i])
        table[rows[i]][0] = x[2, i]
        table[columns[i]].append(x[3, i])
        table[columns[i]][-1] = table[columns[i]][0] + 1.0
    return table


def in_some_turns(x, rows, columns):
    table = table_of(x)
    for i in range(len(rows)):
        if x[rows[i], columns[i]] > 2.0:
            table[rows[i]][columns[i]] = 9.0
        else:
            table[rows[i]] = [x[0, 0]] * 20
    return table


def behind_a_row(x, rows, columns):
    table = table_of(x)
    for i in range(len(rows)):
        table[rows[i]][columns[i] + 1] = 1.0
    return table


def behind_the_rows(x, rows, columns):
    table, done = table_of(x), 0
    try:
        for i in range(len(rows)):
            table[rows[i] + 13][columns[i]] = 1.0
            done += 1
    except IndexError as error:
        return str(error), done
    return table, done


PROGRAMS = [
    each_of_them,
    at_places_of_the_run,
    a_row_that_is_read_beside_it,
    a_number_twice,
    a_copy_of_the_rows,
    rows_that_grow,
    in_some_turns,
    behind_a_row,
    behind_the_rows,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_it_does_what_python_does(program):
    ag.check(program, X, ROWS, COLUMNS, executors=["native", "numpy", "reference"])


def test_no_row_is_copied_for_a_number():
    def filled(x):
        table = [[0.0] * 20 for _ in range(20)]
        for i in range(20):
            for j in range(20):
                table[i][j] = x[j, i] + 1.0
        return table

    program = ag.function(filled, executor="native").get_concrete_function(X).program
    inside = [line for line in program.source().splitlines() if line.startswith(" " * 12)]
    assert any("] = " in line for line in inside)
    assert not any(" = memory(" in line for line in inside)


def buckets_of(keys, n):
    buckets = [[0] for _ in range(n)]
    for e in range(len(keys)):
        buckets[keys[e]].append(e)
    return buckets


def both_ends_of_edges(keys, n):
    neighbours = [[-1] for _ in range(n)]
    for e in range(len(keys) - 1):
        neighbours[keys[e]].append(keys[e + 1])
        neighbours[keys[e + 1]].append(keys[e])
        neighbours[keys[e]][0] += len(neighbours[keys[e]])
    return neighbours


def a_row_that_is_copied_before(keys, n):
    buckets, kept = [[0] for _ in range(n)], [0]
    for e in range(len(keys)):
        if len(buckets[keys[e]]) > 3:
            kept = buckets[keys[e]][:]
        buckets[keys[e]].append(e)
        kept.append(buckets[keys[e]][-1])
    return buckets, kept


def rows_that_shrink_and_grow(keys, n):
    stacks = [[0] for _ in range(n)]
    for e in range(len(keys)):
        if len(stacks[keys[e]]) > 2:
            stacks[keys[e]].pop()
            stacks[keys[e]].pop()
        stacks[keys[e]].append(e)
    return stacks


KEYS = np.random.default_rng(0).integers(-5, 5, 300)


@pytest.mark.parametrize(
    "program", [buckets_of, both_ends_of_edges, a_row_that_is_copied_before, rows_that_shrink_and_grow]
)
def test_numbers_are_appended_as_python_does(program):
    given = KEYS, np.int64(5)
    ag.check(
        program,
        *given,
        then=[(KEYS[:7], np.int64(6)), (KEYS + 3, np.int64(5))],
        executors=["native", "numpy"],
    )


def test_no_row_is_copied_to_get_one_number_more():
    program = ag.function(buckets_of, executor="native").get_concrete_function(KEYS, np.int64(5)).program
    turn = program.source().split("in range(299):")[-1].split("\n    n")[0]
    made = [line for line in turn.splitlines() if " = memory(" in line]
    assert len(made) == 1, "all rows move where there is no room"
