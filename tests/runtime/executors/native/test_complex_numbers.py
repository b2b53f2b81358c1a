"""Complex numbers in machine code: pairs of floats, which give what NumPy gives."""

import itertools

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import as_dtype
from runtime.executors.native.intrinsics import COMPLEX
from runtime.ops.core.expression import Apply, Operand
from runtime.ops.scalars import SCALARS
from tests.runtime.executors.native.test_scalars import computed


def on_native(function, *arguments):
    """What a program gives as machine code, in which Python is not called."""
    graph = ag.function(function, jit_compile=True)
    result = graph(*map(rt.asarray, arguments))
    assert set(graph.concrete_functions[0].report().counts) == {"machine code"}
    return np.asarray(result)


def escape(c):
    z, turns = 0j, 0
    while turns < 50 and abs(z) <= 2.0:
        z = z**2 + c
        turns += 1
    return turns


@pytest.mark.parametrize("c", [0.3 + 0.5j, -1.5 + 0.3j, 2.0 + 0j])
def test_a_loop_over_a_complex_number(c):
    assert on_native(escape, c) == escape(c)


def transformed(x):
    if x.shape[0] == 1:
        return x
    even, odd = transformed(x[::2]), transformed(x[1::2])
    turned = np.exp(-2j * np.pi * np.arange(len(x) // 2) / len(x)) * odd
    return np.concatenate([even + turned, even - turned])


def test_a_fourier_transform_of_one_s_own():
    x = np.random.default_rng(0).normal(0, 1, 16) + 1j
    np.testing.assert_allclose(on_native(transformed, x), np.fft.fft(x), rtol=1e-13)


def sums(x):
    return np.sum(x * np.conj(x)), np.sum(x, axis=0), np.cumsum(x[0]), x @ x.T, np.prod(x, axis=1)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_sums_and_products(dtype):
    x = (np.random.default_rng(0).normal(0, 1, (3, 20)) * (1 + 2j)).astype(dtype)
    found = ag.function(sums, jit_compile=True)(rt.asarray(x))
    for one, wanted in zip(found, sums(x), strict=True):
        assert np.asarray(one).dtype == dtype
        np.testing.assert_allclose(one, wanted, rtol=1e-5 if dtype == np.complex64 else 1e-14)


PARTS = [0.0, -0.0, 1.0, -2.5, 0.75, 1e-160, -1e160, np.inf, -np.inf, np.nan]


def pairs(dtype):
    numbers = np.array([complex(*parts) for parts in itertools.product(PARTS, PARTS)])
    with np.errstate(all="ignore"):
        return np.array(np.meshgrid(numbers, numbers)).reshape(2, -1).astype(dtype)


@pytest.mark.parametrize("name", sorted(COMPLEX))
def test_a_function_is_numpy_s(name):
    function = SCALARS[name]
    for dtype in (np.complex64, np.complex128):
        one, other = pairs(dtype)
        operands = [one, other][: function.signature.index(">")]
        if name == "select":
            operands = [one == other, one, other]
        elif not function.takes([as_dtype(each.dtype) for each in operands]):
            continue
        expression = Apply(name, tuple([Operand(index) for index in range(len(operands))]))
        ((found, wanted),) = computed((expression, operands))
        assert found.dtype == wanted.dtype
        if function.is_exact(as_dtype(dtype)):
            np.testing.assert_array_equal(found, wanted)
        else:
            agree(found, wanted, np.finfo(dtype).eps)


def agree(found, wanted, eps):
    """Requires a few units in the last place of the magnitude, and the same infinities."""
    with np.errstate(all="ignore"):
        size = np.abs(wanted)
        is_finite = np.isfinite(size)
        assert np.all(np.abs(found - wanted)[is_finite] <= 8 * eps * size[is_finite])
        np.testing.assert_array_equal(np.isfinite(found), np.isfinite(wanted))


def rooted(z, n):
    for _ in range(n):
        z = np.sqrt(z) + 1j
    return z


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_numbers_go_to_python_and_come_back(dtype):
    graph = ag.function(rooted, jit_compile=True)
    for z in (dtype(3 + 4j), np.full(3, 3 + 4j, dtype)):
        np.testing.assert_allclose(graph(rt.asarray(z), rt.asarray(3)), rooted(z, 3), rtol=1e-6)
    assert "`sqrt` of complex numbers is computed by NumPy" in str(graph.concrete_functions[0].report())


def collected(z, n):
    found = []
    for _ in range(n):
        z = z * 1j
        found.append(z)
    return found


def test_a_list_of_complex_numbers():
    found = ag.function(collected, jit_compile=True)(rt.asarray(1 + 2j), rt.asarray(3))
    assert [complex(each) for each in found] == [-2 + 1j, -1 - 2j, 2 - 1j]


def test_without_being_asked_loops_over_complex_numbers_are_machine_code():
    graph = ag.function(escape)
    assert graph(rt.asarray(0.3 + 0.5j)) == escape(0.3 + 0.5j)
    assert graph.concrete_functions[0].report().executor == "native"


def turned(z, n):
    for _ in range(n):
        z = np.exp(z) / 2
    return z


def test_without_being_asked_exponentials_of_complex_numbers_are_numpys_own():
    graph = ag.function(turned)
    assert graph(rt.asarray(0.3 + 0.5j), rt.asarray(9)) == turned(np.complex128(0.3 + 0.5j), 9)
    assert graph.concrete_functions[0].report().executor == "native"


def raised(z, n):
    for _ in range(n):
        z = z**1.5 / 2
    return z


def test_without_being_asked_powers_of_complex_numbers_stay_on_numpy():
    graph = ag.function(raised)
    graph(rt.asarray(0.3 + 0.5j), rt.asarray(3))
    report = graph.concrete_functions[0].report()
    assert report.executor == "numpy"
    assert "`scalar_power` of complex numbers may have another last bit than NumPy's" in report.why


def running(x, n):
    total = np.zeros(3, x.dtype)
    for _ in range(n):
        total = total + np.cumprod(x)
    return total


def test_without_being_asked_products_in_turn_stay_on_numpy():
    x = np.array([1.1 + 2j, 0.3 - 1j, 2.2 + 0.7j])
    graph = ag.function(running)
    np.testing.assert_array_equal(graph(rt.asarray(x), rt.asarray(3)), running(x, 3))
    assert graph.concrete_functions[0].report().executor == "numpy"
