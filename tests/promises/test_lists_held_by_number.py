"""Lists that are elements of several lists, or of one more than once, are one list, also behind the graph."""

import collections

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import CompileError, StateDisagrees
from tests.promises.kit import alike, function_of

X = np.array([[5.0, 6.0], [1.0, 3.0], [2.0, 4.0], [8.0, 9.0], [8.5, 12.0]])
Y = np.array([[2.0, 3.0], [7.0, 1.0], [2.0, 3.0], [0.0, 9.0], [4.0, 4.0]])
OF_ANY_LENGTH = [rt.TensorSpec((None, 2), rt.float64)]


def merged(x):
    rows, found = sorted(x.tolist()), []
    for row in rows:
        if found and row[0] <= found[-1][1]:
            found[-1][1] = max(found[-1][1], row[1])
        else:
            found.append(row)
    return found


def merged_by_a_variable(x):
    rows = sorted(x.tolist())
    current, found = rows[0], []
    for row in rows[1:]:
        if row[0] <= current[1]:
            current = [current[0], max(current[1], row[1])]
        else:
            found.append(current)
            current = row
    found.append(current)
    return found


def chosen_from_what_is_sorted(x):
    rows = sorted(x.tolist())
    return [row for row in rows if row[1] > 3.5]


def by_a_pivot(x):
    rows = x.tolist()
    pivot = rows[0]
    left = [row for row in rows[1:] if row < pivot]
    right = [row for row in rows[1:] if row >= pivot]
    return [*left, pivot, *right]


def merge_sorted(x):
    def merge(a, b):
        found, i, j = [], 0, 0
        while i < len(a) and j < len(b):
            if a[i] <= b[j]:
                found.append(a[i])
                i += 1
            else:
                found.append(b[j])
                j += 1
        return found + a[i:] + b[j:]

    rows = x[:3].tolist()
    return merge(sorted(rows[:1]), sorted(rows[1:]))


def in_groups(x):
    groups = {}
    for row in x.tolist():
        groups.setdefault(int(row[0]) % 2, []).append(row)
    return [groups.get(0, []), groups.get(1, [])]


def one_list_in_every_turn(x):
    state, history = [0.0, 0.0], []
    for v in x[:, 0]:
        state[0] += v
        state[1] = max(state[1], v)
        history.append(state)
    return history


def the_best_so_far(x):
    rows, best, bests = x.tolist(), [0.0, 0.0], []
    for row in rows:
        if row[1] > best[1]:
            best = row
        bests.append(best)
    best[0] = -1.0
    return rows, bests


def until_another_one(x):
    one, rows = [0.0], []
    for v in x[:, 0]:
        if v > 4:
            one = [v]
        rows.append(one)
    rows[0].append(7.0)
    return rows


def compared_by_identity(x):
    rows, found, seen = x.tolist(), [], 0
    for row in rows:
        if row[0] > 1.5:
            found.append(row)
        if found and found[-1] is row:
            seen += 1
        if found and found[0] == row:
            seen += 10
    return seen, len(found)


def changed_through_another_list(x):
    rows = x.tolist()
    large = [row for row in rows if row[0] > 1.5]
    for row in large:
        row[1] = 0.0
    return sum([row[1] for row in rows], 0.0), rows


def made_longer_through_another_list(x):
    rows = [[v] for v in x[:, 0]]
    large = [row for row in rows if row[0] > 1.5]
    for row in large:
        row.append(1.0)
    return rows, [len(row) for row in rows]


def put_in_front(x):
    rows = sorted(x.tolist(), key=lambda row: row[1])
    found = []
    for row in rows:
        found.insert(0, row)
    return rows, found


def shown(x):
    rows = x.tolist()
    found = [row for row in sorted(rows) if row[0] > 1.5]
    found[0][0] = 0.5
    return f"{rows} {found}", np.array(found), [3.0, 3.0] in rows


def in_queues(x):
    rows, queues = x.tolist(), [collections.deque(), collections.deque()]
    for row in sorted(rows):
        queues[int(row[0]) % 2].append(row)
    found = [queue for queue in queues if queue]
    for queue in found:
        queue[0][1] = 0.5
    return rows, [list(queue) for queue in found]


PROGRAMS = [
    in_queues,
    merged,
    merged_by_a_variable,
    chosen_from_what_is_sorted,
    by_a_pivot,
    merge_sorted,
    in_groups,
    one_list_in_every_turn,
    the_best_so_far,
    until_another_one,
    compared_by_identity,
    changed_through_another_list,
    made_longer_through_another_list,
    put_in_front,
    shown,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_what_two_lists_hold_is_one_list(program):
    ag.check(program, X, then=[(Y,), (X * 0.5,)])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_what_is_one_list_is_one_in_the_result(program):
    function = ag.function(program)
    for x in (X, Y):
        assert alike(function(x)) == alike(program(x))


@pytest.mark.parametrize(
    "program", [merged, the_best_so_far, until_another_one, changed_through_another_list]
)
def test_rows_of_an_array_of_any_length_are_lists_likewise(program):
    function = ag.function(program, input_signature=OF_ANY_LENGTH)
    for x in (X, Y[:2], X[:1]):
        assert alike(function(x)) == alike(program(x))


PUT = [
    "found.append(rows[-1])",
    "found.append(row); found.append(row)",
    "found.append(row)\n        if row[0] > 2: found.append(row)",
    "found.insert(0, rows[0])",
    "found += [row, rows[0]]",
    "found.extend([row, row])",
    "found.append(row) if row[0] > 2 else found.append(rows[0])",
]


@pytest.mark.parametrize("put", PUT)
def test_a_list_that_is_put_in_twice_is_one_in_the_result(put):
    program = function_of(
        "def f(x):\n    rows = []\n    for a, b in x:\n        rows.append([a, b] if a > 2 else [b, a])\n"
        f"    found = []\n    for row in rows:\n        {put}\n    return found\n"
    )
    function = ag.function(program)
    for x in (X, Y):
        assert alike(function(x)) == alike(program(x))


def test_a_function_that_another_one_calls_gives_lists():
    inner = ag.function(merged)

    @ag.function
    def outer(x):
        rows = inner(x)
        rows[0][0] = 0.0
        return rows, len(rows)

    rows = merged(X)
    rows[0][0] = 0.0
    assert alike(outer(X)) == alike((rows, len(rows)))


def test_a_concrete_function_that_another_one_calls_gives_lists():
    concrete = ag.function(merged).get_concrete_function(X)

    @ag.function
    def outer(x):
        rows = concrete(x)
        return rows, len(rows)

    assert alike(outer(X)) == alike((merged(X), len(merged(X))))


def test_what_a_function_gives_by_number_is_shown_and_has_no_form_in_c(tmp_path):
    concrete = ag.function(merged).get_concrete_function(X)
    assert "held by number" in repr(concrete.structured_outputs)
    assert "merged" in repr(concrete)
    with pytest.raises(CompileError, match="has no form in C"):
        ag.compile_library(concrete, tmp_path / "merged.so")


def test_a_list_that_two_lists_hold_does_not_stay_outside():
    kept = []

    def program(x):
        rows = sorted(x.tolist())
        for row in rows:
            if row[0] > 2:
                kept.append(row)
        rows[0][0] = 1.0
        return rows

    with pytest.raises(StateDisagrees):
        ag.function(program)(X)
    assert kept == []


def test_what_the_program_raises_is_what_it_raises():
    def program(x):
        found = []
        for row in sorted(x.tolist()):
            if found and row[0] <= found[-1][1]:
                found[-1][1] = row[1]
            else:
                found.append(row)
        return found[len(found)]

    with pytest.raises(IndexError, match="list index out of range"):
        ag.function(program)(X)
