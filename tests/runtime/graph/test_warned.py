"""Warnings of NumPy name the user's line, and `np.errstate` says whether there are any."""

import inspect
import warnings

import numpy as np
import pytest

import runtime as rt
from runtime.functions.polymorphic import PolymorphicFunction

ZERO, ONE = rt.asarray([0.0]), rt.asarray([1.0])


def line():
    """The line of the caller."""
    return inspect.currentframe().f_back.f_lineno


def warned(action, program):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter(action)
        lines = program()
    return [(each.filename, each.lineno, str(each.message)) for each in found], lines


def test_a_warning_names_the_users_line():
    def program():
        ONE / ZERO, lines.append(line())
        rt.log(ZERO), lines.append(line())
        np.log(ZERO), lines.append(line())
        np.float64(1) / ZERO, lines.append(line())
        rt.asarray([1]) // rt.asarray([0]), lines.append(line())
        rt.astype(rt.asarray([np.nan]), rt.int32), lines.append(line())
        return lines

    lines = []
    found, lines = warned("always", program)
    assert {(filename, number) for filename, number, _ in found} == {(__file__, number) for number in lines}
    assert [text for *_, text in found][:6] == [
        "divide by zero encountered in divide",
        "divide by zero encountered in log",
        "divide by zero encountered in log",
        "divide by zero encountered in divide",
        "divide by zero encountered in floor_divide",
        "invalid value encountered in cast",
    ]


def test_each_line_of_the_users_warns_once():
    def program():
        for _ in range(3):
            ONE / ZERO
            ONE / ZERO

    globals().pop("__warningregistry__", None)
    found, _ = warned("default", program)
    first = program.__code__.co_firstlineno
    assert [number for _, number, _ in found] == [first + 2, first + 3]


def test_warnings_of_a_module_are_filtered_by_its_name():
    def program():
        warnings.filterwarnings("ignore", module=__name__.replace(".", r"\."))
        ONE / ZERO

    assert warned("always", program) == ([], None)


def test_a_warning_may_be_an_error():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match="divide by zero encountered in divide"):
            ONE / ZERO
        warnings.filterwarnings("always")
        warnings.filterwarnings("error", module=__name__.replace(".", r"\."))
        with pytest.raises(RuntimeWarning, match="divide by zero encountered in divide"):
            ONE / ZERO


def test_other_peoples_warnings_are_shown_as_they_are():
    def program():
        warnings.warn("mine", stacklevel=1)
        np.array([1.0]) / np.array([0.0])

    found, _ = warned("always", program)
    first = program.__code__.co_firstlineno
    assert [number for _, number, _ in found] == [first + 1, first + 2]


def test_errstate_says_what_becomes_of_floating_point_errors():
    seen = []
    with np.errstate(divide="ignore"):
        assert (ONE / ZERO).tolist() == [np.inf]
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero"):
        ONE / ZERO
    with np.errstate(divide="call", call=lambda kind, _: seen.append(kind)):
        ONE / ZERO
    assert seen == ["divide by zero"]
    before = np.seterr(divide="ignore")
    try:
        ONE / ZERO
    finally:
        np.seterr(**before)


def logarithm(x):
    y = rt.abs(x)
    return rt.log(y)


@pytest.mark.parametrize(("executor", "names"), [("numpy", "operation"), ("reference", "call")])
def test_a_graph_warns_while_it_runs(executor, names):
    function = PolymorphicFunction(logarithm, executor=executor)

    def program():
        return function(ZERO)

    found, _ = warned("always", program)
    lines = {
        "operation": logarithm.__code__.co_firstlineno + 2,
        "call": program.__code__.co_firstlineno + 1,
    }
    assert found == [(__file__, lines[names], "divide by zero encountered in log")]
    with np.errstate(divide="ignore"):
        assert warned("always", program)[0] == []
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero"):
        program()
