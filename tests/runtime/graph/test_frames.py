"""What is raised in eager code shows the line that called us, and no frame of ours."""

import pickle
import traceback

import numpy as np
import pytest

import runtime as rt
from runtime.graph.location import is_ours


def ours(error):
    return [frame for frame in traceback.extract_tb(error.__traceback__) if is_ours(frame.filename)]


X = rt.asarray([1.0, 2.0])
MISTAKES = {
    "an operator": lambda: X + rt.asarray([1.0, 2.0, 3.0]),
    "an operator in place": lambda: X.__iadd__(rt.asarray([1.0, 2.0, 3.0])),
    "a reflected operator": lambda: X.__radd__([1.0, 2.0, 3.0]),
    "a sign": lambda: ~X,
    "an index": lambda: X[5],
    "a method": lambda: X.sum(axis=3),
    "a method of the graph's": lambda: X.to_device("gpu"),
    "an attribute": lambda: X.mT,
    "a function": lambda: rt.reshape(X, (2, 2)),
    "a parameter that is not there": lambda: rt.sum(X, axes=0),
    "linear algebra": lambda: rt.linalg.inv(X),
    "a function of NumPy": lambda: np.concatenate([X, rt.asarray([[1.0]])]),
    "what a kernel raises": lambda: rt.asarray([2]) ** -1,
    "a division": lambda: rt.asarray(2) % 0,
    "a variable": lambda: rt.Variable("a"),
    "an assignment": lambda: rt.Variable([1, 2]).assign([1, 2, 3]),
    "a wrong function": lambda: rt.cond(rt.asarray(True), 1, 2),
    "a truth": lambda: bool(X),
    "a number": lambda: float(X),
    "a whole number": lambda: int(X),
    "a complex number": lambda: complex(X),
    "an index of Python's": lambda: [1, 2][X],
    "a length": lambda: len(X[0]),
    "an iteration": lambda: list(X[0]),
    "a spec": lambda: rt.TensorSpec((2.5,), "float32"),
    "a function of no arguments": lambda: rt.cond(rt.asarray(True), lambda x: x, lambda: 2),
    "a function of two arguments": lambda: rt.while_loop(lambda i, j: i < j, lambda i: (i + 1,), (0, 1)),
    "a ufunc": lambda: np.add(X, rt.asarray([1.0, 2.0, 3.0])),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_shows_the_users_line_alone(mistake):
    with pytest.raises((TypeError, ValueError, IndexError, ZeroDivisionError)) as caught:
        mistake()
    assert ours(caught.value) == []


def test_frames_of_numpys_stay():
    with pytest.raises(np.linalg.LinAlgError) as caught:
        rt.linalg.inv(rt.asarray([[1.0, 1.0], [1.0, 1.0]]))
    assert ours(caught.value) == []
    assert traceback.extract_tb(caught.value.__traceback__)[-1].name == "_raise_linalgerror_singular"


def test_a_variable_of_the_environment_shows_all(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_SHOW_FRAMES", "1")
    with pytest.raises(ValueError) as caught:
        MISTAKES["an operator"]()
    assert ours(caught.value) != []


def test_functions_of_the_namespace_are_pickled_by_name():
    assert pickle.loads(pickle.dumps(rt.sum)) is rt.sum
    assert pickle.loads(pickle.dumps(rt.linalg.inv)) is rt.linalg.inv


def test_a_function_keeps_its_name_beside_a_method_of_another():
    assert (rt.conj.__name__, rt.conj.__module__) == ("conj", "runtime")
