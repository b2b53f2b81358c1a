"""What libraries keep for a program: settings, attributes of modules, functions that nobody can see."""

import decimal
import functools
import string

import numpy as np
import pytest

import autograph as ag

SCALE = [3.0]
scaled = np.frompyfunc(lambda v: v * SCALE[0], 1, 1)
by_size = functools.cmp_to_key(lambda a, b: (a - b) * SCALE[0])


@pytest.fixture(autouse=True)
def _as_before():
    with decimal.localcontext():
        yield
    SCALE[0] = 3.0
    vars(string).pop("latest", None)


def a_seventh(x):
    return x * float(decimal.Decimal(1) / decimal.Decimal(7))


def test_how_decimals_are_computed_is_read_before_each_run():
    graph = ag.function(a_seventh)
    for digits in (28, 5, 28, 3):
        decimal.getcontext().prec = digits
        assert float(graph(np.float64(2.0))) == a_seventh(2.0)


def exactly(x):
    decimal.getcontext().prec = 4
    return x * float(decimal.Decimal(2) / 3)


def test_a_setting_of_decimals_is_made_on_every_call():
    graph = ag.function(exactly)
    for digits in (28, 9, 28, 28):
        decimal.getcontext().prec = digits
        assert float(graph(np.float64(1.0))) == 0.6667
        assert decimal.getcontext().prec == 4


def latest(x):
    if x > 1:
        string.latest = x
    return getattr(string, "latest", -1.0)


def test_an_attribute_of_a_librarys_module_is_set_on_the_path_that_sets_it():
    graph = ag.function(latest)
    assert float(graph(np.float64(0.0))) == -1.0
    assert not hasattr(string, "latest")
    assert [float(graph(np.float64(x))) for x in (2.0, 0.0, 5.0, 1.0)] == [2.0, 2.0, 5.0, 5.0]
    assert float(string.latest) == 5.0
    del string.latest
    assert float(graph(np.float64(0.0))) == -1.0


def of_three(x):
    return scaled(2.0) * x


def least(x):
    return sorted([3.0, 1.0, 2.0], key=by_size)[0] * x


@pytest.mark.parametrize("program", [of_three, least])
def test_a_function_that_c_keeps_to_itself_reads_what_is_outside_by_now(program):
    graph = ag.function(program)
    for scale in (3.0, -4.0, 3.0):
        SCALE[0] = scale
        assert float(graph(np.float64(1.0))) == program(1.0)
