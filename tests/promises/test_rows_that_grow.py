"""Rows of growing lists and dicts may grow, have several lengths, and be changed where they are."""

from collections import defaultdict, deque

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import alike

f, i = np.float64, np.int64
X = np.array([1, 3, 2, 2, 1])
Y = np.array([1.0, 3.0, 2.0])
EDGES = np.array([[0, 1], [1, 2], [0, 3], [3, 4]])


def the_last_row_grows(xs):
    rows = []
    for v in xs:
        if len(rows) == 0 or v > 2:
            rows.append([])
        rows[-1].append(v)
    return rows


def pascal(xs):
    rows = [[1]]
    for _ in xs:
        last = rows[-1]
        row = [1]
        for j in range(len(last) - 1):
            row.append(last[j] + last[j + 1])
        row.append(1)
        rows.append(row)
    return rows


def by_default(xs):
    groups = defaultdict(list)
    for v in xs:
        groups[v % 2].append(v)
    return dict(groups)


def by_setdefault(xs):
    groups = {}
    for k, v in enumerate(xs):
        groups.setdefault(v % 2, []).append((k, v))
    return groups, sorted(groups), [len(groups[k]) for k in sorted(groups)]


def asked_first(xs):
    groups = {}
    for v in xs:
        if v not in groups:
            groups[v] = []
        groups[v].append(v * 2)
    return groups


def counts_and_sums(xs):
    found = defaultdict(lambda: [0, 0.0])
    for v in xs:
        found[v % 2][0] += 1
        found[v % 2][1] += v
    return dict(found)


def run_lengths(xs):
    runs = []
    for v in xs:
        if runs and runs[-1][0] == v:
            runs[-1][1] += 1
        else:
            runs.append([v, 1])
    return runs


def rising_runs(xs):
    runs, current = [], []
    for v in xs:
        if current and v < current[-1]:
            runs.append(current)
            current = []
        current.append(v)
    runs.append(current)
    return runs


def subsets(xs):
    found = [[]]
    for v in xs:
        found = found + [[*s, v] for s in found]
    return found


def put_in_first(xs):
    rows = []
    for v in xs:
        row = []
        rows.append(row)
        row.append(v)
    return rows


def each_row(xs):
    rows = []
    for v in xs:
        rows.append([v, v * 2])
    for row in rows:
        row[0] += 1
        row.append(v)
    for k in range(len(rows)):
        rows[k].append(k)
        rows[k] += [5]
    return rows


def values_of_a_dict(xs):
    groups = {}
    for v in xs:
        groups.setdefault(v % 2, []).append(v)
    for row in groups.values():
        row.append(9)
    for key, row in groups.items():
        row.append(key)
    return groups


def compared(xs):
    rows = [[]]
    for v in xs:
        rows.append(rows[-1] + [v])
    print(rows)
    return [1] in rows, rows == [[], [1]], len(rows[-1]), sum(len(r) for r in rows), f"{rows}"


def in_either_branch(xs):
    rows = []
    for v in xs:
        rows.append([v])
    last = rows[-1]
    if xs[0] > 1:
        last.append(4)
    else:
        last[0] = 3
    return rows


@pytest.mark.parametrize(
    "program",
    [
        the_last_row_grows,
        pascal,
        by_default,
        by_setdefault,
        asked_first,
        counts_and_sums,
        run_lengths,
        rising_runs,
        subsets,
        put_in_first,
        each_row,
        values_of_a_dict,
        compared,
        in_either_branch,
    ],
)
def test_rows(program):
    ag.check(program, X, then=[(X[::-1] + 1,)])


def breadth_first(edges, n):
    adjacent = [[] for _ in range(n)]
    for u, v in edges:
        adjacent[u].append(v)
        adjacent[v].append(u)
    first = edges[0, 0]
    distance, queue = {first: 0}, deque([first])
    while queue:
        u = queue.popleft()
        for v in adjacent[u]:
            if v not in distance:
                distance[v] = distance[u] + 1
                queue.append(v)
    return adjacent, distance


def test_a_graph_of_lists_of_neighbours():
    ag.check(breadth_first, EDGES, i(5), then=[(EDGES % 4, i(4))])


class Body:
    def __init__(self, x):
        self.x, self.path = x, []

    def move(self, by):
        self.x += by
        self.path.append(self.x)


def moved(xs):
    bodies = []
    for v in xs:
        bodies.append(Body(v))
    for _ in range(2):
        for body in bodies:
            body.move(0.5)
    bodies[0].x = 7.0
    return [b.x for b in bodies], [b.path for b in bodies]


def test_objects_in_a_list_that_grows_are_changed_where_they_are():
    ag.check(moved, Y, then=[(Y * 2,)])


def test_an_element_of_a_list_that_was_never_filled_has_the_type_of_what_is_put_in():
    def program(n):
        found = []
        for k in range(n):
            found.append(1 if k == 0 else found[k - 1] + 1)
        return found

    ag.check(program, i(3), then=[(i(0),)])


# ── where only the run knows what a row is ──


def one_row_twice(xs):
    rows = []
    for v in xs:
        row = [v]
        rows.append(row)
        rows.append(row)
        rows[0].append(v)
    return rows


def the_same_row_again_and_again(xs):
    row, rows = [], []
    for v in xs:
        row.append(v)
        rows.append(row)
    return len(rows)


def put_in_perhaps(xs):
    rows, row = [[1.0]], [2.0]
    if xs[0] > 0:
        rows.append(row)
    row.append(3.0)
    return rows


def sorted_before(xs):
    rows = []
    for v in xs:
        rows.append([v])
    row = rows[0]
    rows.sort()
    row.append(9.0)
    return rows


def in_another_list(xs):
    rows = []
    for v in xs:
        rows.append([v])
    kept = [row for row in rows if row[0] > 1]
    kept[0].append(9.0)
    return len(rows[1])


def in_a_slice(xs):
    rows = []
    for v in xs:
        rows.append([v])
    rows[1:][0].append(1.0)
    return len(rows[1])


def in_order(xs):
    rows = []
    for v in xs:
        rows.append([v])
    for row in sorted(rows):
        row.append(1.0)
    return rows


@pytest.mark.parametrize(
    "program",
    [
        one_row_twice,
        the_same_row_again_and_again,
        put_in_perhaps,
        sorted_before,
        in_another_list,
        in_a_slice,
        in_order,
    ],
)
def test_a_row_that_only_the_run_knows_is_held_by_number(program):
    ag.check(program, Y, then=[(Y * 2.0,)])
    assert alike(ag.function(program)(Y)) == alike(program(Y))


def returned_beside_its_list(xs):
    rows = []
    for v in xs:
        rows.append([v])
    row = rows[0]
    row.append(1.0)
    return rows, row


def the_longest(xs):
    rows = [[]]
    for v in xs:
        rows.append(rows[-1] + [v])
    return rows, max(rows, key=len)


@pytest.mark.parametrize("program", [returned_beside_its_list, the_longest])
def test_a_row_is_returned_beside_its_list(program):
    ag.check(program, Y)
    assert alike(ag.function(program)(Y)) == alike(program(Y))


def one_object_twice(xs):
    rows, row = [], [1.0]
    for v in xs:
        if v > 0:
            rows.append([v])
    rows.append(row)
    rows.append(row)
    return rows


def one_object_twice_before(xs):
    rows = [[1.0], [2.0, 3.0]]
    rows[0] = rows[1]
    for v in xs:
        rows.append([v])
    return rows


@pytest.mark.parametrize("program", [one_object_twice, one_object_twice_before])
def test_a_list_that_holds_one_object_twice_is_returned_so(program):
    ag.check(program, Y)
    assert alike(ag.function(program)(Y)) == alike(program(Y))


def grows_by_its_index(n, v):
    rows = [[3.0]]
    while n > 0:
        n -= 1
        rows.append([v])
        rows[0].append(v)
    return rows


def grows_by_its_index_on_a_path(n, v):
    rows = {"a": [3.0]}
    while n > 0:
        n -= 1
        rows[f"b{n}"] = [v]
        if n > 0:
            rows["a"].append(v)
    return rows


@pytest.mark.parametrize("program", [grows_by_its_index, grows_by_its_index_on_a_path])
def test_a_turn_does_not_put_back_what_a_row_was_before_an_earlier_one(program):
    ag.check(program, i(3), f(2.0), executors=["numpy"])
