"""Every op on bfloat16: the kernel gives what `infer` says, and graphs give what eager code gives."""

import subprocess
import sys
import warnings

import ml_dtypes
import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import DTYPES
from runtime.executors.base import choose
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.build import bind_all
from runtime.graph.op import REGISTRY
from runtime.graph.parser import from_text
from runtime.graph.printer import to_text
from runtime.ops.families import Family

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
WIDE = (np.float32, np.float64)


def narrowed(arrays):
    return [array.astype(BFLOAT16) if array.dtype in WIDE else array for array in arrays]


def cases():
    """A sample of each op that bfloat16 can be given to."""
    for op in REGISTRY.values():
        if issubclass(op, Family):
            for sample in op.samples:
                if sample.arrays and any(array.dtype in WIDE and array.size for array in sample.arrays):
                    yield pytest.param(op(**sample.attributes), narrowed(sample.arrays), id=op.__name__)
                    break


@pytest.mark.parametrize(("op", "arrays"), list(cases()))
def test_every_op_takes_bfloat16_or_says_that_it_does_not(op, arrays):
    tensors = list(map(rt.asarray, arrays))
    try:
        traced = PolymorphicFunction(lambda *operands: bind_all(op, *operands)).get_concrete_function(
            *tensors
        )
    except rt.errors.DTypeError as error:
        assert "bfloat16" in str(error)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rt.random.set_seed(0)
        expected = bind_all(op, *tensors)
        for executor in ("numpy", "reference"):
            rt.random.set_seed(0)
            results = choose(executor).compile(traced.module).run(arrays)
            for result, eager in zip(results, expected, strict=True):
                assert_same(result, eager)


def assert_same(one, other):
    """The same dtype and numbers; NumPy's own assertion takes no NaN of ml_dtypes for a NaN."""
    arrays = np.asarray(one), np.asarray(other)
    assert arrays[0].dtype == arrays[1].dtype
    wide = [array.astype(np.float64) if array.dtype == BFLOAT16 else array for array in arrays]
    np.testing.assert_array_equal(*wide, strict=True)


PROMOTED = {
    **dict.fromkeys([dtype for dtype in DTYPES if dtype.is_integer or dtype.is_bool], rt.bfloat16),
    rt.float16: rt.float32,
    rt.float32: rt.float32,
    rt.float64: rt.float64,
    rt.complex64: rt.complex64,
    rt.complex128: rt.complex128,
}


@pytest.mark.parametrize("other", DTYPES, ids=repr)
def test_bfloat16_beside_another_dtype(check, other):
    narrow, beside = np.array([1.5, 2, 3]).astype(BFLOAT16), np.array([3, 2, 1]).astype(other.numpy)
    dtype = PROMOTED[other].numpy
    gives = narrow.astype(dtype) * beside.astype(dtype)
    check(rt.multiply, narrow, beside, gives=gives)
    check(rt.multiply, beside, narrow, gives=gives)
    check(lambda x: x * beside, narrow, gives=gives)
    check(rt.less, narrow, beside, gives=narrow.astype(dtype) < beside.astype(dtype))
    check(lambda x, y: rt.concat([x, y]), narrow, beside, gives=np.concatenate([narrow, beside], dtype=dtype))
    assert rt.result_type(rt.bfloat16, other) is PROMOTED[other]


@pytest.mark.parametrize(("number", "dtype"), [(True, "bf16"), (2, "bf16"), (0.1, "bf16"), (1j, "c64")])
def test_python_numbers_are_weak_beside_bfloat16(check, number, dtype):
    narrow = np.array([1.5, 2, 3]).astype(BFLOAT16)
    to = rt.as_dtype(dtype).numpy
    gives = np.multiply(narrow.astype(to), np.asarray(number, to))
    check(lambda x: x * number, narrow, gives=gives)
    check(lambda x: number * x, narrow, gives=gives)


def test_sums_and_products_are_rounded_once(check):
    ones = np.ones(1000, BFLOAT16)
    check(rt.sum, ones, gives=np.asarray(1000, BFLOAT16))
    check(rt.mean, ones, gives=np.asarray(1, BFLOAT16))
    check(lambda x: rt.cumulative_sum(x)[-1], ones, gives=np.asarray(1000, BFLOAT16))
    check(lambda x: x @ x, ones, gives=np.asarray(1000, BFLOAT16))
    check(lambda x: rt.einsum("i,i->", x, x), ones, gives=np.asarray(1000, BFLOAT16))
    check(np.median, np.array([3, 1, 2], BFLOAT16), gives=np.asarray(2, BFLOAT16))


def test_what_numpy_computes_in_wider_dtypes(check):
    values = np.array([1, 2, 2.5], BFLOAT16)
    wide = values.astype(np.float32)
    check(rt.fft.fft, values, gives=np.fft.fft(wide))
    check(rt.fft.irfftn, values, gives=np.fft.irfftn(wide))
    for part in (0, 1):
        check(lambda x: np.histogram(x, bins=2)[part], values, gives=np.histogram(wide, bins=2)[part])


def test_casts_to_and_from_bfloat16(check):
    values = np.array([0, 1.00390625, -2.5, 3e38, 65536])
    for dtype in (rt.float16, rt.float32, rt.float64, rt.int64, rt.bool, rt.complex64):
        with np.errstate(over="ignore", invalid="ignore"):
            wide = values.astype(dtype.numpy)
            narrow = wide.astype(BFLOAT16) if not dtype.is_complex else wide.real.astype(BFLOAT16)
            if not dtype.is_complex:
                check(lambda x: rt.astype(x, rt.bfloat16), wide, gives=narrow)
            check(lambda x: rt.astype(x, dtype), narrow, gives=narrow.astype(dtype.numpy))


def test_what_is_known_of_bfloat16():
    assert (rt.bfloat16.kind, rt.bfloat16.itemsize, rt.bfloat16.numpy) == ("f", 2, BFLOAT16)
    assert rt.as_dtype("bf16") is rt.as_dtype(BFLOAT16) is rt.as_dtype(ml_dtypes.bfloat16) is rt.bfloat16
    assert rt.finfo(rt.bfloat16).eps == 2**-7
    assert rt.bfloat16.max == -rt.bfloat16.min == float(ml_dtypes.finfo(BFLOAT16).max)
    assert rt.isdtype(rt.bfloat16, "real floating")
    assert rt.can_cast(rt.bfloat16, rt.float32)
    assert not rt.can_cast(rt.float32, rt.bfloat16)
    assert repr(rt.asarray([1.5], dtype=rt.bfloat16)) == (
        "<Tensor: shape=(1,), dtype=bfloat16, numpy=array([1.5], dtype=bfloat16)>"
    )
    assert rt.asarray(ml_dtypes.bfloat16(1.5)).dtype is rt.asarray([BFLOAT16.type(1)]).dtype is rt.bfloat16


@ag.function
def smoothed(x, y):
    total = rt.zeros((), dtype=rt.bfloat16)
    for item in x:
        if item > y:
            total = total * 0.5 + item // 0.25
    return total, rt.asarray([np.inf, 1.0], dtype=rt.bfloat16) + total


def test_a_program_of_bfloat16():
    x, y = rt.asarray([3.0, 1.0, 2.5], dtype=rt.bfloat16), rt.asarray(2.0, dtype=rt.bfloat16)
    total, both = smoothed(x, y)
    assert (total.dtype, total.item()) == (rt.bfloat16, 16.0)
    assert both.tolist() == [np.inf, 17.0]
    (concrete,) = smoothed.concrete_functions
    namespace = {}
    exec(concrete.to_python(), namespace)
    for result, expected in zip(namespace["smoothed"](x, y), (total, both), strict=True):
        np.testing.assert_array_equal(result, expected, strict=True)
    text = to_text(concrete.graph)
    assert to_text(from_text(text)) == text


def test_without_the_extra_the_error_names_it():
    program = """
import sys
sys.modules["ml_dtypes"] = None
import runtime as rt
from runtime.graph.module import Module
try:
    rt.asarray([1.0], dtype=rt.bfloat16)
except rt.errors.DTypeError as error:
    print(error)
"""
    found = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert "`low-precision`" in found.stdout


def test_the_extra_is_imported_when_it_is_wanted():
    program = "import sys; import runtime as rt; rt.asarray(1) + 1; print('ml_dtypes' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert found.stdout == "False\n"
