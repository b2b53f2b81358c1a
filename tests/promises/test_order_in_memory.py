"""Whether a reshaped array is a view goes by the order of the elements in memory, as in NumPy."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of

MADE = [
    "y.T",
    "y.T.copy()",
    "np.copy(y.T)",
    "y.T * 2",
    "(y.T * 2).T",
    "-(y.T)",
    "y.T + y.T",
    "y.T + np.ones((3, 2))",
    "np.ones((3, 2)) + y.T",
    "y.T + np.ones(2)",
    "np.sqrt(y.T)",
    "y.T.astype(np.float32)",
    "np.where(y.T > 2, y.T, 0)",
    "np.clip(y.T, 0, 3)",
    "np.zeros_like(y.T)",
    "np.full_like(y.T, 2.0)",
    "np.zeros(y.T.shape)",
    "y[:, ::2]",
    "y[:, ::2] * 2",
    "y.T[:, :1] * 2",
    "y[None].T * np.ones((3, 2, 4))",
    "y.reshape(3, 2).T + 1",
]
RESHAPED = ["z.reshape(-1)", "z.ravel()", "z.reshape(z.shape[::-1])", "z.T.reshape(-1)", "z[...].reshape(-1)"]


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("reshaped", RESHAPED)
def test_a_reshaped_array_is_a_view_where_it_is_one_in_numpy(made, reshaped):
    program = function_of(
        f"def f(x):\n    y = np.arange(6.0).reshape(2, 3) + x\n    z = {made}\n    w = {reshaped}\n"
        "    w[..., 0] = 7\n    z[0, ..., 0] += 1\n    return y, z, w\n"
    )
    ag.check(program, np.float64(1.0), executors=["numpy"])


UNKNOWN = ["np.concatenate([y.T, y.T])", "np.sort(y.T, axis=0)", "y.T * 2 if x > 0 else y.T + 1"]


@pytest.mark.parametrize("made", UNKNOWN)
def test_what_depends_on_an_order_that_is_not_known_is_refused(made):
    program = function_of(
        f"def f(x):\n    y = np.arange(6.0).reshape(2, 3) + x\n    z = {made}\n    w = z.reshape(-1)\n"
        "    w[0] = 7\n    return z\n"
    )
    with pytest.raises(StateDisagrees, match="may have been written to under another name"):
        ag.check(program, np.float64(1.0), executors=["numpy"])
    reading = function_of(
        f"def f(x):\n    y = np.arange(6.0).reshape(2, 3) + x\n    z = {made}\n    return z.reshape(-1), z\n"
    )
    ag.check(reading, np.float64(1.0), executors=["numpy"])


@pytest.mark.parametrize(
    "given", [np.asfortranarray(np.ones((2, 3))), np.ones((3, 2)).T, np.ones((2, 6))[:, ::2]]
)
def test_an_argument_that_is_not_in_rows_is_refused_where_that_would_be_seen(given):
    def written(x):
        line = x.reshape(-1)
        line[0] = 9.0
        return x * 1, line

    def read(x):
        return x.reshape(-1), x.T.ravel()

    with pytest.raises(StateDisagrees, match="given an array that is not in rows"):
        ag.function(written)(given)
    ag.check(written, np.ones((2, 3)))
    ag.check(read, given)


@pytest.mark.parametrize(
    "body",
    [
        "y.T.flat[k] = 9.0",
        "y.T.flat[[0, k]] = 9.0",
        "y[:, ::2].flat[k] += 9.0",
        "z = y.T.flat\n    z[0] = 9.0\n    z[k] += 1.0",
        "for i in range(k):\n        y.T.flat[i] += i",
        "if k > 1:\n        y.T.flat[k] = 9.0",
        "y.T.flat = y.T.flat[::-1]",
        "y = np.asfortranarray(y) + 1\n    y.flat[k] = 9.0",
    ],
)
def test_what_is_written_to_flat_reaches_the_array_however_it_lies(body):
    program = function_of(f"def f(y, k):\n    {body}\n    return y\n")
    for k in (2, np.int64(3)):
        expected = program(np.arange(12.0).reshape(3, 4), k)
        found = ag.function(program)(np.arange(12.0).reshape(3, 4), k)
        assert np.array_equal(found, expected)
