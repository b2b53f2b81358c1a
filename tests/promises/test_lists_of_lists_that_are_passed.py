"""Lists of lists of numbers that are passed: one graph serves all lengths, and each list stays itself."""

import copy
import linecache

import numpy as np
import pytest

import autograph as ag

KEPT = []
"""What programs keep of their arguments."""

READING = """
return rows
return [rows, rows]
return [row[:] for row in rows], copy.deepcopy(rows)
return [x for row in rows for x in row], [row[::-1] for row in rows]
return sum(map(sum, rows)), len(rows), max(map(max, rows))
return rows == [[1], [2, 3]], rows < [[2]], [1] in rows, [3] in rows
print(rows, *rows[0]); return f"{rows} {rows[0]}"
return isinstance(rows, list), type(rows[0]) is list, not rows, bool(rows[0])
return np.array(rows[0]) * 2, np.array([row[0] for row in rows])
return rows[0][0], rows[-1][-1], rows[0][:1], [*rows[0]]
return sum(x * y for a, b in zip(rows, rows) for x, y in zip(a, b))
return [[row[0] for row in rows] for _ in range(2)], [0] * len(rows[0])
return {tuple(row): i for i, row in enumerate(rows)}, sorted([row[0] for row in rows])
ys = rows[0]; ys = ys + [1]; return ys
rows = [row + [1] for row in rows]; return rows
rows = rows[1:]; return len(rows)
KEPT.append(rows); return KEPT[-1] is rows
return lambda: rows
"""

CHANGING = """
rows[0][0] += 1; return rows[0][0]
rows[0].append(1); return rows
rows.append([7]); rows[-1].append(8); return len(rows[0])
rows += [[1]]; rows.extend([[1], [2]])
ys = rows; ys.append([2]); return rows is ys
ys = rows[0]; ys += [1]; return len(ys)
rows[0].extend(rows[1]); rows[0].sort()
rows[0][:1] = [4, 4]; rows[1] *= 2
rows[0].clear(); return rows
[row.append(0) for row in rows]
[row.sort() for row in rows]
[row.__setitem__(0, row[0] * 2) for row in rows]
best = max(rows, key=sum); best.append(9)
out = []; out.append(rows[0]); out[0].append(3)
rows[0].append(1); return 1 // (len(rows) - 4)
KEPT.append(rows); rows.append([1]); return KEPT[-1] is rows
"""

OF_EACH_LENGTH = """
return rows[0]
return rows[-1], rows
return rows[:], list(rows), tuple(rows), sorted(rows), rows[::-1]
return [row for row in rows]
return rows + [[1]]
return {len(row): row for row in rows}
return max(rows), min(rows, key=len)
return rows[0] is rows[1], rows[0] is rows[0], sum(row is rows[0] for row in rows)
rows.append(rows[0]); rows[0].append(1)
rows[0].append(1); return rows[0]
rows[1] = [9]; return rows
rows[0], rows[1] = rows[1], rows[0]
rows[0] = rows[1]; rows[0].append(5)
rows.sort(key=len); rows[0].append(1)
rows.insert(0, [1, 2]); return rows.pop()
del rows[0]; rows.reverse()
ys = sorted(rows); ys[0].append(2)
KEPT.append(rows[0]); rows[0].append(1)
KEPT.append([row for row in rows])
a, *b = rows; return b
best = max(rows, key=sum); return best
out = []; out.extend(rows); out[0].append(1); return out
out = {}; out["a"] = rows[0]; return out
x = rows[0] if rows[0][0] > 3 else rows[1]; x.append(4); return x
return id(rows[0]) == id(rows[1])
"""

CALLS = [
    [[1], [2, 3]],
    [[3], [1, 2], [4, 5, 6]],
    [[5, 1], [3], [2], [1, 1]],
    [[3], [7, 7], [0], [2], [9]],
    [[4, 2], [1]],
    [[6, 1], [3, 3], [1]],
]


def texts(programs):
    return [pytest.param(text, id=text) for text in programs.strip().splitlines()]


def made_of(text):
    lines = "".join(f"    {line.strip()}\n" for line in text.split(";"))
    source, place = f"def f(rows):\n{lines}", f"<rows: {text}>"
    linecache.cache[place] = len(source), None, source.splitlines(keepends=True), place
    space = {"copy": copy, "np": np, "KEPT": KEPT}
    exec(compile(source, place, "exec"), space)
    return space["f"]


def told(value, names):
    """What there is in a value, with the lists of a caller by name."""
    if callable(value):
        return told(value(), names)
    if isinstance(value, list | tuple):
        return names.get(id(value)), type(value).__name__, [told(each, names) for each in value]
    if isinstance(value, dict):
        return [(told(key, names), told(each, names)) for key, each in value.items()]
    return value if isinstance(value, str) else np.asarray(value).tolist()


def outcomes(function, calls, capsys):
    found = []
    for given in map(copy.deepcopy, calls):
        names = {id(each): index for index, each in enumerate([given, *given])}
        before = [*given]
        KEPT.clear()
        try:
            result = told(function(given), names)
        except ZeroDivisionError as error:
            result = type(error), str(error)
        found.append((result, told([given, before, KEPT], names), capsys.readouterr().out))
        are_pythons = [type(each) for row in before for each in row]
        assert {*are_pythons} <= {int, float}
    return found


HALVES = [[[x / 2 for x in row] for row in rows] for rows in CALLS]


@pytest.mark.parametrize("text", texts(READING.strip() + CHANGING))
def test_one_graph_serves_lists_of_all_lengths(text, capsys):
    function = made_of(text)
    one = ag.function(function)
    assert outcomes(one, CALLS, capsys) == outcomes(function, CALLS, capsys)
    assert one.experimental_get_tracing_count() == 3


@pytest.mark.parametrize("text", texts(READING.strip() + CHANGING))
@pytest.mark.filterwarnings("ignore::runtime.errors.RetracingWarning")
def test_lists_of_floats_into_which_ints_are_put_hold_both(text, capsys):
    function = made_of(text)
    assert outcomes(ag.function(function), HALVES, capsys) == outcomes(function, HALVES, capsys)


@pytest.mark.parametrize("text", texts(OF_EACH_LENGTH))
@pytest.mark.filterwarnings("ignore::runtime.errors.RetracingWarning")
def test_where_it_matters_which_list_one_is_each_length_has_a_graph(text, capsys):
    function = made_of(text)
    one = ag.function(function)
    assert outcomes(one, CALLS, capsys) == outcomes(function, CALLS, capsys)


def total(rows):
    found = 0.0
    for row in rows:
        for x in row:
            found += x
    return found


@pytest.mark.filterwarnings("ignore::runtime.errors.RetracingWarning")
def test_a_list_that_is_there_twice_is_one_list():
    def f(rows):
        rows[0].append(1)
        return len(rows[1])

    one = ag.function(f)
    for n in range(2, 6):
        assert one([[k] for k in range(n)]) == 1
        row = [1]
        assert one([row] * n) == f([[1]] * n) == 2


@pytest.mark.filterwarnings("ignore::runtime.errors.RetracingWarning")
def test_a_list_that_is_another_argument_or_in_one_is_that_one():
    @ag.function
    def f(rows, row, more):
        rows[0].append(1)
        return len(row), len(more[0])

    for n in range(2, 7):
        rows = [[k] for k in range(n)]
        assert f(rows, [5], [[6]]) == (1, 1)
        assert f(rows, rows[0], [[6]]) == (3, 1)
        assert f(rows, [5], [rows[0]]) == (1, 4)
        assert len(rows[0]) == 4


@pytest.mark.filterwarnings("ignore::runtime.errors.RetracingWarning")
def test_a_list_that_two_lists_hold_is_one_list():
    @ag.function
    def f(rows, others):
        rows[0].append(1)
        return len(others[0])

    for n in range(2, 7):
        rows = [[k] for k in range(n)]
        assert f(rows, [[k, k] for k in range(n + 1)]) == 2
    assert f(rows, [rows[0], [2], [3]]) == 3
    assert f(rows, [[1], rows[0]]) == 1
    assert f(rows, rows) == 5
    assert f([[1], [2], [3]], [[4], [5]]) == 1


ROW = [1, 2]


def test_a_list_that_the_function_has_from_outside_too_is_that_one():
    @ag.function
    def f(rows):
        rows[0].append(1)
        return len(ROW)

    before = len(ROW)
    for n in range(2, 7):
        assert f([[k] for k in range(n)]) == before
    assert f([ROW, [1], [2]]) == before + 1 == len(ROW)
    assert f([[5], [1], [2]]) == before + 1


class Holder:
    def __init__(self, row):
        self.row = row


def test_a_list_that_an_object_holds_too_is_that_one():
    @ag.function
    def f(rows, holder):
        rows[0].append(1)
        return len(holder.row)

    for n in range(2, 7):
        rows = [[k] for k in range(n)]
        assert f(rows, Holder([1])) == 1
        assert f(rows, Holder(rows[0])) == 3


@pytest.mark.filterwarnings("ignore::runtime.errors.RetracingWarning")
def test_lists_of_several_kinds_of_numbers_have_graphs_as_before():
    one = ag.function(total)
    for n in range(1, 6):
        assert one([[1, 2.5]] * n) == 3.5 * n
        assert one([[k, 1] for k in range(n)]) == total([[k, 1] for k in range(n)])
        assert one([[True, False], [True]]) == 2


def test_numbers_without_room_are_pythons():
    @ag.function
    def largest(rows):
        return max(map(max, rows))

    for n in range(1, 5):
        assert largest([[k, n] for k in range(n)]) == n
    assert largest([[2**70], [1]]) == 2**70


def test_empty_lists_are_lists_of_the_same_kind():
    one = ag.function(lambda rows: (len(rows), [len(row) for row in rows]))
    for n in range(1, 5):
        assert one([[k] * k for k in range(n + 1)]) == (n + 1, [*range(n + 1)])
    assert one([[], []]) == (2, [0, 0])
    assert one([]) == (0, [])


def test_the_graph_says_what_it_takes():
    one = ag.function(total)
    for n in range(1, 5):
        one([[1.0] * n, [2.0]])
    assert one.explain_retraces().traces[-1].signature == "total(rows: any list of list[float])"
    assert one.concrete_functions[-1]([[1.0, 2.0], [], [4.0]]) == 7


@pytest.mark.parametrize(
    ("made", "function"),
    [
        (lambda k: [[k + 0.5, 1.0], [k + 2.0] * 20], lambda rows: max(map(max, rows))),
        (lambda k: [(k, j) for j in range(20)], lambda pairs: sum([a * b for a, b in pairs])),
        (lambda k: [k + j for j in range(20)], sum),
    ],
    ids=["lists", "tuples", "numbers"],
)
def test_long_lists_of_other_numbers_have_one_graph_from_the_third_on(made, function):
    one = ag.function(lambda items: function(items))
    for k in range(6):
        assert one(copy.deepcopy(made(k))) == function(made(k))
    assert one.experimental_get_tracing_count() == 3


def test_numbers_in_short_lists_are_each_an_input():
    one = ag.function(lambda rows, by: [x * by for row in rows for x in row])
    for k in range(6):
        rows = [[k, 1.5], (2.5, k)]
        assert one(rows, 2) == [2 * k, 3.0, 5.0, 2 * k]
        assert rows == [[k, 1.5], (2.5, k)]
    assert one([[True, 1.5], (2.5, 1)], 2) == [2, 3.0, 5.0, 2]
    assert one([[2**70, 1.5], (2.5, 1)], 2)[0] == 2**71
