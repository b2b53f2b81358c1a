"""Loops that divide by what they do not change give the bits of divisions."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.llvm import engine
from runtime.executors.native.run import Native
from runtime.executors.native.whole import lowered

FLOATS = [np.float32, np.float64]


@pytest.fixture(autouse=True)
def _slow_divisions(monkeypatch):
    """Code for a processor that divides slowly, whichever it runs on."""
    vectors = engine.vectors()._replace(divide=False)
    monkeypatch.setattr(engine, "vectors", lambda _=None: vectors)


def hard(dtype, count):
    """Numbers of all magnitudes, the extremes, and zeros with both signs."""
    rng, info = np.random.default_rng(0), np.finfo(dtype)
    edges = [0.0, -0.0, np.inf, -np.inf, np.nan, info.max, info.min, info.tiny, -info.tiny]
    edges += [info.smallest_subnormal, -3 * info.smallest_subnormal, 1.0, -1.0, 2.0 - info.eps]
    exponents = rng.integers(info.minexp - info.nmant, info.maxexp, count - len(edges))
    drawn = np.ldexp(rng.uniform(1.0, 2.0, len(exponents)), exponents) * rng.choice(
        [-1.0, 1.0], len(exponents)
    )
    with np.errstate(over="ignore"):
        return rng.permutation(np.concatenate([edges, drawn])).astype(dtype)


def assert_bits(found, wanted):
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.dtype == wanted.dtype
    are_numbers = ~np.isnan(wanted)
    assert np.array_equal(np.isnan(found), ~are_numbers)
    whole = f"i{found.dtype.itemsize}"
    assert np.array_equal(found[are_numbers].view(whole), wanted[are_numbers].view(whole))


def divided(x, y):
    return x / y


def compiled(function, *specs):
    return ag.function(function, jit_compile=True).get_concrete_function(*specs)


def says_quotient(concrete):
    return "quotient(" in concrete.program.source()


@pytest.mark.parametrize("dtype", FLOATS)
def test_every_mantissa_divided_by_some_is_rounded_as_a_division(dtype):
    """Of float32, these are all there are; of float64, the ones at both ends and many between."""
    info = np.finfo(dtype)
    if dtype is np.float32:
        x = np.arange(0x3F800000, 0x40000000, dtype=np.int32).view(np.float32)
    else:
        ends = np.arange(1 << 20)
        whole = np.concatenate(
            [ends, (1 << 52) - 1 - ends, np.random.default_rng(0).integers(0, 1 << 52, 1 << 20)]
        )
        x = (whole + (1023 << 52)).view(np.float64)
    concrete = compiled(divided, rt.TensorSpec(x.shape, x.dtype), rt.TensorSpec((), x.dtype))
    assert says_quotient(concrete)
    for y in (3.0, 2.0 - info.eps, 1.0 + info.eps, 1.7, 0.1, -7e-9, 1e9):
        assert_bits(concrete(x, dtype(y)), x / dtype(y))


@pytest.mark.parametrize("dtype", FLOATS)
def test_numbers_of_any_size_are_divided_by_numbers_of_any_size(dtype):
    x, divisors = hard(dtype, 4096), hard(dtype, 60)
    concrete = compiled(divided, rt.TensorSpec(x.shape, x.dtype), rt.TensorSpec((), x.dtype))
    assert says_quotient(concrete)
    with np.errstate(all="ignore"):
        for y in divisors:
            assert_bits(concrete(x, y), x / y)
            assert_bits(concrete(x / 2 + y, y), (x / 2 + y) / y)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("is_known", [True, False])
def test_each_column_is_divided_by_its_own(dtype, is_known):
    x, y = hard(dtype, 64 * 256).reshape(64, 256), hard(dtype, 256)
    shape = x.shape if is_known else (None, 256)
    concrete = compiled(divided, rt.TensorSpec(shape, x.dtype), rt.TensorSpec(y.shape, y.dtype))
    assert says_quotient(concrete)
    with np.errstate(all="ignore"):
        for rows in (x, np.abs(x[:1]), *([] if is_known else [x[:0], x[:9]])):
            if rows.shape == x.shape or not is_known:
                assert_bits(concrete(rows, y), rows / y)
        near = np.random.default_rng(1).normal(size=x.shape).astype(dtype)
        assert_bits(concrete(near, np.abs(near[3]) + dtype(1)), near / (np.abs(near[3]) + dtype(1)))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("length", [2048, None])
def test_each_row_is_divided_by_its_own(dtype, length):
    x = hard(dtype, 16 * 2048).reshape(16, 2048)
    y = hard(dtype, 16).reshape(16, 1)
    concrete = compiled(divided, rt.TensorSpec((16, length), x.dtype), rt.TensorSpec((16, 1), y.dtype))
    assert says_quotient(concrete)
    with np.errstate(all="ignore"):
        for columns in (2048, *([] if length else [0, 1, 7, 100])):
            assert_bits(concrete(x[:, :columns], y), x[:, :columns] / y)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("known", [3.0, 0.1, -1e-30, 1e300, 0.0, 4.0, float("nan")])
def test_a_known_divisor_has_a_known_reciprocal(dtype, known):
    x = hard(dtype, 4096)

    def by_known(x):
        return (x + x) / known

    with np.errstate(all="ignore"):
        wanted = by_known(x)
        assert_bits(compiled(by_known, rt.TensorSpec(x.shape, x.dtype))(x), wanted)


@pytest.mark.parametrize("dtype", FLOATS)
def test_what_comes_of_quotients_is_what_comes_of_divisions(dtype):
    x = np.random.default_rng(0).normal(size=(40, 1024)).astype(dtype)

    def scaled(x):
        off = x - np.max(x, axis=1, keepdims=True)
        least = off / np.max(np.abs(off), axis=1, keepdims=True)
        return np.max(least / 7.0, axis=0), least[:, 0]

    concrete = compiled(scaled, rt.TensorSpec(x.shape, x.dtype))
    assert says_quotient(concrete)
    for found, wanted in zip(concrete(x), scaled(x), strict=True):
        assert_bits(found, wanted)


def test_a_divisor_that_a_turn_changes_is_divided_by_as_it_is_then():
    @ag.function(jit_compile=True)
    def shrinking(x, y, n):
        for i in range(n):
            x[i] = x[i] / y[0]
            y[0] = y[0] + x[i]
        return x

    def arrays():
        return np.linspace(1.0, 2.0, 300), np.array([3.0])

    wanted = shrinking.python_function(*arrays(), 300)
    assert_bits(shrinking(*arrays(), 300), wanted)


def test_an_array_that_is_divided_by_its_own_element_keeps_the_order_of_turns():
    @ag.function(jit_compile=True)
    def by_own(x, n):
        for i in range(n):
            x[i] = x[i] / x[40]
        return x

    wanted = by_own.python_function(np.linspace(1.0, 2.0, 300), 300)
    assert_bits(by_own(np.linspace(1.0, 2.0, 300), 300), wanted)


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_interpreter_of_loops_divides(dtype):
    x, y = hard(dtype, 16 * 256).reshape(16, 256), hard(dtype, 256)
    graph = ag.function(divided).get_concrete_function(
        rt.TensorSpec(x.shape, x.dtype), rt.TensorSpec(y.shape, y.dtype)
    )
    program = lowered(graph.module)
    assert "quotient(" in str(program)
    with np.errstate(all="ignore"):
        (found,) = Interpreted(program, graph.module.entry).run([x, y])
        assert_bits(found, x / y)
    assert Native().compile(graph.module).run([x, y])[0].shape == x.shape


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("divisor", [2.0, -0.5, 2.0**31, 2.0**-126, 2.0**126, 2.0**-127, 3.0])
def test_quotients_by_a_power_of_two_are_products_with_the_same_bits_and_warnings(dtype, divisor):
    divisor = dtype(divisor)

    def halved(x, n):
        for _ in range(n):
            x = x / divisor
        return x

    x = hard(dtype, 300)
    graph = ag.function(halved)
    with np.errstate(all="ignore"):
        assert_bits(graph(x, rt.asarray(1)), halved(x, 1))
    is_product = divisor != 3.0 and np.finfo(dtype).tiny <= abs(divisor)
    program = lowered(graph.concrete_functions[0].optimised_module)
    assert ("/" not in str(program)) == is_product
    for numbers in (x, dtype([1.0, 3.0]), dtype([np.finfo(dtype).tiny * 1.5]), dtype([np.finfo(dtype).max])):
        with np.errstate(all="raise"):
            try:
                wanted = halved(numbers, 1)
            except FloatingPointError as error:
                with pytest.raises(FloatingPointError, match=str(error)):
                    graph(numbers, rt.asarray(1))
            else:
                assert_bits(graph(numbers, rt.asarray(1)), wanted)
