"""Mixed dtypes and Python numbers meet as NumPy says, in eager code and in graphs alike."""

import operator
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtime as rt
from runtime import ops
from runtime.core.dtypes import DTYPES, Defaults
from runtime.graph.build import building
from runtime.graph.builder import Builder

PAIRS = {
    rt.add: np.add,
    rt.subtract: np.subtract,
    rt.multiply: np.multiply,
    rt.divide: np.true_divide,
    rt.floor_divide: np.floor_divide,
    rt.remainder: np.remainder,
    rt.pow: np.power,
    rt.maximum: np.maximum,
    rt.atan2: np.arctan2,
    rt.less: np.less,
    rt.equal: np.equal,
    rt.logical_and: np.logical_and,
    rt.bitwise_xor: np.bitwise_xor,
}
COMPARISONS = {
    rt.less: operator.lt,
    rt.less_equal: operator.le,
    rt.greater: operator.gt,
    rt.greater_equal: operator.ge,
    rt.equal: operator.eq,
    rt.not_equal: operator.ne,
}
NUMBERS = st.one_of(st.booleans(), st.integers(0, 100), st.floats(0.5, 3), st.sampled_from([1j, 2 + 1j]))
DTYPE = st.sampled_from(DTYPES)
FUNCTION = st.sampled_from(list(PAIRS))


def outcome(compute, *operands):
    """The array, or the kind of error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.asarray(compute(*operands))
    except (TypeError, OverflowError, ValueError) as error:
        return next(kind for kind in (TypeError, OverflowError, ValueError) if isinstance(error, kind))


def assert_same(ours, numpys):
    if isinstance(numpys, np.ndarray):
        np.testing.assert_array_equal(ours, numpys, strict=True)
    else:
        assert ours is numpys


@given(FUNCTION, DTYPE, DTYPE)
def test_two_tensors_promote_as_numpy_arrays_do(staged, function, left, right):
    arrays = np.array([1, 2, 3]).astype(left.numpy), np.array([3, 2, 1]).astype(right.numpy)
    expected = outcome(PAIRS[function], *arrays)
    assert_same(outcome(function, *map(rt.asarray, arrays)), expected)
    assert_same(outcome(lambda x, y: staged(function, x, y), *arrays), expected)


@given(FUNCTION, DTYPE, NUMBERS, st.booleans())
def test_a_python_number_is_weak_beside_a_tensor(staged, function, dtype, number, first):
    def ordered(compute):
        return (lambda x: compute(number, x)) if first else (lambda x: compute(x, number))

    array = np.array([1, 2, 3]).astype(dtype.numpy)
    expected = outcome(ordered(PAIRS[function]), array)
    assert_same(outcome(ordered(function), rt.asarray(array)), expected)
    assert_same(outcome(lambda x: staged(ordered(function), x), array), expected)


@given(
    st.sampled_from(list(COMPARISONS)),
    st.sampled_from([dtype for dtype in DTYPES if dtype.is_integer]),
    st.integers(-(2**70), 2**70),
)
def test_a_tensor_compares_exactly_with_any_python_integer(staged, function, dtype, number):
    array = np.array([dtype.min, 0, dtype.max], dtype.numpy)
    expected = np.array([COMPARISONS[function](int(each), number) for each in array])
    assert_same(np.asarray(function(rt.asarray(array), number)), expected)
    assert_same(np.asarray(staged(lambda x: function(x, number), array)), expected)


def test_an_integer_that_does_not_fit_its_tensor_is_refused(staged):
    x = np.array([1], np.uint8)
    for compute in (lambda: rt.asarray(x) + 300, lambda: staged(lambda x: x + 300, x)):
        with pytest.raises(OverflowError, match="300"):
            compute()


FITTING = {rt.add: np.add, rt.multiply: np.multiply, rt.floor_divide: np.floor_divide, rt.maximum: np.maximum}
FITTING |= {rt.bitwise_and: np.bitwise_and, rt.pow: np.power, rt.logical_and: np.logical_and}
EXTREME = [300, -1, 2**31, 2**63, 2**64, -(2**63) - 1, 10**30, 10**400, 1e300, float("inf")]


@pytest.mark.parametrize("function", FITTING)
@pytest.mark.parametrize("number", EXTREME)
def test_a_number_out_of_range_is_what_it_is_for_numpy(staged, function, number):
    for dtype in DTYPES:
        array = np.array([1, 2, 3]).astype(dtype.numpy)
        for ordered in (lambda compute, x: compute(x, number), lambda compute, x: compute(number, x)):
            expected = outcome(lambda x: ordered(FITTING[function], x), array)
            assert_same(outcome(lambda x: ordered(function, x), rt.asarray(array)), expected)
            assert_same(outcome(lambda x: staged(lambda y: ordered(function, y), x), array), expected)


def test_python_numbers_alone_take_the_defaults():
    assert rt.add(1, 2).dtype == rt.int64
    assert rt.add(1, 2.5).dtype == rt.float64
    assert rt.divide(1, 2).dtype == rt.float64


def test_a_graph_has_defaults_of_its_own():
    builder = Builder("f", defaults=Defaults(rt.int32, rt.float32, rt.complex64))
    with building(builder):
        assert rt.add(1, 2).dtype == rt.int32
        assert rt.add(1, 2.5).dtype == rt.float32
        assert rt.zeros(2).dtype == rt.float32
        assert rt.asarray([1, 2]).dtype == rt.int32
        assert rt.asarray([1, 2.5]).dtype == rt.float32
        assert rt.asarray([1, 2**40]).dtype == rt.int64
        assert rt.asarray(np.array([1.5])).dtype == rt.float64
        assert rt.arange(3).dtype == rt.int32


def test_what_an_operator_gives_of_python_numbers_is_one_of_them_in_a_graph():
    builder = Builder("f")
    with building(builder):
        counter = ops.stands_for_python(rt.add(1, 1)) + 1
        assert (rt.asarray(np.float32(1)) * counter).dtype == rt.float32
        assert (counter + 0.5).dtype == rt.float64


def test_what_a_function_gives_of_python_numbers_is_a_tensor_as_in_eager_code(staged):
    def program(one):
        return one * rt.add(1, 1)

    assert program(rt.asarray(np.float32(1))).dtype == rt.float64
    assert staged(program, np.float32(1)).dtype == rt.float64


def test_an_operation_without_a_meaning_for_a_dtype_says_so(staged):
    for compute in (rt.subtract, lambda x, y: staged(rt.subtract, x, y)):
        with pytest.raises(rt.errors.DTypeError, match="`subtract` is not defined for bool and bool"):
            compute(np.array([True]), np.array([True]))


def test_numpy_on_the_left_gives_way_to_a_tensor():
    for left in (np.float64(2), np.array([2.0, 3.0]), np.int8(2)):
        result = left * rt.asarray([1, 2])
        assert isinstance(result, rt.Tensor)
        np.testing.assert_array_equal(result.numpy(), left * np.array([1, 2]), strict=True)


def test_results_of_where_and_of_joining_are_promoted():
    mask = rt.asarray([True, False])
    narrow, wide = rt.asarray([1, 2], dtype=rt.int8), rt.asarray([1.5, 2.5], dtype=rt.float16)
    assert rt.where(mask, narrow, wide).dtype == rt.float16
    assert rt.where(mask, narrow, 1.5).dtype == rt.float64
    assert rt.concat([narrow, wide]).dtype == rt.float16
    assert rt.stack([narrow, wide]).dtype == rt.float16
    assert (narrow @ wide).dtype == rt.float16


MASK = np.array([True, False, True])
JOINING = {
    "where": (lambda x, y: rt.where(rt.asarray(MASK), x, y), lambda x, y: np.where(MASK, x, y)),
    "concat": (lambda x, y: rt.concat([x, y]), lambda x, y: np.concatenate([x, y])),
    "stack": (lambda x, y: rt.stack([x, y]), lambda x, y: np.stack([x, y])),
    "clip": (lambda x, y: rt.clip(x, y, y), lambda x, y: np.clip(x, y, y)),
    "matmul": (rt.matmul, np.matmul),
    "result_type": (
        lambda x, y: rt.zeros(0, dtype=rt.result_type(x, y)),
        lambda x, y: np.zeros(0, np.result_type(x, y)),
    ),
}


@pytest.mark.parametrize(("ours", "numpys"), JOINING.values(), ids=JOINING)
def test_tensors_of_every_pair_of_dtypes_meet_as_arrays_do(staged, ours, numpys):
    for left in DTYPES:
        for right in DTYPES:
            arrays = np.array([1, 2, 3]).astype(left.numpy), np.array([3, 1, 2]).astype(right.numpy)
            expected = outcome(numpys, *arrays)
            assert_same(outcome(ours, *map(rt.asarray, arrays)), expected)
            assert_same(outcome(lambda x, y: staged(ours, x, y), *arrays), expected)


@pytest.mark.parametrize("number", [True, 2, 2.5, 2 + 1j])
def test_numbers_are_weak_where_tensors_are_chosen_and_joined(staged, number):
    for dtype in DTYPES:
        array = np.array([1, 2, 3]).astype(dtype.numpy)
        for name in ("where", "result_type"):
            ours, numpys = JOINING[name]
            expected = outcome(lambda x: numpys(x, number), array)
            assert_same(outcome(lambda x: ours(x, number), rt.asarray(array)), expected)
            assert_same(outcome(lambda x: staged(lambda y: ours(y, number), x), array), expected)


def test_a_list_with_tensors_in_it_is_stacked():
    x = rt.asarray(2.0)
    np.testing.assert_array_equal(rt.add([[x, 1], [3, x]], 1).numpy(), [[3.0, 2.0], [4.0, 3.0]])


ZEROS = [0, np.int64(0), np.array(0), False]


@pytest.mark.parametrize("divide", [operator.floordiv, operator.mod, divmod])
@pytest.mark.parametrize("zero", ZEROS, ids=repr)
def test_an_integer_without_axes_divided_by_zero_raises_as_in_python(staged, divide, zero):
    five = np.array(5)
    for left, right in ((rt.asarray(five), zero), (5, rt.asarray(zero)), (np.int64(5), rt.asarray(zero))):
        with pytest.raises(ZeroDivisionError):
            divide(left, right)
    for compute, x in (
        (lambda x: divide(x, zero), five),
        (lambda x: divide(np.int64(5), x), np.asarray(zero)),
        (lambda x: divide(rt.asarray(5), rt.asarray(zero)), five),
    ):
        with pytest.raises(ZeroDivisionError):
            staged(compute, x)


@pytest.mark.parametrize("divide", [operator.floordiv, operator.mod])
@pytest.mark.parametrize("zero", [*ZEROS, np.array([0, 0]), [0, 0]], ids=repr)
def test_integers_with_axes_divided_by_zero_give_zero_and_a_warning(staged, divide, zero):
    integers = np.array([5, -5])
    for compute in (
        lambda: divide(rt.asarray(integers), zero),
        lambda: staged(lambda x: divide(x, zero), integers),
    ):
        with pytest.warns(RuntimeWarning, match="divide by zero encountered"):
            assert compute().tolist() == [0, 0]


COMPLEX, TRUTH, WHOLE = np.array([[1j, 2]]), np.array([[True, False]]), np.array([[1, 2]])
REFUSED = {
    "relu": (rt.relu, COMPLEX),
    "elu": (rt.elu, COMPLEX),
    "leaky_relu": (rt.leaky_relu, COMPLEX),
    "softmax": (rt.softmax, WHOLE),
    "take": (lambda x: rt.take(x, x, axis=0), TRUTH),
    "gather_nd": (lambda x: rt.gather_nd(x, x), TRUTH),
}


@pytest.mark.parametrize(("function", "array"), REFUSED.values(), ids=REFUSED)
def test_what_a_graph_refuses_is_refused_at_once(staged, function, array):
    for compute in (lambda: function(rt.asarray(array)), lambda: staged(function, array)):
        with pytest.raises(rt.errors.DTypeError):
            compute()
