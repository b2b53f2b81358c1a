"""Functions that are called with values of Python's run as they are written, and leave what Python leaves."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import autograph as ag
import runtime as rt
from autograph.transpiler import Transpiler

ROOT = Path(__file__).parents[3]
MEMO = {}
SEEN = []


def sieve(n):
    flags = [True] * (n + 1)
    for i in range(2, n + 1):
        for j in range(2 * i, n + 1, i):
            flags[j] = False
    return sum(flags)


@ag.function
def queens(n, row=0, columns=(), falling=(), rising=()):
    if row == n:
        return 1
    count = 0
    for c in range(n):
        if c not in columns and row + c not in rising and row - c not in falling:
            count += queens(n, row + 1, (*columns, c), (*falling, row - c), (*rising, row + c))
    return count


@ag.function
def remembered(n):
    if n not in MEMO:
        MEMO[n] = n if n < 2 else remembered(n - 1) + remembered(n - 2)
    return MEMO[n]


@ag.function
def counted(n):
    counted.calls = getattr(counted, "calls", 0) + 1
    return n


@ag.function
def noted(n):
    SEEN.append(n)
    return n if n == 0 else noted(n - 1)


@ag.function
def appended(items, n):
    items.append(n)
    return n if n == 0 else appended(items, n - 1)


@ag.function(input_signature=[rt.TensorSpec((), rt.float64)])
def of_floats(x):
    return x / 2


@pytest.fixture
def converted(monkeypatch):
    """The names of the functions that are converted."""
    names, convert = [], Transpiler.convert
    monkeypatch.setattr(
        Transpiler, "convert", lambda self, callee: names.append(callee.__name__) or convert(self, callee)
    )
    return names


def test_a_function_that_meets_no_tensor_is_not_converted(converted):
    assert int(ag.function(sieve)(300)) == sieve(300)
    assert converted == []


def test_it_is_converted_for_a_call_that_meets_one(converted):
    f = ag.function(lambda x, n: sieve(n) * x)
    assert float(f(rt.asarray(2.0), 30)) == 2.0 * sieve(30)
    assert converted == ["<lambda>"]


def test_no_statement_of_it_is_one_of_the_graph():
    f = ag.function(sieve)
    assert int(f(400)) == sieve(400)
    assert list(f.concrete_functions[0].graph.ops) == []


def test_a_function_that_calls_itself_with_numbers_is_traced_once():
    assert int(queens(6)) == 4
    assert queens.experimental_get_tracing_count() == 1


def test_what_such_calls_remember_outside_is_there_behind_each_call():
    for _ in range(2):
        MEMO.clear()
        assert int(remembered(10)) == 55
        assert {k: int(v) for k, v in MEMO.items()} == {0: 0, **_fibonacci(10)}


def _fibonacci(n):
    found, a, b = {}, 0, 1
    for k in range(1, n + 1):
        found[k], (a, b) = b, (b, a + b)
    return found


def test_what_they_append_outside_and_to_arguments_is_there_behind_each_call():
    for _ in range(2):
        SEEN.clear()
        assert int(noted(3)) == 0
        assert [int(each) for each in SEEN] == [3, 2, 1, 0]
        items = [7]
        assert int(appended(items, 2)) == 0
        assert [int(each) for each in items] == [7, 2, 1, 0]


def test_attributes_that_a_function_gives_itself_are_its_own():
    assert int(counted(3)) == 3
    assert counted.calls == 1


def test_a_signature_converts_what_comes_in_among_such_calls():
    @ag.function
    def f(n):
        return of_floats(n) + n

    assert f(3).dtype == rt.float64
    assert float(f(3)) == 4.5


def test_an_exception_of_such_a_call_is_that_of_plain_python():
    @ag.function
    def f(n):
        return 1 // n if n < 1 else f(n - 1)

    with pytest.raises(ZeroDivisionError, match="integer division or modulo by zero"):
        f(2)


@ag.function
def is_even(n):
    return True if n == 0 else is_odd(n - 1)


@ag.function
def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def test_functions_that_call_one_another_with_numbers_are_traced_where_they_are_called_from():
    assert bool(is_even(10))
    assert is_odd.experimental_get_tracing_count() == 0


def test_a_traced_function_that_is_called_often_changes_its_argument_each_time():
    def put(items, n):
        return appended_once(items, n) + 1

    @ag.function
    def f(x, items):
        total = 0
        for i in range(50):
            total += put(items, i)
        return x * total

    for _ in range(2):
        items = [1]
        assert float(f(rt.asarray(1.0), items)) == sum(range(51))
        assert [int(each) for each in items] == [1, *range(50)]


@ag.function
def appended_once(items, n):
    items.append(n)
    return n


def test_a_traced_function_that_plain_python_calls_gives_a_tensor():
    assert isinstance(ag.convert(lambda n: is_even(n))(4), rt.Tensor)


DEEP = """
import autograph as ag

@ag.function
def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)

print(int(depth(300)))
"""


def test_a_recursion_without_tensors_may_be_some_hundred_calls_deep(tmp_path):
    program = tmp_path / "deep.py"  # run by nobody who is in the middle of calls himself
    program.write_text(DEEP, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, program], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.stdout == "300\n", ran.stderr
