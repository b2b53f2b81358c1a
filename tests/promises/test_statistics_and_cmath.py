"""Python's `statistics` and `cmath` on values of a graph."""

import cmath
import itertools
import math
import statistics

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue
from tests.promises.kit import function_of

V = np.float64(2.0)
CALLS = [(np.int64(4), np.float64(1.5)), (np.int64(2), np.float64(-1.5))]
OF_FLOATS = [
    *(statistics.fmean, statistics.geometric_mean, statistics.harmonic_mean, statistics.mean),
    *(statistics.median, statistics.median_high, statistics.median_low, statistics.mode),
    *(statistics.pstdev, statistics.pvariance, statistics.stdev, statistics.variance),
]
OF_COMPLEX = [
    *(cmath.acos, cmath.acosh, cmath.asin, cmath.asinh, cmath.atan, cmath.atanh, cmath.cos, cmath.cosh),
    *(cmath.exp, cmath.isfinite, cmath.isinf, cmath.isnan, cmath.log, cmath.log10, cmath.phase, cmath.polar),
    *(cmath.sin, cmath.sinh, cmath.sqrt, cmath.tan, cmath.tanh),
]


@pytest.mark.parametrize("function", OF_FLOATS, ids=lambda function: function.__name__)
def test_a_function_of_statistics(function):
    def f(n, v):
        grown = []
        for i in range(n):
            grown.append(abs(v) + i)
        return function([1.0, 2.0, abs(v)]), function(grown), function(np.abs(np.array([1.0, 2.5]) * v))

    ag.check(f, np.int64(3), V, then=CALLS)


def test_they_take_generators_and_ints_where_their_class_is_known():
    def f(n, v):
        data = [n, 2, 5]
        return statistics.mean(i * v for i in range(n)), statistics.fmean(data), statistics.median_low(data)

    ag.check(f, np.int64(3), V, then=CALLS)


def test_what_is_made_of_two_columns_and_cuts_between_numbers():
    def f(n, v):
        x, y = [1.0, 2.5, abs(v), 4.0], [2.0, 1.0, 3.0, v + 0.5]
        cuts = statistics.quantiles(x), statistics.quantiles(np.array(x), n=3, method="inclusive")
        of_ints = statistics.quantiles([n, 2, 5], n=2), statistics.median_grouped([n, 2, 2, 5])
        return (
            cuts,
            of_ints,
            statistics.correlation(x, y),
            statistics.covariance(x, y),
            statistics.linear_regression(x, y),
        )

    ag.check(f, np.int64(3), V, then=CALLS)


def test_two_columns_may_grow_and_be_too_short_for_it():
    def f(n, v):
        x, y = [], []
        for i in range(n):
            x.append(v * i)
            y.append(v + i * i)
        try:
            return statistics.correlation(x, y), statistics.covariance(y, x)
        except statistics.StatisticsError as error:
            return str(error)

    ag.check(f, np.int64(3), V, then=[*CALLS, (np.int64(1), V), (np.int64(0), V)])


@pytest.mark.parametrize("use", [statistics.multimode, lambda data: statistics.NormalDist(*data).mean])
def test_what_has_no_form_that_a_graph_knows_is_refused_by_its_name(use):
    with pytest.raises(NoConcreteValue, match=r"statistics\.(multimode|NormalDist)\(\) is given a value"):
        ag.function(lambda v: use([v, 1.0]))(V)


@pytest.mark.parametrize("function", [statistics.mean, statistics.stdev])
def test_too_few_numbers_are_the_program_s_own_error(function):
    def f(n, v):
        grown = []
        for i in range(n):
            grown.append(v + i)
        try:
            return function(grown)
        except statistics.StatisticsError as error:
            return str(error)

    for n in range(3):
        ag.check(f, np.int64(n), V)


@pytest.mark.parametrize("function", OF_COMPLEX, ids=lambda function: function.__name__)
def test_a_function_of_cmath(function):
    ag.check(lambda n, v: (function(complex(v, n)), function(v)), np.int64(3), V, then=CALLS)


def test_those_of_two_numbers():
    ag.check(lambda n, v: (cmath.rect(v, n), cmath.log(complex(v, n), 2)), np.int64(3), V, then=CALLS)


def test_a_complex_number_has_the_two_parts_that_it_is_made_of():
    def made(x, y):
        z = complex(x, y)
        return z, complex(y, x), complex(0, x), complex(imag=y), complex(z, z), complex(z, 2), complex(1, z)

    zero, infinity = np.float64(-0.0), np.float64(np.inf)
    numbers = [(np.int64(2), zero), (infinity, np.float32(1.5)), (np.float64(np.nan), -infinity)]
    ag.check(made, zero, np.float64(0.0), then=numbers)


@pytest.mark.parametrize("name", ["mean", "median", "pvariance", "variance", "harmonic_mean"])
def test_what_is_an_int_or_a_float_as_the_ints_are_is_refused(name):
    function = getattr(statistics, name)

    def of_ints(x):
        return function([int(v) for v in x])

    def of_floats(x):
        numbers = [int(v) for v in x]
        return function([float(v) for v in numbers])

    x = np.array([3.0, 2.0, 1.0, 5.0])
    with pytest.raises(NoConcreteValue, match="of ints gives an int, or a float where that is none"):
        ag.function(of_ints)(x)
    with pytest.raises(NoConcreteValue, match="of ints gives an int, or a float where that is none"):
        ag.function(lambda n: function([1, n]))(np.int64(3))
    ag.check(of_floats, x)


def how_it_ends(function, *numbers):
    """A word for what a function does; a handler knows what it raises."""
    try:
        function(*numbers)
    except ValueError:
        return "not defined"
    except OverflowError:
        return "too large"
    return "defined"


ENDS = (0.0, -2.0, 1000.0, np.inf, -np.inf, np.nan)


@pytest.mark.parametrize("executor", ["numpy", "native"])
@pytest.mark.parametrize("function", OF_COMPLEX, ids=lambda function: function.__name__)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_where_a_function_of_cmath_is_not_defined(function, executor):
    graph = ag.function(lambda z: how_it_ends(function, z), executor=executor)
    for real, imag in itertools.product(ENDS, ENDS):
        assert graph(np.complex128(complex(real, imag))) == how_it_ends(function, complex(real, imag))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_polar_coordinates_that_are_not_finite_become_what_python_says():
    def number(r, phi):
        try:
            return cmath.rect(r, phi)
        except ValueError:
            return 2j

    graph, ends = ag.function(number), (0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan)
    for r, phi in itertools.product(ends, ends):
        assert repr(complex(graph(np.float64(r), np.float64(phi)))) == repr(number(r, phi))


ROUNDED_ONCE = """
math.fma(k, k, -k * k), math.fma(n, 0.1, 3), math.fma(k, k, 1)
---
[math.fma(each, each, -each * each) for each in own]
---
math.fma(np.inf, k - 1.0, 1.0)
---
math.fma(1e308, k * 3, 1.0)
---
math.sumprod([k, 0.1, 1e16, 3.0, -1e16], [0.1, k, 1.0, 2, 1.0])
---
math.sumprod(own, own), math.sumprod(own, [k, n, 3, 4.5])
---
math.sumprod([n, 3], [4, 5]), math.sumprod([np.float64(k), 0.1], [0.1, k])
---
math.sumprod(own, [k])
""".strip().split("\n---\n")


def is_there(expression):
    """Versions of Python before 3.12 have no `math.sumprod`, and those before 3.13 no `math.fma`."""
    return hasattr(math, expression.partition("math.")[2].partition("(")[0])


@pytest.mark.parametrize("expression", [*filter(is_there, ["math.fsum([k, *own])", *ROUNDED_ONCE])])
def test_what_math_computes_as_if_exactly_is_rounded_once(expression):
    f = function_of(f"def f(n, own):\n    k = float(n) / 3\n    return {expression}\n")
    own = [0.1, 1e16, 0.3, -1e16]
    ag.check(f, np.int64(4), own, then=[(np.int64(3), own)], ulps=0)
