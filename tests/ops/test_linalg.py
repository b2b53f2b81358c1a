"""`rt.linalg`: the standard's extension, against array-api-strict and NumPy, at once and in graphs."""

import inspect

import array_api_strict
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autograph as ag
import runtime as rt
from runtime.errors import DTypeError, InvalidValue, ShapeError
from runtime.functions.polymorphic import PolymorphicFunction
from tests.ops.drawn import assert_close, numbers

linalg = rt.linalg
DTYPES = ("float32", "float64", "complex64", "complex128")
BATCHES = ((), (0,), (3,), (2, 1))


@st.composite
def stacks(draw, square=False):
    """A stack of matrices, empty ones among them."""
    rows = draw(st.integers(0, 4))
    columns = rows if square else draw(st.integers(0, 4))
    shape = (*draw(st.sampled_from(BATCHES)), rows, columns)
    return numbers(shape, draw(st.sampled_from(DTYPES)), draw(st.integers(0, 99)))


def adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


def positive_definite(x):
    return x @ adjoint(x) + np.eye(x.shape[-1], dtype=x.dtype)


def identities(x):
    """A stack of identity matrices with as many columns as `x`."""
    return np.zeros((*x.shape[:-2], x.shape[-1], x.shape[-1]), x.dtype) + np.eye(x.shape[-1], dtype=x.dtype)


def dominant(x):
    """`x` with a diagonal that makes it far from singular."""
    return x + 10 * np.eye(x.shape[-1], dtype=x.dtype)


# ── the names ─────────────────────────────────────────────────────────────────────────────────────────


def parameters(function):
    return [(each.name, each.kind, each.default) for each in inspect.signature(function).parameters.values()]


STANDARD = [*array_api_strict.linalg.__all__, "eig", "eigvals"]


@pytest.mark.parametrize("name", STANDARD)
def test_every_function_of_the_standard_has_its_signature(name):
    theirs = inspect.unwrap(getattr(array_api_strict.linalg, name))
    assert parameters(getattr(linalg, name)) == parameters(theirs)


def test_there_are_no_other_functions():
    results = {"EigResult", "EighResult", "QRResult", "SVDResult", "SlogdetResult"}
    assert set(linalg.__all__) == set(STANDARD) | results


# ── against array-api-strict ──────────────────────────────────────────────────────────────────────────

OF_SQUARE_MATRICES = {
    "det": lambda xp, x: xp.linalg.det(x),
    "slogdet": lambda xp, x: xp.linalg.slogdet(x),
    "inv": lambda xp, x: xp.linalg.inv(x),
    "matrix_power 0": lambda xp, x: xp.linalg.matrix_power(x, 0),
    "matrix_power 1": lambda xp, x: xp.linalg.matrix_power(x, 1),
    "matrix_power 5": lambda xp, x: xp.linalg.matrix_power(x, 5),
    "matrix_power -2": lambda xp, x: xp.linalg.matrix_power(x, -2),
}


@pytest.mark.parametrize("compute", OF_SQUARE_MATRICES.values(), ids=OF_SQUARE_MATRICES)
@given(stacks(square=True))
@settings(max_examples=6)
def test_square_matrices(everywhere, compute, x):
    x = dominant(x)
    expected = compute(array_api_strict, array_api_strict.asarray(x))
    for found in everywhere(lambda t: compute(rt, t), x):
        assert_close(found, expected)


OF_POSITIVE_DEFINITE_MATRICES = {
    "cholesky": lambda xp, x: xp.linalg.cholesky(x),
    "cholesky upper": lambda xp, x: xp.linalg.cholesky(x, upper=True),
    "eigvalsh": lambda xp, x: xp.linalg.eigvalsh(x),
}


@pytest.mark.parametrize("compute", OF_POSITIVE_DEFINITE_MATRICES.values(), ids=OF_POSITIVE_DEFINITE_MATRICES)
@given(stacks(square=True))
@settings(max_examples=6)
def test_positive_definite_matrices(everywhere, compute, x):
    x = positive_definite(x)
    expected = compute(array_api_strict, array_api_strict.asarray(x))
    for found in everywhere(lambda t: compute(rt, t), x):
        assert_close(found, expected)


OF_ANY_MATRICES = {
    "svdvals": lambda xp, x: xp.linalg.svdvals(x),
    "matrix_transpose": lambda xp, x: xp.linalg.matrix_transpose(x),
    "diagonal": lambda xp, x: xp.linalg.diagonal(x),
    "diagonal above": lambda xp, x: xp.linalg.diagonal(x, offset=1),
    "diagonal below": lambda xp, x: xp.linalg.diagonal(x, offset=-2),
    "trace": lambda xp, x: xp.linalg.trace(x),
    "trace above": lambda xp, x: xp.linalg.trace(x, offset=1),
    "vector_norm": lambda xp, x: xp.linalg.vector_norm(x),
    "vector_norm of axis": lambda xp, x: xp.linalg.vector_norm(x, axis=-2, ord=1),
    "vector_norm of axes": lambda xp, x: xp.linalg.vector_norm(x, axis=(-1, -2), keepdims=True, ord=3.5),
    "vector_norm inf": lambda xp, x: xp.linalg.vector_norm(x, ord=float("inf")),
    "vector_norm 0": lambda xp, x: xp.linalg.vector_norm(x, axis=-1, ord=0),
    "matrix_norm": lambda xp, x: xp.linalg.matrix_norm(x),
    "matrix_norm nuc": lambda xp, x: xp.linalg.matrix_norm(x, ord="nuc", keepdims=True),
    "matrix_norm 1": lambda xp, x: xp.linalg.matrix_norm(x, ord=1),
    "matrix_norm 2": lambda xp, x: xp.linalg.matrix_norm(x, ord=2, keepdims=True),
    "matrix_norm inf": lambda xp, x: xp.linalg.matrix_norm(x, ord=float("inf"), keepdims=True),
}


@pytest.mark.parametrize("compute", OF_ANY_MATRICES.values(), ids=OF_ANY_MATRICES)
@given(stacks())
@settings(max_examples=6)
def test_any_matrices(everywhere, compute, x):
    expected = compute(array_api_strict, array_api_strict.asarray(x))
    for found in everywhere(lambda t: compute(rt, t), x):
        assert_close(found, expected)


@pytest.mark.parametrize("order", [-1, -2, -np.inf])
def test_the_least_norms_are_of_matrices_that_are_not_empty(everywhere, order):
    x = numbers((2, 3, 4), "float64", 1)
    for found in everywhere(lambda t: linalg.matrix_norm(t, ord=order), x):
        assert_close(found, np.linalg.matrix_norm(x, ord=order))
    for found in everywhere(lambda t: linalg.vector_norm(t, ord=order, axis=1), x):
        assert_close(found, np.linalg.vector_norm(x, ord=order, axis=1))
    with pytest.raises(ShapeError):
        linalg.matrix_norm(rt.zeros((0, 0)), ord=order)


@given(stacks(square=True), st.sampled_from([(), (1,), (0,), (3,)]), st.integers(0, 2))
@settings(max_examples=25)
def test_solve_takes_a_vector_where_there_is_one_axis_and_stacks_of_matrices_otherwise(
    everywhere, x, batch, columns
):
    x = dominant(x)
    if {*batch, *x.shape[:1]} == {0, 3} and x.ndim > 2:
        batch = ()
    matrix = numbers((*batch, x.shape[-1], columns), x.dtype.name, 7)
    for right in (numbers(x.shape[-1:], x.dtype.name, 8), matrix):
        expected = np.linalg.solve(x, right)
        for found in everywhere(linalg.solve, x, right):
            assert_close(found, expected)


# ── what the parts are put together to ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("mode", ["reduced", "complete"])
@given(stacks())
@settings(max_examples=10)
def test_q_times_r_is_the_matrix(everywhere, mode, x):
    expected = array_api_strict.linalg.qr(array_api_strict.asarray(x), mode=mode)
    for found in everywhere(lambda t: linalg.qr(t, mode=mode), x):
        assert_close(found, expected)
        q, r = [np.asarray(each) for each in found]
        assert_close(q @ r, x)
        assert_close(adjoint(q) @ q, identities(q))
        assert_close(np.triu(r), r)


@pytest.mark.parametrize("full", [True, False])
@given(stacks())
@settings(max_examples=10)
def test_the_singular_value_decomposition_multiplies_to_the_matrix(everywhere, full, x):
    least = min(x.shape[-2:])
    for found in everywhere(lambda t: linalg.svd(t, full_matrices=full), x):
        assert type(found) is linalg.SVDResult
        u, s, vh = [np.asarray(each) for each in found]
        assert u.dtype == vh.dtype == x.dtype
        assert s.dtype == x.real.dtype
        assert u.shape[-1] == (x.shape[-2] if full else least)
        assert vh.shape[-2] == (x.shape[-1] if full else least)
        assert_close(u[..., :least] * s[..., None, :] @ vh[..., :least, :], x)
        assert np.all(np.diff(s) <= 0)


@given(stacks(square=True))
@settings(max_examples=10)
def test_eigenvectors_of_symmetric_matrices_are_stretched_by_their_eigenvalues(everywhere, x):
    x = positive_definite(x)
    for found in everywhere(linalg.eigh, x):
        assert type(found) is linalg.EighResult
        values, vectors = [np.asarray(each) for each in found]
        assert values.dtype == x.real.dtype
        assert_close(x @ vectors, vectors * values[..., None, :])


@given(stacks(square=True))
@settings(max_examples=10)
def test_eigenvectors_are_stretched_by_their_eigenvalues(everywhere, x):
    kind = np.result_type(x, np.complex64)
    for found in everywhere(linalg.eig, x):
        assert type(found) is linalg.EigResult
        values, vectors = [np.asarray(each) for each in found]
        assert values.dtype == vectors.dtype == kind
        assert_close(x.astype(kind) @ vectors, vectors * values[..., None, :])
    for found in everywhere(linalg.eigvals, x):
        assert_close(found, np.linalg.eigvals(x).astype(kind))


@given(stacks())
@settings(max_examples=10)
def test_the_rank_is_numpys_of_empty_matrices_too(everywhere, x):
    for found in everywhere(linalg.matrix_rank, x):
        assert_close(found, np.linalg.matrix_rank(x))


@given(stacks())
@settings(max_examples=10)
def test_the_pseudo_inverse_is_one(everywhere, x):
    for found in everywhere(linalg.pinv, x):
        inverse = np.asarray(found)
        assert inverse.shape == (*x.shape[:-2], x.shape[-1], x.shape[-2])
        assert inverse.dtype == x.dtype
        assert_close(x @ inverse @ x, x)
        assert_close(adjoint(x @ inverse), x @ inverse)


def test_the_tolerance_may_differ_from_matrix_to_matrix(everywhere):
    x = np.stack([np.diag([1.0, 0.1]), np.diag([1.0, 0.1])])
    limits = np.array([0.01, 0.5])
    for found in everywhere(lambda t, r: linalg.matrix_rank(t, rtol=r), x, limits):
        assert found.tolist() == [2, 1]
    for found in everywhere(lambda t, r: linalg.pinv(t, rtol=r), x, limits):
        np.testing.assert_allclose(found, np.stack([np.diag([1.0, 10.0]), np.diag([1.0, 0.0])]))
    assert linalg.matrix_rank(rt.zeros((2, 0, 3))).tolist() == [0, 0]


# ── dtypes ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["det", "inv", "svdvals", "pinv", "eigvalsh", "cholesky", "matrix_norm"])
def test_integers_and_bools_become_float64_as_in_numpy(everywhere, name):
    for x in (np.array([[2, 1], [1, 3]], np.int8), np.array([[True, False], [False, True]])):
        for found in everywhere(getattr(linalg, name), x):
            assert_close(found, getattr(np.linalg, name)(x))


def test_powers_of_integers_are_integers(everywhere):
    x = np.array([[1, 2], [3, 4]], np.int16)
    for found in everywhere(lambda t: linalg.matrix_power(t, 3), x):
        assert_close(found, np.linalg.matrix_power(x, 3))
    for found in everywhere(lambda t: linalg.matrix_power(t, -1), x):
        assert_close(found, np.linalg.matrix_power(x, -1))


def test_a_trace_widens_small_integers_unless_a_dtype_is_given(everywhere):
    x = np.full((2, 3, 3), 100, np.int8)
    for found in everywhere(linalg.trace, x):
        assert_close(found, np.linalg.trace(x))
    for found in everywhere(lambda t: linalg.trace(t, dtype=rt.float32), x):
        assert_close(found, np.full(2, 300, np.float32))


# ── in graphs ─────────────────────────────────────────────────────────────────────────────────────────


def test_named_results_stay_what_they_are_through_branches_and_loops():
    @ag.function
    def iterate(x, flip, count):
        result = linalg.eigh(x)
        if flip:
            result = linalg.eigh(-x)
        for _ in rt.arange(count):
            result = linalg.EighResult(result.eigenvalues * 2, result.eigenvectors)
        return result, linalg.qr(x), linalg.svd(x), linalg.slogdet(x), linalg.eig(x)

    x = rt.asarray([[2.0, 0.0], [0.0, 1.0]])
    results = iterate(x, rt.asarray(True), rt.asarray(2))
    assert [type(each).__name__ for each in results] == [
        *("EighResult", "QRResult", "SVDResult", "SlogdetResult", "EigResult")
    ]
    assert results[0].eigenvalues.tolist() == [-8.0, -4.0]


def test_a_matrix_without_an_inverse_fails_only_where_it_is_inverted():
    @ag.function
    def chosen(flag):
        if flag:
            return linalg.inv(rt.zeros((2, 2)))
        return rt.ones((2, 2))

    assert chosen(rt.asarray(False)).tolist() == [[1, 1], [1, 1]]
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        chosen(rt.asarray(True))


def test_the_error_of_a_matrix_without_an_inverse_is_caught_in_the_graph():
    @ag.function
    def inverse(x):
        try:
            return linalg.inv(x)
        except np.linalg.LinAlgError:
            return linalg.pinv(x)

    assert inverse(rt.asarray([[2.0, 0.0], [0.0, 4.0]])).tolist() == [[0.5, 0.0], [0.0, 0.25]]
    assert inverse(rt.zeros((2, 2))).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert len(inverse.concrete_functions) == 1


def test_a_matrix_of_unknown_rank_is_taken_as_it_comes():
    x = dominant(numbers((2, 3, 3), "float64", 3))
    computations = {
        "inv": linalg.inv,
        "matrix_power": lambda t: linalg.matrix_power(t, 0),
        "pinv": linalg.pinv,
        "solve": lambda t: linalg.solve(t, t),
        "qr": lambda t: linalg.qr(t).R,
        "svdvals": linalg.svdvals,
        "matrix_norm": lambda t: linalg.matrix_norm(t, ord=2, keepdims=True),
        "cross": lambda t: linalg.cross(t, t + 1),
        "matmul": lambda t: linalg.matmul(t, t),
        "vecdot": lambda t: linalg.vecdot(t, t),
        "tensordot": lambda t: linalg.tensordot(t, t, axes=((0,), (0,))),
        "diagonal": linalg.diagonal,
    }
    for compute in computations.values():
        traced = PolymorphicFunction(compute, input_signature=[rt.TensorSpec(None, rt.float64)])
        np.testing.assert_allclose(traced(x), compute(rt.asarray(x)))


def test_the_norm_along_no_axes_is_that_of_each_element(everywhere):
    for order in (0, 1, 2, 3, np.inf, -np.inf):
        for x in (np.array([[3.0, -4.0]]), np.array(-3.0)):
            expected = (x != 0).astype(float) if order == 0 else abs(x)
            for found in everywhere(lambda t: linalg.vector_norm(t, axis=(), ord=order), x):
                assert_close(found, expected)


# ── what is refused ───────────────────────────────────────────────────────────────────────────────────

X, V = np.ones((2, 3)), np.ones(3)


@pytest.mark.parametrize(
    ("compute", "error", "message"),
    [
        (lambda: linalg.inv(X), ShapeError, r"shape \(2, 3\) holds no square matrices"),
        (lambda: linalg.slogdet(V), ShapeError, "holds no square matrices"),
        (lambda: linalg.eigh(X), ShapeError, "holds no square matrices"),
        (lambda: linalg.eigvals(X), ShapeError, "holds no square matrices"),
        (lambda: linalg.cholesky(X), ShapeError, "holds no square matrices"),
        (lambda: linalg.matrix_power(X, 1), ShapeError, "holds no square matrices"),
        (lambda: linalg.matrix_power(np.eye(2), 1.5), TypeError, "'float' object cannot be interpreted"),
        (lambda: linalg.qr(V), ShapeError, r"shape \(3,\) holds no matrix"),
        (lambda: linalg.qr(X, mode="raw"), InvalidValue, "`mode` is 'raw'"),
        (lambda: linalg.svd(V), ShapeError, "holds no matrix"),
        (lambda: linalg.matrix_rank(V), ShapeError, "holds no matrix"),
        (lambda: linalg.matrix_norm(V), ShapeError, "holds no matrix"),
        (lambda: linalg.diagonal(V), ShapeError, "holds no matrix"),
        (lambda: linalg.trace(V), ShapeError, "holds no matrix"),
        (lambda: linalg.diagonal(X, offset=0.5), TypeError, "'float' object cannot be interpreted"),
        (lambda: linalg.matrix_norm(X, ord=3), InvalidValue, "3 is no norm of matrices"),
        (lambda: linalg.vector_norm(X, ord="fro"), InvalidValue, "'fro' is no norm of vectors"),
        (lambda: linalg.vector_norm(X, axis=2), ShapeError, "axis 2 is out of range"),
        (lambda: linalg.solve(np.eye(2), V), ShapeError, r"\(2, 2\) cannot be solved for \(3,\)"),
        (lambda: linalg.solve(np.eye(2), 1.0), ShapeError, "cannot be solved"),
        (lambda: linalg.solve(np.ones((2, 3, 3)), np.ones((4, 3, 1))), ShapeError, "do not broadcast"),
        (lambda: linalg.cross(X.T, X.T), ShapeError, "has length 2, not 3"),
        (lambda: linalg.cross(V, V, axis=1), ShapeError, "axis 1 is out of range"),
    ],
)
def test_what_never_fits_is_refused_at_once_and_while_tracing(compute, error, message):
    with pytest.raises(error, match=message):
        compute()
    with pytest.raises(error, match=message):
        PolymorphicFunction(compute).get_concrete_function()


@pytest.mark.parametrize("executor", ["reference", "numpy"])
@pytest.mark.parametrize(
    ("compute", "x", "message"),
    [
        (linalg.inv, np.zeros((2, 2)), "Singular"),
        (lambda x: linalg.solve(x, x), np.zeros((2, 2)), "Singular"),
        (linalg.cholesky, -np.eye(2), "not positive definite"),
        (linalg.eig, np.full((2, 2), np.nan), "infs or NaNs"),
    ],
)
def test_a_matrix_without_an_answer_is_numpys_error_at_the_line_of_the_user(executor, compute, x, message):
    with pytest.raises(np.linalg.LinAlgError, match=message):
        compute(rt.asarray(x))
    traced = PolymorphicFunction(lambda t: compute(t), executor=executor)
    with pytest.raises(np.linalg.LinAlgError, match=message) as caught:
        traced(rt.asarray(x))
    assert __file__ in "".join([str(caught.value), *getattr(caught.value, "__notes__", ())])


@pytest.mark.parametrize("executor", ["reference", "numpy"])
@pytest.mark.parametrize(
    "compute",
    [
        linalg.inv,
        linalg.det,
        lambda x: linalg.cross(x, x),
    ],
)
def test_shapes_that_only_the_run_knows_are_refused_there(executor, compute):
    signature = [rt.TensorSpec((None, None), rt.float64)]
    traced = PolymorphicFunction(compute, input_signature=signature, executor=executor)
    with pytest.raises(ValueError, match=r".") as caught:
        traced(rt.ones((3, 2)))
    assert __file__ in "".join([str(caught.value), *getattr(caught.value, "__notes__", ())])


def test_text_is_no_matrix():
    with pytest.raises(DTypeError):
        linalg.inv([["a", "b"], ["c", "d"]])
