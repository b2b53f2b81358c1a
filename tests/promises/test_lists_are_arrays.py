"""NumPy's functions take lists that grew in a loop of the graph, as they take lists."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.promises.kit import function_of

PROGRAM = """
def f(n):
    out = []
    for i in range(n):
        out.append({element})
    return {result}
"""
NUMBERS = ["1.0 * i", "i", "np.float64(i)"]
OF_NUMBERS = [
    *(
        "np.array(out)",
        "np.asarray(out)",
        "np.sum(out)",
        "np.mean(out)",
        "np.max(out)",
        "np.std(out)",
        "len(out)",
    ),
    *(
        "np.stack(out)",
        "np.cumsum(out)",
        "np.array(out, dtype=np.float32)",
        "np.sort(out)",
        "np.dot(out, out)",
    ),
    *("np.hstack(out)", "np.add(out, 1)", "np.where(np.array(out) > 1, out, 0)", "np.append(out, 5)"),
    *(
        "np.sum([out, out])",
        "np.concatenate([out, [1.0]])",
        "np.shape(out)",
        "np.vstack(out)",
        "np.unique(out)",
    ),
    *("np.column_stack([out, out])", "np.linalg.norm(out)", "np.median(out)", "np.argmax(out)"),
]
ROWS = ["np.array([i, 2.0 * i])", "[i, 2 * i]", "(1.0 * i, 2.0)"]
OF_ROWS = [
    *("np.array(out)", "np.sum(out)", "np.mean(out, axis=0)", "np.stack(out)", "np.stack(out, axis=1)"),
    *("np.concatenate(out)", "np.vstack(out)", "np.hstack(out)", "np.column_stack(out)", "np.dstack(out)"),
]
TABLES = [
    *(
        "np.stack(out)",
        "np.stack(out, -1)",
        "np.concatenate(out)",
        "np.concatenate(out, 1)",
        "np.hstack(out)",
    ),
    *("np.concatenate(out, axis=None)", "np.vstack(out)", "np.dstack(out)", "np.column_stack(out)"),
]
CASES = [
    *((element, result) for element in NUMBERS for result in OF_NUMBERS),
    *((element, result) for element in ROWS for result in OF_ROWS),
    *(("np.ones((2, 3)) * i", result) for result in TABLES),
    ("np.arange(i)", "np.concatenate(out), np.hstack(out)"),
]


@pytest.mark.parametrize(("element", "result"), CASES)
def test_a_list_that_grew_is_an_array(element, result):
    ag.check(
        function_of(PROGRAM.format(element=element, result=result)),
        np.int64(3),
        then=[(np.int64(5),)],
        executors=["numpy"],
    )


@pytest.mark.parametrize("result", ["np.stack(out)", "np.concatenate(out)", "np.vstack(out)"])
def test_nothing_cannot_be_joined(result):
    f = function_of(PROGRAM.format(element="np.ones(2)", result=result))
    ag.check(f, np.int64(3), then=[(np.int64(0),)])


def test_tensors_in_a_list_of_pythons_are_an_array():
    def f(x, y):
        out = [x, y, x + y]
        return np.array(out), np.mean(out), np.stack(out, axis=-1), np.array([[x, y], [1, 2]])

    ag.check(f, np.float64(1), np.float64(2))


def test_items_of_a_graph_fill_an_array():
    def f(n):
        return np.fromiter((v * 2.0 for v in range(n)), float), np.array(range(n)), np.sum(range(n))

    ag.check(f, np.int64(3))


def test_what_is_no_array_is_refused_in_the_words_of_the_user():
    f = ag.function(function_of(PROGRAM.format(element="{'a': i}", result="np.array(out)")))
    with pytest.raises(rt.errors.DTypeError, match=r"like {'a': .*} was used as an array"):
        f(np.int64(3))
