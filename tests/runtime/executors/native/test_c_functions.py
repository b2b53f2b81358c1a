"""Functions of the C library take the place of NumPy's loops where these call them for each number."""

import ctypes
import math
import warnings
from unittest import mock

import numpy as np
import pytest

import autograph as ag
from runtime.core.dtypes import float32, float64
from runtime.executors.native import c_functions
from runtime.executors.native.c_functions import (
    APART,
    LIBRARY,
    POWER,
    CFunction,
    c_function_of,
    own_of_python,
)
from runtime.executors.native.numpys_own import in_table, is_numpys, way_of_power

FOUND = [
    (name, dtype)
    for name in LIBRARY
    for dtype in (float64, float32)
    if hasattr(np, name) and is_numpys(name, dtype) and c_function_of(name, dtype, in_table(name, dtype))
]


@pytest.mark.parametrize(("name", "dtype"), FOUND)
def test_what_is_found_has_numpys_bits_of_other_numbers_too(name, dtype):
    own, function, rng = (
        c_function_of(name, dtype, in_table(name, dtype)),
        getattr(np, name),
        np.random.default_rng(7),
    )
    kind = ctypes.c_double if dtype is float64 else ctypes.c_float
    call = ctypes.CFUNCTYPE(kind, *[kind] * function.nin)(own.address)
    rng = np.random.default_rng(7)
    numbers = [rng.normal(size=2000) * 10.0 ** rng.integers(-4, 4, 2000) for _ in range(function.nin)]
    numbers = [each.astype(dtype.numpy) for each in numbers]
    with np.errstate(all="ignore"):
        wanted = function(*numbers)
        found = np.array(
            [call(*each) for each in zip(*map(np.ndarray.tolist, numbers), strict=True)], dtype.numpy
        )
    assert found.tobytes() == wanted.tobytes()


def loop_of_c(name):
    """NumPy's loop for C functions, and one of these."""
    return c_functions._interface()[5], ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p).value


def test_a_loop_that_calls_the_c_librarys_function_is_recognised():
    loop = loop_of_c("exp")
    assert c_function_of("exp", float64, loop) == CFunction(loop[1], is_apart=False)


def test_a_loop_that_computes_otherwise_is_not():
    assert c_function_of("exp", float64, loop_of_c("expm1")) is None
    assert c_function_of("sin", float64, loop_of_c("cos")) is None


def test_one_number_of_another_sign_is_enough():
    asked = []

    @ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
    def nearly(x):
        asked.append(x)
        return -0.0 if x == 0 else sine(x)

    sine = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(loop_of_c("sin")[1])
    loop = c_functions._interface()[5], ctypes.cast(nearly, ctypes.c_void_p).value
    assert c_function_of("sin", float64, loop) is None
    assert len(asked) > 5000


def raised(x, exponents):
    total = np.zeros(len(exponents))
    for i in range(len(exponents)):
        for j in range(len(x)):
            total[i] = total[i] * 0.5 + x[j] ** exponents[i]
    return total


def test_powers_that_numpy_computes_in_ways_of_its_own_have_its_bits():
    rng = np.random.default_rng(2)
    x, exponents = rng.uniform(0.1, 3.0, 300), np.array([*APART, 0.0, 1.5, 2.5, 3.0, 1 / 3, -0.5, -2.0])
    assert ag.function(raised)(x, exponents).numpy().tobytes() == raised(x, exponents).tobytes()
    odd = np.array([0.0, -0.0, np.inf, -np.inf, 1e-310, -3.0, 1e300])
    with np.errstate(all="ignore"):
        assert ag.function(raised)(odd, exponents).numpy().tobytes() == raised(odd, exponents).tobytes()


def squares(x):
    out = np.empty_like(x)
    for i in range(len(x)):
        out[i] = x[i] ** 2
    return out


def roots(x):
    out = np.empty_like(x)
    for i in range(len(x)):
        out[i] = x[i] ** 0.5
    return out


def reciprocals(x):
    out = np.empty_like(x)
    for i in range(len(x)):
        out[i] = x[i] ** -1.0
    return out


SHORT = {squares: np.square, roots: np.sqrt, reciprocals: np.reciprocal}
UNUSUAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-310, 1e-200, -3.0, 1e200, 1.5e-162, 2.0**-537, 1.0, 4.0]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("program", [squares, roots, reciprocals])
def test_powers_of_numbers_have_the_last_bit_of_the_c_librarys(program, dtype):
    with np.errstate(all="ignore"):
        numbers = np.random.default_rng(4).uniform(-1.0, 9.0, 8000).astype(dtype)
        numbers = np.append(numbers, np.array(UNUSUAL).astype(dtype))
        wanted = program(numbers)
        assert np.any(wanted != SHORT[program](numbers))
        graph = ag.function(program)
        assert graph(numbers).numpy().tobytes() == wanted.tobytes()
    assert graph.concrete_functions[0].report().executor == "native"


def test_powers_of_numbers_warn_as_in_python():
    def warned(program, numbers):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            program(numbers)
        return {str(each.message) for each in told}

    for number in UNUSUAL:
        for program in (squares, roots, reciprocals):
            numbers = np.full(3, number)
            assert warned(ag.function(program), numbers) == warned(program, numbers), (program, number)


def test_a_function_of_powers_that_rounds_less_well_is_asked_for_each_of_them():
    @ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)
    def nearly(x, y):
        return math.nextafter(math.pow(x, y), 0.0) if 2.0 < x < 2.1 else math.pow(x, y)

    own = own_of_python(POWER, float64)
    assert own is None or own.has_short_ways == c_functions._rounds_well(own.address, float64)
    assert not c_functions._rounds_well(ctypes.cast(nearly, ctypes.c_void_p).value, float64)


@pytest.mark.parametrize("dtype", [float64, float32])
def test_a_power_that_numpy_computes_as_a_root_of_arrays_is_that(dtype):
    numbers = np.random.default_rng(4).uniform(0.1, 9.0, 500).astype(dtype.numpy)
    for exponent in (0.5, -1.0, 2.0):
        way = way_of_power(exponent, dtype)
        assert way is None or getattr(np, way)(numbers).tobytes() == (numbers**exponent).tobytes()


@pytest.mark.parametrize("name", ["sqrt", "square", "reciprocal"])
def test_a_loop_of_powers_that_computes_otherwise_is_no_root(name):
    loop = loop_of_c("exp")
    c = c_functions._interface()[15], ctypes.cast(ctypes.CDLL(None).pow, ctypes.c_void_p).value
    assert c_functions.is_way_of(0.5, float64, in_table("power", float64), loop) is False
    assert c_functions.is_way_of(3.0, float64, c, in_table(name, float64)) is False


def normal(x):
    total = 0.0
    for i in range(len(x)):
        total += 0.5 * (1.0 + math.erf(x[i] / math.sqrt(2.0))) + math.erfc(x[i])
    return total


def test_error_functions_of_pythons_are_machine_code_where_it_calls_the_c_librarys():
    numbers = np.array([0.0, -0.0, 1.5, -3.0, 1e-310, 30.0, np.inf, -np.inf, np.nan, *np.linspace(-6, 6, 99)])
    for x in (numbers[9:], numbers):
        graph = ag.function(normal)
        np.testing.assert_array_equal(graph(x), normal(x))
        if own_of_python("erf", float64) and own_of_python("erfc", float64):
            assert graph.concrete_functions[0].report().executor == "native"


def test_a_function_that_python_computes_itself_is_not_taken_for_the_c_librarys():
    assert own_of_python("erf", float32) is None
    assert own_of_python("exp", float64) is None
    found = mock.Mock(side_effect=lambda name: iter([loop_of_c("erfc")[1]]))
    with mock.patch.object(c_functions, "_candidates", found):
        assert own_of_python.__wrapped__("erf", float64) is None
        assert own_of_python.__wrapped__("erfc", float64) is not None
