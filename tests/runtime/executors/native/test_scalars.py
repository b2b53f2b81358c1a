"""Every scalar function in machine code, on hard numbers, bit for bit where it is exact."""

import itertools

import numpy as np
import pytest

import runtime as rt
from runtime.core.dtypes import as_dtype
from runtime.errors import CompileError
from runtime.executors.native.run import Native
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from runtime.ops.core import Map
from runtime.ops.core.expression import Apply, Convert, Operand, to_text
from runtime.ops.scalars import SCALARS

DTYPES = [
    as_dtype(name)
    for name in "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64".split()
]


def numbers(dtype):
    """The extremes, what lies around 0, and some between."""
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind == "f":
        info = np.finfo(dtype.numpy)
        some = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 7.75, -7.75, 1e-3, 123456.789, np.inf, -np.inf, np.nan]
        return np.array([*some, info.max, info.min, info.tiny, info.smallest_subnormal, 2.0**40], dtype.numpy)
    info = np.iinfo(dtype.numpy)
    some = [0, 1, 2, 3, 7, 8, 63, 64, 100, info.max, info.max - 1, info.min, info.min + 1]
    some += [-1, -2, -3, -7, -8] if dtype.kind == "i" else []
    return np.array(sorted({each for each in some if info.min <= each <= info.max}), dtype.numpy)


def computed(expression, *arrays):
    """A map of arrays as machine code, and as NumPy computes it."""
    builder = Builder("scalars")
    op = Map(to_text(expression))
    inputs = [builder.input(rt.ArraySpec(each.shape, as_dtype(each.dtype))) for each in arrays]
    node = builder.add(op, inputs)
    program = Native().compile(Module(builder.finish(node.outputs)))
    with np.errstate(all="ignore"):
        return program.run(list(arrays))[0], op.kernel(*arrays)


def operands(dtypes):
    """All combinations of numbers, one array for each operand."""
    return [np.array(column) for column in zip(*itertools.product(*map(numbers, dtypes)), strict=True)]


def typed(arrays, dtypes):
    return [array.astype(dtype.numpy) for array, dtype in zip(arrays, dtypes, strict=True)]


CASES = [
    (name, dtypes)
    for name, function in SCALARS.items()
    for dtype in DTYPES
    for dtypes in [[as_dtype("bool"), dtype, dtype] if name == "select" else [dtype] * function.arity]
    if function.takes(dtypes)
]


@pytest.mark.parametrize(("name", "dtypes"), CASES, ids=lambda each: str(each).replace(" ", ""))
def test_a_function_is_numpy_s(name, dtypes):
    arrays = typed(operands(dtypes), dtypes)
    expression = Apply(name, tuple([Operand(index) for index in range(len(dtypes))]))
    try:
        found, wanted = computed(expression, *arrays)
    except CompileError:
        assert name not in {"add", "multiply", "floor_divide", "remainder", "less", "select", "maximum"}
        return
    function, common = SCALARS[name], dtypes[-1]
    assert found.dtype == wanted.dtype
    if function.is_exact(common):
        np.testing.assert_array_equal(found, wanted)
        if common.kind == "f" and found.dtype.kind == "f" and function.keeps_zeros:
            zeros = wanted == 0
            np.testing.assert_array_equal(np.signbit(found[zeros]), np.signbit(wanted[zeros]))
    else:
        bound = function.ulps.get(common.kind, 16) * 2
        np.testing.assert_allclose(found, wanted, rtol=bound * np.finfo(found.dtype).eps, atol=0)


@pytest.mark.parametrize("to", DTYPES, ids=str)
@pytest.mark.parametrize("of", DTYPES, ids=str)
def test_a_cast_is_numpy_s(of, to):
    values = numbers(of)
    if of.kind == "f" and to.kind in "iu":  # beyond them, NumPy's vectors and its last elements differ
        info = np.iinfo(to.numpy)
        values = values[np.isfinite(values) & (values > float(info.min) - 1) & (values < float(info.max))]
    found, wanted = computed(Convert(to, Operand(0)), values)
    np.testing.assert_array_equal(found, wanted)
    assert found.dtype == wanted.dtype


def test_a_cast_that_is_out_of_range_gives_a_number():
    for to in DTYPES[1:9]:
        found, _ = computed(Convert(to, Operand(0)), np.array([np.nan, np.inf, -np.inf, 1e300, -1e300]))
        assert found.dtype == to.numpy
