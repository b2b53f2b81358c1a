import pickle

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import (
    DTYPES,
    Defaults,
    as_dtype,
    bool_,
    complex64,
    float16,
    float32,
    float64,
    int8,
    int32,
    int64,
    result_type,
    uint8,
    uint64,
)
from runtime.core.limits import can_cast, finfo, iinfo, isdtype
from runtime.errors import DTypeError

TENSORFLOW = Defaults(int32, float32, complex64)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_way_to_name_a_dtype_gives_the_one_object(dtype):
    for name in (dtype, dtype.name, dtype.short, dtype.numpy, dtype.numpy.type, dtype.numpy.newbyteorder()):
        assert as_dtype(name) is dtype
    assert pickle.loads(pickle.dumps(dtype)) is dtype


def test_dtypes_equal_what_names_them():
    assert float32 == np.float32 == float32 == "float32" == float32
    assert float32 != np.float64
    assert float32 != "no dtype"
    assert float32 != None
    assert {float32: 1}[as_dtype("f32")] == 1


@pytest.mark.parametrize("name", ["text", object, "U5", np.dtype("M8[s]"), "variant!", 3])
def test_what_no_tensor_can_hold_is_no_dtype(name):
    with pytest.raises(DTypeError, match=r"is no dtype of a tensor(?s:.)*There are bool, int8"):
        as_dtype(name)


@pytest.mark.parametrize("left", DTYPES, ids=str)
def test_promotion_is_numpys(left):
    for right in DTYPES:
        assert result_type(left, right) == np.result_type(left.numpy, right.numpy)
    for number in (True, 1, 1.5, 1j):
        assert result_type(left, number) == np.result_type(left.numpy, number)


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ((1,), int32),
        ((1, 2.5), float32),
        ((True,), bool_),
        ((True, 1), int32),
        ((2.0, 1j), complex64),
        ((2**40, 1), int64),
    ],
)
def test_numbers_alone_take_the_default_of_their_highest_kind(numbers, expected):
    assert result_type(*numbers, defaults=TENSORFLOW) is expected


def test_an_integer_that_no_dtype_holds_is_refused():
    assert result_type(2**63) is uint64
    with pytest.raises(OverflowError, match="does not fit any integer dtype"):
        result_type(2**64)


def test_limits():
    assert (int8.min, int8.max, float32.max) == (-128, 127, float(np.finfo(np.float32).max))
    with pytest.raises(DTypeError, match="Only real numbers are ordered"):
        complex64.max
    assert finfo(complex64).dtype is float32
    assert finfo(float16).eps == float(np.finfo(np.float16).eps)
    assert iinfo(uint8) == (8, 255, 0, uint8)
    with pytest.raises(DTypeError, match=r"rt\.iinfo"):
        finfo(int8)
    with pytest.raises(DTypeError, match=r"rt\.finfo"):
        iinfo(float64)


def test_kinds():
    assert isdtype(int8, "signed integer")
    assert isdtype(uint8, ("bool", "integral"))
    assert not isdtype(uint8, "signed integer")
    assert isdtype(complex64, "numeric")
    assert isdtype(float32, float32)
    with pytest.raises(ValueError, match="no kind of dtype"):
        isdtype(float32, "float")
    assert can_cast(int8, int32)
    assert not can_cast(float64, float32)


@pytest.mark.parametrize(
    "name", ["str", "num", "shape", "names", "byteorder", "isnative", "alignment", "base"]
)
def test_a_dtype_has_the_attributes_of_numpys(name):
    assert getattr(rt.float32, name) == getattr(np.dtype("float32"), name)


def test_a_dtype_that_a_graph_returns_is_compared_with_numpys():
    ag.check(lambda x: (x.dtype, x.dtype.str), np.ones(2, np.float32))


def test_a_dtype_has_no_names_that_numpys_does_not_have():
    with pytest.raises(AttributeError):
        _ = rt.float32.nonsense
    assert not hasattr(rt.float32, "__array_interface__")
