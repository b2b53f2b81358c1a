"""Programs that raise and catch exceptions, printed as Python and run without this project."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt


def standalone(function, *arguments):
    """The function of the printed program."""
    concrete = ag.function(function).get_concrete_function(*map(rt.asarray, arguments))
    namespace = {}
    exec(concrete.to_python(), namespace)
    return namespace[function.__name__]


def test_a_message_is_formatted():
    def limited(x):
        if x > 3:
            raise ValueError(f"{x} is too much", x)
        return x + 1

    program = standalone(limited, 1)
    assert program(2) == 3
    with pytest.raises(ValueError, match="7 is too much") as caught:
        program(7)
    assert caught.value.args[1] == 7


def test_a_try_is_a_try():
    def quotient(x, y):
        z = x
        try:
            z = x + 1
            z = z // y
        except ZeroDivisionError:
            z = -z
        return z

    program = standalone(quotient, 1, 1)
    assert program(6, 2) == 3
    assert program(6, 0) == -7


def test_what_is_caught_is_read():
    def reported(x):
        try:
            if x > 3:
                raise ValueError("too much", x * 2)
        except ValueError as error:
            x = error.args[1]
        return x

    program = standalone(reported, 1)
    assert program(2) == 2
    assert program(5) == 10


def test_a_class_of_the_user_s_cannot_be_written():
    class Refused(Exception):
        pass

    def strict(x):
        if x > 3:
            raise Refused
        return x

    with pytest.raises(rt.errors.ExportError, match="Raise"):
        standalone(strict, 1)


def test_the_state_of_a_checkpoint_is_no_part_of_a_later_computation():
    def grown(x, n):
        total = x * 1.0
        try:
            total = total + 1.0
            total = total * (12 // n)
        except ZeroDivisionError:
            total = -total
        return total

    values = np.arange(20000.0)
    function = ag.function(grown)
    np.testing.assert_array_equal(function(rt.asarray(values), rt.asarray(0)).numpy(), -(values + 1))
    np.testing.assert_array_equal(function(rt.asarray(values), rt.asarray(4)).numpy(), (values + 1) * 3)
