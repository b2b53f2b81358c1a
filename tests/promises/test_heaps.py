"""Heaps that Python's loops fill: of tuples and of objects, however many there are."""

import heapq
import warnings

import numpy as np
import pytest

import autograph as ag


class Job:
    def __init__(self, cost, name):
        self.cost, self.name = cost, name

    def __lt__(self, other):
        return self.cost < other.cost


pytestmark = pytest.mark.filterwarnings("ignore::runtime.errors.UnrollingWarning")

KINDS = {
    "numbers of the run first": lambda c, k: (c, k),
    "of Python's": lambda c, k: (k % 3, c),
    "of several kinds": lambda c, k: (k * 0.5, k, c),
    "tuples in tuples": lambda c, k: (c, (k, k * 2)),
    "objects": Job,
}
TUPLES = [kind for kind in KINDS if kind != "objects"]


def filled(x, n, kind):
    heap = []
    for k in range(n):
        heapq.heappush(heap, KINDS[kind](x * (k * 7 % 11), k))
    return heap


def emptied(x, n, kind):
    heap, found = filled(x, n, kind), []
    while heap:
        found.append(heapq.heappop(heap))
    return found


def some_taken(x, n, kind):
    heap = filled(x, n, kind)
    return [heapq.heappop(heap) for _ in range(n // 2)], len(heap)


def read(x, n, kind):
    heap = filled(x, n, kind)
    first, second, *rest = heap
    return first, second, rest, heap[2:5], heap[-1], sorted(heap), max(heap), first in heap


def names(x, n):
    heap, jobs = filled(x, n, "objects"), []
    first = heapq.heappop(heap)
    first.cost = -1
    while heap:
        jobs.append(heapq.heappop(heap).name)
    return first.name, first.cost, jobs


def nodes(program, *args):
    """How many operations the graph of a program has."""
    with warnings.catch_warnings(action="ignore"):
        graph = ag.function(program).get_concrete_function(*args).graph
    return sum(len(inner.nodes) for inner in graph.walk())


@pytest.mark.parametrize("kind", TUPLES)
@pytest.mark.parametrize("program", [emptied, some_taken, read])
def test_heaps_of_tuples_are_those_of_python(program, kind):
    ag.check(program, np.float64(3.5), 9, kind)


def test_a_heap_that_is_given_is_a_list_of_python_tuples():
    ag.check(filled, np.int64(3), 12, TUPLES[0], then=[(np.int64(-2), 12, TUPLES[0])])


@pytest.mark.parametrize("n", [4, 9])
def test_heaps_of_objects_are_those_of_python(n):
    ag.check(names, np.int64(3), n)


def test_the_tuples_of_a_list_change_places():
    def exchanged(x):
        table = [(k, k * 2) for k in range(20)]
        table[x], table[0] = table[0], table[x]
        table[x - 1] = (7, 1)
        return table, table[x], len(table), type(table[0]).__name__

    ag.check(exchanged, np.int64(3), then=[(np.int64(-2),)])


def test_each_item_of_a_heap_adds_the_same_to_the_graph():
    few, many = (nodes(emptied, np.int64(3), n, "numbers of the run first") for n in (20, 40))
    assert many < 2.2 * few


def test_a_heap_of_objects_is_a_list_of_the_graph_soon():
    def last(x, n):
        heap, found = filled(x, n, "objects"), 0
        while heap:
            found = heapq.heappop(heap).name
        return found

    assert nodes(last, np.int64(3), 24) < 2 * nodes(last, np.int64(3), 12)
