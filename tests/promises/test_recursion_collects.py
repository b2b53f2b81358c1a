"""Functions that call themselves may collect, mark, count and sort on the way, in lists of their callers."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import IntTooLarge
from tests.promises.kit import function_of


def countdown(n):
    def walk(n, out):
        if n > 0:
            out.append(n)
            walk(n - 1, out)

    out = []
    walk(n, out)
    return out


def countdown_around(n):
    out = []

    def walk(n):
        if n > 0:
            out.append(n)
            walk(n - 1)

    walk(n)
    return out


def countdown_given_back(n):
    def walk(n, out):
        out.append(n)
        if n == 0:
            return out
        return walk(n - 1, out)

    return walk(n, [])


def countdown_by_default(n):
    def walk(n, out=None):
        if out is None:
            out = []
        out.append(n)
        if n > 0:
            walk(n - 1, out)
        return out

    return walk(n)


def lists_joined(n):
    def down(n):
        return [] if n == 0 else [n] + down(n - 1)  # noqa: RUF005  # as people write it

    def up(n):
        found = []
        if n > 0:
            found.extend(up(n - 1))
            found.append(n)
        return found

    return down(n), up(n)


def hanoi(n):
    def move(n, source, target, other, moves):
        if n == 0:
            return
        move(n - 1, source, other, target, moves)
        moves.append((source, target))
        move(n - 1, other, target, source, moves)

    moves = []
    move(n, 0, 1, 2, moves)
    return moves


def digits(n):
    def bits(n, out):
        if n > 1:
            bits(n // 2, out)
        out.append(n % 2)

    out = []
    bits(n, out)
    return out


def marks(n):
    def visit(i, visited):
        visited[i] = True
        if i < 5:
            visit(i + 1, visited)

    visited = [False] * 6
    visit(n, visited)
    return visited


def depth_first(n):
    edges = [[1, 2], [3], [3, 4], [5], [5], []]
    seen, order = [False] * 6, []

    def visit(node):
        seen[node] = True
        order.append(node)
        for other in edges[node]:
            if not seen[other]:
                visit(other)

    visit(n)
    return order, seen


def tree_in_order(n):
    left, right, out = [1, 3, -1, -1, -1], [2, 4, -1, -1, -1], []

    def walk(node):
        if node < 0:
            return
        walk(left[node])
        out.append(node)
        walk(right[node])

    walk(n)
    return out


def permutations(n):
    out = []

    def place(items, k):
        if k == len(items):
            out.append(tuple(items))
            return
        for i in range(k, len(items)):
            items[k], items[i] = items[i], items[k]
            place(items, k + 1)
            items[k], items[i] = items[i], items[k]

    place([n, n + 1, n + 2], n * 0)
    return out


def subset_sums(n):
    out = []

    def choose(i, total):
        if i == n:
            out.append(total)
            return
        choose(i + 1, total)
        choose(i + 1, total + i)

    choose(0, 0)
    return out


def shuffled(n):
    items = []
    for i in range(n):
        items.append((7 * i + 3) % 5)
    return items


def quicksort_in_place(n):
    def sort(items, low, high):
        if low < high:
            pivot, i = items[high], low
            for j in range(low, high):
                if items[j] < pivot:
                    items[i], items[j] = items[j], items[i]
                    i += 1
            items[i], items[high] = items[high], items[i]
            sort(items, low, i - 1)
            sort(items, i + 1, high)

    items = shuffled(n)
    sort(items, 0, len(items) - 1)
    return items


def quicksort(n):
    def sort(items):
        if len(items) <= 1:
            return items
        first = items[0]
        less, more = [x for x in items[1:] if x < first], [x for x in items[1:] if x >= first]
        return sort(less) + [first] + sort(more)  # noqa: RUF005  # likewise

    return sort(shuffled(n))


def mergesort(n):
    def sort(items):
        if len(items) <= 1:
            return items
        middle = len(items) // 2
        left, right = sort(items[:middle]), sort(items[middle:])
        out, i, j = [], 0, 0
        while i < len(left) and j < len(right):
            if left[i] <= right[j]:
                out.append(left[i])
                i += 1
            else:
                out.append(right[j])
                j += 1
        return out + left[i:] + right[j:]

    return sort(shuffled(n))


class Walker:
    """Counts and keeps in attributes."""

    def __init__(self):
        self.calls, self.out = 0, []

    def go(self, n):
        self.calls += 1
        self.out.append(n)
        if n > 0:
            self.go(n - 1)


def attributes(n):
    walker = Walker()
    walker.go(n)
    return walker.calls, walker.out


def one_another(n):
    out = []

    def even(n):
        out.append(0)
        return True if n == 0 else odd(n - 1)

    def odd(n):
        out.append(1)
        return False if n == 0 else even(n - 1)

    return even(n), out


def remembered(n):
    memo = [-1] * 20

    def fib(k):
        if memo[k] >= 0:
            return memo[k]
        if k < 2:
            return k
        memo[k] = fib(k - 1) + fib(k - 2)
        return memo[k]

    return fib(n), memo


OF_A_NUMBER = [
    *(countdown, countdown_around, countdown_given_back, countdown_by_default, lists_joined, hanoi, digits),
    *(marks, depth_first, permutations, subset_sums, quicksort_in_place, quicksort, mergesort, attributes),
    *(one_another, remembered),
]


@pytest.mark.parametrize("program", OF_A_NUMBER, ids=lambda program: program.__name__)
def test_a_program_gives_what_it_gives_in_python(program):
    ag.check(program, np.int64(3), then=[(np.int64(0),), (np.int64(4),)])


def test_a_tree_of_indices():
    ag.check(tree_in_order, np.int64(0), then=[(np.int64(1),), (np.int64(-1),)])


def test_a_matrix_of_edges():
    def reached(edges, start):
        seen, order = [False] * len(edges), []

        def visit(node):
            seen[node] = True
            order.append(node)
            for other in range(len(edges)):
                if edges[node, other] and not seen[other]:
                    visit(other)

        visit(start)
        return order

    edges = np.array([[0, 1, 1, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]])
    ag.check(reached, edges, np.int64(0), then=[(edges.T.copy(), np.int64(2))])


log = []


def kept_outside(n):
    log.append(n)
    if n > 0:
        kept_outside(n - 1)


def test_a_list_of_the_module():
    ag.check(kept_outside, np.int64(3), then=[(np.int64(0),), (np.int64(2),)])


# ── what gets longer in every call ──


def tuples(n):
    def path(n, before=()):
        return before if n <= 0 else path(n - 1, (*before, n))

    return path(n)


def strings(n):
    def digits(n, before="", *, sign="+"):
        if n <= 0:
            return sign, before
        return digits(n - 1, before + str(n), sign=sign)

    return digits(n)


def strings_that_get_shorter(n):
    def turned(text):
        return text if len(text) <= 1 else turned(text[1:]) + text[0]

    return turned(str(n * 1234))


def tuples_that_python_ends(n):
    def product(items, x):
        if not items or x > 100:
            return x
        return product(items[1:], x * items[0])

    return product((1, 2, 3, 4, 5, 6, 7), n)


@pytest.mark.parametrize("program", [tuples, strings, strings_that_get_shorter, tuples_that_python_ends])
def test_arguments_may_get_longer_in_every_call(program):
    ag.check(program, np.int64(9), then=[(np.int64(0),), (np.int64(2),)])


# ── a call on a path that Python knows, which ends there ──


def way_out_of_a_maze(maze):
    rows, columns = maze.shape
    path, seen = [], set()

    def walk(row, column):
        if not (0 <= row < rows and 0 <= column < columns) or maze[row, column] or (row, column) in seen:
            return False
        seen.add((row, column))
        path.append((row, column))
        if (row, column) == (rows - 1, columns - 1):
            return True
        for down, right in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
            if walk(row + down, column + right):
                return True
        path.pop()
        return False

    return walk(0, 0), path


def test_a_call_that_only_ends_leaves_its_additions_on_its_path_alone():
    maze = np.array([[0, 0, 1], [1, 0, 0], [1, 1, 0]])
    ag.check(way_out_of_a_maze, maze, then=[(maze[:2],), (maze[::-1],), (maze[:1, :1],)])


class Box:
    """Something that holds what is found."""


WHOSE = {
    "a dict that remembers": (
        "memo = {}\ndef go(k):\n    if k == 0:\n        return 1\n"
        "    if k not in memo:\n        memo[k] = go(k - 1) + go(k - 1)\n    return memo[k]\n"
        "return go(n), repr(memo)"
    ),
    "a dict with keys at first": (
        "memo = {0: 1}\ndef go(k):\n    if k not in memo:\n        memo[k] = go(k - 1) * 2\n"
        "    return memo[k]\n"
        "return go(int(n)), repr(memo)"
    ),
    "a list of zeros": (
        "memo = [0] * 100\ndef go(k):\n    if k == 0:\n        return 1\n"
        "    if memo[k] == 0:\n        memo[k] = go(k - 1) + go(k - 1)\n    return memo[k]\n"
        "return go(n), memo[2] / 2, type(memo[1]) is int"
    ),
    "an item": (
        "d = {n: 1}\ndef go(k):\n    if k == 0:\n        return\n    d[n] += d[n]\n    go(k - 1)\n"
        "go(n)\nreturn repr(d[n]), isinstance(d[n], int)"
    ),
    "a list that grows": (
        "out = []\ndef go(k):\n    if k == 0:\n        return\n"
        "    out.append(1 if not out else out[-1] * 2)\n"
        "    go(k - 1)\ngo(n)\nreturn repr(out)"
    ),
    "a dict that is passed": (
        "def go(k, memo):\n    if k == 0:\n        return 1\n"
        "    if k not in memo:\n        memo[k] = go(k - 1, memo) + go(k - 1, memo)\n    return memo[k]\n"
        "return go(n, {})"
    ),
    "a list in an object that is passed": (
        "box = Box()\nbox.found = [1, 1]\ndef go(k, box):\n    if k == 0:\n        return\n"
        "    box.found.append(box.found[-1] * 2)\n    go(k - 1, box)\n"
        "go(n, box)\nreturn repr(box.found)"
    ),
    "a list that gets longer on the way": (
        "out = []\ndef go(k, path):\n    if k == 0:\n        out.append(sum(path))\n        return\n"
        "    go(k - 1, path + [path[-1] * 2])\n"
        "go(n, [1])\nreturn out, repr(out[0])"
    ),
    "a variable": (
        "total = int(n)\ndef go(k):\n    nonlocal total\n    if k == 0:\n        return\n    total += total\n"
        "    go(k - 1)\ngo(n)\nreturn repr(total), type(total)"
    ),
}


@pytest.mark.parametrize("lines", WHOSE.values(), ids=WHOSE)
def test_what_calls_of_themselves_collect_stays_the_ints_of_pythons_that_it_is(lines):
    f = function_of("def f(n):\n" + "".join(f"    {line}\n" for line in lines.splitlines()), Box=Box)
    ag.check(f, np.int64(4), then=[(np.int64(1),), (np.int64(9),)])
    with pytest.raises(IntTooLarge):
        ag.function(f)(np.int64(70))


@pytest.mark.parametrize(("first", "times"), [("x[0]", "2"), ("x[0]", "x[1]"), ("int(n)", "x[1]")])
def test_what_calls_of_themselves_collect_is_numpys_where_they_put_in_numbers_of_numpys(first, times):
    source = f"""
def f(x, n):
    out = []

    def go(k):
        if k == 0:
            return
        out.append({first} if not out else out[-1] * {times})
        go(k - 1)

    go(n)
    return out, sum(out[1:]) + out[0]
"""
    f, x = function_of(source), np.array([3, 1 << 62])
    for n in (4, 1, 3):
        with np.errstate(over="ignore"):  # which NumPy tells of numbers without axes, and a graph does not
            expected = f(x, np.int64(n))
        found, total = ag.function(f)(x, np.int64(n))
        assert ([*map(int, found)], int(total)) == ([*map(int, expected[0])], int(expected[1]))
