"""What NumPy's functions take: keywords at their defaults, dtypes, rules of casting, names of arguments."""

import ast
import inspect
import math
import textwrap

import numpy as np
import pytest

import autograph as ag
from runtime.errors import Error, InvalidValue
from runtime.numpy_functions.table import TABLE
from tests.promises.kit import function_of

A = np.arange(6.0).reshape(3, 2) - 2
B = np.array([[3, 1], [-2, 4], [0, 5]], np.int8)

CALLS = [
    lambda a, b: np.exp(b, dtype=None),
    lambda a, b: np.cosh(a, dtype=None, casting="same_kind", subok=True, order="K"),
    lambda a, b: np.frexp(b, dtype=None),
    lambda a, b: np.add(a, b, casting="no"),
    lambda a, b: np.add(a, b, dtype=np.int16, casting="unsafe"),
    lambda a, b: np.add(a, b, dtype=np.int16),
    lambda a, b: np.multiply(b, 2, dtype=np.float32),
    lambda a, b: np.isfinite(a, dtype=np.int16),
    lambda a, b: np.exp(b, dtype="int16"),
    lambda a, b: np.equal(a, b, dtype=float),
    lambda a, b: np.equal(a, b, dtype=bool),
    lambda a, b: np.fmax(a, b, a, b),
    lambda a, b: np.var(a, dtype=np.int16),
    lambda a, b: np.var(b, axis=0, dtype=complex),
    lambda a, b: np.std(a, axis=1, dtype=np.float32),
    lambda a, b: np.sum(a, 1, axis=0),
    lambda a, b: np.argsort(a, 0, axis=1),
    lambda a, b: np.ones_like(a, out=b),
    lambda a, b: np.real(a, out=a),
    lambda a, b: np.unstack(a, out=a) if hasattr(np, "unstack") else np.real(a, out=a),
    lambda a, b: np.clip(a, 1),
    lambda a, b: np.clip(a, 1, None),
    lambda a, b: np.clip(a, min=1),
    lambda a, b: np.clip(a, 1, 2, max=3),
    lambda a, b: np.arange(a.size, np.float32(9)),
    lambda a, b: np.arange(np.int8(3), b[0, 0] + np.int8(5)),
    lambda a, b: np.geomspace(np.float32(1), np.float32(3), 4),
    lambda a, b: np.concatenate((b, 1), axis=None),
    lambda a, b: np.union1d(b, 1),
    lambda a, b: np.concatenate((a, b), dtype=np.int16),
    lambda a, b: np.concatenate((a, b), dtype=np.int16, casting="unsafe"),
    lambda a, b: np.vstack((a, b), dtype=np.int16),
    lambda a, b: np.hstack((a, b), dtype=np.int16, casting="unsafe"),
    lambda a, b: np.stack((a, b), dtype=np.int16, casting="no"),
    lambda a, b: np.take(a, [7, -9], mode=0),
    lambda a, b: np.take(a, [7, -9], mode=1),
    lambda a, b: np.take(a, [1], mode=None),
    lambda a, b: b.ravel("c"),
    lambda a, b: b.flatten("f"),
    lambda a, b: b.reshape(6, order=None),
]


@pytest.mark.parametrize("call", CALLS, ids=range(len(CALLS)))
@pytest.mark.parametrize("executor", ["reference", "numpy"])
def test_a_graph_takes_what_numpy_takes(call, executor):
    graph = ag.function(call, executor=executor)
    for a, b in ((A, B), (B, A), (A.astype(np.float32), np.abs(B).astype(np.uint8))):
        try:
            expected = call(a.copy(), b.copy())
        except (TypeError, ValueError) as error:
            with pytest.raises(TypeError if isinstance(error, TypeError) else ValueError):
                graph(a.copy(), b.copy())
            continue
        found = graph(a.copy(), b.copy())
        for left, right in zip(_several(found), _several(expected), strict=True):
            assert left.dtype == right.dtype
            assert np.allclose(left, right, rtol=1e-6, equal_nan=True)


def _several(results):
    return [np.asarray(each) for each in (results if isinstance(results, tuple) else (results,))]


def test_named_results_have_the_names_that_numpy_gives_them():
    @ag.function
    def named(x):
        return np.unique_counts(x), np.unique_inverse(x), np.unique_all(x)

    x = np.array([3, 1, 3])
    for found, expected in zip(named(x), named.python_function(x), strict=True):
        assert type(found).__name__ == type(expected).__name__
        assert found._fields == expected._fields


MATH = [
    lambda a, b: math.lcm(a, b),
    lambda a, b: math.gcd(a, b),
    lambda a, b: math.dist([a], [b]),
    lambda a, b: math.hypot(a),
    lambda a, b: math.isqrt(abs(b)),
]


@pytest.mark.parametrize("call", MATH, ids=range(len(MATH)))
def test_functions_of_math_compute_in_pythons_numbers_whatever_they_are_given(call):
    numbers = [
        (np.int16(-32767), np.int16(-3)),
        (np.uint16(3), np.uint16(65534)),
        (np.float16(-1.5), np.float16(3)),
        (np.float32(3e38), np.float32(-3e38)),
    ]
    for a, b in numbers:
        try:
            expected = call(a, b)
        except TypeError:
            with pytest.raises(TypeError):
                ag.function(call)(a, b)
        else:
            assert ag.function(call)(a, b).numpy() == expected


def test_functions_of_math_take_no_complex_numbers():
    for call in (math.sqrt, math.exp, math.isnan):
        with pytest.raises(TypeError, match="must be real number, not complex"):
            ag.function(lambda z, call=call: call(complex(z)))(np.complex128(1j))


WRONG = [
    lambda x: np.tril(x, k="a"),
    lambda x: np.diff(x, n="a"),
    lambda x: np.var(x, ddof=None),
    lambda x: np.diag(x[0], k="a"),
    lambda x: np.diag(x[0], k=2**70),
    lambda x: np.pad(x, "a"),
    lambda x: np.rot90(x, "a"),
    lambda x: np.round(x, "a"),
    lambda x: np.split(x, "a"),
    lambda x: np.tile(x, "a"),
    lambda x: np.vander(x[0], "a"),
    lambda x: np.linalg.matrix_power(x, 1.5),
    lambda x: np.percentile(x, 101),
    lambda x: np.nanpercentile(x, x[0] - 9),
    lambda x: np.take(x, [5], mode="a"),
    lambda x: x.take([5], mode="clippy"),
    lambda x: np.choose(x.astype(int) % 2, [x, x], mode="a"),
    lambda x: x.ravel(order="a b"),
    lambda x: x.flatten("Z"),
    lambda x: x.reshape(4, order="K"),
    lambda x: x.astype(int, order="Q"),
    lambda x: np.meshgrid(x[0], x[0], indexing="XY"),
]


@pytest.mark.filterwarnings("ignore:Passing a value for k:DeprecationWarning")  # NumPy 2.5, before it raises
@pytest.mark.parametrize("call", WRONG, ids=range(len(WRONG)))
def test_what_a_function_of_numpys_cannot_take_it_refuses_in_its_own_words(call):
    x = np.arange(4.0).reshape(2, 2)

    def caught(x):
        try:
            call(x)
        except (TypeError, ValueError) as error:
            return type(error), str(error)

    with pytest.raises((TypeError, ValueError)) as expected:
        call(x)
    with pytest.raises((TypeError, ValueError)) as found:
        ag.function(call)(x)
    assert isinstance(found.value, Error | expected.type)
    assert ag.function(caught)(x) == caught(x)


def test_what_numpy_takes_and_a_graph_does_not_is_refused_at_its_line():
    with pytest.raises(OverflowError, match=r"1180591620717411303424 fits no dtype[\s\S]*np\.roll"):
        ag.function(lambda x: np.roll(x, 2**70))(np.arange(3.0))


# ── every argument says something ──

SAYS_NOTHING = {
    "assume_unique": "that elements are distinct: `isin` need not know",
    "copy": "whether the result shows the memory of an argument: `shows_memory` asks for it",
    "kind": "which algorithm is used, for the same result",
    "optimize": "in which order products are taken",
    "subok": "what becomes of subclasses: tensors have none",
}
"""Parameters that adapters take and do not read, and what they would say."""


def _ignored(adapter):
    tree = ast.parse(textwrap.dedent(inspect.getsource(adapter)))
    read = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)}
    return {name for name in inspect.signature(adapter).parameters if name not in read}


def test_no_function_ignores_an_argument_that_says_something():
    written = {inspect.unwrap(each) for each in TABLE.values() if inspect.isfunction(inspect.unwrap(each))}
    found = {f"{each.__name__}: {name}" for each in written for name in _ignored(each) - SAYS_NOTHING.keys()}
    assert not found


COPIES = """
y = np.asarray(x, copy=True)
---
y = np.asarray(x, copy=False)
---
y = np.array(x, copy=False)
---
y = np.array(x, copy=None, ndmin=2)[0]
---
y = np.asarray(x, dtype=np.float32, copy=False)
---
y = np.asarray(x[1:], copy=None)
---
y = np.asarray([x[0], 1.0], copy=False)
---
y = np.asarray(x[0], copy=False)
---
y = np.reshape(x, (3, 1), copy=True)
---
y = x[::2].reshape(-1, 1, copy=False)
---
y = np.reshape(np.outer(x, x).T, -1, copy=False)
---
y = np.astype(x, float, copy=False)
---
y = x.astype(float, copy=False)
---
y, z = np.meshgrid(x, x, copy=False)
---
y, z = np.meshgrid(x, x, copy=False, sparse=True)
---
y, z = np.meshgrid(x, x)
""".strip().split("\n---\n")


@pytest.mark.parametrize("line", COPIES)
def test_a_copy_is_made_where_one_is_asked_for_and_none_where_it_must_not_be(line):
    changed = "x" if "meshgrid" in line else "y"
    f = function_of(f"def f(x):\n    {line}\n    {changed}[0] = 9.0\n    return x, y\n")
    ag.check(f, np.array([3.0, 1.0, 2.0]), executors=["numpy"])


@pytest.mark.parametrize(
    "call", ["unique(x, sorted=False)", "unique_values(x)", "unique(x, sorted=True)", "unique_counts(x)"]
)
def test_elements_are_in_the_order_in_which_numpy_gives_them(call):
    f = function_of(f"def f(x):\n    return np.{call}\n")
    ag.check(f, np.array([3, 1, 2, 1, 3]), then=[(np.array([7, 7, 40, 5]),)])


@pytest.mark.parametrize("call", ["linalg.svd(x, hermitian=True)", "median(x, overwrite_input=True)"])
def test_an_argument_that_no_graph_knows_is_refused(call):
    with pytest.raises(InvalidValue, match=r"takes no `\w+=` where a tensor is"):
        ag.function(function_of(f"def f(x):\n    return np.{call}\n"))(np.eye(2))
