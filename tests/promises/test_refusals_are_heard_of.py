"""Where code that is not converted handles that a value of a graph is refused, the program is refused."""

import contextlib

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue
from tests.promises.kit import function_of

X = np.array([1.0, 2.0, 3.0])


def in_a_generator(x):
    def each():
        try:
            yield float(x[0])
        except:  # noqa: E722
            yield 5.0

    return sum(each())


def by_code_of_c_in_a_generator(x):
    filled = np.zeros(3)

    def each():
        try:
            filled[1] += x[0]
        except:  # noqa: E722
            yield 5.0

    return sum(each(), 0.0)


def by_a_test_in_a_generator(x):
    def each():
        try:
            if x[0] > 0:
                yield 1.0
        except:  # noqa: E722
            yield 5.0

    return sum(each())


def by_a_finally_that_returns(x):
    def each():
        try:
            yield float(x[0])
        finally:
            return  # that is what it is about

    return sum(each(), 0.0)


def by_what_suppresses(x):
    def each():
        yield 1.0
        with contextlib.suppress(Exception):
            yield int(x[0])

    return sum(each())


def in_the_body_of_a_class(x):
    class Settings:
        try:
            size = float(x[0])
        except TypeError:
            size = 5.0

    return Settings.size


@ag.do_not_convert
def size_of(x):
    try:
        return float(x)
    except TypeError:
        return 5.0


def in_a_function_that_is_not_converted(x):
    return size_of(x[0])


def in_what_a_handler_calls(x):
    try:
        return np.stack([x, x[:1]]).sum()
    except ValueError:
        return size_of(x[0])


@pytest.mark.parametrize(
    "program",
    [
        *(in_a_generator, by_code_of_c_in_a_generator, by_a_test_in_a_generator, by_a_finally_that_returns),
        *(by_what_suppresses, in_the_body_of_a_class, in_a_function_that_is_not_converted),
        in_what_a_handler_calls,
    ],
)
def test_what_handles_a_refusal_does_not_go_on(program):
    with pytest.raises(NoConcreteValue, match="code that is not converted has handled the error"):
        ag.function(program)(X)


@pytest.mark.parametrize("kinds", ["TypeError", "ValueError", "(TypeError, ValueError)"])
@pytest.mark.parametrize("line", ["yield float(x[0])", "filled[1] += x[0]", "if x[0] > 0:\n    yield 1.0"])
def test_a_generator_that_hears_of_what_python_raises_alone_is_converted(line, kinds):
    inner = "".join(f"            {each}\n" for each in line.splitlines())
    f = function_of(
        f"def f(x):\n    filled = np.zeros(3)\n    def each():\n        try:\n{inner}"
        f"        except {kinds}:\n            yield 5.0\n    return sum(each(), 0.5) + filled.sum()\n"
    )
    ag.check(f, X, then=[(-X,)])


def of_numbers_of_python(x):
    total = 0.0
    for i in range(40):
        total += size_of(i) + x[0]
    return total


def of_a_length(x):
    def each():
        try:
            yield len(x[0])
        except TypeError:
            yield 5.0

    return sum(each())


def test_what_python_refuses_is_handled_as_in_python():
    ag.check(of_numbers_of_python, X)
    ag.check(of_a_length, X)
