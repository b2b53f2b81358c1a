"""Arrays in a list of Python's, and rows of an array: a tensor says which is read, written to or compared."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of

CALLS = [(np.array([1.0, 2.0, 3.0, 4.0]), np.int64(n)) for n in (1, 2, 3, 0)]

FILL = "def fill(b):\n    for z in range(len(b)):\n        b[z] += 2.0"

ROWS = "rows = [x.copy(), np.zeros(4), x * 2]"


def held(*lines):
    """Holds the lines of a function of `x` and `n` against plain Python."""
    text = "".join(f"    {line}\n" for line in "\n".join(lines).splitlines())
    f = function_of(f"def f(x, n):\n{text}", np=np)
    ag.check(f, *CALLS[0], then=CALLS[1:], executors=["numpy"])


WRITES = {
    "an element": "rows[n % 3][1] = 5.0",
    "a whole one, in place": "rows[n % 3] += 1.0",
    "under a name": "r = rows[n % 3]\nr[0] = 9.0",
    "one that was read at an index before": "s = rows[n % 3].sum()\nrows[0][1] = s",
    "in a loop": "for i in range(n):\n    rows[i % 3][i % 4] += i",
    "a row that is put back": "rows[n % 3] = rows[(n + 1) % 3]\nrows[0][0] = 7.0",
    "a row that is another one from then on": "rows[n % 3] = rows[n % 3] * 2\nrows[1][0] = 7.0",
    "two that are exchanged": "rows[n % 3], rows[-n % 3] = rows[-n % 3], rows[n % 3]\nrows[0] += 1.0",
    "one that is taken out": "y = rows.pop(n % 3)\ny[0] = 9.0\nrows.append(y)",
    "by a function": f"{FILL}\nfill(rows[n % 3])",
    "as a part": "rows[n % 3][:2] = 0.5",
    "where a test asks": "if rows[n % 3] is more[n % 3]:\n    rows[n % 3] *= 3.0",
    "in a tuple": "both = (rows[0], rows[1])\nboth[n % 2][0] = 3.0",
}


@pytest.mark.parametrize("others", ["more = rows", "more = list(rows)", "more = [rows[0], rows[0], x]"])
@pytest.mark.parametrize("text", WRITES.values(), ids=WRITES)
def test_an_array_at_an_index_that_a_tensor_decides_is_written_to(text, others):
    held(ROWS, others, text, "return rows, more, x")


ROWS_OF_ONE = {
    "under a name": "row = m[n % 3]\nrow[:] = x[n % 3]",
    "in place": "row = m[n % 3]\nrow += x[0]\nm[0, 0] = 7.0",
    "in a loop": "for i in range(n):\n    row = m[i % 3]\n    row += x[0]\n    m[i % 3][0] = 1.0",
    "of the other axis": "row = m.T[n % 3]\nrow[:2] = x[0]",
    "by a function": f"{FILL}\nfill(m[n % 3])",
}


@pytest.mark.parametrize("text", ROWS_OF_ONE.values(), ids=ROWS_OF_ONE)
def test_a_row_of_an_array_of_numpys_is_written_to(text):
    held("m = np.arange(9.0).reshape(3, 3)\nother = m.T", text, "return m, other")


@pytest.mark.parametrize(
    "test",
    [
        "w is z",
        "w is x",
        "w is not z",
        "(z if n > 2 else w) is w",
        "rows[n % 3] is rows[1]",
        "rows[n % 3] is x",
        "rows[n % 3] is rows[(n + 1) % 3]",
        "rows[n % 3] is [z, z, x][n % 3]",
    ],
)
def test_whether_arrays_are_one_is_asked_of_what_chose_them(test):
    start = "z = np.zeros(4)\nw = z if n > 1 else x\nrows = [x.copy(), z, x]"
    held(start, f"found = 1 if {test} else 2\nw[0] = 5.0", f"return found, {test}, z")


def test_a_loop_asks_whether_an_array_is_one():
    held(ROWS, "k = 0\nfor i in range(n):\n    if rows[i % 3] is rows[0]:\n        k += 1", "return k")


@pytest.mark.parametrize("text", ["w = z if n > 1 else z[1:]", "q = z[:]\nw = z if n > 1 else q"])
def test_whether_a_view_is_an_array_is_refused_where_only_the_run_knows(text):
    with pytest.raises(StateDisagrees, match="whether two arrays are one"):
        held("z = np.zeros(4)", text, "return 1 if w is z else 2")


def test_an_array_that_a_list_has_twice_stays_one_array():
    def f(n, v):
        a = np.zeros(2)
        rows = [a, a]
        rows[n % 2] += v
        return rows[0] is rows[1], rows, a

    def g(n, v):
        a, b = np.zeros(2), np.ones(2)
        rows = [a, a, b]
        for i in range(n):
            rows[i % 3] += v
        rows[n % 3] = b
        return rows[2] is b, rows, a, b

    for function in (f, g):
        for n in (3, 0, 2):
            ag.check(function, np.int64(n), np.float64(2.0))


def row_before_a_write(x, n, v):
    mat = np.arange(9.0).reshape(3, 3)
    row = mat[n % 3]
    mat[1, 2] = v
    return row[2], row, mat


def row_before_a_write_of_a_number(x, n, v):
    mat = np.zeros((3, 3))
    row, part = mat[n % 3], mat.T[: n % 4]
    mat[1] = 5.0
    return row, part, mat


def row_before_all_is_written(x, n, v):
    mat = np.zeros((3, 3))
    row = mat[n % 3]
    mat += v
    selected = mat[[0, n % 3]]
    mat.fill(2.0)
    return row, selected, mat


def item_before_a_write(x, n, v):
    rows = [np.zeros(2), np.ones(2)]
    row = rows[n % 2]
    rows[0][0] = v
    return row[0], row, rows


def value_before_a_write(x, n, v):
    rows = {0: np.zeros(2), 1: np.ones(2)}
    row = rows[n % 2]
    rows[0][0] = 5.0
    return row[0], row, rows


def rows_in_turns(x, n, v):
    mat = np.zeros((3, 3))
    seen = []
    for i in range(n):
        row = mat[i % 3]
        mat[i % 3, 0] += v
        seen.append(row[0])
    return seen, mat


@pytest.mark.parametrize(
    "function",
    [
        row_before_a_write,
        row_before_a_write_of_a_number,
        row_before_all_is_written,
        item_before_a_write,
        value_before_a_write,
        rows_in_turns,
    ],
)
def test_what_an_index_has_taken_shows_what_is_written_later(function):
    for n in (1, 0, 3, 2):
        ag.check(function, np.arange(4.0), np.int64(n), np.float64(0.5))


OUTSIDE = np.zeros((3, 3))


def test_a_row_of_an_array_from_outside_shows_what_is_written_later():
    def f(n, v):
        row = OUTSIDE[n % 3]
        OUTSIDE[1, 2] = v
        return row * 1.0, row[2]

    for n in (1, 0, 1):
        ag.check(f, np.int64(n), np.float64(0.5))
    OUTSIDE[...] = 0.0
