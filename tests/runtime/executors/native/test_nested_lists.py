"""Lists of lists of numbers are machine code: the numbers of all lists lie in one memory."""

import heapq
from collections import defaultdict, deque

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.whole import lowered

EDGES = np.random.default_rng(0).integers(0, 12, (30, 2))
WEIGHTS = np.random.default_rng(1).uniform(size=30).round(3)


def breadth_first(edges, n, start):
    neighbours = [[] for _ in range(n)]
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    distance = [-1] * n
    distance[start] = 0
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for there in neighbours[here]:
            if distance[there] < 0:
                distance[there] = distance[here] + 1
                waiting.append(there)
    return distance, neighbours


def in_order(edges, n):
    behind, before = [[] for _ in range(n)], np.zeros(n, dtype=int)
    for a, b in edges:
        if a < b:
            behind[a].append(b)
            before[b] += 1
    order, free = [], [i for i in range(n) if before[i] == 0]
    while free:
        here = free.pop()
        order.append(here)
        for there in behind[here]:
            before[there] -= 1
            if before[there] == 0:
                free.append(there)
    return order


def shortest(edges, weights, n):
    roads = defaultdict(list)
    for k in range(len(edges)):
        roads[edges[k, 0]].append((edges[k, 1], weights[k]))
    best = [np.inf] * n
    best[0] = 0.0
    heap = [(0.0, 0)]
    while heap:
        way, here = heapq.heappop(heap)
        if way > best[here]:
            continue
        for there, more in roads[here]:
            if way + more < best[there]:
                best[there] = way + more
                heapq.heappush(heap, (way + more, there))
    return best


def buckets(values, n):
    rows = [[] for _ in range(n)]
    for value in values:
        rows[int(value * n)].append(value)
    return [value for row in rows for value in sorted(row)], rows


def triangle(n):
    rows = [[1]]
    for _ in range(n):
        last = rows[-1]
        rows.append([1] + [last[k] + last[k + 1] for k in range(len(last) - 1)] + [1])
    return rows


def changed(values, n):
    rows = [[0.0], [1.0]]
    for i in range(n):
        rows.append([values[i], values[0]])
        if len(rows) > 4:
            rows.pop(1)
        rows[0][0] = values[i] * 2
        rows[-1] = rows[0] + [values[i]]
    return rows, len(rows)


def pushed_by_paths(values, n):
    rows = [[] for _ in range(3)]
    total = 0.0
    for i in range(n):
        try:
            if values[i] > 0.5:
                rows[i % 4].append(values[i])
            else:
                total += rows[0].pop()
        except IndexError:
            rows[1].append(total)
            total -= 1
    return rows, total


PROGRAMS = [
    (breadth_first, (EDGES, np.int64(12), 3)),
    (in_order, (EDGES, np.int64(12))),
    (shortest, (EDGES, WEIGHTS, np.int64(12))),
    (buckets, (WEIGHTS, np.int64(4))),
    (triangle, (np.int64(9),)),
    (changed, (WEIGHTS, np.int64(9))),
    (pushed_by_paths, (WEIGHTS, np.int64(9))),
]


def plain(value):
    if isinstance(value, list | tuple):
        return list(map(plain, value))
    return np.asarray(value).tolist()


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS, ids=lambda each: getattr(each, "__name__", ""))
def test_a_program_with_lists_of_lists_does_not_stay_on_numpy(function, arguments):
    graph = ag.function(function)
    for count in (arguments[-1], arguments[-1]):
        assert plain(graph(*arguments[:-1], count)) == plain(function(*arguments[:-1], count))
    report = graph.concrete_functions[0].report()
    assert report.executor == "native", report.why


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS, ids=lambda each: getattr(each, "__name__", ""))
def test_so_it_is_where_machine_code_is_asked_for(function, arguments):
    graph = ag.function(function, jit_compile=True)
    assert plain(graph(*arguments)) == plain(function(*arguments))


@pytest.mark.parametrize(
    ("function", "arguments"),
    [PROGRAMS[0], PROGRAMS[3], PROGRAMS[5]],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_the_interpreter_says_the_same(function, arguments):
    concrete = ag.function(function).get_concrete_function(*arguments)
    module = concrete.optimised_module
    tensors = [each for each in arguments if isinstance(each, np.ndarray | np.int64)]
    lists = Interpreted(lowered(module), module.entry).run(tensors)
    assert plain([_items(each) for each in lists]) == plain(
        [_items(each) for each in concrete.run_arrays(tensors)]
    )


def _items(value):
    return [_items(each) for each in value.items] if hasattr(value, "items") else value


def test_a_list_that_outgrows_its_room_moves_behind_the_others():
    @ag.function
    def grown(n):
        rows = [[0], [1], [2]]
        for i in range(n):
            rows[i % 3].append(i)
            rows[0].append(i * 10)
        return rows

    rows = [[0], [1], [2]]
    for i in range(200):
        rows[i % 3].append(i)
        rows[0].append(i * 10)
    assert plain(grown(rt.asarray(200))) == rows
    assert grown.concrete_functions[0].report().executor == "native"


def test_a_list_of_which_nothing_is_known_stays_python_s():
    def unused(n):
        rows = [[] for _ in range(n)]
        return rows, len(rows)

    for jit_compile in (None, True):
        assert plain(ag.function(unused, jit_compile=jit_compile)(rt.asarray(3))) == [[[], [], []], 3]


def test_lists_of_lists_go_in_and_out():
    @ag.function(jit_compile=True)
    def longer(rows, n):
        for i in range(n):
            rows[i % 2].append(i)
        return rows

    @ag.function
    def twice(n):
        rows = [[1, 2], [3]]
        return longer(longer(rows, n), n)

    assert plain(twice(rt.asarray(3))) == [[1, 2, 0, 2, 0, 2], [3, 1, 1]]
