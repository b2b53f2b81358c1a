"""What functions of a program give each other: the first number in a register, beside their status."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def both(n):
    if n < 2:
        return n, 1.5 * n
    one, other = both(n - 1)
    two, more = both(n - 2)
    return one + two, other - more


def halves(x):
    return x if x < 1.0 else halves(x * 0.5) + halves(x * 0.25)


def is_even(n):
    return True if n == 0 else not is_even(n - 1)


def raised(n):
    if n == 3:
        raise ValueError("three", n)
    return 1 if n < 2 else raised(n - 1) + 2 * raised(n - 2)


def caught(n):
    if n < 1:
        return n
    try:
        if n % 5 == 0:
            raise KeyError(n)
        return caught(n - 1) + 100
    except KeyError:
        return caught(n - 2) - 7


def written(x, n):
    if n > 0:
        x[n] += n
        written(x, n - 1)
    return x[0] + n


CASES = [
    (fibonacci, [(np.int64(n),) for n in (0, 1, 2, 9, 15)]),
    (fibonacci, [(np.float64(n),) for n in (0, 5, 12)]),
    (both, [(np.int64(n),) for n in (0, 5, 11)]),
    (halves, [(np.float32(n),) for n in (0.5, 30.0, 1e4)]),
    (halves, [(np.float64(n),) for n in (0.5, 30.0, 1e4)]),
    (is_even, [(np.int64(n),) for n in (0, 7, 100)]),
    (caught, [(np.int64(n),) for n in (0, 4, 5, 8)]),
    (written, [(np.arange(9), np.int64(n)) for n in (0, 3, 8)]),
]
"""Functions, and calls of one graph."""


@pytest.mark.parametrize("options", [{}, {"jit_compile": True}], ids=["unasked", "asked"])
@pytest.mark.parametrize(("function", "calls"), CASES, ids=lambda each: getattr(each, "__name__", None))
def test_a_recursion_gives_what_python_gives(function, calls, options):
    graph = ag.function(function, **options)
    for arguments in calls:
        copies = [each.copy() for each in arguments]
        found, wanted = graph(*arguments), function(*copies)
        several = (found, wanted) if isinstance(wanted, tuple) else ((found,), (wanted,))
        for one, other in zip(*several, strict=True):
            assert np.asarray(one).tobytes() == np.asarray(other).tobytes(), arguments
            assert np.asarray(one).dtype == np.asarray(other).dtype, arguments
        assert all(map(np.array_equal, arguments, copies)), arguments
    assert len(graph.concrete_functions) == 1


def test_what_is_raised_comes_through_all_calls():
    graph = ag.function(raised, jit_compile=True)
    assert int(graph(rt.asarray(1))) == 1
    with pytest.raises(ValueError, match="three") as caught_here:
        graph(rt.asarray(9))
    assert caught_here.value.args[0] == "three"


def test_a_recursion_that_looks_at_signals_goes_on():
    graph = ag.function(fibonacci, jit_compile=True)
    assert int(graph(rt.asarray(27))) == 196_418
