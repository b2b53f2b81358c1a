"""The public functions against NumPy, in eager code and in graphs; what they refuse, and how they say it."""

import numpy as np
import pytest

import runtime as rt
from runtime.core.shapes import written
from runtime.errors import DTypeError, NoConcreteValue, ShapeError
from runtime.graph.build import building
from runtime.graph.builder import Builder

X = np.array([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
N = np.array([[3, 1, 2], [2, 2, 0]], np.int32)
CUBE = np.arange(24.0).reshape(2, 3, 4)


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1), ()])
@pytest.mark.parametrize("name", ["sum", "prod", "mean", "max", "min", "std", "var", "count_nonzero"])
def test_reductions_give_what_numpy_gives(check, name, axis, keepdims):
    expected = getattr(np, name)(X, axis=axis, keepdims=keepdims)
    results = []
    for array in (X, N):
        expected = np.asarray(getattr(np, name)(array, axis=axis, keepdims=keepdims))
        result = getattr(rt, name)(rt.asarray(array), axis=axis, keepdims=keepdims)
        assert result.dtype == expected.dtype
        np.testing.assert_allclose(result, expected)
        results.append(result)
    check(lambda x: getattr(rt, name)(x, axis=axis, keepdims=keepdims), N, gives=results[1])


@pytest.mark.parametrize("name", ["all", "any"])
def test_truth_of_all_and_any(check, name):
    check(lambda x: getattr(rt, name)(x > 0, axis=1), X, gives=getattr(np, name)(X > 0, axis=1))
    check(lambda x: getattr(rt, name)(x), N, gives=np.asarray(getattr(np, name)(N)))


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_places_of_extremes(check, name):
    for axis, keepdims in ((0, False), (-1, True), (None, False), (None, True)):
        expected = getattr(np, name)(X, axis=axis, keepdims=keepdims)
        check(lambda x: getattr(rt, name)(x, axis=axis, keepdims=keepdims), X, gives=np.asarray(expected))


def test_a_dtype_decides_how_a_reduction_computes(check):
    check(lambda x: rt.sum(x, dtype=rt.int32), N, gives=np.array(10, np.int32))
    check(lambda x: rt.mean(x, dtype=rt.int32), N, gives=np.array(1, np.int32))
    check(lambda x: rt.mean(x, dtype=rt.int32), -N, gives=np.array(-1, np.int32))


def test_the_greatest_of_nothing_is_refused(staged):
    for compute in (rt.max, lambda x: staged(rt.max, x, known=True)):
        with pytest.raises(ShapeError, match="no least or greatest of nothing"):
            compute(np.zeros((0, 2)))


def test_running_sums_products_and_differences(check):
    check(lambda x: rt.cumulative_sum(x, axis=1), N, gives=np.cumsum(N, axis=1))
    check(lambda x: rt.cumulative_prod(x, axis=0), X, gives=np.cumprod(X, axis=0))
    check(
        lambda x: rt.cumulative_sum(x, axis=0, include_initial=True),
        X,
        gives=np.concatenate([np.zeros((1, 3)), np.cumsum(X, axis=0)]),
    )
    check(lambda x: rt.diff(x, n=2, axis=1), CUBE**2, gives=np.diff(CUBE**2, n=2, axis=1))
    check(lambda x: rt.diff(x, axis=0, append=[[9, 9, 9]]), N, gives=np.diff(N, axis=0, append=[[9, 9, 9]]))


def test_joining_and_taking_apart(check):
    check(lambda x, y: rt.concat([x, y], axis=0), X, X, gives=np.concatenate([X, X]))
    check(lambda x, y: rt.concat([x, y], axis=None), X, N, gives=np.concatenate([X, N], axis=None))
    check(lambda x, y: rt.stack([x, y], axis=-1), X, X + 1, gives=np.stack([X, X + 1], axis=-1))
    assert [part.tolist() for part in rt.unstack(rt.asarray(N), axis=1)] == [[3, 2], [1, 2], [2, 0]]
    assert [part.shape for part in rt.split(rt.asarray(CUBE), [1, 3], axis=2)] == [(2, 3, 1), (2, 3, 3)]
    assert [part.tolist() for part in rt.split(rt.asarray([1, 2, 3, 4]), 2)] == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("join", "message"),
    [
        (lambda x, y: rt.concat([x, y], axis=0), r"\(2, 3\) and \(2, 3, 4\) cannot be joined"),
        (lambda x, y: rt.stack([x, y]), r"must be equal\.\n"),
        (lambda x, y: rt.concat([]), "the list is empty"),
        (lambda x, y: rt.stack([]), "the list is empty"),
        (lambda x, y: rt.concat([x[0, 0], x]), "without axes"),
        (lambda x, y: rt.split(x, 2, axis=1), "no 2 equal parts"),
        (lambda x, y: rt.split(x, [1, 3], axis=1), "no sum of the sizes"),
        (lambda x, y: rt.unstack(x, axis=2), "axis 2 is out of range for a tensor of rank 2"),
    ],
)
def test_joining_refuses_what_does_not_fit(staged, join, message):
    for compute in (lambda: join(rt.asarray(X), rt.asarray(CUBE)), lambda: staged(join, X, CUBE, known=True)):
        with pytest.raises(ShapeError, match=message):
            compute()


def test_taking_apart_needs_a_known_length(staged):
    with pytest.raises(ShapeError, match="not known before the run"):
        staged(lambda x: rt.unstack(x), X)


def test_shapes_and_axes(check):
    check(lambda x: rt.reshape(x, (3, -1)), X, gives=X.reshape(3, -1))
    check(lambda x: rt.reshape(x, (rt.shape(x)[1], -1)), X, gives=X.reshape(3, 2))
    check(lambda x: rt.reshape(x, rt.shape(x)[::-1]), X, gives=X.reshape(3, 2))
    check(
        lambda x: rt.broadcast_to(x, (rt.shape(x)[0], 2, 3)),
        X[:, None],
        gives=np.broadcast_to(X[:, None], (2, 2, 3)),
    )
    check(lambda x: rt.expand_dims(x, axis=(0, -1)), X, gives=X[None, ..., None])
    check(lambda x: rt.squeeze(x, 0), X[None], gives=X)
    check(lambda x: rt.permute_dims(x, (2, 0, 1)), CUBE, gives=CUBE.transpose(2, 0, 1))
    check(lambda x: rt.moveaxis(x, 0, -1), CUBE, gives=np.moveaxis(CUBE, 0, -1))
    check(lambda x: rt.moveaxis(x, (0, 1), (1, 0)), CUBE, gives=np.moveaxis(CUBE, (0, 1), (1, 0)))
    check(lambda x: rt.matrix_transpose(x), CUBE, gives=CUBE.swapaxes(1, 2))
    check(lambda x: x.T, X, gives=X.T)
    check(lambda x: rt.flip(x), CUBE, gives=np.flip(CUBE))
    check(lambda x: rt.roll(x, 2), X, gives=np.roll(X, 2))
    check(lambda x: rt.roll(x, (1, -1), axis=(0, 1)), X, gives=np.roll(X, (1, -1), (0, 1)))
    check(lambda x: rt.tile(x, (2, 1, 2)), X, gives=np.tile(X, (2, 1, 2)))
    check(lambda x: rt.repeat(x, 3, axis=1), X, gives=np.repeat(X, 3, axis=1))
    check(
        lambda x: rt.pad(x, [(1, 0), (0, 2)], constant_values=7),
        X,
        gives=np.pad(X, [(1, 0), (0, 2)], constant_values=7),
    )
    check(
        lambda x: rt.pad(x, [(1, 1), (2, 0)], mode="reflect"),
        X,
        gives=np.pad(X, [(1, 1), (2, 0)], mode="reflect"),
    )


@pytest.mark.parametrize(
    ("compute", "message"),
    [
        (
            lambda x: rt.reshape(x, (4, 2)),
            r"shape \(2, 3\) cannot be reshaped to \(4, 2\)(?s:.)*It has 6 elements",
        ),
        (lambda x: rt.reshape(x, (-1, -1)), "one dim may be -1"),
        (lambda x: rt.broadcast_to(x, (3, 3)), "does not broadcast to"),
        (lambda x: rt.add(x, rt.ones(2)), "do not broadcast together"),
        (lambda x: rt.squeeze(x, 0), "has a length other than 1"),
        (lambda x: rt.permute_dims(x, (0, 0)), "is no order of the axes"),
        (lambda x: rt.sum(x, axis=2), "axis 2 is out of range for a tensor of rank 2"),
        (lambda x: rt.sum(x, axis=(0, -2)), "named twice"),
        (
            lambda x: rt.matmul(x, x),
            "do not multiply(?s:.)*on the left has length 3, and the last but one on the right 2",
        ),
        (lambda x: rt.matmul(x, 2.0), "needs axes on both sides"),
        (lambda x: rt.moveaxis(x, (0, 1), 0), "2 axes to move, but 1 places"),
        (lambda x: rt.pad(x, [(1, 1)] * 3), "do not pad"),
        (lambda x: rt.einsum("ij,ij->k", x, x), "names no axis"),
        (lambda x: rt.einsum("ijk->i", x), "does not describe shape"),
        (lambda x: rt.einsum("ij,jk->ik", x, x), "'j' in 'ij,jk->ik' is 3 in one place and 2 in another"),
        (lambda x: rt.linalg.det(x), "square matrices are needed"),
    ],
)
def test_shapes_that_do_not_fit_are_refused_alike_in_eager_code_and_graphs(staged, compute, message):
    for run in (lambda: compute(rt.asarray(X)), lambda: staged(compute, X, known=True)):
        with pytest.raises(ShapeError, match=message):
            run()


def test_products(check):
    check(rt.matmul, X, X.T, gives=X @ X.T)
    check(rt.matmul, CUBE, CUBE.swapaxes(1, 2), gives=CUBE @ CUBE.swapaxes(1, 2))
    check(rt.matmul, N, np.array([1, 2, 3]), gives=N @ np.array([1, 2, 3]))
    check(
        lambda x, y: rt.tensordot(x, y, axes=1), CUBE, CUBE[0].T, gives=np.tensordot(CUBE, CUBE[0].T, axes=1)
    )
    check(
        lambda x, y: rt.tensordot(x, y, axes=((0, 2), (0, 2))),
        CUBE,
        CUBE,
        gives=np.tensordot(CUBE, CUBE, ((0, 2), (0, 2))),
    )
    check(
        lambda x, y: rt.einsum("...ij,kj->...ik", x, y),
        CUBE,
        CUBE[0],
        gives=np.einsum("...ij,kj->...ik", CUBE, CUBE[0]),
    )
    check(lambda x, y: rt.einsum("i,i", x, y), X[0], X[1], gives=np.asarray(X[0] @ X[1]))
    check(lambda x, y: rt.outer(x, y), X[0], N[0], gives=np.outer(X[0], N[0]))
    check(lambda x, y: rt.vecdot(x, y), N, N, gives=np.vecdot(N, N))


def test_linear_algebra():
    matrix = np.array([[4.0, 1.0], [2.0, 3.0]])
    np.testing.assert_allclose(rt.linalg.inv(matrix), np.linalg.inv(matrix))
    np.testing.assert_allclose(rt.linalg.solve(matrix, [1.0, 2.0]), np.linalg.solve(matrix, [1.0, 2.0]))
    np.testing.assert_allclose(rt.linalg.det(rt.asarray(matrix, dtype=rt.float16)), 10)
    assert rt.linalg.trace(rt.asarray(matrix)).item() == 7
    assert rt.linalg.diagonal(rt.asarray(CUBE), offset=1).tolist() == np.diagonal(CUBE, 1, 1, 2).tolist()
    for order in (0, 1, 2, 3, np.inf, -np.inf):
        np.testing.assert_allclose(rt.linalg.vector_norm(X[0], ord=order), np.linalg.norm(X[0], ord=order))
    assert rt.linalg.vector_norm(rt.asarray(X), axis=1, keepdims=True).shape == (2, 1)
    np.testing.assert_allclose(rt.linalg.vector_norm([3 + 4j]), 5)


def test_choices(check):
    check(lambda x: rt.where(x > 0, x, 0), N, gives=np.where(N > 0, N, 0))
    check(lambda x: rt.clip(x, -1, 2), X, gives=np.clip(X, -1, 2))
    check(lambda x: rt.clip(x, max=2), N, gives=np.minimum(N, 2))
    check(rt.argwhere, N, gives=np.argwhere(N))
    check(lambda x: rt.nonzero(x)[1], N, gives=np.nonzero(N)[1])
    check(rt.searchsorted, np.array([1, 3, 5]), N, gives=np.searchsorted([1, 3, 5], N))
    check(lambda x: rt.take_along_axis(x, rt.argsort(x)), N, gives=np.sort(N))
    check(lambda x: rt.sort(x, descending=True), N, gives=np.sort(N)[:, ::-1])
    check(lambda x: rt.argsort(x, descending=True), N[1], gives=np.array([0, 1, 2]))
    with pytest.raises(ShapeError, match="no coordinates"):
        rt.nonzero(1.0)


def test_activations_neither_overflow_nor_lose_small_values():
    far = rt.asarray([-1000.0, -100.0, 0.0, 100.0, 1000.0])
    np.testing.assert_allclose(rt.sigmoid(far), [0.0, np.exp(-100.0), 0.5, 1.0, 1.0])
    np.testing.assert_allclose(rt.softplus(far), [0.0, np.exp(-100.0), np.log(2.0), 100.0, 1000.0])
    np.testing.assert_allclose(rt.elu(far)[:3], [-1.0, -1.0, 0.0])
    assert rt.relu(rt.asarray([-3, 2])).dtype == rt.int64
    assert rt.sigmoid(rt.asarray([1], dtype=rt.float32)).dtype == rt.float32
    np.testing.assert_allclose(rt.softmax(X, axis=0), np.exp(X) / np.exp(X).sum(0))
    np.testing.assert_allclose(rt.logsumexp(X, axis=1), np.log(np.exp(X).sum(1)))
    np.testing.assert_allclose(rt.exp(rt.log_softmax(X, axis=0)), rt.softmax(X, axis=0))


def test_activations_refuse_complex_numbers_alike_in_eager_code_and_graphs(staged):
    for compute in (rt.sigmoid, lambda x: staged(rt.sigmoid, x)):
        with pytest.raises(DTypeError, match="`Sigmoid` is not defined for complex128"):
            compute(np.array([1j]))


def test_the_limits_of_precision_of_casts():
    assert rt.astype(rt.asarray([1.7, -1.7]), rt.int8).tolist() == [1, -1]
    assert rt.astype(rt.asarray([0.0, 0.5]), rt.bool).tolist() == [False, True]
    x = rt.asarray([1])
    assert rt.astype(x, rt.int64) is x
    with pytest.raises(DTypeError, match="drop the imaginary part"):
        rt.astype(rt.asarray([1j]), rt.float64)
    assert rt.real(rt.asarray([1 + 2j])).dtype == rt.float64


def test_creation(check):
    check(lambda n: rt.zeros((n, 2)), np.int32(3), gives=np.zeros((3, 2)))
    check(lambda n: rt.full(n, 7), np.int32(3), gives=np.full(3, 7))
    check(lambda x: rt.full((2,), x), np.float32(3), gives=np.full(2, np.float32(3)))
    check(rt.arange, np.int32(4), gives=np.arange(4, dtype=np.int32))
    check(lambda n: rt.arange(1.0, n, 0.5), np.int32(3), gives=np.arange(1.0, 3.0, 0.5))
    check(lambda n: rt.eye(n, k=1), np.int32(3), gives=np.eye(3, k=1))
    check(rt.zeros_like, N, gives=np.zeros_like(N))
    check(lambda x: rt.full_like(x, 2.5), X, gives=np.full_like(X, 2.5))
    check(lambda x: rt.tril(x, k=-1), CUBE, gives=np.tril(CUBE, -1))
    check(rt.triu, N, gives=np.triu(N))
    check(lambda a, b: rt.linspace(a, b, 5), 0.0, 2.0, gives=np.linspace(0, 2, 5))
    assert rt.linspace(0, 1, 4, endpoint=False).tolist() == [0.0, 0.25, 0.5, 0.75]
    assert [each.tolist() for each in rt.meshgrid([1, 2], [3, 4], indexing="ij")] == [
        each.tolist() for each in np.meshgrid([1, 2], [3, 4], indexing="ij")
    ]


def test_a_range_of_an_unknown_length_has_an_unknown_shape(staged):
    shapes = []

    def look(n):
        made = rt.arange(n), rt.arange(3), rt.zeros((n, 2))
        shapes.append([written(each.static_shape) for each in made])
        return n

    staged(look, np.int64(3))
    assert shapes == [[(None,), (3,), (None, 2)]]


def test_large_constants_of_one_value_are_filled_in_the_run():
    builder = Builder("f")
    with building(builder):
        rt.zeros((8, 8))
        rt.ones((1000, 1000))
    assert [node.op.name for node in builder.nodes] == ["Const", "Const", "Const", "Fill"]
    assert builder.nodes[-1].specs[0].shape == (1000, 1000)


def test_data_in_a_graph_is_a_constant_of_it():
    builder = Builder("f")
    with building(builder):
        for data in (1, [1, 2], np.array([1.5]), np.float32(2)):
            with pytest.raises(NoConcreteValue):
                rt.asarray(data).numpy()


def test_asarray_refuses_what_no_tensor_can_hold():
    for data in ("text", [None], object()):
        with pytest.raises(DTypeError):
            rt.asarray(data)
    with pytest.raises(ShapeError, match="no one shape"):
        rt.asarray([1, [2, 3]])
    with pytest.raises(OverflowError):
        rt.asarray([300], dtype=rt.uint8)
    with pytest.raises(OverflowError, match="does not fit any integer dtype"):
        rt.asarray(2**70)


def test_a_copy_does_not_follow_its_source():
    source = np.array([1, 2])
    plain, copied = rt.asarray(source), rt.asarray(source, copy=True)
    source[0] = 9
    assert (plain.tolist(), copied.tolist()) == ([1, 2], [1, 2])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rt.zeros((-1, 2)), r"shape \(-1, 2\) was asked for"),
        (lambda: rt.arange(0, 10, 0), "the step of a range is 0"),
        (lambda: rt.linspace(0, 1, -5), "`linspace` of -5 numbers"),
    ],
)
def test_numbers_that_make_no_tensor_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
