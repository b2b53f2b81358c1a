"""NumPy, `math` and the builtins of numbers, in programs that a tensor steers."""

import math

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tf
from runtime.errors import DTypeError
from tests.beyond.kit import Same, check

MATRIX = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]]


# ── NumPy ──


def test_newtons_method_stops_when_the_step_is_small():
    def root(x):
        step = np.ones_like(x)
        while np.linalg.norm(step) > 1e-10:
            value = np.array([x[0] ** 2 + x[1] ** 2 - 4.0, x[0] - x[1]])
            slope = np.stack([2 * x, np.array([1.0, -1.0])])
            step = np.linalg.solve(slope, value)
            x = x - step
        return x

    check(root, [1.0, 2.0])


def test_the_power_iteration_finds_the_greatest_eigenvalue():
    def greatest(matrix):
        vector = np.ones(3) / np.sqrt(3)
        old, new = 0.0, 1.0
        while not np.isclose(old, new, rtol=1e-13):
            product = matrix @ vector
            vector = product / np.linalg.norm(product)
            old, new = new, np.dot(vector, np.dot(matrix, vector))
        return new

    check(greatest, MATRIX)


def test_masks_choose_elements():
    def halved(x, limit):
        while np.any(np.abs(x) > limit):
            x = np.where(np.abs(x) > limit, x / 2, x)
        return x, np.sum(x, where=x > 0), np.count_nonzero(x > 0)

    check(halved, [3.0, -8.0, 0.5], 1.0)


def test_elements_are_kept_until_a_sum_is_reached():
    def kept(x, limit):
        totals = np.cumsum(np.sort(x)[::-1])
        count = np.searchsorted(totals, limit)
        if np.max(totals) < limit:
            count = np.size(x)
        return count, np.clip(totals, None, limit)

    check(kept, [1.0, 5.0, 2.0, 4.0], 9.5)
    check(kept, [1.0, 5.0, 2.0, 4.0], 99.0)


def test_functions_whose_results_have_unknown_lengths_go_on_in_a_graph():
    def groups(x):
        values, counts = np.unique(x, return_counts=True)
        biggest = values[np.argmax(counts)]
        while np.isin(biggest, x):
            biggest = biggest + 1
        return biggest, np.bincount(x), values[counts > 1]

    check(groups, [3, 1, 3, 4, 1, 3])


def test_lists_of_tensors_go_into_functions_that_ask_no_list():
    def spread(a, b):
        if np.max([a, b]) > 2:
            a = np.mean([a, b])
        return a, np.ptp(np.array([a, b, 1.0])), np.maximum([a, b], [b, a])

    check(spread, 3.0, 0.5)
    check(spread, 1.0, 0.5)


def test_dtypes_of_numpy_are_functions():
    def rounded(x):
        total = np.int64(0)
        while total < 5:
            total = total + np.int64(x)
        return total, np.float32(x), np.bool_(x)

    check(rounded, 2.75)


def test_the_shape_of_an_array_of_unknown_length_is_a_tuple_of_numbers():
    def mean_of_rows(x):
        rows, columns = np.shape(x)
        return np.sum(x, axis=0) / rows, columns, np.ndim(x)

    spec = rt.TensorSpec((None, 2), rt.float64)
    check(mean_of_rows, [[1.0, 2.0], [3.0, 5.0], [0.0, 1.0]], input_signature=(spec,))


def test_a_ufunc_and_its_methods_are_recorded():
    def running(x):
        best = np.maximum.accumulate(x)
        if np.add.reduce(best) > 10:
            best = np.subtract.outer(best, x)[0]
        return best, np.hypot(x, 1), np.float_power(np.abs(x), 2)

    check(running, [1.0, 4.0, 3.0])
    check(running, [1.0, 0.0, 3.0])


POWERS = np.array(
    [*np.random.default_rng(3).uniform(0.0, 5.0, 3000), -np.inf, -0.0, 0.0, np.inf, np.nan, -2.0]
)


def test_a_power_of_a_number_has_the_last_bit_that_python_gives_it():
    def powers(x):
        squares, others, of_floats = np.empty(len(x)), np.empty(len(x)), np.empty(len(x))
        for i in range(len(x)):
            squares[i] = x[i] ** 2
            others[i] = x[i] ** 0.5 + abs(x[i]) ** 1.5
            of_floats[i] = abs(float(x[i])) ** 0.5 + math.pow(x[i], 2)
        return squares, others, of_floats, x**2, x**0.5

    with np.errstate(all="ignore"):
        ag.check(powers, POWERS, ulps=0)


def test_numpys_power_of_a_number_is_a_square_or_a_root_as_of_an_array():
    def powers(x, exponent):
        squares, roots, others = np.empty(len(x)), np.empty(len(x)), np.empty(len(x))
        for i in range(len(x)):
            squares[i] = np.power(x[i], 2)
            roots[i] = np.power(x[i], 0.5) - np.power(x[i], -1.0)
            others[i] = np.power(x[i], exponent)
        return squares, roots, others

    with np.errstate(all="ignore"):
        ag.check(powers, POWERS, np.float64(2.0), then=[(POWERS, np.float64(0.5)), (POWERS, 3)], ulps=0)


@pytest.mark.parametrize("x", [[0.0, -0.0], [-0.0, 1.0, 0.0, 1.0], [0.0, 1.0, -0.0, np.nan] * 20])
def test_which_zero_is_distinct_depends_on_what_else_is_asked(x):
    def distinct(x):
        alone, (with_counts, counts) = np.unique(x), np.unique(x, return_counts=True)
        indexed, inverse = np.unique(x, return_index=True)[0], np.unique(x, return_inverse=True)
        zeros = [np.signbit(each[0]) for each in (alone, with_counts, indexed, np.union1d(x, x))]
        return zeros, counts, inverse, np.unique(x.reshape(2, -1), axis=1, return_counts=True)

    ag.check(distinct, np.array(x))


def test_a_function_of_numpy_that_no_graph_holds_says_what_to_write():
    def rows(x):
        return np.roots(x[0])

    with pytest.raises(TypeError, match=r"`np\.linalg\.eigvals` of the companion matrix"):
        ag.function(rows)(rt.asarray(MATRIX))
    np.testing.assert_array_equal(rows(rt.asarray(MATRIX)), rows(np.asarray(MATRIX)))


def test_what_would_change_a_tensor_is_refused_with_the_way_out():
    x = rt.asarray([1.0, 2.0])
    with pytest.raises(TypeError, match=r"Write `x = np.where\(mask, values, x\)`"):
        np.putmask(x, x > 1, 0)
    with pytest.raises(TypeError, match=r"(?s)takes no `out=` where a tensor is.*A tensor never changes"):
        np.cumsum(x, out=x)


# ── math ──


def test_functions_of_math_take_tensors():
    def area(radius, sides):
        inner = 0.0
        while math.fabs(math.pi * radius**2 - inner) > 1e-3:
            sides = sides * 2
            inner = sides * radius**2 * math.sin(2 * math.pi / sides) / 2
        return inner, math.log(sides, 2), math.sqrt(sides), math.hypot(radius, sides, 1.0)

    check(area, 1.5, 3)


def test_rounding_by_math_gives_whole_numbers():
    def steps(x):
        count = math.ceil(x)
        while count % 4 != 0:
            count = count + 1
        return count, math.floor(x), math.trunc(-x), math.isqrt(count)

    check(steps, 5.25)


def test_whole_numbers_have_divisors():
    def coprime(n):
        found = n - 1
        while math.gcd(found, n) != 1:
            found = found - 1
        return found, math.lcm(n, 4, 6), math.gcd(n, 12, 8)

    check(coprime, 30)


def test_every_function_of_floats_gives_what_it_gives_on_floats():
    for name in (
        "acos",
        "asin",
        "atan",
        "tanh",
        "erf",
        "erfc",
        "gamma",
        "lgamma",
        "exp",
        "expm1",
        "log1p",
        "cbrt",
    ):
        check(_calling(getattr(math, name)), 0.6)
    for name in ("degrees", "radians", "exp2", "ulp", "fabs", "frexp", "modf", "acosh", "log10"):
        check(_calling(getattr(math, name)), 1.75)
    for name in ("atan2", "copysign", "fmod", "remainder", "pow", "nextafter", "dist", "isclose"):
        pair = ([1.5, 2.0], [0.25, -3.0]) if name == "dist" else (7.75, -2.5)
        check(_calling(getattr(math, name)), *pair)
    for name in ("isnan", "isinf", "isfinite"):
        check(_calling(getattr(math, name)), float("nan"))


def _calling(function):
    def program(*arguments):
        return function(*arguments)

    return program


def test_sums_and_products_of_math_take_lists_and_tensors():
    def totals(x, a, b):
        return math.fsum(x), math.fsum([a, b, 1]), math.prod(x), math.prod([a, b]), math.ldexp(a, 3)

    check(totals, [0.5, 2.0, 4.0], 1.5, 2.5)


def test_sums_and_products_of_math_take_what_gives_items():
    def totals(xs):
        some = math.fsum(x for x in xs if x > 1)
        return some, math.fsum((x - 1) * x for x in xs), math.fsum(map(abs, xs)), math.prod(zip_of(xs))

    def zip_of(xs):
        return iter([x + 1 for x in xs])

    ag.check(totals, [np.float64(3), np.float64(0.1)], then=[([np.float64(0.1)] * 10,)])
    ag.check(totals, np.array([3.0, 0.1]))


def test_a_domain_error_of_math_says_which_line_it_is_of():
    @ag.function
    def root(x):
        return math.sqrt(x), math.gamma(x)

    with pytest.raises(ValueError, match="math domain error") as caught:
        root(rt.asarray(-1.0))
    assert "return math.sqrt(x), math.gamma(x)" in "".join(caught.value.__notes__)


def test_math_refuses_tensors_with_axes_as_it_refuses_arrays():
    def sine(x):
        return math.sin(x)

    with pytest.raises(TypeError):
        sine(np.array([1.0, 2.0]))
    with pytest.raises(TypeError, match=r"`math.sin` takes one number, not f64\[2\]"):
        ag.function(sine)(rt.asarray([1.0, 2.0]))


def test_math_on_tensors_that_have_their_values_gives_numbers_of_python():
    x = rt.asarray(2.5)
    assert type(math.sin(x)) is float
    assert type(math.floor(x)) is int
    assert (math.floor(x), math.ceil(x), math.trunc(x)) == (2, 3, 2)


# ── builtins ──


def test_divmod_takes_apart():
    def digits(n):
        total = 0
        while n > 0:
            n, digit = divmod(n, 10)
            total = total + digit
        return total, divmod(-total, 4), divmod(7, total), divmod(total, 2.5)

    check(digits, 9274)


def test_round_gives_the_even_neighbour():
    def rounded(x, n):
        return round(x), round(x + 1), round(x, 1), round(n), round(n, -1), round(-x)

    check(rounded, 2.5, 15)
    check(rounded, 0.25, 25)


def test_an_array_is_compared_with_what_is_no_number_element_by_element():
    def compared(x, v):
        return x == None, x != None, None == x, x == "a", x != {}, (x == None).any(), v == None, v != None

    ag.check(compared, np.array([1.5, 2.5]), np.float64(1), then=[(np.array([[2.5]]), np.array(2.0))])


def test_a_function_of_the_parts_of_an_array_gives_values_of_the_run():
    matrix = np.arange(6.0).reshape(2, 3)

    def along(x, v):
        return (
            np.apply_along_axis(lambda row: row.sum() * v, 1, matrix),
            np.apply_along_axis(lambda row: row.max() if v > 1 else row.min(), axis=1, arr=matrix),
            np.apply_along_axis(lambda row, least: row[row > least] + x[0], 0, matrix[1:], 2),
            np.apply_along_axis(lambda row: np.outer(row, x), 1, matrix),
            np.apply_along_axis(lambda row: row.sum(), 0, matrix) * v,
            np.apply_along_axis(lambda row: np.int64(v) if row[0] < 1 else row[0] * v, 1, matrix),
        )

    x = np.array([1.5, -2.0])
    ag.check(along, x, np.float64(2.5), then=[(x, np.float64(0.5))])


def test_edges_rise_or_fall_by_the_first_two_that_differ():
    def places(x, v):
        edges = [[0.0, v, np.nan], [np.nan, v], [v, v, 1.0, 0.0], [v, v], [v, 2.0, 2.5, np.nan]]
        return [np.digitize(x, np.array(each)) for each in edges]

    x = np.array([0.0, -2.0, 3.0, np.nan])
    ag.check(places, x, np.float64(2.5), then=[(x, np.float64(2.0))])


def test_zeros_of_complex_numbers_keep_their_signs_beside_nan():
    def replaced(x):
        return np.nan_to_num(x)

    ag.check(replaced, np.array([complex(-0.0, -0.0), complex(np.nan, -1.0), complex(-0.0, 2.0)]))


@pytest.mark.parametrize("kind", [np.timedelta64, np.datetime64])
def test_a_time_of_a_tensor_is_refused_by_its_class(kind):
    @ag.function
    def time(n):
        return kind(n, "D")

    with pytest.raises(DTypeError, match="64'> is no dtype of a tensor"):
        time(np.int64(3))


def test_round_takes_no_array():
    def rounded(x):
        return round(x)

    ag.check(rounded, np.array([1.5, 2.5]), then=[(np.array(2.5),), (np.float64(2.5),)])


def test_a_power_may_have_a_modulus():
    def witness(base, n):
        base, n = int(base), int(n)
        power = pow(base, n - 1, n)
        while power != 1:
            power = pow(power, 2, n)
            base = base + 1
        return base, pow(base, 3), pow(base, 0.5), abs(-power)

    check(witness, 2, 101)


def test_a_power_with_a_modulus_and_ldexp_take_integers_of_python_alone():
    def of_python(n):
        power = pow(int(n), 2, 5)
        return power, type(power) is int, pow(int(n), int(n), 5), math.ldexp(0.5, int(n)), math.ldexp(n, 2)

    check(of_python, 3)
    for power in (
        lambda n: pow(n, 2, 5),
        lambda n: pow(int(n), 2, n),
        lambda n: pow(int(n), n, 5),
        lambda n: math.ldexp(0.5, n),
    ):
        for call, n in ((power, np.int64(3)), (ag.function(power), rt.asarray(3))):
            with pytest.raises(TypeError, match=r"unsupported operand type.* 'numpy.int64'|Expected an int"):
                call(n)


def test_numbers_become_other_numbers():
    def kinds(x):
        if float(int(x)) == x:
            x = x + 0.5
        return int(x), float(x), bool(x), complex(x), complex(x, 2.0)

    check(kinds, 3.0)
    check(kinds, 2.25)


def test_an_array_of_a_graph_has_no_hash_to_ask_for():
    def key(x):
        return hash(x)

    with pytest.raises(TypeError, match=r"unhashable type: 'numpy\.ndarray'"):
        ag.function(key)(np.ones(2))
    with pytest.raises(TypeError, match="unhashable type: a tensor of a graph has no hash"):
        tf.function(key)(rt.asarray(1))


def test_python_values_keep_the_functions_of_python():
    def plain(x, n):
        return x + math.factorial(n), math.comb(n, 2), round(2.675, 2), divmod(n, 3), hash("") == hash("")

    check(plain, 1.0, Same(5))


def test_a_power_with_a_modulus_has_a_base_of_pythons_own():
    def is_probably_prime(n):
        if n < 2:
            return False
        for base in (2, 3, 5, 7):
            if n % base == 0:
                return n == base
        for base in (2, 3, 5, 7):
            if pow(base, int(n) - 1, int(n)) != 1:
                return False
        return True

    def powers(n):
        return pow(3, int(n), 7), pow(2, 5, int(n) + 1), pow(True, int(n), 3), pow(3, exp=int(n), mod=5)

    def of_no_modulus(n):
        return pow(3, int(n), 0)

    for n in (97, 561, 7, 1):
        for program in (is_probably_prime, powers, of_no_modulus):
            ag.check(program, np.int64(n))
