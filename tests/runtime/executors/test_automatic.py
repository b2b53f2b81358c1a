"""Where no executor is named, loops over numbers are machine code: with NumPy's bits, warnings and errors."""

import functools
import math
import re
import warnings

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime import ops
from runtime.executors.native.llvm import engine


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def divided(a, n):
    i = 0
    while i < n:
        a = a / i
        i += 1
    return a


def cut(a, n):
    i = 0
    while i < n:
        a = np.int8(a) + 0.5
        i += 1
    return a


def shrunk(a, n):
    i = 0
    while i < n:
        a = a * 1e-200
        i += 1
    return a


def folded(n):
    x, i = 1.0, rt.asarray(0)
    while i < 3:
        x = x / i
        i += 1
    return x + n


def floored(a, n):
    i = 0
    while i < n:
        a = a // (i - 2)
        i += 1
    return a


def written(x, n):
    i = 0
    while i < n:
        x[i] = x[i] / 0.0
        i += 1
    return x


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


def limited(n, most):
    turns = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        turns += 1
        if turns > most:
            raise LookupError("too long", turns)
    return turns


def raised(n, k):
    total = 0
    while n > 0:
        total += n**k
        n -= 1
        k -= 1
    return total


def searched(x):
    found, total = [], 0
    for each in x:
        if each not in found:
            found.append(each)
        total += found.index(each) + found.count(x[0]) + sum(found) * max(found)
    return total


def removed(x):
    items = []
    for each in x:
        items.append(each)
        if each == x[-1]:
            items.remove(x[1])
    return len(items)


def counted(x):
    numbers, seen = {}, set()
    for each in x:
        numbers[each] = numbers.get(each, 0) + 1
        seen.add(each % 3)
    return len(seen) * 100 + numbers[x[0]]


def crossed_out(n):
    is_prime = [True] * n
    for i in range(2, n):
        if is_prime[i]:
            for j in range(i * i, n, i):
                is_prime[j] = False
    return sum(is_prime)


def with_gaps(n):
    items = ops.list_from([])
    i = 0
    while i < n:
        items = ops.list_set(items, i * 2, i, grows=True)
        i += 1
    return ops.list_stack(items)


@functools.cache
def graph_of(program, executor, *kinds):
    """A graph for arguments of these kinds: what it gives is asked in several states of NumPy's."""
    return ag.function(program, executor=executor)


def outcome(program, executor, arguments):
    """Results of two calls, or the error, and what is warned of, with the lines."""
    graph = graph_of(program, executor, *map(type, arguments))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            found = [graph(*map(rt.asarray, arguments)).numpy() for _ in range(2)]
            bits = [(each.dtype, each.shape, each.tobytes()) for each in found]
        except (ArithmeticError, LookupError, ValueError) as error:
            bits = [type(error), str(error), getattr(error, "__notes__", None)]
    (concrete,) = graph.concrete_functions
    return concrete.report().executor, bits, [(str(each.message), each.lineno) for each in told]


CALLS = [
    (collatz, (27,)),
    (divided, (1.0, 3)),
    (divided, (1e300, 1)),
    (cut, (float("nan"), 1)),
    (cut, (300.0, 1)),
    (cut, (1.75, 4)),
    (shrunk, (1.0, 5)),
    (folded, (3.0,)),
    (floored, (7.0, 5)),
    (floored, (7, 5)),
    (floored, (-7, 2)),
    (written, ([1.0, 0.0], 2)),
    (written, ([1.0, 0.0], 3)),
    (depth, (50,)),
    (limited, (27, 200)),
    (limited, (27, 5)),
    (raised, (3, 9)),
    (raised, (3, 1)),
]


@pytest.mark.parametrize("state", [{}, {"all": "raise"}, {"all": "ignore"}], ids=str)
def test_bits_warnings_and_errors_are_those_of_the_numpy_program(state):
    for program, arguments in CALLS:
        with np.errstate(**state):
            ran, *found = outcome(program, None, arguments)
            _, *wanted = outcome(program, "numpy", arguments)
        assert ran == "native", program.__name__
        assert found == wanted, program.__name__


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        (searched, ([3, 1, 3, 2, 1],)),
        (removed, ([3, 1, 1],)),
        (counted, ([0.5, -0.0, 0.0, 0.5],)),
        (crossed_out, (30,)),
        (with_gaps, (3,)),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_loops_over_lists_are_loops_over_numbers(program, arguments):
    ran, *found = outcome(program, None, arguments)
    _, *wanted = outcome(program, "numpy", arguments)
    assert (ran, found) == ("native", wanted)


def summed(x):
    total, i = 0.0, 0
    while i < len(x):
        total += x[i]
        i += 1
    return total


def test_the_report_says_what_was_chosen_and_why():
    report = ag.function(summed).get_concrete_function(rt.TensorSpec((None,), rt.float64)).report()
    assert (report.executor, report.why) == (
        "native",
        "loops over numbers, in which no bit differs from NumPy's",
    )
    assert report.why in str(report)


def grown(x):
    while x < 100.0:
        x = x + math.gamma(x)
    return x


def drawn(x):
    while np.sort(x)[0] < 1.0:
        x = x + 1.0
    return x


def told(n):
    while n > 0:
        ag.host_call(print, "told")
        n -= 1
    return n


def appended(n):
    out = []
    for i in range(n):
        out.append(rt.zeros((3,))[:i])
    return out


@pytest.mark.parametrize(
    ("program", "arguments", "why"),
    [
        (
            grown,
            (1.0,),
            r"`gamma` of floats may have another last bit than NumPy's \(test_automatic.py:\d+\)",
        ),
        (drawn, ([0.5, 0.25] * 50,), "NumPy orders many elements"),
        (told, (2,), "it reads or changes what is outside"),
        (appended, (3,), "it gives a list"),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_other_loops_stay_on_numpy_and_the_report_says_why(program, arguments, why, capsys):
    graph = ag.function(program)
    graph(*map(rt.asarray, arguments))
    (concrete,) = graph.concrete_functions
    assert concrete.report().executor == "numpy"
    assert re.search(why, concrete.report().why)
    capsys.readouterr()


def test_a_graph_without_loops_has_nothing_to_choose():
    report = ag.function(lambda x: x + 1).get_concrete_function(rt.asarray(1)).report()
    assert (report.executor, report.why) == ("numpy", "")


def test_without_llvmlite_everything_is_numpy(monkeypatch):
    monkeypatch.setattr(engine, "is_there", lambda: False)
    report = ag.function(collatz).get_concrete_function(rt.asarray(27)).report()
    assert (report.executor, report.why) == ("numpy", "no machine code: llvmlite is not installed")
