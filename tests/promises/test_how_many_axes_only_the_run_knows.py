"""What is a number on some paths and an array on others: what depends on its axes is told, or refused."""

import math

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue

X = np.array([1.5, 2.5, 3.5])


def graph_of(ask, start, other):
    """A graph of what is asked of one value, or in runs with a greater number of another one."""

    @ag.function
    def asked(n):
        v = start()
        if n > 1:
            v = other
        return ask(v)

    return asked


TRUTHS = {
    "not": lambda v: not v,
    "if": lambda v: 1 if v else 2,
    "and": lambda v: v and 3.0,
    "in": lambda v: v in (1.5, "a"),
    "while": lambda v: [1 for _ in range(2) if v],
}


@pytest.mark.parametrize("ask", TRUTHS.values(), ids=TRUTHS)
def test_one_truth_is_asked_of_the_run_and_an_array_has_none(ask):
    asked = graph_of(ask, lambda: X[0], X)
    assert asked(np.int64(1)) == ask(X[0])
    with pytest.raises(ValueError, match="ambiguous"):
        asked(np.int64(2))


def test_a_number_that_became_an_array_of_one_element_has_the_truth_of_that():
    def asked(n):
        v = 0.0
        for row in X[:n].reshape(n, 1):
            v = v + row
        return not v

    ag.check(asked, np.int64(2))
    ag.check(asked, np.int64(0))


OF_NUMBERS = {
    "float": float,
    "int": int,
    "complex": complex,
    "round": round,
    "math.sqrt": math.sqrt,
    "hash": hash,
    "type": lambda v: type(v).__name__,
    "isinstance": lambda v: isinstance(v, np.ndarray),
    "any": any,
    "max": max,
    "sorted": sorted,
    "shape": lambda v: v.shape,
    "key": lambda v: {v: 1},
}


@pytest.mark.parametrize("ask", OF_NUMBERS.values(), ids=OF_NUMBERS)
def test_what_python_asks_of_numbers_alone_or_of_arrays_alone_is_refused(ask):
    with pytest.raises(NoConcreteValue, match="rank"):
        graph_of(ask, lambda: X[0], X)(np.int64(1))


def test_what_takes_both_is_computed():
    def total(n):
        v = 0.0
        for row in X.reshape(3, 1)[:n]:
            v = v + row
        return v * 2, np.sin(v), np.sum(v)

    for n in (3, 0):
        ag.check(total, np.int64(n))


OF_ONE_CLASS = {
    "type": type,
    "isinstance": lambda v: isinstance(v, float),
    "hash": hash,
    "repr": repr,
    "list in text": lambda v: str([v]),
    "key": lambda v: {v: 1},
    "element": lambda v: {v},
    "round": round,
}


@pytest.mark.parametrize("ask", OF_ONE_CLASS.values(), ids=OF_ONE_CLASS)
def test_a_number_on_some_paths_that_is_an_array_without_axes_on_others_has_no_class(ask):
    with pytest.raises(NoConcreteValue, match="an array without axes"):
        graph_of(ask, lambda: np.zeros(()), X[0])(np.int64(1))


def test_its_text_and_what_is_computed_of_it_are_the_same():
    def computed(n):
        v = np.zeros(())
        if n > 1:
            v = X[0]
        return str(v), f"{v}", v + 1, np.sqrt(v), float(v)

    for n in (3, 0):
        ag.check(computed, np.int64(n))


COMPARED = {
    "with a text": lambda v: (v == "a", v != "a"),
    "with None": lambda v: (v == None, v != None),
    "with an array": lambda v: (v == X, X != v, np.all(v == X)),
    "with a number": lambda v: (v == 3, 3 != v),
    "with itself": lambda v: v == v,
    "in a list": lambda v: [v] == [3],
}


@pytest.mark.parametrize("compare", COMPARED.values(), ids=COMPARED)
@pytest.mark.parametrize("start", [None, X[0], X.reshape(1, 3)])
def test_what_may_be_an_array_is_compared_as_what_it_is(start, compare):
    def compared(n):
        v = start
        if n > 1:
            v = X
        return compare(v)

    def in_a_loop(n):
        v = start
        for i in range(n):
            v = X * i
        return compare(v)

    for f in (compared, in_a_loop):
        ag.check(f, np.int64(2))
        ag.check(f, np.int64(0))
