"""Errors that are NumPy's, too: what catches NumPy's catches ours."""

import pickle

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import AxisError, MatrixError


def test_an_axis_that_is_not_there_is_numpys_axis_error():
    with pytest.raises(np.exceptions.AxisError) as caught:
        rt.sum(rt.ones((2, 3)), axis=5)
    assert type(caught.value) is AxisError
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.axis, again.ndim) == (5, 2)


@pytest.mark.parametrize("function", [rt.linalg.inv, rt.linalg.det, rt.linalg.eigvalsh, rt.linalg.cholesky])
@pytest.mark.parametrize("shape", [(2, 3), (4,)])
def test_what_holds_no_square_matrices_is_numpys_linalg_error(function, shape):
    with pytest.raises(np.linalg.LinAlgError) as caught:
        function(rt.ones(shape))
    assert type(caught.value) is MatrixError


def test_a_graph_catches_them_as_python_does():
    def last(x):
        try:
            return np.sum(x, axis=1)
        except np.exceptions.AxisError:
            return np.sum(x, axis=0)

    ag.check(last, np.ones((2, 3)), then=[(np.ones(3),)])


@pytest.mark.parametrize("axis", [True, 1.0, "a"])
def test_an_axis_is_an_integer_and_no_truth_value(axis):
    with pytest.raises(TypeError, match="an axis is"):
        rt.sum(rt.ones((2, 3)), axis=axis)
