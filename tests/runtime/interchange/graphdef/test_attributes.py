import ml_dtypes
import numpy as np
import pytest

from runtime.core.dtypes import DTYPES, LOW_PRECISION, as_dtype, float32, int32
from runtime.interchange import messages
from runtime.interchange.graphdef import attributes as attr

EVERY_DTYPE = (*DTYPES, *LOW_PRECISION)


@pytest.mark.parametrize("dtype", EVERY_DTYPE, ids=str)
def test_every_dtype_has_a_number(dtype):
    assert attr.data_type(dtype) > 0
    assert len({attr.data_type(each) for each in EVERY_DTYPE}) == len(EVERY_DTYPE)


@pytest.mark.parametrize(
    ("value", "field", "elements"),
    [
        (np.int32(-5), "int_val", [-5]),
        (np.uint8(255), "int_val", [255]),
        (np.int64(2**40), "int64_val", [2**40]),
        (np.uint64(2**64 - 1), "uint64_val", [2**64 - 1]),
        (np.float32(0.5), "float_val", [0.5]),
        (np.float64(0.1), "double_val", [0.1]),
        (np.float16(1.0), "half_val", [0x3C00]),
        (ml_dtypes.bfloat16(1.0), "half_val", [0x3F80]),
        (np.complex64(1 - 2j), "scomplex_val", [1.0, -2.0]),
        (np.bool_(True), "bool_val", [True]),
    ],
    ids=str,
)
def test_one_element_stands_in_the_list_of_its_type(value, field, elements):
    proto = attr.tensor(np.asarray(value))
    assert list(getattr(proto, field)) == elements
    assert proto.tensor_content == b""
    assert list(proto.tensor_shape.dim) == []


def test_several_elements_are_bytes_in_row_order():
    proto = attr.tensor(np.array([[1, 2], [3, 4]], ">i2").T)
    assert proto.dtype == attr.data_type(as_dtype("int16"))
    assert np.frombuffer(proto.tensor_content, "<i2").tolist() == [1, 3, 2, 4]


def test_nothing_has_a_shape_and_no_elements():
    proto = attr.tensor(np.zeros((0, 2), np.float32))
    assert [dim.size for dim in proto.tensor_shape.dim] == [0, 2]
    assert list(proto.float_val) == []


def test_unknown_dims_and_unknown_ranks_are_told_apart():
    assert [dim.size for dim in attr.shape((2, None)).dim] == [2, -1]
    assert attr.shape(None).unknown_rank
    assert not attr.shape(()).unknown_rank


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "b: true"),
        (1, "i: 1"),
        (0.5, "f: 0.5"),
        ("é", 's: "\\303\\251"'),
        (float32, "type: DT_FLOAT"),
        ([1, 2], "list { i: 1 i: 2 }"),
        ([int32, float32], "list { type: DT_INT32 type: DT_FLOAT }"),
        (("a",), 'list { s: "a" }'),
        ((), "list { }"),
    ],
    ids=str,
)
def test_a_python_value_takes_the_field_of_its_kind(value, text):
    assert " ".join(str(attr.attribute(value)).split()) == text


def test_a_message_is_an_attribute_already():
    message = messages.AttrValue(placeholder="later")
    assert attr.attribute(message) is message
