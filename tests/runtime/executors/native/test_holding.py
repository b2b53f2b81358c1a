"""An element that all turns of a loop have in common is a number where no other index comes to its place."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.whole import lowered


def rising(x):
    """The longest rising subsequence."""
    n = len(x)
    best = np.ones(n, dtype=np.int64)
    for i in range(n):
        for j in range(i):
            if x[j] < x[i] and best[j] + 1 > best[i]:
                best[i] = best[j] + 1
    return best


def rising_of_rows(x, n):
    """Tables that grow: the index counts as far as that of this turn, which has an element more."""
    total, last = 0, np.ones(1, dtype=np.int64)
    for length in range(1, n):
        best = np.ones(length, dtype=np.int64)
        for i in range(length):
            for j in range(i):
                if x[j] < x[i] and best[j] + 1 > best[i]:
                    best[i] = best[j] + 1
        total += best[length - 1] + last[0]
        last = best
    return total


def rods(prices):
    """The most that a rod gives in pieces: an index that goes down."""
    n = len(prices)
    most = np.zeros(n + 1)
    for i in range(1, n + 1):
        for j in range(i):
            most[i] = max(most[i], prices[j] + most[i - j - 1])
    return most


def chain(d):
    """Products of matrices: indices that move by one, and by rows."""
    n = len(d) - 1
    t = np.zeros((n, n))
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            t[i, j] = np.inf
            for k in range(i, j):
                c = t[i, k] + t[k + 1, j] + d[i] * d[k + 1] * d[j + 1]
                if c < t[i, j]:
                    t[i, j] = c
    return t


def factors(x):
    """Lower and upper triangles: an element that no turn stores."""
    a = x.copy()
    n = len(a)
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a


def paths(x):
    """One turn always comes to the element."""
    d = x.copy()
    n = len(d)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


def back(x):
    """One turn of a loop that counts down stores the element."""
    d = x.copy()
    n = len(d)
    for k in range(n):
        for i in range(n):
            for j in range(n - 1, -1, -1):
                d[i, j] = d[i, j] * 0.5 + d[i, k] * d[k, j] * 0.01
    return d


def from_anywhere(x, at, begin):
    """Whether turns come to the element is only known to the run."""
    y = x.copy()
    for j in range(len(x) - 4):
        y[j + begin] = y[at] * 0.5 + x[j]
    return y


def two_of_one(x):
    """Two elements that all turns have in common."""
    y = x.copy()
    for j in range(2, len(x)):
        y[0] += y[j]
        y[1] = y[0] - y[j]
    return y


def where_others_say(x, places):
    """An index that is an element."""
    y = x.copy()
    for j in range(len(places)):
        if y[places[j]] > y[0]:
            y[0] = y[places[j]]
    return y


R = np.random.default_rng(0)
SQUARE = R.uniform(1.0, 9.0, (12, 12))
PROGRAMS = [
    (rising, [(R.integers(0, 50, 60),)], True),
    (rising_of_rows, [(R.integers(0, 50, 60), np.int64(30))], False),
    (rods, [(R.uniform(0.0, 5.0, 40),)], True),
    (chain, [(R.integers(2, 30, 25),)], True),
    (factors, [(SQUARE + 12 * np.eye(12),)], True),
    (paths, [(R.uniform(1.0, 9.0, (20, 20)),)], True),
    (paths, [(R.normal(size=(17, 17)),)], True),
    (paths, [(R.integers(0, 40, (16, 16)) - 1,)], True),
    (back, [(R.normal(size=(17, 17)),)], True),
    (
        from_anywhere,
        [(R.normal(size=40), np.int64(at), np.int64(2)) for at in (0, 1, 2, 20, 37, 38, 39, -1)],
        True,
    ),
    (two_of_one, [(R.normal(size=40),)], False),
    (where_others_say, [(R.normal(size=40), R.integers(0, 40, 40))], False),
]
"""Functions, calls of one graph, and whether there is something to hold."""


@pytest.mark.parametrize("options", [{}, {"jit_compile": True}], ids=["by default", "asked for"])
@pytest.mark.parametrize(("function", "calls", "held"), PROGRAMS)
def test_arrays_are_what_python_leaves_in_them(function, calls, held, options):
    graph = ag.function(function, **options)
    for arguments in calls:
        assert np.asarray(graph(*arguments)).tobytes() == function(*arguments).tobytes()


@pytest.mark.parametrize(("function", "calls", "held"), PROGRAMS)
def test_what_is_held_is_what_all_turns_have_in_common(function, calls, held):
    module = ag.function(function).get_concrete_function(*calls[0]).optimised_module
    program = lowered(module)
    assert (".held" in f"{program}") == held
    for arguments in calls:
        found = Interpreted(program, module.entry).entry(*arguments)
        assert np.asarray(found).tobytes() == function(*arguments).tobytes()


def test_an_index_that_is_outside_raises_as_it_does():
    with pytest.raises(IndexError, match="index 40 is out of bounds"):
        ag.function(from_anywhere)(np.zeros(40), rt.asarray(40), rt.asarray(2))


def test_a_loop_has_two_forms(golden, request):
    module = ag.function(rising).get_concrete_function(rt.TensorSpec((60,), "int64")).optimised_module
    golden(request.path.parents[3] / "golden/loops/rising.txt", f"{lowered(module)}\n")
