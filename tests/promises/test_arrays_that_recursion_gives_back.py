"""An array that a function gives which calls itself is the array of its caller's that Python gives."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees

X = np.array([1.0, 2.0, 3.0, 4.0])


def pick(a, b, n):
    return a if n <= 0 else pick(b, a, n - 1)


class Best:
    best = None

    def find(self, a, b, n):
        if n <= 0:
            return a
        return self.find(b, a, n - 1)

    def keep(self, a, b, n):
        self.best = self.find(a, b, n)


def chosen(x, n):
    a, b = x + 1, x * 2
    c = pick(a, b, n)
    c[0] = -1.0
    return a, b, c, c is a, c is b


def kept_in_an_attribute(x, n):
    a, b = x + 1, x * 2
    found = Best()
    found.keep(a, b, n)
    found.best[0] = -1.0
    return a, b, found.best is a


def both_in_a_tuple(x, n):
    def exchange(a, b, n):
        if n <= 0:
            return a, b
        return exchange(b, a, n - 1)

    a, b = x + 1, x + 2
    c, d = exchange(a, b, n)
    c[0], d[1] = 50.0, 60.0
    return a, b, c is a, d is a


def in_a_list(x, n):
    def listed(a, n):
        return [a, a * 2] if n <= 0 else listed(a, n - 1)

    a = x + 1
    c, d = listed(a, n)
    c[0] = d[0] = 50.0
    return a, d, c is a


def filled_and_given(x, n):
    def fill(a, n):
        if n <= 0:
            return a, 0
        a[n - 1] = n
        given, count = fill(a, n - 1)
        return given, count + 1

    a = x + 1
    c, count = fill(a, n)
    c[3] = 50.0
    return a, c is a, count


def written_on_the_way_back(x, n):
    def count(a, n):
        if n <= 0:
            return a
        given = count(a, n - 1)
        given[0] += 1.0
        return given

    a = x + 1
    return count(a, n), a


def sorted_in_place(x, n):
    def quick(a, low, high):
        if low >= high:
            return a
        middle = low
        for j in range(low, high):
            if a[j] < a[high]:
                a[middle], a[j] = float(a[j]), float(a[middle])
                middle += 1
        a[middle], a[high] = float(a[high]), float(a[middle])
        quick(a, low, middle - 1)
        return quick(a, middle + 1, high)

    a = x[::-1].copy()
    b = quick(a, 0, n)
    b[0] += 10.0
    return a, b is a


def of_around(x, n):
    y = x * 2

    def walk(n):
        return y if n <= 0 else walk(n - 1)

    c = walk(n)
    c[0] = -1.0
    return y, c is y


def of_the_caller_s(x, n):
    def walk(n):
        return x if n <= 0 else walk(n - 1)

    c = walk(n)
    c[0] = -1.0
    return x, c


def by_two_functions(x, n):
    def even(a, n):
        return a if n <= 0 else odd(a, n - 1)

    def odd(a, n):
        return a * 2 if n <= 0 else even(a, n - 1)

    a = x + 1
    c = even(a, n)
    c[0] = 50.0
    return a, c is a, c


def new_at_each_end(x, n):
    def copied(a, n):
        return a * 1 if n <= 0 else copied(a, n - 1)

    a = x + 1
    c = copied(a, n)
    c[0] = 50.0
    return a, c is a


PROGRAMS = [
    chosen,
    kept_in_an_attribute,
    both_in_a_tuple,
    in_a_list,
    filled_and_given,
    written_on_the_way_back,
    sorted_in_place,
    of_around,
    of_the_caller_s,
    by_two_functions,
    new_at_each_end,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_given_back_is_the_array_of_the_caller_s(program):
    others = [(X.copy(), np.int64(n)) for n in (0, 1, 2)]
    ag.check(program, X.copy(), np.int64(3), then=others)


def test_it_is_where_an_object_outside_keeps_it():
    found = Best()

    def run(a, b, n):
        found.best = found.find(a, b, n)

    ag.check(run, X, X * 2, np.int64(3))


def turned_by_each_call(x, n):
    def turned(a, n):
        return a if n <= 0 else turned(a[::-1], n - 1)

    a = x + 1
    c = turned(a, n)
    c[0] = 50.0
    return a, c


def behind_a_handler(x, n):
    def tried(a, n):
        try:
            if n == 3:
                raise ValueError(n)
            return a if n <= 0 else tried(a, n - 1)
        except ValueError:
            return a * 3

    a = x + 1
    c = tried(a, n)
    c[0] = 50.0
    return a, c


@pytest.mark.parametrize("program", [turned_by_each_call, behind_a_handler])
def test_where_only_the_run_knows_which_it_is_nobody_reads_what_was_written_to_the_other(program):
    with pytest.raises(StateDisagrees, match="may have been written to under another name"):
        ag.check(program, X, np.int64(3))


def rows_by_an_index(x, n):
    def pick(k, a):
        if k <= 0:
            return a[(n + k) % 2]
        if a[k % 2, 0] > 4:
            return a[k % 2]
        return pick(k - 1, a)

    a = x.reshape(2, 2) + 1
    one, other = pick(n, a), pick(n + 1, a)
    one[0] = 50.0
    other += 1
    return a, one, other


def two_parts_that_overlap(x, n):
    def cut(k, a):
        return (a[0], a[k:]) if k <= 0 else cut(k - 1, a)

    a = x.reshape(2, 2) + 1
    row, rest = cut(n, a)
    row[0] = 50.0
    rest[0, 1] = 3.0
    a += 1
    return a, row, rest


def a_view(x, n):
    def cut(a, n):
        return a[1:] if n <= 0 else cut(a, n - 1)

    a = x + 1
    c = cut(a, n)
    c[0] = 50.0
    return a, c


@pytest.mark.parametrize("program", [a_view, rows_by_an_index, two_parts_that_overlap])
def test_a_view_that_is_given_back_shows_the_array_of_the_caller_s(program):
    ag.check(program, X, np.int64(3), then=[(X * 2, np.int64(0)), (X, np.int64(-1))])


kept = np.zeros(3)


class Grid:
    def __init__(self):
        self.cells = np.zeros(3)


def one_of_outside_that_is_replaced(x, n):
    global kept

    def grow(k):
        global kept
        if k > 0:
            kept = kept + x[0]
            grow(k - 1)

    grow(n)
    kept[0] = 7.0
    return kept


def one_of_an_attribute_under_another_name(x, n):
    grid = Grid()
    cells = grid.cells

    def grow(k):
        if k > 0:
            grid.cells = grid.cells + x[0]
            cells[0] += 1
            grow(k - 1)

    grow(n)
    grid.cells[1] = 5.0
    return grid.cells, cells


def one_of_a_variable_around(x, n):
    a = np.ones(3)
    b = a

    def grow(k):
        nonlocal a
        if k > 0:
            a = a + x[0]
            b[0] = n
            grow(k - 1)

    grow(n)
    a[1] = 5.0
    return a, b


@pytest.mark.parametrize(
    "program",
    [one_of_outside_that_is_replaced, one_of_an_attribute_under_another_name, one_of_a_variable_around],
)
@pytest.mark.parametrize("n", [0, 3])
def test_an_array_that_some_depths_replace_is_the_one_that_was_there_where_none_has(program, n):
    ag.check(program, X, np.int64(n), then=[(X * 2, np.int64(3 - n)), (X, np.int64(-1)), (X, np.int64(2))])


def test_what_may_be_none_is_asked_for_nothing_of_ours():
    def f(n, v):
        found = None

        def look(k):
            nonlocal found
            if k > 0:
                if v > 1:
                    found = [n]
                look(k - 1)

        look(n)
        return found is None, 0 if found is None else len(found)

    ag.check(f, np.int64(3), np.float64(2.0), then=[(np.int64(2), np.float64(-1.0))])


GRID = np.zeros(4)


def bound_by_a_name_around(x, n):
    a, b = x + 1, x * 2

    def find(k):
        nonlocal a
        if k > 0:
            a = b if k % 2 else a
            find(k - 1)

    find(n)
    a[0] = 50.0
    return a, b


def bound_to_one_of_numpy_s(x, n):
    a, b = np.ones(2), np.zeros(2)

    def find(k):
        nonlocal a
        if k > 0:
            a = b
            find(k - 1)

    find(n)
    a[0] = 50.0
    return a, b


def put_into_an_item(x, n):
    a, b = x + 1, x * 2
    kept = {"a": a}

    def find(k):
        if k > 0:
            kept["a"] = b if n > 2 else kept["a"]
            find(k - 1)

    find(n)
    kept["a"][0] = 50.0
    return a, b


def put_into_an_attribute_of_an_argument(x, n):
    a, b = x + 1, x * 2

    def find(k, best):
        if k > 0:
            best.best = b if n > 2 else best.best
            find(k - 1, best)

    found = Best()
    found.best = a
    find(n, found)
    found.best[0] = 50.0
    return a, b


def put_into_a_list_that_is_passed(x, n):
    a, b = x + 1, x * 2

    def find(k, kept, other):
        if k > 0:
            kept[0] = other if n > 2 else kept[0]
            find(k - 1, kept, other)

    kept = [a, 1]
    find(n, kept, b)
    kept[0][0] = 50.0
    return a, b


def a_row(x, n):
    grid = x.reshape(2, 2) + 1
    row = grid[0]

    def find(k):
        nonlocal row
        if k > 0:
            row = grid[k % 2]
            find(k - 1)

    find(n)
    row[0] = 50.0
    return grid


@pytest.mark.parametrize(
    "program",
    [
        *(bound_by_a_name_around, bound_to_one_of_numpy_s, put_into_an_item),
        *(put_into_an_attribute_of_an_argument, put_into_a_list_that_is_passed, a_row),
    ],
)
def test_what_it_leaves_in_a_place_outside_may_be_an_array_that_others_read(program):
    with pytest.raises(StateDisagrees, match="may have been written to under another name"):
        ag.check(program, X, np.int64(3))


def test_a_global_that_it_leaves_in_a_place_is_not_written_to_under_that_name():
    def f(n):
        kept = {"a": np.array([1.0, n])}
        GRID[0] = n

        def find(k):
            if k > 0:
                kept["a"] = GRID if n > 1 else kept["a"]
                find(k - 1)

        find(n)
        kept["a"][:] = n + 1
        return len(kept["a"])

    with pytest.raises(StateDisagrees):
        ag.function(f)(np.int64(3))


def which_of_two_it_has_bound(x, n):
    a, b = x + 1, x * 2

    def find(k):
        nonlocal a
        if k > 0:
            a = b if k % 2 else a
            find(k - 1)

    find(n)
    return a is b


def test_which_array_it_has_bound_a_name_to_is_not_guessed():
    with pytest.raises(StateDisagrees, match="whether two arrays are one array"):
        ag.function(which_of_two_it_has_bound)(X, np.int64(3))


def bound_to_new_ones(x, n):
    best, a = x * 0, x + 1

    def find(k):
        nonlocal best
        if k > 0:
            if k == 2:
                best = a * k
            find(k - 1)

    find(n)
    best[0] = 50.0
    return a, best


def read_alone(x, n):
    a, b = x + 1, x * 2

    def find(k):
        nonlocal a
        if k > 0:
            a = b if k % 2 else a
            find(k - 1)

    find(n)
    return a.sum(), b


@pytest.mark.parametrize("program", [bound_to_new_ones, read_alone])
def test_arrays_that_it_makes_or_that_nobody_writes_to_are_in_nobody_s_way(program):
    ag.check(program, X, np.int64(3), then=[(X, np.int64(1)), (X, np.int64(0))])


class Score:
    def __init__(self, value):
        self.value = value


def test_an_object_that_it_chooses_for_a_name_around_is_refused_in_these_words():
    def f(n):
        one, other = Score(n), Score(2)
        best = one

        def find(k):
            nonlocal best
            if k > 0:
                best = one if k % 2 else other
                find(k - 1)

        find(n)
        return best.value

    with pytest.raises(
        StateDisagrees, match=r"find\(\) calls itself, and leaves outside what a tensor has chosen"
    ):
        ag.function(f)(np.int64(3))
