"""A function that calls itself finds around it what the call left there, and leaves what Python leaves."""

import numpy as np
import pytest

import autograph as ag

# ── what is changed before a call, and put back behind it ──


def a_number_put_back(n):
    depth, seen = 0, []

    def walk(i):
        nonlocal depth
        if i == n:
            seen.append(depth)
            return
        walk(i + 1)
        depth += 1
        walk(i + 1)
        depth -= 1

    walk(0)
    return seen


class Deep:
    def __init__(self):
        self.depth = self.deepest = 0

    def walk(self, i, n):
        self.deepest = max(self.deepest, self.depth)
        if i < n:
            self.depth += 1
            self.walk(i + 1, n)
            self.depth -= 1


def attributes_put_back(n):
    deep = Deep()
    deep.walk(0, n)
    return deep.deepest, deep.depth


def an_item_put_back(n):
    counts, seen = {"depth": 0}, []

    def walk(i):
        if i == n:
            seen.append(counts["depth"])
            return
        counts["depth"] += 1
        walk(i + 1)
        counts["depth"] -= 1

    walk(0)
    return seen, counts


def a_list_popped(n):
    seen, path = [], []

    def walk(i):
        if i == n:
            seen.append(sum(path) + len(path))
            return
        walk(i + 1)
        path.append(i)
        walk(i + 1)
        path.pop()

    walk(0)
    return seen, path


def subsets(n):
    found, chosen = [], []

    def choose(i):
        if i == n:
            found.append(chosen.copy())
            return
        choose(i + 1)
        chosen.append(i)
        choose(i + 1)
        chosen.pop()

    choose(0)
    return found


def subsets_as_arguments(n):
    found = []

    def choose(i, chosen):
        if i == n:
            found.append(chosen)
            return
        choose(i + 1, chosen)
        choose(i + 1, [*chosen, i])

    choose(0, [])
    return found


def marks_taken_back(n):
    used, seen = [False] * 3, []

    def place(k):
        if k == n:
            seen.append(sum(used))
            return
        for i in range(3):
            if not used[i]:
                used[i] = True
                place(k + 1)
                used[i] = False

    place(0)
    return seen


# ── arrays that lie around the function ──


def an_array_around(n):
    marks = np.zeros(n + 1, dtype=int)

    def walk(i):
        if i < n:
            walk(i + 1)
            marks[i] += i

    walk(0)
    return marks


def a_view_around(n):
    table = np.zeros((2, 5))
    row = table[1]

    def walk(i):
        if i < n:
            row[i] += i + 1
            table[0, i] += row[i]
            walk(i + 1)

    walk(0)
    return table, row


def an_array_with_two_names(n):
    cells = np.zeros(5)

    def walk(given, i):
        if i == n:
            return 0.0
        given[i] += 1
        here = cells[i]
        return here + walk(given, i + 1)

    return walk(cells, 0), cells


class Marks:
    def __init__(self):
        self.cells = np.zeros(5)

    def walk(self, i, n):
        if i < n:
            self.walk(i + 1, n)
            self.cells[i] = i + 1


def an_array_of_an_instance(n):
    marks = Marks()
    marks.walk(0, n)
    return marks.cells


def written_in_a_loop(n):
    counts = np.zeros(5, dtype=int)

    def walk(i):
        for step in range(n):
            if i < step:
                walk(i + 2)
            counts[i] += step

    walk(0)
    return counts


def numbers_remembered(n):
    known = np.full(20, -1)

    def fibonacci(k):
        if k < 2:
            return k
        if known[k] < 0:
            known[k] = fibonacci(k - 1) + fibonacci(k - 2)
        return known[k]

    return fibonacci(n), known


def queens(n):
    columns, count = np.zeros(n, dtype=int), 0

    def is_free(row, column):
        for other in range(row):
            if columns[other] == column or abs(columns[other] - column) == row - other:
                return False
        return True

    def place(row):
        nonlocal count
        if row == n:
            count += 1
            return
        for column in range(n):
            if is_free(row, column):
                columns[row] = column
                place(row + 1)

    place(0)
    return count


def orders(n):
    items, found = np.array([3.0, 1.0, 2.0]), []

    def choose(k):
        if k >= n:
            found.append(items.copy())
            return
        for i in range(k, 3):
            items[k], items[i] = items[i], items[k]
            choose(k + 1)
            items[k], items[i] = items[i], items[k]

    choose(0)
    return found


# ── strings that change places ──


def hanoi(n):
    moves = []

    def move(n, source, target, spare):
        if n > 0:
            move(n - 1, source, spare, target)
            moves.append((source, target))
            move(n - 1, spare, target, source)

    move(n, "left", "right", "middle")
    return moves


def turns(n):
    def play(n, mine, other):
        return mine if n <= 0 else play(n - 1, other, mine)

    return play(n, "black", "white")


PROGRAMS = [
    *(a_number_put_back, attributes_put_back, an_item_put_back, a_list_popped, subsets, subsets_as_arguments),
    *(marks_taken_back, an_array_around, a_view_around, an_array_with_two_names, an_array_of_an_instance),
    *(written_in_a_loop, numbers_remembered, queens, orders, hanoi, turns),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_program_gives_what_it_gives_in_python(program):
    ag.check(program, np.int64(3), then=[(np.int64(1),)])


cells = np.zeros(5)


def test_an_array_of_the_module_and_an_argument_are_written():
    def around(n):
        def walk(i):
            if i < n:
                walk(i + 1)
                cells[i] += i

        walk(0)
        return cells.sum()

    def given(array, n):
        def walk(array, i):
            if i < n:
                walk(array, i + 1)
                array[i] += i

        walk(array, 0)
        return array

    ag.check(around, np.int64(3), then=[(np.int64(2),)])
    ag.check(given, np.zeros(4), np.int64(3))


def test_rows_of_a_board_around_are_changed_and_put_back():
    def filled(clues):
        board = [[0] * 4 for _ in range(4)]  # so many rows that they are the graph's
        for r, c, value in clues:
            board[r][c] = value

        def free():
            for r in range(4):
                for c in range(4):
                    if board[r][c] == 0:
                        return r, c
            return None

        def fill():
            place = free()
            if place is None:
                return True
            r, c = place
            for value in range(1, 3):
                if board[r][0] != value:
                    board[r][c] = value
                    if fill():
                        return True
                    board[r][c] = 0
            return False

        return fill(), board

    ag.check(filled, np.array([[0, 1, 1]]), then=[(np.array([[1, 0, 2]]),)], executors=["auto"])


def test_a_string_that_calls_change_and_put_back_tells_them_apart():
    def named(n):
        mode, seen = "out", []

        def walk(i):
            nonlocal mode
            if i == n:
                seen.append(1 if mode == "out" else 2)
                return
            before, mode = mode, "in"
            walk(i + 1)
            mode = before
            walk(i + 1)

        walk(0)
        return seen

    ag.check(named, np.int64(3), then=[(np.int64(n),) for n in (0, 1, 2, 4)])


def test_a_local_function_is_called_once_with_a_string_that_a_tensor_chooses():
    def program(x):
        calls = []

        def note(word):
            calls.append(word)
            return len(word)

        return note("up" if x > 0 else "down"), calls

    ag.check(program, np.float64(1.0), then=[(np.float64(-1.0),)])


def test_what_a_trace_had_done_that_was_given_up_has_not_happened():
    class Counter:
        most = 0

    def program(n):
        counter = Counter()

        def walk(i, above):
            counter.most = max(counter.most, above)
            if i < n:
                walk(i + 1, above + 1)

        walk(0, 0)
        return counter.most

    ag.check(program, np.int64(3), then=[(np.int64(12),)])


# ── arguments that may be None ──


class Leaf:
    def __init__(self, cost):
        self.cost = cost


def last_of(n, found, other):
    if n <= 0:
        return found
    found = other if n == 1 else found
    return last_of(n - 1, found, other)


def kept_by(n, found, other):
    if n <= 0:
        return found
    other.append(2.0)
    return kept_by(n - 1, found, other)


def one_that_may_be_none(n, x, make):
    first, second = make(1.0), make(x)
    found = None
    if x > 0:
        found = first
    found = last_of(n, found, second)
    return None if found is None else (found is first, found is second)


def a_list_that_it_gives_back(n, x):
    first, second = [1.0], [x]
    found = None
    for i in range(n):
        found = kept_by(i, found, second)
        if i > 1:
            found = first
    return None if found is None else (list(found), found is first), second


@pytest.mark.parametrize(
    "make", [Leaf, lambda x: [x], lambda x: {"q": x}], ids=["an object", "a list", "a dict"]
)
def test_what_may_be_none_is_given_back_as_it_was_given(make):
    calls = [(np.int64(n), np.float64(x)) for n, x in [(0, 1.0), (1, -1.0), (0, -1.0), (3, 2.0)]]
    ag.check(lambda n, x: one_that_may_be_none(n, x, make), *calls[0], then=calls[1:])


def test_a_list_that_it_gives_back_may_be_none():
    calls = [(np.int64(n), np.float64(1.5)) for n in (0, 1, 2, 3)]
    ag.check(a_list_that_it_gives_back, *calls[0], then=calls[1:])
