"""What Python computes, and raises, it does whether or not somebody reads the result; so does a graph."""

import numpy as np
import pytest

import autograph as ag
from autograph.compat import tf
from tests.promises.kit import function_of

PROGRAMS = """
y = x[n]
---
table = np.arange(9.0).reshape(3, 3)
row = table[n]
table += 1
---
for i in range(n):
    y = x[i]
---
y = 0.0
if n > 2:
    y = x[n]
y = 3.0
---
def at(k):
    return x[k]
at(n)
---
kept = []
for i in range(n):
    kept.append(i)
last = kept[2]
---
marks = [1, 2, 3]
marks[n] = 7
---
x[:n].max()
---
y = x[:n] + x
---
y = x.reshape(n, 1)
---
y = np.linalg.inv(x[:1, None] * (n - 3.0))
---
while n > 0:
    y = x[n] * 2
    n -= 1
---
z = x[n] * 2 + 1
---
y = 6 % (int(n) - 3)
---
def deep(k):
    if k == 0:
        return x[n]
    return deep(k - 1)
deep(int(n))
---
def deep(k):
    if k == 0:
        return x[n]
    deep(k - 1)
    return x[0]
deep(int(n))
---
y = [x[i + 1] for i in range(n)]
---
first, second = x[:n]
---
other(x, n)
""".strip().split("\n---\n")


@ag.function
def other(x, n):
    return x[n]


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_exception_of_what_nobody_reads_is_raised(program):
    f = function_of("\n    ".join(["def f(x, n):", *program.splitlines(), "return 1"]) + "\n", other=other)
    calls = [(np.ones(3), np.int64(n)) for n in (3, 1, 2, 4)]
    ag.check(f, *calls[0], then=calls[1:])


def test_under_tensorflows_rule_what_nobody_reads_does_not_run():
    @tf.function
    def f(x, n):
        x[n]
        return x[0]

    assert f(tf.constant([1.0, 2.0]), tf.constant(7)).numpy() == 1.0


ENDS = """
raise ValueError(n)
---
raise ValueError("never")
---
return unknown
---
return {1: 2}[3]
---
return x.lenght
---
return x.reshape(7)
---
return x @ np.ones(9)
---
assert False, "never"
---
return int("a")
---
return [].pop()
""".strip().split("\n---\n")


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(
    "before", ["x[n]", "x[n] = 1", "ratio = 1 / np.float64(n - 2)", "for i in range(n): x[i]"]
)
def test_what_raises_in_every_run_raises_behind_what_may_raise_or_warn_before_it(before, end):
    f = function_of(f"def f(x, n):\n    x = x + 1\n    {before}\n    {end}\n")
    calls = [(np.ones(3), np.int64(n)) for n in (0, 2, 4)]
    ag.check(f, *calls[0], then=calls[1:])


def test_what_raises_in_every_run_raises_while_it_is_traced_where_nothing_is_seen_before_it():
    @ag.function
    def f(x):
        y = np.maximum(x, 2.0)
        raise ValueError("never", len(y))

    with pytest.raises(ValueError, match="never"):
        f.get_concrete_function(np.ones(3))


def test_under_tensorflows_rule_what_raises_in_every_run_raises_while_it_is_traced():
    @tf.function
    def f(x, n):
        x[n]
        raise ValueError("never")

    with pytest.raises(ValueError, match="never"):
        f.get_concrete_function(tf.constant([1.0, 2.0]), tf.constant(7))


def test_what_can_neither_raise_nor_warn_and_nobody_reads_is_not_there():
    @ag.function
    def f(x):
        y = np.maximum(x, 2.0)
        del y
        return x + 1

    assert "Maximum" not in str(f.get_concrete_function(np.ones(3)).optimised_graph)


def test_of_two_things_that_may_raise_the_first_does():
    def f(xs):
        found = [x for x in xs if x != 1]
        return max(found), min(found)

    ag.check(f, np.array([1.0, 2.0]), then=[(np.array([1.0, 1.0]),)])


def test_a_branch_that_raises_stays_before_what_may_raise_behind_it():
    def f(x, n):
        if n > 3:
            raise ValueError("too large")
        y = x[n]
        if n > 3:
            y = y + 1.0
        return y

    ag.check(f, np.ones(3), np.int64(2), then=[(np.ones(3), np.int64(5)), (np.ones(3), np.int64(3))])


def a_division(x, n):
    if n > 1:
        ratio = 1 / (n - 3)
    return x + n


def in_a_loop_and_a_callee(x, n):
    def scaled(value):
        share = value / n
        return value + 1

    for i in range(n - 2):
        logarithm = np.log(x - 1.0 - i)
    return scaled(x)


def an_average(x, n):
    mean, difference = x[n:].mean(), x - np.inf * x
    return n


@pytest.mark.parametrize("program", [a_division, in_a_loop_and_a_callee, an_average])
def test_what_numpy_warns_of_is_told_where_nobody_reads_the_result(program):
    then = [
        (np.array([0.0, 2.0]), np.int64(4)),
        (np.array([0.0, 2.0]), np.int64(0)),
        (np.ones(2), np.int64(1)),
    ]
    ag.check(program, np.array([1.0, 2.0]), np.int64(3), then=then)


@pytest.mark.parametrize("items", ["['a', n]", "[[n]]", "[n, None]", "[[float(n)] for _ in range(3)]"])
def test_what_sum_cannot_add_is_said_behind_what_came_before(items):
    f = function_of(f"def f(x, n):\n    print(n)\n    x[0] = n\n    return sum({items})\n")
    ag.check(f, np.ones(2), np.int64(3), then=[(np.zeros(2), np.int64(1))])
