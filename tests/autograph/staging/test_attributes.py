"""What classes are called."""

import collections
import decimal
import re

import pytest

from autograph.staging.attributes import spoken_name


class Own:
    pass


@pytest.mark.parametrize(
    "value",
    [3, Own(), re.compile("a"), collections.deque(), collections.Counter(), decimal.Decimal(1)],
    ids=lambda value: type(value).__name__,
)
def test_a_class_has_the_name_that_python_says(value):
    class Asked:
        def __bool__(self):
            return value

    with pytest.raises(TypeError) as caught:
        bool(Asked())
    assert str(caught.value).endswith(f", returned {spoken_name(type(value))}")
