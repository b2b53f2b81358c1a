"""What `math`, `cmath` and ``**`` of floats raise of their arguments in plain Python, a graph raises."""

import cmath
import itertools
import math
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.errors import InvalidValue
from runtime.ops.domains import CheckDomain
from tests.promises.kit import function_of

NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.5, 709.7, 710.0, 711.0, 1024.0, -1e9, 172.0, 1e-309, 1e308]
NUMBERS += [math.inf, -math.inf, math.nan]
OF_ONE = [
    *(
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atanh",
        "cbrt",
        "cos",
        "cosh",
        "degrees",
        "erf",
        "erfc",
        "exp",
    ),
    *("exp2", "expm1", "fabs", "gamma", "lgamma", "log", "log10", "log1p", "log2", "radians", "sin", "sinh"),
    *("sqrt", "tan", "tanh", "ulp"),
]
PAIRS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 3.0, 1e200, math.inf, math.nan]
OF_TWO = ["math.atan2", "math.copysign", "math.fmod", "math.hypot", "math.log", "math.pow", "math.remainder"]
EXECUTORS = {"numpy": {"executor": "numpy"}, "machine code": {"jit_compile": True}}


def outcome(function, *arguments):
    """The number that a function gives, or what it raises, in words."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return complex(function(*arguments))
        except (ArithmeticError, ValueError) as error:
            return f"{type(error).__name__}: {error}".splitlines()[0]


def is_same(one, other):
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    pairs = (one.real, other.real), (one.imag, other.imag)
    return all(np.isclose(*pair, rtol=1e-13, atol=1e-300, equal_nan=True) for pair in pairs)


@pytest.mark.parametrize("options", EXECUTORS.values(), ids=EXECUTORS)
@pytest.mark.parametrize("name", OF_ONE)
def test_a_function_of_math_raises_what_it_raises_in_python(name, options):
    plain = function_of(f"math.{name}(x)", "x")
    graph = ag.function(plain, **options)
    differ = [
        (number, wanted, found)
        for number in map(np.float64, NUMBERS)
        if not is_same(wanted := outcome(plain, number), found := outcome(graph, number))
    ]
    assert not differ


@pytest.mark.parametrize("options", EXECUTORS.values(), ids=EXECUTORS)
@pytest.mark.parametrize("name", OF_TWO)
def test_a_function_of_two_numbers_raises_what_it_raises_in_python(name, options):
    plain = function_of(f"{name}(x, y)", "x, y")
    graph = ag.function(plain, **options)
    differ = [
        (pair, wanted, found)
        for pair in itertools.product(map(np.float64, PAIRS), repeat=2)
        if not is_same(wanted := outcome(plain, *pair), found := outcome(graph, *pair))
    ]
    assert not differ


@pytest.mark.parametrize("options", EXECUTORS.values(), ids=EXECUTORS)
@pytest.mark.parametrize("power", ["float(x) ** float(y)", "pow(float(x), float(y))"])
def test_a_power_of_floats_raises_what_it_raises_in_python(power, options):
    plain = function_of(power, "x, y")
    graph = ag.function(plain, **options)
    for pair in itertools.product(map(np.float64, PAIRS), repeat=2):
        wanted, found = outcome(plain, *pair), outcome(graph, *pair)
        if isinstance(wanted, complex) and wanted.imag:
            assert "which is complex in Python" in found
        else:
            assert is_same(wanted, found), pair


@pytest.mark.parametrize("exponent", ["2", "3", "0.5", "-1", "-2.0", "400"])
def test_a_power_with_a_known_exponent_raises_what_it_raises_in_python(exponent):
    plain = function_of(f"float(x) ** {exponent}", "x")
    for options in EXECUTORS.values():
        graph = ag.function(plain, **options)
        for number in map(np.float64, [0.0, 1.5, 4.0, 1e200, math.inf, math.nan]):
            assert is_same(outcome(plain, number), outcome(graph, number)), number


@pytest.mark.parametrize(
    "name", ["atan", "atanh", "cos", "cosh", "exp", "log", "log10", "sin", "sinh", "sqrt"]
)
def test_a_function_of_cmath_raises_what_it_raises_in_python(name):
    plain = function_of(f"cmath.{name}(x)", "x", cmath=cmath)
    for options in EXECUTORS.values():
        graph = ag.function(plain, **options)
        for number in map(np.complex128, [0, 1, -1, 1j, 0.5 + 2j, 1000, 1000j]):
            assert is_same(outcome(plain, number), outcome(graph, number)), number


@pytest.mark.parametrize(
    "program",
    [
        "math.log(x, 2.0)",
        "math.log(8.0, x)",
        "math.ldexp(x, 5000)",
        "math.isqrt(int(x))",
        "divmod(1.0, float(x))[0]",
    ],
)
def test_other_functions_raise_what_they_raise_in_python(program):
    plain = function_of(program, "x")
    graph = ag.function(plain)
    for number in map(np.float64, [0.0, 1.0, 2.0, -3.0, 16.0]):
        assert is_same(outcome(plain, number), outcome(graph, number)), number


@pytest.mark.parametrize(
    "numbers", [[0.1] * 10, [1e100, 1.0, -1e100], [1e308, 1e308], [], [math.inf, -math.inf]]
)
def test_fsum_rounds_once(numbers):
    plain = function_of("math.fsum(x)", "x")
    assert is_same(outcome(plain, np.array(numbers)), outcome(ag.function(plain), np.array(numbers)))


def test_a_handler_catches_what_a_function_raises():
    def roots(values):
        found = []
        for value in values:
            try:
                found.append(math.sqrt(value))
            except ValueError as error:
                print(error)
                found.append(-1.0)
        return found

    ag.check(roots, np.array([4.0, -1.0, 9.0]))


def test_a_loop_ends_where_a_number_overflows():
    def turns(x):
        n = 0
        try:
            while True:
                x = float(x) ** 2 + 1.0
                n += 1
        except OverflowError as error:
            return n, str(error)

    ag.check(turns, np.float64(2.0))


def test_what_a_path_does_not_compute_raises_nothing():
    def safe(x):
        return math.log(x) if x > 0 else -math.inf

    ag.check(safe, np.float64(-1.0))


def test_numpys_own_numbers_keep_numpys_rule():
    def powers(x):
        return x**0.5, np.sqrt(x), x**400.0

    with np.errstate(all="ignore"):
        ag.check(powers, np.float64(-10.0))


def test_a_fractional_power_of_a_negative_float_says_the_line_and_a_way_out():
    @ag.function
    def root(x):
        return float(x) ** 0.5

    with pytest.raises(InvalidValue, match=r"return float\(x\) \*\* 0.5[\s\S]*complex\(x\) \*\* y"):
        root(np.float64(-8.0))


def test_a_root_of_what_is_surely_not_negative_is_not_checked():
    @ag.function
    def length(x, y):
        return math.sqrt(x * x + y * y) + math.exp(-abs(x))

    concrete = length.get_concrete_function(np.float64(1.0), np.float64(2.0))
    assert not any(isinstance(node.op, CheckDomain) for node in concrete.optimised_graph.nodes)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("options", [{}, {"jit_compile": True}], ids=["chosen", "compiled"])
def test_a_power_of_half_is_a_root_of_arrays_alone(kind, options):
    def f(x, y, row):
        return x**0.5, x**y, row**0.5, row**1.5

    numbers = [-math.inf, math.inf, -0.0, 0.0, 4.0, math.nan]
    calls = [(kind(x), kind(y), np.array([abs(x), -0.0], kind)) for x in numbers for y in (0.5, -1.0, 1 / 3)]
    with np.errstate(all="ignore"):
        ag.check(f, *calls[0], then=calls[1:], options=options)


def test_a_float_of_pythons_to_the_power_of_half_is_what_it_is_in_python():
    def f(x, y):
        return float(x) ** 0.5, float(x) ** float(y)

    numbers = [-math.inf, math.inf, -0.0, 0.0, 4.0, math.nan]
    calls = [(np.float64(x), np.float64(y)) for x in numbers for y in (0.5, 2.0)]
    ag.check(f, *calls[0], then=calls[1:])
