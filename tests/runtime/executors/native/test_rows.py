"""Loops over independent rows do several of them at a time, with the bits of doing one after the other."""

from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.lists import ListValue
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.language.loops import Rows
from runtime.executors.native.language.walking import inside
from runtime.executors.native.llvm.code import Vectors
from runtime.executors.native.llvm.emit import emitted
from runtime.executors.native.llvm.emit_rows import widths_of
from runtime.executors.native.llvm.row_usage import waits
from runtime.executors.native.whole import lowered

GROUP = 16


def bisection(wanted, turns):
    total = 0.0
    for w in wanted:
        low, high = 0.0, 2.0
        for _ in range(turns):
            middle = 0.5 * (low + high)
            if middle * middle * middle < w:
                low = middle
            else:
                high = middle
        total += low
    return total


def roots(x):
    found = []
    for v in x:
        root, turns = v, 0
        while abs(root * root - v) > 1e-12 * v and turns < 60:
            root = 0.5 * (root + v / root)
            turns += 1
        found.append(root)
    return found


def escapes(real, imaginary):
    total = 0
    for i in range(len(imaginary)):
        for j in range(len(real)):
            x, y, k = 0.0, 0.0, 0
            while k < 30 and x * x + y * y <= 4.0:
                x, y = x * x - y * y + real[j], 2.0 * x * y + imaginary[i]
                k += 1
            total += k
    return total


def longest(n):
    most, of = 0, 0
    for i in range(1, n):
        k, steps = i, 0
        while k != 1:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            steps += 1
        if steps > most:
            most, of = steps, i
    return most, of


def places(x, table):
    found = np.zeros(len(x), np.int64)
    for i in range(len(x)):
        low, high = 0, len(table)
        while low < high:
            middle = (low + high) // 2
            if table[middle] < x[i]:
                low = middle + 1
            else:
                high = middle
        found[i] = low
    return found


def narrow(x):
    """float32, small integers and bools, with a break and two loops in a row."""
    total, some = np.float32(0.0), 0
    for v in x:
        y, odd = v, False
        for k in range(9):
            y = y * np.float32(0.75) + np.float32(0.5)
            odd = not odd
            if y > np.float32(1.9):
                break
        while y > np.float32(0.25):
            y = y - np.float32(0.3)
        if odd:
            some += 1
        total += y
    return total, some


def nested(x):
    total = 0.0
    for v in x:
        s = 0.0
        a = v
        while a > 0.5:
            b = a
            while b > 0.25:
                if b > 1.0:
                    s += b
                else:
                    s -= 0.5 * b
                b = b * 0.5
            a = a - 1.0
        total += s
    return total


def shifted(x):
    """Bits, by counts that rows have of their own, and one that is the same for all."""
    found = np.zeros(len(x), dtype=x.dtype)
    for i in range(len(x)):
        rest, turned, turns = x[i], x[i] * 0, x[i] * 0
        while rest != 0 and turns < 40:
            turned = (turned << 1) | (rest & 1)
            turned = turned ^ (rest >> (turns & 7)) ^ (turns << (rest & 3))
            rest = (rest >> 1) & 32767
            turns = turns + 1
        found[i] = turned
    return found


X = np.random.default_rng(1).random(53) * 3.0
BITS = np.random.default_rng(1).integers(-30_000, 30_000, 53)
GRID = np.linspace(-2.0, 1.0, 37)
CASES = [
    (bisection, (X, np.int64(30))),
    (roots, (X,)),
    (escapes, (GRID, GRID[:3])),
    (longest, (np.int64(100),)),
    (places, (X, np.sort(X[:21]))),
    (narrow, (X.astype(np.float32),)),
    (nested, (X * 2.0,)),
    (shifted, (BITS.astype(np.int32),)),
    (shifted, (BITS,)),
    (shifted, (BITS.astype(np.uint16),)),
]


def arrays_of(result):
    """What a call gives, as arrays: a list is one."""
    if isinstance(result, ListValue):
        result = result.items
    return [np.asarray(each) for each in (result if isinstance(result, tuple) else (result,))]


def loops_of(f, arrays):
    return lowered(ag.function(f).get_concrete_function(*map(rt.asarray, arrays)).optimised_module)


@pytest.mark.parametrize(("f", "arrays"), CASES, ids=lambda each: each.__name__ if callable(each) else "")
def test_rows_are_done_in_groups_with_the_bits_of_python(f, arrays):
    assert "rows " in str(loops_of(f, arrays))
    expected = arrays_of(f(*arrays))
    for options in ({"jit_compile": True}, {}):
        np.testing.assert_equal(arrays_of(ag.function(f, **options)(*arrays)), expected)


@pytest.mark.parametrize("count", [0, 1, GROUP - 1, GROUP, GROUP + 1, 3 * GROUP])
def test_any_number_of_rows_is_done(count):
    staged = ag.function(roots, jit_compile=True, reduce_retracing=True)
    np.testing.assert_equal(arrays_of(staged(X[:count])), arrays_of(roots(X[:count])))


@pytest.mark.parametrize(("f", "arrays"), CASES, ids=lambda each: each.__name__ if callable(each) else "")
def test_the_judge_agrees(f, arrays):
    module = ag.function(f).get_concrete_function(*map(rt.asarray, arrays)).optimised_module
    found = Interpreted(lowered(module), module.entry).run(arrays)
    found = found[0] if len(found) == 1 else tuple(found)
    np.testing.assert_equal(arrays_of(found), arrays_of(f(*arrays)))


def walked(x, steps, table):
    total = 0.0
    for i in range(len(x)):
        place = 0
        while table[place] < x[i]:
            place += steps[i]
        total += table[place]
    return total


def test_a_row_that_fails_is_the_first_that_python_comes_to():
    table, x, steps = np.arange(9.0), np.full(40, 7.5), np.ones(40, np.int64)
    staged = ag.function(walked, jit_compile=True)
    assert staged(x, steps, table) == walked(x, steps, table)
    x[21], x[18], steps[18] = 99.0, 50.0, 4  # row 18 is out of the table first, at 12
    with pytest.raises(IndexError, match="index 12 is out of bounds"):
        walked(x, steps, table)
    with pytest.raises(IndexError, match="index 12 is out of bounds"):
        staged(x, steps, table)


def carried(x):
    y, total = 1.0, 0.0
    for v in x:
        while y > v:
            y = y * 0.5
        y = y + 1.0
        total += y
    return total


def in_place(x):
    for i in range(1, len(x)):
        y = x[i - 1]
        while y > 1.0:
            y = y * 0.5
        x[i] = x[i] + y
    return x


def by_library(x):
    total = 0.0
    for v in x:
        y = v
        while y > 0.1:
            y = y - np.exp(-y)
        total += y
    return total


@pytest.mark.parametrize("f", [carried, in_place, by_library])
def test_rows_that_need_each_other_are_done_one_by_one(f):
    assert "rows " not in str(loops_of(f, (X,)))
    np.testing.assert_allclose(ag.function(f, jit_compile=True)(X.copy()), f(X.copy()), rtol=1e-14)


TURNS = np.int64(3)


def guarded(x, turns):
    total = 0.0
    for v in x:
        y, left = v, turns
        while left > 0:
            if y != 0.0:
                y = 2.0 / y
            left -= 1
        total += y
    return total


def unguarded(x, turns):
    total = 0.0
    for v in x:
        y, left = v, turns
        while left > 0:
            y = 2.0 / y
            left -= 1
        total += y
    return total


def test_rows_warn_of_what_they_do():
    staged, x = ag.function(unguarded), X.copy()
    with np.errstate(all="raise"):
        assert staged(x, TURNS) == unguarded(x, TURNS)
        x[21] = 0.0
        with pytest.raises(FloatingPointError, match="divide by zero"):
            unguarded(x, TURNS)
        with pytest.raises(FloatingPointError, match="divide by zero"):
            staged(x, TURNS)


def test_what_a_group_does_in_vain_is_no_reason_to_warn_or_to_ask_numpy():
    staged, x = ag.function(guarded), X.copy()
    concrete = staged.get_concrete_function(rt.asarray(X), rt.asarray(TURNS))
    assert "rows " in concrete.program.source()
    x[::5] = 0.0  # where the lanes divide by zero, and the program does not
    calls = []
    vars(concrete.program)["_other"] = SimpleNamespace(entry=lambda *arrays: calls.append(arrays))
    with np.errstate(all="raise"):
        assert staged(x, TURNS) == guarded(x, TURNS)
    assert not calls


def smoothed(x, weights, n, m):
    found = np.zeros(40)
    for i in range(1, n):
        total = 0.0
        for j in range(m):
            total += x[i + j - 1] * weights[j]
        found[i] = total
    return found


def outcome(f, *arguments):
    """What a call gives, or what it raises."""
    try:
        return arrays_of(f(*arguments))[0].tolist()
    except IndexError as error:
        return str(error).splitlines()[0]


@pytest.mark.parametrize("n", [0, 5, 16, 17, 18, 30, 33, 38, 39, 40, 41])
def test_rows_that_look_once_whether_indices_are_inside(n):
    staged = ag.function(smoothed)
    x, weights = np.arange(40.0) ** 2, np.arange(3.0) - 0.3
    for m in (0, 1, 3, 4):
        expected = outcome(smoothed, x, weights, n, m)
        assert outcome(staged, x, weights, rt.asarray(n), rt.asarray(m)) == expected
    module = staged.concrete_functions[0].optimised_module
    rows = str(lowered(module)).split("rows ")[1].split("then:")[0]
    assert "fail" not in rows
    assert "select" not in rows


def test_the_last_group_does_no_row_twice():
    def collected(x):
        found = []
        for value in x:
            steps = 0
            while value > 1.0:
                value = value * 0.5
                steps += 1
            found.append(steps)
        return found

    staged = ag.function(collected, reduce_retracing=True)
    for count in range(40):
        assert [int(each) for each in staged(np.arange(count) * 3.0)] == collected(np.arange(count) * 3.0)


def powers(x, n):
    result = x * 0.0 + 1.0
    while n > 0:
        result = result * x
        n -= 1
    return result


@pytest.mark.parametrize("count", [31, 32, 63, 64, 65, 100, 127, 128, 129, 200])
def test_groups_are_larger_where_there_are_many_rows_and_little_in_them(count):
    x = np.linspace(-1.0, 1.1, count)
    staged = ag.function(powers, jit_compile=True)
    np.testing.assert_array_equal(arrays_of(staged(x, rt.asarray(50))), arrays_of(powers(x, 50)))
    found = lowered(staged.concrete_functions[0].optimised_module)
    (rows,) = [each for each in inside(found.functions[-1].body) if isinstance(each, Rows)]
    assert widths_of(rows) == [64 if count >= 128 else 32 if count >= 64 else 16]
    wanted = np.linspace(0.0, 8.0, count)
    assert float(ag.function(bisection)(wanted, rt.asarray(30))) == bisection(wanted, 30)


@pytest.mark.parametrize("place", [0, 20, 63, 64, 127, 131])
def test_a_row_that_fails_in_a_large_group_is_told(place):
    x, steps, table = np.full(132, 7.5), np.ones(132, np.int64), np.arange(9.0)
    x[place], x[131] = 50.0, 60.0
    with pytest.raises(IndexError) as raised:
        walked(x, steps, table)
    with pytest.raises(IndexError, match=str(raised.value).split(" with")[0]):
        ag.function(walked, jit_compile=True)(x, steps, table)


@pytest.mark.parametrize("n", [20, 64, 130, 300])
def test_rows_of_which_few_are_busy_are_left_to_the_loop_behind(n):
    def common(n):
        total = 0
        for i in range(1, n):
            for j in range(1, i):
                a, b = i, j
                while a != b:
                    if a > b:
                        a = a - b
                    else:
                        b = b - a
                total += a
        return total

    graph = ag.function(common, jit_compile=True)
    assert int(graph(rt.asarray(n))) == common(n)
    assert "llvm.ctpop" in graph.concrete_functions[0].program._text()


def steps_of_all(n):
    total = 0
    for i in range(1, n):
        k, steps = i, 0
        while k != 1:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            steps += 1
        total += steps
    return total


def bits_of_all(n):
    total = 0
    for i in range(1, n):
        k, steps = i, 0
        while k != 1 and steps < 40:
            k = k ^ (k & 3) ^ 1
            steps += 1
        total += steps
    return total


@pytest.mark.parametrize(
    ("program", "vectors", "is_wide"),
    [
        (steps_of_all, Vectors(), True),
        (steps_of_all, Vectors(long=False), False),
        (bits_of_all, Vectors(long=False), True),
    ],
)
def test_rows_of_long_integers_go_one_by_one_where_vectors_have_no_products_of_these(
    program, vectors, is_wide
):
    staged = ag.function(program)
    assert int(staged(rt.asarray(100))) == program(100)
    text = "\n".join(emitted(lowered(staged.concrete_functions[0].optimised_module), vectors=vectors))
    assert (" x i64> " in text) is is_wide


def largest_of_rows(x):
    found = np.zeros(len(x))
    for i in range(len(x)):
        most = x[i, 0]
        for j in range(x.shape[1]):
            if x[i, j] > most:
                most = x[i, j]
        found[i] = most
    return found


def decayed(x):
    found = np.zeros(len(x))
    for i in range(len(x)):
        last = 0.0
        for j in range(x.shape[1]):
            last = last * 0.5 + x[i, j]
        found[i] = last
    return found


@pytest.mark.parametrize(("function", "expected"), [(largest_of_rows, False), (decayed, True)])
def test_turns_wait_for_a_float_that_they_compute_with_and_not_for_one_that_they_compare(function, expected):
    x = np.random.default_rng(0).normal(size=(40, 50))
    traced = ag.function(function)
    assert np.asarray(traced(x)).tobytes() == function(x).tobytes()
    program = lowered(traced.concrete_functions[0].optimised_module)
    (rows,) = [each for one in program.functions for each in inside(one.body) if isinstance(each, Rows)]
    assert waits(rows.body) == expected


def turned_round(x):
    total = 0
    for v in x:
        left, found = v, 0
        for _ in range(20):
            found = (found << 1) | (left & 1)
            left = left >> 1
        total += found
    return total


def turned_and_scaled(x):
    total = 0.0
    for v in x:
        left, found = v, 0
        for _ in range(20):
            found = (found << 1) | (left & 1)
            left = left >> 1
        total += found / 3.0
    return total


def test_few_turns_of_whole_numbers_are_written_out_and_left_to_llvm():
    x = np.arange(500) * 7919 % 4096
    for f, is_in_rows in ((turned_round, False), (turned_and_scaled, True)):
        graph = ag.function(f)
        assert np.asarray(graph(x)) == f(x)
        assert ("rows " in graph.concrete_functions[0].program.source()) is is_in_rows
