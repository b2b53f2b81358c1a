"""What NumPy says of divisions by zero, overflows and invalid values is what it says of the plain program."""

import math
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.graph.file import from_bytes, to_bytes
from tests.promises.kit import function_of

ZEROS = np.array([1.0, 0.0, 2.0]), np.array([0.0, 0.0, 1.0])


@ag.function
def inverse(x):
    return 1.0 / x


def quiet(a, b):
    with np.errstate(divide="ignore", invalid="ignore"):
        y = a / b
    return np.where(b == 0, 0.0, y)


def quiet_and_loud(a, b):
    with np.errstate(divide="ignore", invalid="ignore"):
        y = a / b
    return y, a / b


def quiet_in_branches(a, b):
    with np.errstate(all="ignore"):
        y = a / b if a.sum() > 0 else a
        if b.sum() > 0:
            y = y + np.log(b)
    return y


def quiet_in_turns(a, b):
    n = a.sum()
    with np.errstate(all="ignore"):
        while n > 0:
            b = 1.0 / b
            if n > 1:
                b = b - b
            n -= 1
    return b


def loud_within(a, b):
    with np.errstate(all="ignore"):
        y = a / b
        with np.errstate(divide="warn"):
            y = y + np.log(b)
        return y + a / (b - b)


def quiet_call(a, b):
    with np.errstate(all="ignore"):
        y = inverse(b)
    return y + a


def loud_call(a, b):
    with np.errstate(all="ignore"):
        y = inverse(b)
    return y + inverse(b + b)


def left_by_an_exception(a, b):
    try:
        with np.errstate(all="ignore"):
            if a.sum() > 0:
                raise ValueError
    except ValueError:
        a = a + 1.0
    return a / b


PROGRAMS = [
    quiet,
    quiet_and_loud,
    quiet_in_branches,
    quiet_in_turns,
    loud_within,
    quiet_call,
    loud_call,
    left_by_an_exception,
]


def told(function, *args):
    """What a function warns of."""
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        function(*args)
    return {str(each.message).replace("scalar ", "") for each in given}


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("around", ["ignore", "warn"])
@pytest.mark.parametrize("executor", ["auto", "numpy", "reference"])
def test_a_graph_is_as_quiet_as_its_function(program, around, executor):
    function = ag.function(program, executor=executor)
    with np.errstate(all="warn"):
        told(function, *ZEROS)  # the state of the trace is not that of the run
    with np.errstate(all=around):
        assert told(function, *ZEROS) == told(program, *ZEROS)


def test_a_quiet_graph_gives_what_its_function_gives():
    for program in PROGRAMS:
        with np.errstate(all="ignore"):
            ag.check(program, *ZEROS)


def test_a_file_keeps_how_numpy_tells_errors():
    concrete = ag.function(quiet_and_loud, executor="numpy").get_concrete_function(*ZEROS)
    module = concrete.module
    again = from_bytes(to_bytes(module))
    told_of = [[node.location.told for node in each.entry.nodes] for each in (module, again)]
    assert told_of[0] == told_of[1]
    assert (("divide", "ignore"), ("invalid", "ignore")) in told_of[1]


def inverted(y, n):
    while n > 0:
        y = 1.0 / y
        n -= 1
    return y


def squared(y, n):
    while n > 0:
        y = y * y
        n -= 1
    return y


@pytest.mark.parametrize("executor", ["auto", "numpy", "reference"])
@pytest.mark.parametrize(("program", "start"), [(inverted, 0.0), (squared, 1e200)])
def test_what_the_caller_wants_raised_is_raised_from_a_loop(program, start, executor):
    function = ag.function(program, executor=executor)
    with np.errstate(all="ignore"):
        assert np.isinf(function(np.float64(start), np.int64(1)))
    for called in (program, function):
        with np.errstate(all="raise"), pytest.raises(FloatingPointError, match=r"divide by zero|overflow"):
            called(np.float64(start), np.int64(3))


@pytest.mark.parametrize("executor", ["auto", "numpy", "native", "reference"])
def test_an_integer_of_numpy_s_that_is_divided_by_zero_raises_as_python_s_do(executor):
    def divided(b):
        return 7 // b

    function = ag.function(divided, executor=executor)
    assert told(divided, np.int64(0)) == {"divide by zero encountered in floor_divide"}
    with pytest.raises(ZeroDivisionError):
        function(np.int64(0))
    assert function(np.int64(2)) == 3


# ── raised in a part of a function ──


def caught_around(x, n):
    try:
        with np.errstate(all="raise"):
            y = np.log(x)
            z = x / n
    except FloatingPointError as error:
        return str(error), x
    return y, z


def caught_in_turns(x, n):
    found = []
    for v in x:
        try:
            with np.errstate(divide="raise", invalid="raise"):
                found.append(np.log(v))
        except FloatingPointError:
            found.append(-1.0)
    return found


def wanted_by_nobody(x, n):
    with np.errstate(divide="raise"):
        n / x
    return n


def raised_from_a_loop(x, n):
    with np.errstate(over="raise"):
        for _ in range(n):
            x = x * x
    return x


def raised_in_a_branch(x, n):
    with np.errstate(divide="raise"):
        if n > 1:
            with np.errstate(divide="ignore"):
                return n / x
        return n - n / x


@np.errstate(divide="raise")
def inverted_or_raised(x):
    if x.sum() > 1:
        return 1.0 / x
    return -1.0 / x


def caught_from_a_decorated_callee(x, n):
    try:
        return inverted_or_raised(x)
    except FloatingPointError:
        return x


@np.errstate(all="ignore")
def decorated(x, n):
    return 1.0 / x if n > 1 else np.log(x)


@pytest.mark.parametrize(
    "program",
    [
        *(caught_around, caught_in_turns, wanted_by_nobody, raised_from_a_loop, raised_in_a_branch),
        *(caught_from_a_decorated_callee, decorated),
    ],
)
def test_where_a_function_asks_for_exceptions_its_graph_raises(program):
    calls = [
        (np.array([1.0, 0.0]), np.int64(2)),
        (np.array([0.0, -1.0]), np.int64(1)),
        (np.array([1e300, 2.0]), np.int64(3)),
    ]
    ag.check(program, np.array([1.0, 2.0]), np.int64(0), then=calls)


@pytest.mark.parametrize("name", ["floor_divide", "remainder", "fmod"])
def test_integers_with_axes_that_are_divided_by_zero_raise_where_a_function_asks_for_it(name):
    def f(x, y):
        try:
            with np.errstate(divide="raise"):
                return getattr(np, name)(x, y)
        except FloatingPointError as error:
            return str(error)

    ag.check(f, np.array([7, -7]), np.array([2, 3]), then=[(np.array([1, -5]), np.array([1, 0]))])


def test_numbers_of_python_s_own_raise_what_python_raises():
    def divided(n):
        with np.errstate(all="raise"):
            try:
                return 1.0 / len(range(n))
            except (FloatingPointError, ZeroDivisionError) as error:
                return type(error).__name__

    ag.check(divided, np.int64(0), then=[(np.int64(2),)])


def test_a_file_keeps_that_errors_are_raised():
    concrete = ag.function(raised_from_a_loop, executor="numpy").get_concrete_function(ZEROS[0], np.int64(2))
    again = from_bytes(to_bytes(concrete.module))
    assert again.text() == concrete.module.text()
    assert any("RaisingCall" in inner.ops for inner in again.entry.walk())


MASKED = [
    "np.divide(x, y, out=np.zeros_like(x), where=y != 0)",
    "np.log(y, out=np.zeros_like(x), where=y > 0)",
    "np.arctanh(y, out=np.zeros_like(x), where=y == 0)",
    "np.sqrt(y, where=y > 0, out=x)",
    "np.power(y, -1, where=y != 0, out=np.ones_like(x))",
    "np.floor_divide(k, k % 2, where=k % 2 > 0, out=np.zeros_like(k))",
    "np.multiply(x, y, where=False, out=np.full_like(x, 3.0))",
    "np.divmod(x, y, where=y > 0, out=(x * 1, x * 1))",
]


@pytest.mark.parametrize("expression", MASKED)
def test_what_a_mask_leaves_out_is_not_warned_of(expression):
    program = function_of(expression, "x, y, k")
    x, y, k = np.ones(4), np.array([0.0, -1.0, 2.0, np.inf]), np.arange(4)
    ag.check(program, x, y, k, then=[(x, -y, k + 1)])


def quiet_numbers(x, y):
    with np.errstate(all="raise"):
        large = float(x) * 1e308 * 10.0
        nothing = large - large
        tiny = float(x) * 1e-300 * 1e-300
        try:
            found = y * 1e308 * 10.0
        except FloatingPointError:
            found = y
    return large, nothing, tiny, found


def quiet_turns(x, y):
    best, total = math.inf, 0.0
    with np.errstate(invalid="raise", over="raise"):
        for k in range(3):
            total += best - math.inf * float(x)
            best = min(best, float(y) * k)
    return best, total


@pytest.mark.parametrize("program", [quiet_numbers, quiet_turns])
def test_numbers_of_python_s_are_told_of_nothing_where_the_program_asks_numpy_to_raise(program):
    ag.check(program, np.float64(1.0), np.float64(2.0), then=[(np.float64(2.0), np.float64(0.0))])


@pytest.mark.parametrize("end", ["raise ValueError(n)", "if n > 1: raise ValueError(n)", "return x[n + 9]"])
def test_a_run_that_raises_warns_once_of_what_it_has_computed(end):
    lines = f"    kept.append(n)\n    y = x / 0.0\n    np.log(x[0] - 9.0)\n    {end}\n    return y\n"
    f = function_of(f"kept = []\ndef f(x, n):\n{lines}")
    ag.check(f, np.ones(2), np.int64(3), then=[(np.ones(2), np.int64(1)), (np.ones(2), np.int64(2))])
