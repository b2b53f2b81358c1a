"""Every scalar function in machine code, on hard numbers, bit for bit where it is exact."""

import itertools
import math

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import as_dtype
from runtime.executors.native.intrinsics import helpers
from runtime.executors.native.intrinsics.helpers import with_helpers
from runtime.executors.native.run import Native
from runtime.executors.native.ties import keeps_zeros
from runtime.executors.native.whole import lowered
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


def computed(*maps):
    """Maps of arrays in one piece of machine code; for each its result, and what NumPy computes."""
    builder = Builder("scalars")
    outputs, wanted = [], []
    for expression, arrays in maps:
        op = Map(to_text(expression))
        inputs = [builder.input(rt.ArraySpec(each.shape, as_dtype(each.dtype))) for each in arrays]
        outputs += builder.add(op, inputs).outputs
        with np.errstate(all="ignore"):
            wanted.append(op.kernel(*arrays))
    program = Native().compile(Module(builder.finish(outputs)))
    found = program.run([array for _, arrays in maps for array in arrays])
    return list(zip(found, wanted, strict=True))


def is_supported(expression, arrays):
    """Whether there is machine code of a map."""
    builder = Builder("scalar")
    inputs = [builder.input(rt.ArraySpec(each.shape, as_dtype(each.dtype))) for each in arrays]
    node = builder.add(Map(to_text(expression)), inputs)
    return not lowered(Module(builder.finish(node.outputs))).hosts


def operands(dtypes):
    """All combinations of numbers, one array for each operand."""
    return [np.array(column) for column in zip(*itertools.product(*map(numbers, dtypes)), strict=True)]


def typed(arrays, dtypes):
    return [array.astype(dtype.numpy) for array, dtype in zip(arrays, dtypes, strict=True)]


def dtypes_of(name):
    """The dtypes of operands that a function takes."""
    function = SCALARS[name]
    for dtype in DTYPES:
        dtypes = [as_dtype("bool"), dtype, dtype] if name == "select" else [dtype] * function.arity
        if function.takes(dtypes):
            yield dtypes


@pytest.mark.parametrize("name", SCALARS)
def test_a_function_is_numpy_s(name):
    maps, kinds = [], []
    for dtypes in dtypes_of(name):
        arrays = typed(operands(dtypes), dtypes)
        expression = Apply(name, tuple([Operand(index) for index in range(len(dtypes))]))
        if is_supported(expression, arrays):
            maps.append((expression, arrays))
            kinds.append(dtypes[-1])
    if not maps:
        assert name not in {"add", "multiply", "floor_divide", "remainder", "less", "select", "maximum"}
        return
    for common, (found, wanted) in zip(kinds, computed(*maps), strict=True):
        agree(SCALARS[name], common, found, wanted)


def agree(function, common, found, wanted):
    """Requires the same bits of what is exact, and else the bound of the table."""
    assert found.dtype == wanted.dtype
    if function.is_exact(common):
        np.testing.assert_array_equal(found, wanted, err_msg=str(common))
        if common.kind == "f" and found.dtype.kind == "f" and keeps_zeros(function.name, common):
            zeros = wanted == 0
            np.testing.assert_array_equal(np.signbit(found[zeros]), np.signbit(wanted[zeros]))
    else:
        bound = function.ulps.get(common.kind, 16) * 2 * np.finfo(found.dtype).eps
        near_zero = 0 if common.kind in function.ulps else bound  # where both lose digits
        np.testing.assert_allclose(found, wanted, rtol=bound, atol=near_zero)


def inside(of, to):
    """Numbers that a cast to a dtype keeps: beyond them, NumPy's vectors and its last elements differ."""
    values = numbers(of)
    if of.kind != "f" or to.kind not in "iu":
        return values
    info = np.iinfo(to.numpy)
    return values[np.isfinite(values) & (values > float(info.min) - 1) & (values < float(info.max))]


@pytest.mark.parametrize("of", DTYPES, ids=str)
def test_a_cast_is_numpy_s(of):
    for found, wanted in computed(*[(Convert(to, Operand(0)), [inside(of, to)]) for to in DTYPES]):
        np.testing.assert_array_equal(found, wanted)
        assert found.dtype == wanted.dtype


def test_a_cast_that_is_out_of_range_gives_a_number():
    far = np.array([np.nan, np.inf, -np.inf, 1e300, -1e300])
    pairs = computed(*[(Convert(to, Operand(0)), [far]) for to in DTYPES[1:9]])
    assert [found.dtype for found, _ in pairs] == [to.numpy for to in DTYPES[1:9]]


QUOTIENTS = {
    "floor_divide": ["floor_divide"],
    "remainder": ["remainder"],
    "both": ["floor_divide", "remainder"],
}


@pytest.mark.parametrize("names", QUOTIENTS.values(), ids=QUOTIENTS)
def test_of_many_divisions_there_is_one_copy_which_is_numpy_s(names, monkeypatch):
    monkeypatch.setattr(helpers, "_MOST_DIVISIONS", 0)
    for dtype in DTYPES:
        if not dtype.is_integer:
            continue
        operands = list(np.array(list(itertools.product(numbers(dtype), repeat=2)), dtype.numpy).T)
        for found, wanted in computed(*[(Apply(name, (Operand(0), Operand(1))), operands) for name in names]):
            np.testing.assert_array_equal(found, wanted)


def test_long_code_with_divisions_has_one_copy_of_each():
    one = "  %{0} = call i64 @ag_floor_divide_s64(i64 %a, i64 %b)"
    few, many = (with_helpers("\n".join(map(one.format, range(count)))) for count in (10, 100))
    assert "@ag_floor_divide_s64(i64 %a, i64 %b) alwaysinline" in few
    assert "@ag_floor_divide_s64(i64 %a, i64 %b) noinline" in many


def far(points, whole):
    """Angles, divisors and bits, which NumPy has functions for and Python as well."""
    total, bits = 0.0, 0
    for i in range(len(points)):
        total += math.radians(points[i]) * np.rad2deg(points[i]) + math.degrees(points[i])
        bits += (
            math.gcd(int(whole[i]), 12)
            + np.gcd(whole[i], 18)
            + np.lcm(whole[i], 4)
            + int(np.bitwise_count(whole[i]))
        )
    return total, bits


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_degrees_divisors_and_bits_are_machine_code_with_numpys_bits(dtype):
    points = np.linspace(-400, 400, 90).astype(dtype)
    whole = np.random.default_rng(5).integers(-(2**40), 2**40, 90)
    graph = ag.function(far)
    found, wanted = graph(points, whole), far(points, whole)
    assert [each.numpy().item() for each in found] == [np.asarray(each).item() for each in wanted]
    assert graph.concrete_functions[0].report().executor == "native"
