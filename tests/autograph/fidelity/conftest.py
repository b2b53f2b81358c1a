"""What the tests of fidelity share."""

import warnings

import pytest

from autograph.errors import ConversionWarning, UnsupportedSyntax
from autograph.options import Options
from autograph.policy import verdict
from autograph.transpiler import Transpiler
from tests.autograph.conftest import outcome

STRICT = Transpiler(options=Options(on_failure="raise"))


@pytest.fixture
def left():
    """`left(f, "reason", (1,), …)`: f is left to Python for that reason, and still does what it does."""

    def left(function, reason, *argument_sets):
        given = verdict(function)
        if given.convert:
            with pytest.raises(UnsupportedSyntax) as raised:
                STRICT.convert(function)
            assert reason in str(raised.value)
        else:
            assert reason in given.reason
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConversionWarning)
            converted = Transpiler().convert(function)
        assert converted is function
        for arguments in argument_sets:
            assert outcome(converted, arguments) == outcome(function, arguments)

    return left


@pytest.fixture
def same():
    """As `check`, for functions that call some that are left to Python: the warnings of that are dropped."""

    def same(function, *argument_sets):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConversionWarning)
            converted = Transpiler().convert(function)
            assert converted is not function
            for arguments in argument_sets or [()]:
                assert outcome(converted, arguments) == outcome(function, arguments), arguments

    return same
