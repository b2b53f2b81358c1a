"""A variable without a value, read in an expression that became a function, fails as in plain Python."""

import pytest

import autograph as ag


def arm(a):
    x = (x if a else 1) + 1  # noqa: F821
    return x


def operand(a):
    y = a or z  # noqa: F821
    z = 3
    return y, z


def comparand(a):
    y = 0 < a < z  # noqa: F821
    z = 3
    return y, z


@pytest.mark.parametrize("function", [arm, operand, comparand])
@pytest.mark.parametrize("argument", [0, 1])
def test_it_fails_as_in_plain_python(function, argument):
    def outcome(called):
        try:
            return called(argument)
        except Exception as error:  # noqa: BLE001  # whatever it is, both must raise it
            return type(error), str(error), error.name

    assert outcome(ag.convert(function)) == outcome(function)
