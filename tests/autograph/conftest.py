"""What the tests of the converter share."""

import copy

import pytest

from autograph.options import Options
from autograph.transpiler import Transpiler

TRANSPILER = Transpiler(options=Options(on_failure="raise"))


def outcome(function, arguments):
    """What a call gives, and what it leaves of its arguments."""
    arguments = copy.deepcopy(arguments)
    try:
        result = function(*arguments)
    except Exception as error:  # noqa: BLE001  (whatever it is, both must raise it)
        return type(error), str(error), arguments
    return "returned", result, arguments


@pytest.fixture
def check():
    """`check(f, (1,), (2,))`: converted f does what f does, called with (1,), and called with (2,)."""

    def check(function, *argument_sets):
        converted = TRANSPILER.convert(function)
        assert converted is not function
        for arguments in argument_sets or [()]:
            assert outcome(converted, arguments) == outcome(function, arguments), arguments

    return check


@pytest.fixture
def convert():
    """The converted form of a function, for no backend but plain Python; what cannot be converted raises."""
    return TRANSPILER.convert
