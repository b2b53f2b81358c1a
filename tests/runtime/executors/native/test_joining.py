"""What arms of a branch leave is copied in those alone that have not made it."""

import numpy as np
import pytest

import autograph as ag
from runtime.executors.native.language.loops import Copy, If
from runtime.executors.native.whole import lowered


def filled(grid):
    """A flood, whose first turn is apart."""
    grid = grid.copy()
    places, top, count = np.zeros(400, dtype=np.int64), 1, 0
    places[0] = 12
    while top > 0:
        top -= 1
        at = places[top]
        if at < 0 or at >= len(grid) or grid[at] != 1:
            continue
        grid[at] = 2
        count += 1
        places[top] = at + 1
        places[top + 1] = at - 1
        top += 2
    return grid, count


def one_of_two(x, y, n):
    """Both arms have arrays of somebody else."""
    z = x if n > 0 else y
    for i in range(len(x)):
        z = z.copy()
        z[i] += i
    return z, x, y


def seen_by_others(x, n):
    """What an arm has made has another name."""
    y = x
    z = x
    if n > 0:
        y = x * 2
        z = y
    w = y.copy()
    for i in range(len(x)):
        w[i] += i
    return w, z


def made_in_both(x, n):
    y = x + 1 if n > 0 else x * 2
    w = y.copy()
    for i in range(len(x)):
        w[i] = w[i - 1] + y[i]
    return w


GRID = np.array([1, 1, 0, 1, 1] * 10)
X = np.arange(50.0)
PROGRAMS = [
    (filled, (GRID,)),
    (filled, (np.zeros(50, np.int64),)),
    (one_of_two, (X, -X, np.int64(1))),
    (one_of_two, (X, -X, np.int64(-1))),
    (seen_by_others, (X, np.int64(1))),
    (seen_by_others, (X, np.int64(0))),
    (made_in_both, (X, np.int64(1))),
]


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_arrays_that_branches_leave_are_what_python_leaves(function, arguments):
    given = [each.copy() for each in arguments]
    found, expected = ag.function(function, jit_compile=True)(*given), function(*arguments)
    pairs = zip(found, expected, strict=True) if isinstance(expected, tuple) else [(found, expected)]
    for one, other in pairs:
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()
    for one, other in zip(given, arguments, strict=True):
        assert one.tobytes() == other.tobytes()


def test_an_arm_that_has_made_an_array_does_not_copy_it():
    body = lowered(ag.function(filled).get_concrete_function(GRID).optimised_module).functions[-1].body
    branch = next(each for each in body if isinstance(each, If))
    behind = body[body.index(branch) + 1 :]
    assert [each.of.name for each in behind if isinstance(each, Copy)] == [
        "a2"
    ]  # the places, which are known
    assert [sum(isinstance(each, Copy) for each in arm) for arm in (branch.then, branch.orelse)] == [1, 1]


def sparse(x):
    table = np.zeros(300)
    table[7], table[299] = -0.0, 2.5
    for i in range(len(x)):
        table[i] += x[i]
    return table


def dense(x):
    table = np.zeros(300)
    table[:20] = 1.0
    for i in range(len(x)):
        table[i] += x[i]
    return table


@pytest.mark.parametrize(("function", "is_read"), [(sparse, False), (dense, True)])
def test_zeros_that_are_known_are_not_read(function, is_read):
    traced = ag.function(function, jit_compile=True)
    assert np.asarray(traced(X)).tobytes() == function(X).tobytes()
    text = traced.concrete_functions[0].program.llvm_ir()
    assert ("call void @llvm.memset" not in text) == is_read
