"""The table of scalar functions against NumPy: where they are defined, what they give, how exact they are."""

import numpy as np
import pytest

import runtime as rt
from runtime.core.dtypes import DTYPES
from runtime.errors import DTypeError
from runtime.graph.op import REGISTRY
from runtime.ops.families import Elementwise
from runtime.ops.promotion import computing_dtypes
from runtime.ops.scalars import SCALARS

UFUNCS = [each for each in SCALARS.values() if isinstance(each.meaning, np.ufunc)]
WIDER = {
    rt.float16: np.float64,
    rt.float32: np.float64,
    rt.float64: np.longdouble,
    rt.complex64: np.complex128,
    rt.complex128: np.clongdouble,
}
"""A dtype in which a function is computed with enough digits to see the error of a narrower one."""

every_function = pytest.mark.parametrize("function", SCALARS.values(), ids=SCALARS)
every_ufunc = pytest.mark.parametrize("function", UFUNCS, ids=lambda function: function.name)


def operands(function, dtype):
    """Dtypes of operands where the common one is `dtype`."""
    fixed = {"b": rt.bool, "i": rt.int32}
    return tuple(fixed.get(letter, dtype) for letter in function.signature[: function.arity])


def dtypes_of(function):
    return [dtype for dtype in DTYPES if function.takes(operands(function, dtype))]


def drawn(dtype, seed, size=400):
    """Numbers of every magnitude, and those that are special."""
    generator = np.random.default_rng(seed)
    if dtype.is_bool:
        return generator.integers(0, 2, size).astype(bool)
    if dtype.is_integer:
        limits = np.array([dtype.min, dtype.max, 0, 1, 2], dtype.numpy)
        small = generator.integers(-9 if dtype.kind == "i" else 0, 9, size)
        return np.concatenate([limits, small.astype(dtype.numpy)])
    if dtype.is_complex:
        part = rt.float32 if dtype is rt.complex64 else rt.float64
        numbers = np.empty(size, dtype.numpy)
        numbers.real, numbers.imag = drawn(part, seed, size)[:size], drawn(part, seed + 50, size)[-size:]
        return numbers
    special = [0.0, -0.0, 1.0, -1.0, 0.5, np.inf, -np.inf, np.nan, dtype.max, dtype.min]
    scale = np.exp2(generator.integers(-12, 12, size))
    return np.concatenate([special, generator.normal(size=size) * scale]).astype(dtype.numpy)


def arguments(function, dtype):
    return [
        drawn(each, seed) if each is not rt.int32 else drawn(each, seed) % 9
        for seed, each in enumerate(operands(function, dtype))
    ]


@every_ufunc
def test_a_function_is_defined_where_numpy_has_a_loop_of_these_dtypes(function):
    for dtype in DTYPES:
        given = operands(function, dtype)
        try:
            *computing, result = computing_dtypes(function.meaning, given)
        except DTypeError:
            computing, result = [], None
        assert function.takes(given) == (tuple(computing) == given)
        if function.takes(given):
            assert function.result(given) is result


@every_function
def test_a_function_works_on_each_element_by_itself(function):
    with np.errstate(all="ignore"):
        for dtype in dtypes_of(function):
            arrays = arguments(function, dtype)
            if function.name == "power" and dtype.is_integer:
                arrays[1] = np.where(arrays[1] < 0, 3, arrays[1]).astype(dtype.numpy)
            size = min(map(len, arrays))
            arrays = [array[:size] for array in arrays]
            whole = np.asarray(function.meaning(*arrays))
            assert rt.as_dtype(whole.dtype) is function.result(operands(function, dtype))
            one_by_one = [function.meaning(*each) for each in zip(*arrays, strict=True)]
            if function.is_exact(dtype):
                np.testing.assert_array_equal(whole, np.array(one_by_one, whole.dtype), strict=True)


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="long doubles have no more digits here")
@every_ufunc
def test_numpy_keeps_the_bound_on_the_error(function):
    for dtype in dtypes_of(function):
        if dtype.kind not in function.ulps:
            continue
        arrays = arguments(function, dtype)
        if dtype.is_complex:  # of parts that are finite, and whose squares are
            arrays = [np.where(np.isfinite(x) & (abs(x) < 1e15), x, 1 + 2j).astype(x.dtype) for x in arrays]
        with np.errstate(all="ignore"):
            got = function.meaning(*arrays)
            wanted = function.meaning(*[array.astype(WIDER[dtype]) for array in arrays])
            off = np.abs(got.astype(wanted.dtype) - wanted)
            unit = np.spacing(np.abs(wanted).astype(got.real.dtype)).astype(off.dtype)
            fine = np.isfinite(got) & np.isfinite(wanted)
            assert np.array_equal(np.isnan(got), np.isnan(wanted))
            assert np.max(off[fine] / unit[fine]) <= function.ulps[dtype.kind], dtype


def test_each_kind_is_exact_has_a_bound_or_is_known_to_have_none():
    unbounded = {
        (function.name, kind)
        for function in SCALARS.values()
        for kind in function.kinds
        if kind not in function.exact and kind not in function.ulps
    }
    assert {name for name, kind in unbounded if kind == "f"} == {"lgamma", "logaddexp", "logaddexp2"}
    assert {kind for _, kind in unbounded} == {"f", "c"}
    assert not any(set(function.exact) & set(function.ulps) for function in SCALARS.values())


def test_elementwise_ops_name_the_function_of_their_ufunc():
    for kind in REGISTRY.values():
        if issubclass(kind, Elementwise) and isinstance(kind.kernel, np.ufunc):
            assert SCALARS[kind.scalar].meaning is kind.kernel


_OF_NO_OP = {
    "add_fits",
    "subtract_fits",
    "multiply_fits",
    "left_shift_fits",
    "power_fits",
    "bits",
}


def test_every_function_is_that_of_an_op_or_says_whether_one_fits_or_is_for_hash_tables():
    named = {kind.scalar for kind in REGISTRY.values() if kind.scalar}
    elementwise = [kind for kind in REGISTRY.values() if issubclass(kind, Elementwise)]
    named |= {kind.of_numbers for kind in elementwise if kind.of_numbers}
    assert named | _OF_NO_OP == set(SCALARS)
