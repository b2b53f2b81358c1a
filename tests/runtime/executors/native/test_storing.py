"""An element that a turn has read, and that some turns store anew, is stored in every turn."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.language.loops import For, If, Store
from runtime.executors.native.language.walking import inside, kinds_in
from runtime.executors.native.whole import lowered


def shortened(d, row):
    """A row of distances, by way of another one."""
    d = d.copy()
    for j in range(len(row)):
        if row[j] + 1.5 < d[j]:
            d[j] = row[j] + 1.5
    return d


def bubbled(x):
    """Neighbours change places."""
    x = x.copy()
    n = len(x)
    for i in range(n):
        for j in range(n - 1 - i):
            if x[j] > x[j + 1]:
                t = x[j]
                x[j] = x[j + 1]
                x[j + 1] = t
    return x


def followed(x, n):
    """An element that is not read where it is not stored."""
    x = x.copy()
    for i in range(n):
        if i < len(x):
            x[i] = i
    return x


def looked_up(x, where):
    """Elements from anywhere."""
    x = x.copy()
    for i in range(len(where)):
        if x[where[i]] < i:
            x[where[i]] = i
    return x


def read_back(x):
    """What is stored is read again in the branch."""
    x = x.copy()
    for i in range(len(x) - 1):
        if x[i] > x[i + 1]:
            x[i] = 7
            x[i + 1] = x[i] + x[i + 1]
    return x


def counted(x, y):
    """A number of the branch goes on."""
    x = x.copy()
    last = 0
    for i in range(len(x)):
        if y[i] > x[i]:
            last = i
            x[i] = y[i] * 2
    return x, last


def stores_in_branches(function, *arguments):
    """How many branches in loops of its program store."""
    program = lowered(ag.function(function).get_concrete_function(*arguments).optimised_module)
    loops = [each for one in program.functions for each in inside(one.body) if isinstance(each, For)]
    branches = [each for loop in loops for each in inside(loop.body) if isinstance(each, If)]
    return sum(Store in kinds_in([*each.then, *each.orelse]) for each in branches)


NUMBERS = np.random.default_rng(0)
PROGRAMS = [
    (shortened, (NUMBERS.random(50) * 4, NUMBERS.random(50)), 0),
    (shortened, (np.array([np.nan, 0.0, -0.0, np.inf] * 20), np.array([1.0, -1.5, -1.5, np.nan] * 20)), 0),
    (bubbled, (NUMBERS.integers(0, 20, 40),), 0),
    (bubbled, (NUMBERS.random(33).astype(np.float32),), 0),
    (bubbled, (NUMBERS.random(20) < 0.5,), 0),
    (followed, (np.zeros(40), rt.asarray(70)), 1),
    (looked_up, (np.zeros(8, np.int64), NUMBERS.integers(0, 8, 40)), 1),
    (read_back, (NUMBERS.integers(0, 20, 40),), 1),
    (counted, (NUMBERS.integers(0, 20, 40), NUMBERS.integers(0, 20, 40)), 0),
]


@pytest.mark.parametrize("options", [{}, {"jit_compile": True}], ids=["by default", "asked for"])
@pytest.mark.parametrize(("function", "arguments", "branches"), PROGRAMS)
def test_arrays_are_what_python_leaves_in_them(function, arguments, branches, options):
    plain = [int(each) if isinstance(each, rt.Tensor) else each for each in arguments]
    expected, found = function(*plain), ag.function(function, **options)(*arguments)
    pairs = zip(expected, found, strict=True) if isinstance(expected, tuple) else [(expected, found)]
    for one, other in pairs:
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()


@pytest.mark.parametrize(("function", "arguments", "branches"), PROGRAMS)
def test_a_branch_stores_only_where_nothing_was_read_before(function, arguments, branches):
    assert stores_in_branches(function, *arguments) == branches


def test_a_branch_that_only_stores_is_a_choice(golden, request):
    specs = rt.TensorSpec((40,), "float64"), rt.TensorSpec((40,), "float64")
    module = ag.function(shortened).get_concrete_function(*specs).optimised_module
    golden(request.path.parents[3] / "golden/loops/shortened.txt", f"{lowered(module)}\n")
