import copy
import pickle
from collections import Counter

import numpy as np
import pytest

import runtime as rt
from runtime.core.tensor import Tensor, as_array
from runtime.errors import DTypeError
from runtime.functions.polymorphic import PolymorphicFunction

X = rt.asarray([[1.5, 2.0], [3.0, 4.0]], dtype=rt.float32)


def test_what_a_tensor_says_of_itself():
    assert (X.shape, X.dtype, X.ndim, X.size) == ((2, 2), rt.float32, 2, 4)
    assert X.spec == rt.ArraySpec((2, 2), rt.float32)
    assert X.get_shape() == (2, 2)
    assert repr(rt.asarray([1, 2])) == "<Tensor: shape=(2,), dtype=int64, numpy=array([1, 2])>"
    assert repr(rt.asarray(5.5)) == "<Tensor: shape=(), dtype=float64, numpy=5.5>"
    assert str(rt.asarray([1, 2])) == "Tensor([1 2], shape=(2,), dtype=int64)"


def test_its_array_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        X.numpy()[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(X)[0] = 1
    own = np.array(X)
    own[0] = 0
    assert X[0, 0].item() == 1.5


def test_numpy_reads_it():
    assert np.sum(np.asarray(X)) == 10.5
    assert np.asarray(X, np.float64).dtype == np.float64
    with pytest.raises(ValueError, match="without a copy"):
        np.asarray(X, np.float64, copy=False)
    assert isinstance(rt.asarray(2.5).numpy(), np.float64)


def test_python_reads_single_elements():
    n = rt.asarray(3)
    assert (int(n), float(n), complex(n), bool(n), n.item(), [10, 20, 30, 40][n]) == (
        3,
        3.0,
        3 + 0j,
        True,
        3,
        40,
    )
    assert f"{rt.asarray(2.5):.2f}" == "2.50"
    with pytest.raises(TypeError, match="can be an index"):
        [1][rt.asarray(0.0)]
    with pytest.raises(ValueError, match="ambiguous"):
        bool(X)


def test_a_tensor_without_axes_is_the_key_that_its_number_is():
    numbers = [rt.asarray(n) for n in (1, 2.0, True, 1 + 0j, 2**40)]
    assert {1: "one", 2: "two", 2**40: "many"} == dict(
        zip([*numbers[1:2], *numbers[2:]], ["two", "one", "one", "many"], strict=True)
    )
    assert Counter(rt.asarray([1, 2, 1])) == {1: 2, 2: 1}
    assert rt.asarray(np.float32(0.1)) in {np.float32(0.1)}
    assert rt.asarray(3) in {1, 3}
    assert rt.asarray(4) not in {1, 3}
    assert {(rt.asarray(1), "a")} == {(1, "a")}


def test_a_nan_is_the_key_of_nothing_else():
    nan = rt.asarray(np.nan)
    assert {nan: "mine"}[nan] == "mine"
    assert nan not in {rt.asarray(np.nan)}


def test_a_tensor_with_axes_is_no_key():
    with pytest.raises(TypeError, match=r"unhashable type: a tensor of shape \(2, 2\)") as caught:
        hash(X)
    assert "`x.tobytes()`" in str(caught.value)
    assert {X.tobytes()} == {np.asarray(X).tobytes()}


def test_iteration_gives_the_slices_of_the_first_axis():
    assert [row.tolist() for row in X] == [[1.5, 2.0], [3.0, 4.0]]
    assert len(X) == 2
    with pytest.raises(TypeError, match="nothing to iterate over"):
        iter(rt.asarray(1))


def test_copies_and_pickles():
    assert copy.copy(X) is X
    assert copy.deepcopy(X) is X
    again = pickle.loads(pickle.dumps(X))
    assert again.dtype == X.dtype
    np.testing.assert_array_equal(again, X)


def test_the_prefix_of_the_printed_form():
    rt.set_print_options(prefix="my.")
    try:
        assert repr(rt.asarray(1)).startswith("<my.Tensor: ")
        assert str(rt.asarray([1])).startswith("my.Tensor(")
    finally:
        rt.set_print_options(prefix="")


def test_arrays_of_the_other_byte_order_are_turned():
    array = as_array(np.array([1, 2], ">i4"))
    assert array.dtype == np.int32
    assert array.dtype.isnative
    assert Tensor(array).dtype == rt.int32


@pytest.mark.parametrize("value", ["text", [object()], np.array(["a"]), None, np.array([1], "M8[s]")])
def test_what_no_tensor_can_hold_is_refused(value):
    with pytest.raises(DTypeError):
        as_array(value)


def test_rows_of_different_lengths_are_refused_as_numpy_refuses_them():
    for value in ([1, [2]], [[1, 2], [3]], [[1], 2]):
        with pytest.raises(ValueError, match="no one shape"):
            as_array(value)


def test_a_tensor_does_not_change_with_the_array_that_it_was_made_from():
    array = np.ones(3)
    tensor, same = rt.asarray(array), PolymorphicFunction(lambda x: x)(array)
    part = PolymorphicFunction(lambda x: x[1:])(array)
    variable = rt.Variable(array)
    variable.assign(array)
    array[:] = 5
    for made in (tensor, same, part, variable):
        assert set(made.numpy().tolist()) == {1.0}


def test_an_array_is_shared_when_asked_for():
    array = np.ones(3)
    tensor = rt.asarray(array, copy=False)
    array[0] = 5
    assert tensor.numpy()[0] == 5
    with pytest.raises(ValueError, match="without a copy"):
        rt.asarray(array, dtype=rt.float32, copy=False)
