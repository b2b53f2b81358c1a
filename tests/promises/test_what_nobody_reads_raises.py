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


def test_what_cannot_raise_and_nobody_reads_is_not_there():
    @ag.function
    def f(x):
        y = np.exp(x)
        del y
        return x + 1

    assert "Exp" not in str(f.get_concrete_function(np.ones(3)).optimised_graph)


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
