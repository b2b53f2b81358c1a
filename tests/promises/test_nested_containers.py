"""What is written to a row or a node that a tensor chooses is written to that one, for all who hold it."""

import copy
import datetime as dt
from collections import deque
from dataclasses import dataclass, field

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import StateDisagrees
from tests.beyond.kit import check


@dataclass
class Node:
    """A node of a graph."""

    value: float = 0.0
    children: list = field(default_factory=list)


class Plain:
    """An instance of an ordinary class."""

    def __init__(self):
        self.value = 0

    def add(self, x):
        if x > 0:
            self.value = self.value + x


class Grid:
    """Rows in an attribute."""

    def __init__(self):
        self.rows = [[0, 0], [0, 0]]
        self.named = {"k": [1, 2]}

    def put(self, i, value):
        self.rows[i][1 - i] = value
        self.named["k"][i] = value


def an_item_of_an_item(i):
    grid = [[0.0] * 3 for _ in range(3)]
    grid[i][i] = 2.0
    grid[0][1] = 5.0
    grid[i][2 - i] += 1
    return grid, grid[i][0], grid[i]


def a_row_by_another_name(i):
    rows = [[1.0, 2.0], [3.0, 4.0]]
    row = rows[i]
    row[0] = 9.0
    rows[i][1] += 5
    other = rows[1 - i]
    rows[i] = other
    other.append(7.0)
    return rows, row, other, rows[0] is rows[1], rows[i] is other, row is other


def rows_swapped(i):
    rows = [[1.0, 2.0], [3.0, 4.0]]
    rows[i], rows[1 - i] = rows[1 - i], rows[i]
    rows[0][0] = 100.0
    return rows


def methods_of_a_row(i):
    rows = [[3, 1, 2], [5, 4, 6]]
    rows[i].sort()
    rows[i].reverse()
    rows[1 - i].pop()
    rows[i].insert(1, 9)
    rows[i].remove(9)
    del rows[i][0]
    rows[i][0:1] = [7, 8]
    return rows, rows[i].index(7), rows[i].count(8), 7 in rows[i], max(rows[i]), sorted(rows[i]), len(rows[i])


def dicts_in_a_list(i):
    nodes = [{"v": 1.0, "k": [1.0]}, {"v": 2.0, "k": [2.0]}]
    nodes[i]["v"] = 5.0
    nodes[i]["k"].append(6.0)
    nodes[i]["v"] += 1
    return nodes, nodes[i]["v"], sum(node["v"] for node in nodes)


def dataclasses_in_a_list(i):
    nodes = [Node(), Node(), Node()]
    nodes[i].value = 5.0
    nodes[i].children.append(6.0)
    nodes[(i + 1) % 3].value += 2
    return [(node.value, node.children) for node in nodes]


def instances_in_a_list(i):
    nodes = [Plain() for _ in range(3)]
    nodes[i].value = 5
    nodes[i].add(i)
    nodes[i - 1].add(2)
    return [node.value for node in nodes], nodes[i] is nodes[1]


def lists_in_tuples(i):
    rows = [(1, [1.0]), (2, [2.0])]
    rows[i][1].append(5.0)
    number, inner = rows[i]
    inner[0] = 9.0
    return rows, number


def neighbours(i):
    lists = [[1], [2, 3], []]
    lists[i].append(7)
    lists[1].append(i)
    total = 0
    for node in lists[i]:
        total += node
    return lists, total, len(lists[i]), lists[i][-1], lists[i] is lists[1]


def an_attribute_of_lists(i):
    grid = Grid()
    grid.put(i, 5)
    for _ in range(i):
        grid.put(0, 7)
    return grid.rows, grid.named


def through_a_function(i):
    def put(grid, row, column, value):
        if grid[row][column] < value:
            grid[row][column] = value

    grid = [[1, 2], [3, 4]]
    put(grid, i, 1 - i, 3)
    put(grid, 1 - i, i, 9)
    return grid


def under_try(i):
    rows = [[1], [2]]
    try:
        rows[i].append(3)
        if i > 0:
            raise ValueError(i)
        rows[i].append(4)
    except ValueError:
        rows[0].append(5)
    return rows


def copies(i):
    rows = [[1, 2], [3, 4]]
    one, outer, all_of_it, part = rows[i].copy(), copy.copy(rows), copy.deepcopy(rows), rows[:]
    rows[i][1 - i] = 10
    outer[i][0] += 1
    all_of_it[i][1] = 0
    part[i] = [5]
    return rows, one, outer, all_of_it, part


def items_taken_out(i):
    rows = [[1, 2], [3, 4], [5, 6]]
    first = rows[0]
    found = rows.pop(i)
    found.append(7)
    rows[0].append(8)
    rows.insert(i, [9])
    del rows[i]
    return rows, found, first


def lists_in_order(i):
    one, other = [3.0, 1.0], [2.0, 5.0]
    rows = [one, other]
    rows.sort(key=lambda row: row[0] * (i * 2 - 1))
    rows[0].append(7.0)
    max([one, other], key=lambda row: row[0] * (i * 2 - 1)).append(8.0)
    for row in sorted([one, other], key=lambda row: row[0] * (i * 2 - 1)):
        row.append(9.0)
    return rows, one, other


def outside_of_the_list(i):
    rows = [[1], [2]]
    rows[i + 5].append(3)
    return rows


def repeated(n):
    return [0] * n, (1, 2) * n, "ab" * n, n * [1.5], [0] * (n - 5), [1, 2] * n + [3], ("=" * n).upper()


def a_sieve(n):
    sieve = [True] * (n + 1)
    count = 0
    for i in range(2, n + 1):
        if sieve[i]:
            count += 1
            for j in range(i * i, n + 1, i):
                sieve[j] = False
    return count


def buckets(n):
    found = [[] for _ in range(3)]
    for i in range(n):
        found[i % 3].append(i)
    return found


def a_table(n):
    table = [[0] * 4 for _ in range(4)]
    for i in range(n):
        for j in range(n):
            table[i][j] = i * 10 + j
    total = 0
    for row in table:
        for x in row:
            total += x
    return table, total


def rows_that_change_in_a_loop(n):
    rows = [[1.0], [2.0]]
    last = rows[0]
    for i in range(n):
        rows[i % 2][0] += 1
        last = rows[i % 2]
    last[0] = -1.0
    return rows, last


def rows_that_grow_in_a_loop(n):
    rows = [[1.0], [2.0]]
    i = 0
    while i < n:
        row = rows[i % 2]
        row[0] += i
        if row[0] > 3:
            row.append(0.0)
        i += 1
    return rows


def rows_of_a_growing_list(n):
    rows = []
    for i in range(n):
        rows.append([i, i + 1])
    for i in range(n):
        rows[i][0] = 9 + i
    return rows


def a_work_list(n):
    work, seen = [[0, 0]], 0
    while len(work) > 0:
        a, b = work.pop()
        seen += 1
        if a < n:
            work.append([a + 1, b])
            if b < 1:
                work.append([a + 1, b + 1])
    return seen


OF_ONE_INDEX = [
    *(an_item_of_an_item, a_row_by_another_name, rows_swapped, methods_of_a_row, dicts_in_a_list),
    *(dataclasses_in_a_list, instances_in_a_list, lists_in_tuples, neighbours, an_attribute_of_lists),
    *(through_a_function, under_try, copies, items_taken_out, lists_in_order),
]
OF_LOOPS = [
    *(repeated, a_sieve, buckets, a_table, rows_that_change_in_a_loop, rows_that_grow_in_a_loop),
    *(rows_of_a_growing_list, a_work_list),
]


@pytest.mark.parametrize("program", OF_ONE_INDEX, ids=lambda program: program.__name__)
def test_programs_with_an_index(program):
    for i in (0, 1):
        check(program, i)


@pytest.mark.parametrize("program", OF_LOOPS, ids=lambda program: program.__name__)
def test_programs_that_loop(program):
    for n in (0, 2, 4):
        check(program, n)


def test_an_index_outside_of_a_list_of_lists():
    check(outside_of_the_list, 0, raises=IndexError)


def appended_to_after_it_went_in(n):
    rows, row = [], [0, 0]
    for i in range(n):
        row[0] = i
        rows.append(row)
    return rows


def changed_by_another_name(n):
    rows = []
    for i in range(n):
        rows.append([i])
    rows[0].append(5)
    return rows


def changed_in_a_loop_over_it(n):
    rows = []
    for i in range(n):
        rows.append({"a": i, "b": 0})
    for row in rows:
        row["b"] = row["a"] * 2
    return rows


def held_while_it_is_written(n):
    rows = []
    for i in range(n):
        rows.append([i, i])
    first = rows[0]
    rows[0][0] = 5
    return first, rows


def chosen_by_a_condition(n):
    one, other = [3.0], [2.0]
    for row in [each for each in [one, other] if each[0] > n]:
        row.append(1.0)
    return one, other


@pytest.mark.parametrize(
    "program",
    [
        *(changed_by_another_name, changed_in_a_loop_over_it),
        *(appended_to_after_it_went_in, held_while_it_is_written, chosen_by_a_condition),
    ],
    ids=lambda program: program.__name__,
)
def test_an_element_of_a_list_of_the_graph_is_changed_where_it_is(program):
    ag.check(program, np.int64(2), then=[(np.int64(3),)])


def test_a_slice_holds_the_lists_that_are_in_it():
    def program(i):
        rows = [[1, 2], [3, 4]]
        part = rows[i:]
        part[0][0] = 5
        return rows, len(part)

    ag.check(program, np.int64(1), then=[(np.int64(0),)])


def test_a_slice_that_would_hold_copies_is_refused():
    @ag.function
    def program(i):
        rows = [{"a": 2}, {"a": 4}]
        return rows[i:]

    with pytest.raises(StateDisagrees, match="which part of a list of lists"):
        program(rt.asarray(1))


EDGES = np.random.default_rng(0).integers(0, 20, (30, 2))


class Place:
    def __init__(self, number):
        self.number, self.visits = number, 0


PLACES = [Place(number) for number in range(20)]


def many_lists_that_grow(edges):
    neighbours = [[] for _ in range(20)]
    for u, v in edges:
        neighbours[u].append(v)
        if len(neighbours[v]) > 1:
            neighbours[v] = neighbours[v][1:]
    for row, edge in zip(neighbours, edges):
        row.append(edge[0])
    return neighbours, sum(len(row) for row in neighbours)


def many_rows_that_are_written_to(edges):
    table = [[0] * 20 for _ in range(20)]
    for u, v in edges:
        table[u][v] += 1
        table[v][u] = 2
    return table


def many_sets_dicts_and_queues(edges):
    seen, counts = [set() for _ in range(20)], [{} for _ in range(20)]
    queues, taken = [deque() for _ in range(20)], []
    for u, v in edges:
        seen[u].add(v)
        counts[u][v] = counts[u].get(v, 0) + 1
        queues[u].append(v)
        if queues[v]:
            taken.append(queues[v].popleft())
    return [sorted(each) for each in seen], counts, taken


def many_instances_that_are_made_inside(edges):
    places = [Place(number) for number in range(20)]
    for u, _ in edges:
        places[u].visits += 1
    best = sorted(places, key=lambda place: -place.visits)
    return [place.number for place in best], max(places, key=lambda place: place.visits).number


def many_rows_in_order(edges):
    rows = edges.tolist()
    rows.sort(key=lambda row: row[1])
    total = 0
    for u, v in sorted(edges.tolist(), key=lambda row: -row[0]):
        if u > v:
            total += u
    rows.append([1, 2])
    return rows, total, max(rows)[1], min(edges.tolist(), key=lambda row: row[1])


def many_of_which_one_is_held_twice(edges):
    shared = []
    rows = [shared for _ in range(20)]
    for u, v in edges:
        rows[u].append(v)
    return shared


@pytest.mark.parametrize(
    "program",
    [
        *(many_lists_that_grow, many_rows_that_are_written_to, many_sets_dicts_and_queues),
        *(many_instances_that_are_made_inside, many_rows_in_order, many_of_which_one_is_held_twice),
    ],
    ids=lambda program: program.__name__,
)
def test_more_containers_than_branches_are_worth_are_a_list_of_the_graph(program):
    ag.check(program, EDGES, then=[(EDGES[::-1].copy(),), (EDGES,)])


def one_of_many_that_has_another_name(edges):
    rows = [[] for _ in range(20)]
    first = rows[0]
    rows[edges[0, 0]].append(1)
    return first


def the_greatest_of_many_is_changed(edges):
    rows = edges.tolist()
    greatest = max(rows)
    greatest[0] = 55
    return rows


def one_of_many_in_order_is_changed(edges):
    rows = [[u, v] for u, v in edges]
    ordered = sorted(rows)
    ordered[0][0] = 5
    return ordered, rows


@pytest.mark.parametrize(
    "program",
    [one_of_many_that_has_another_name, the_greatest_of_many_is_changed, one_of_many_in_order_is_changed],
    ids=lambda program: program.__name__,
)
def test_one_of_many_lists_is_changed_where_it_is(program):
    ag.check(program, EDGES, then=[(EDGES[::-1].copy(),)])


def test_where_a_date_changes_in_a_loop_each_run_is_to_call_a_function():
    def workday(n):
        day = dt.date(2024, 4, 1)
        while n > 0:
            day += dt.timedelta(days=1)
            if day.weekday() < 5:
                n -= 1
        return day.isoformat()

    with pytest.raises(StateDisagrees, match=r"which each run calls: `ag\.host_call"):
        ag.function(workday)(np.int64(3))
    ag.check(lambda n: ag.host_call(workday, n, result=str), np.int64(3), then=[(np.int64(7),)])


def test_more_instances_of_the_program_s_than_branches_are_worth_are_refused():
    @ag.function
    def program(i):
        PLACES[i].visits += 1

    with pytest.raises(StateDisagrees, match="more than 16 objects"):
        program(rt.asarray(1))
