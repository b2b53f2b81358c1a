"""`Check`: the exception it names, with what it shows."""

import numpy as np
import pytest

from runtime.errors import GraphError, ShapeError
from runtime.ops.core import Check


def test_a_check_that_holds_gives_nothing():
    assert Check("ValueError", "no").kernel(np.True_) == ()


@pytest.mark.parametrize(
    ("name", "kind"), [("ZeroDivisionError", ZeroDivisionError), ("ShapeError", ShapeError)]
)
def test_a_check_raises_the_exception_that_it_names(name, kind):
    with pytest.raises(kind, match="got 3, not 4"):
        Check(name, "got {0}, not {1}").kernel(np.False_, np.int64(3), np.int64(4))


def test_a_check_of_no_exception_is_refused():
    with pytest.raises(GraphError, match="no exception"):
        Check("print", "no").kernel(np.False_)
