"""A deque is a queue, a window and a ring, also where a tensor decides how long it is."""

from collections import OrderedDict, deque

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue
from tests.promises.kit import function_of


def a_queue(n):
    queue, total = deque(), 0
    for i in range(n):
        queue.append(i)
    print(queue, len(queue))
    while queue:
        total = total * 2 + queue.popleft()
    return total, queue


def the_last_three(n):
    last, first = deque(maxlen=3), deque([1], maxlen=3)
    for i in range(n):
        last.append(i * n)
        first.appendleft(i)
    return last, len(last), last.maxlen, first, list(first)


def a_ring(n):
    ring, short = deque(), deque([1, 2, 3])
    for i in range(5):
        ring.append(i)
    ring.rotate(n)
    ring.rotate(-1)
    short.rotate(n)
    return ring, short


def looked_at(n):
    queue = deque([1, 2, 3, 4, 5, 6])
    for _ in range(n):
        queue.pop()
    queue[0] = 9
    return queue, sum(queue), max(queue), [x * 2 for x in queue], list(reversed(queue)), queue[0], queue[-1]


def put_in_at_both_ends(n):
    queue = deque()
    for i in range(n):
        queue.extendleft([i, i + 1])
        queue.extend([0])
    return queue


def taken_from_when_empty(n):
    queue = deque()
    for i in range(n):
        queue.append(i)
    queue.popleft()
    return queue


def changed_on_one_path(n):
    queue = deque([1, 2])
    if n > 2:
        queue.append(3)
    else:
        queue.popleft()
    return queue


def who_is_left(n):
    people, out = deque(range(n + 2)), []
    while len(people) > 1:
        people.rotate(-1)
        out.append(people.popleft())
    return out, people


def breadth_first(n):
    edges = [[1, 2], [3], [3, 4], [5], [5], []]
    distances, queue, order = [-1] * 6, deque([n]), []
    distances[n] = 0
    while queue:
        node = queue.popleft()
        order.append(node)
        for other in edges[node]:
            if distances[other] < 0:
                distances[other] = distances[node] + 1
                queue.append(other)
    return distances, order


PROGRAMS = [
    *(a_queue, the_last_three, a_ring, looked_at, put_in_at_both_ends, taken_from_when_empty),
    *(changed_on_one_path, who_is_left, breadth_first),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_program_gives_what_it_gives_in_python(program):
    ag.check(program, np.int64(3), then=[(np.int64(0),), (np.int64(5),)])


def test_the_shortest_way_through_a_grid():
    def steps(grid):
        queue, seen, best = deque([(0, 0, 0)]), {(0, 0)}, -1
        while queue:
            row, column, distance = queue.popleft()
            if row == 2 and column == 2:
                best = distance
                break
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                r, c = row + down, column + right
                if 0 <= r < 3 and 0 <= c < 3 and grid[r, c] == 0 and (r, c) not in seen:
                    seen.add((r, c))
                    queue.append((r, c, distance + 1))
        return best

    grid = np.array([[0, 0, 1], [1, 0, 1], [1, 0, 0]])
    ag.check(steps, grid, then=[(grid.T.copy(),), (np.ones_like(grid),)])


def test_the_greatest_in_a_window():
    def greatest(xs):
        window, out = deque(), []
        for i in range(len(xs)):
            while window and xs[window[-1]] <= xs[i]:
                window.pop()
            window.append(i)
            if window[0] <= i - 3:
                window.popleft()
            if i >= 2:
                out.append(xs[window[0]])
        return out

    ag.check(greatest, np.array([1, 3, -1, -3, 5, 3, 6, 7]), then=[(np.array([9, 8, 7, 6]),)])


def test_a_deque_of_an_array():
    def counted(xs):
        queue = deque(xs)
        queue.append(xs[0])
        return queue, queue.count(xs[0])

    ag.check(counted, np.array([1, 3, 1]), then=[(np.array([9, 8]),)])


def test_a_deque_is_filled_in_a_try():
    def filled(n):
        queue, recent = deque([1.0, 2.0]), deque([0.5], maxlen=2)
        try:
            recent.extend([n, n * 2])
            if n > 2:
                raise ValueError
            queue.append(3.0)
            queue.rotate(1)
        except ValueError:
            queue.popleft()
        return queue, recent

    ag.check(filled, np.float64(3.0), then=[(np.float64(1.0),), (np.float64(5.0),)])


def test_how_many_items_a_deque_keeps_has_to_be_known():
    for made in (lambda k: deque(maxlen=int(k)), lambda k: deque([1.0], int(k))):
        with pytest.raises(NoConcreteValue, match=r"how many items a deque keeps[\s\S]*popleft"):
            ag.function(made)(np.int64(2))
    ag.check(lambda k: len(deque(maxlen=k)), np.int64(2))
    ag.check(lambda k: len(deque([1.0], k)), np.int64(2))


@pytest.mark.parametrize("options", [{}, {"jit_compile": True}], ids=["chosen", "compiled"])
def test_an_empty_deque_is_rotated(options):
    def f(xs, k):
        queue, items = deque(xs, maxlen=5), deque()
        queue.rotate(k)
        items.rotate(k)
        for x in xs:
            items.append(x)
        return queue, items, len(queue)

    ag.check(f, np.array([], int), np.int64(2), then=[(np.array([1, 2, 3]), np.int64(-1))], options=options)


@pytest.mark.parametrize("index", ["n", "int(n)", "-n", "n - 4", "n > 1", "n * 1.0"])
@pytest.mark.parametrize("items", ["[1, n, 3]", "['a', 'b', 'c']", "[[n], [2], [3]]"])
def test_an_index_of_a_deque_is_refused_in_the_words_of_one(items, index):
    lines = [
        f"a = deque({items})",
        "try:",
        f"    return a[{index}]",
        "except (IndexError, TypeError) as error:",
    ]
    body = "".join(f"    {line}\n" for line in [*lines, "    return str(error)"])
    f = function_of(f"def f(n):\n{body}", deque=deque)
    ag.check(f, np.int64(3), then=[(np.int64(1),), (np.int64(0),), (np.int64(7),)])


def in_a_deque(xs):
    last = deque(xs, maxlen=3)
    if 3 in last:
        last.append(9)
    return list(last), 9 not in last, 1 in last, None in last


def in_values_and_items(xs):
    held = {"a": xs[0], "b": xs[1]}
    ordered = OrderedDict(a=xs[0])
    return 2 in held.values(), ("a", 1) in held.items(), 7 in ordered.values(), ("b", 1) in ordered.items()


@pytest.mark.parametrize("program", [in_a_deque, in_values_and_items])
def test_a_number_that_python_knows_is_looked_for_among_those_of_a_graph(program):
    ag.check(program, np.array([1, 2, 3]), then=[(np.array([7, 1, 4]),)])
