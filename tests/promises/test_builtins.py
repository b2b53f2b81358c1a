"""Python's builtins mean for values of a graph what they mean for the values that these stand for."""

import functools
import math
import sys

import numpy as np
import pytest

import autograph as ag
from runtime.errors import IntTooLarge, KindsMeetWarning, ResultDisagrees
from tests.promises.kit import function_of

NAN = np.float64("nan")
X, S, K = np.array([3.0, 1.0, 2.0]), np.float64(2.5), np.int64(3)


CLASSES = [
    *("isinstance(s, (int, float))", "isinstance(k, int)", "isinstance(k, numbers.Integral)"),
    *("isinstance(s, numbers.Real)", "isinstance(x, np.ndarray)", "isinstance(k, np.integer)"),
    *("isinstance(s, np.floating)", "isinstance(s > 1, np.bool_)", "isinstance(s > 1, bool)"),
    *("isinstance(s, np.generic)", "isinstance(x, np.generic)", "isinstance(int(s), int)"),
    *("isinstance(float(k), float)", "isinstance(len(x), int)", "isinstance(x, list | tuple)"),
    *("type(x) is np.ndarray", "type(s) is np.float64", "type(k) == np.int64", "type(s).__name__"),
    *("issubclass(type(s), float)", "isinstance(round(s), int)", "isinstance(math.floor(s), int)"),
    *("isinstance(math.sin(s), float)", "isinstance(bool(k), bool)", "isinstance(abs(s), complex)"),
    *("[isinstance(i, int) for i in range(k)]", "isinstance(str(s), str)", "isinstance(range(k), range)"),
]
NUMBERS = [
    *("float(s) * x.astype(np.float32)", "int(s) * x.astype(np.int8)", "bool(k) * x.astype(np.int8)"),
    *(
        "round(s) * x.astype(np.int8)",
        "math.floor(s) * x.astype(np.int8)",
        "np.float64(s) * x.astype(np.float32)",
    ),
    *("math.sqrt(abs(s)) * x.astype(np.float32)", "complex(s, k) * x.astype(np.complex64)", "divmod(s, 2)"),
    *(
        "round(s, 1)",
        "abs(s)",
        "divmod(k, 2)",
        "pow(k, 2)",
        "format(s, '.2f')",
        "math.prod([s, k])",
        "int(k)",
    ),
]
CONTAINERS = [
    *("2.0 in x", "k in np.arange(4)", "any(x > s)", "any(v > s for v in x)", "sum(x)", "sum([s, k])"),
    *(
        "(s, k) < (1.0, 2)",
        "[s] < [k]",
        "(s, k) == (s, k + 0)",
        "(s, k) != (s, k + 1)",
        "(s, (k, 1)) <= (s, (1, k))",
    ),
    *(
        "(s, k) in [(1.0, 2.0), (2.5, k)]",
        "[s, k] == [s]",
        "max((s, 1.0), (s, 2.0))[1]",
        "sorted([(s, k), (1.0, 7)])",
    ),
]


@pytest.mark.parametrize("expression", CLASSES + NUMBERS + CONTAINERS)
def test_an_expression_gives_what_it_gives_in_python(expression):
    ag.check(function_of(expression), X, S, K, then=[(X, np.float64(-1.5), np.int64(0))])


EXTREMES = [
    *("max(s, k)", "min(s, k)", "max(s, k, 2.0)", "max(1.0, s)", "max(s, math.nan)", "max(math.nan, s, k)"),
    *("max([s, k, 1.0])", "min((s, k))", "max(s, k, key=abs)", "max([s], default=3)", "min([s, k], [k, s])"),
    *(
        "min(s, k, key=lambda v: -v)",
        "max([x[0], s, k] * 9)",
        "min([x[0], s, k] * 9)",
        "max(x * s)",
        "min(x * s)",
    ),
]


@pytest.mark.parametrize("expression", EXTREMES)
def test_the_order_of_the_items_decides_what_a_nan_does(expression):
    pairs = [(2.5, 3.0), (math.nan, 3.0), (3.0, math.nan), (-2.0, -2.0), (-0.0, 0.0)]
    calls = [(X, np.float64(s), np.float64(k)) for s, k in pairs]
    ag.check(function_of(expression), *calls[0], then=calls[1:])


def test_a_vector_has_a_greatest_number_beside_a_nan():
    vectors = [
        [math.nan, 1, 2],
        [1, math.nan, 2],
        [1, 3, math.nan],
        [-math.inf, math.nan],
        [math.nan, math.nan],
    ]
    calls = [(np.array(vector, float),) for vector in vectors]
    ag.check(function_of("max(x), min(x)", parameters="x"), *calls[0], then=calls[1:])


def test_the_least_of_two_costs_a_conditional_expression():
    def least(a, b):
        return min(a, b)

    program = ag.function(least).get_concrete_function(S, S).to_python()
    assert " if " in program
    assert "argmin" not in program


@pytest.mark.parametrize(
    "expression", ["int(x)", "round(x)", "math.floor(x)", "math.ceil(x)", "math.trunc(x)"]
)
@pytest.mark.parametrize("value", [2.5, -2.5, math.nan, math.inf, -math.inf])
def test_a_number_without_end_is_no_integer(expression, value):
    ag.check(function_of(expression, parameters="x"), np.float64(value))


@pytest.mark.parametrize("expression", ["math.trunc(x)", "round(x)", "math.floor(x)", "math.ceil(x)"])
@pytest.mark.parametrize(
    "value",
    [np.float32(2.5), np.int64(3), np.bool_(True), np.array(2.5), np.float64(-2.5), 2.5, 3],
    ids=lambda value: f"{type(value).__name__}",
)
def test_who_has_no_method_to_round_it_is_told_what_python_says(expression, value):
    ag.check(function_of(expression, parameters="x"), value)


def test_an_integer_that_a_graph_cannot_hold_is_refused():
    with pytest.raises(OverflowError, match="too large"):
        ag.function(function_of("int(x)", parameters="x"))(np.float64(1e30))


def test_an_array_is_no_python_number():
    for expression in ("int(x)", "float(x)", "complex(x)"):
        ag.check(function_of(expression, parameters="x"), X)


def test_numbers_of_a_loop_stand_for_pythons():
    def f(n):
        total = 0.0
        for _ in range(n):
            total += 1.0
        return isinstance(total, float), total * np.ones(2, np.float32)

    ag.check(f, np.int64(3))


def test_a_list_that_grew_has_a_truth():
    def f(n):
        items = []
        for i in range(n):
            items.append(i)
        return bool(items), not items, isinstance(items, list), type(items) is list

    ag.check(f, np.int64(3), then=[(np.int64(0),)])


def test_a_class_is_made_in_a_graph():
    def f(x):
        return type("Made", (), {"scale": 2.0}).scale * x

    ag.check(f, S)


def test_rows_are_compared_one_by_one():
    def f(rows, x):
        return any(row.sum() > x for row in rows), [row.max() for row in rows]

    ag.check(f, np.arange(6.0).reshape(3, 2), np.float64(4.0))


def test_a_function_is_chosen_by_the_class_that_a_value_stands_for():
    def f(n):
        @functools.singledispatch
        def g(x):
            return 0

        @g.register(int)
        def _(x):
            return 1

        @g.register(float)
        def _(x):
            return 2

        return g(n), g(n * 1.0), g(float(n)), g(int(n)), g(np.ones(2) * n)

    ag.check(f, K)


LARGEST = 2**63 - 1


@pytest.mark.parametrize("digits", [-1, -3, -18, -19])
@pytest.mark.parametrize("value", [0, 15, -25, 12500, -13500, LARGEST // 3 * 2, -LARGEST, LARGEST - 10**18])
def test_an_int_is_rounded_to_tens_as_python_does(value, digits):
    def program(x):
        return round(int(x), digits)

    if abs(round(value, digits)) <= LARGEST:
        ag.check(program, np.int64(value))
    else:
        with pytest.raises((IntTooLarge, ResultDisagrees)):
            ag.check(program, np.int64(value))


def test_a_number_is_looked_for_among_many_that_are_known():
    primes, halves = [2, 3, 5, 7, 11, 13], (0.5, 1.5, 2.0, -0.0, 1e30)
    table = {i * 3: i for i in range(40)}

    def found(n, v):
        among = n in primes, v in primes, n in halves, v in halves, n not in table, (n > 4) in primes
        return among, table.get(n, -1), n in {1, 4, 9, 16, 25}, v in [2**60, 2**61, 1, 2, 3]

    others = (np.int64(60), np.float64(np.nan)), (np.int64(1), np.float64(2.0)), (np.int64(3), np.float64(0))
    ag.check(found, np.int64(5), np.float64(0.5), then=list(others))
    ag.check(found, np.int32(2**31 - 1), np.float32(1.5))
    ag.check(lambda n: [each for each in range(40) if each * n in table], np.int64(1), then=[(np.int64(2),)])


TABLE = np.array([1.0, 0.0, 2.0])


def test_what_numpy_compares_while_a_function_is_traced_is_true_or_false():
    def program(x):
        first = TABLE[0]
        return (
            (first in [1.0, 3.0], first not in (3.0, 1.0), first in {1.0, 3.0}, x[0] in [first, 3.0]),
            (np.int64(2) in [2, 3], [1.0, 2.0].index(first), [1.0, 2.0].count(first)),
            (any(each > 1.5 for each in TABLE[::-1]), all(each > 0.5 for each in TABLE[1:])),
            (any(each == first for each in [first, TABLE[1]]), next(each for each in TABLE if each > 1)),
        )

    ag.check(program, np.ones(2), then=[(np.zeros(2),)])


def test_a_known_number_of_numpys_in_a_list_decides_a_branch():
    def program(x):
        items = other = [1.0, 3.0]
        if np.ones(4).max() in items:
            other = list(items)
        return items, other, x

    ag.check(program, np.ones(2))


def test_the_least_of_what_may_be_none_is_asked_of_what_it_is():
    def program(n, v):
        least, turns = None, n
        while turns > 0:
            turns -= 1
            least = v
        return min(1.0 if least is None else least, v + 1), max(v if least is None else least, 0.5)

    ag.check(program, np.int64(3), np.float64(2.0), then=[(np.int64(0), np.float64(0.25))])


TO_ADD = [
    np.linspace(0.1, 0.9, 40),
    np.linspace(0.1, 0.9, 3000),
    np.linspace(0.1, 0.9, 400).astype(np.float32),
    np.linspace(0.1, 0.9, 90).astype(np.float16),
    np.linspace(0.1, 0.9, 300).reshape(100, 3),
    np.linspace(0.1, 0.9, 300).reshape(10, 30).T,
    np.linspace(0.1, 0.9, 40) * 1j,
    np.full(2, -0.0),
    np.arange(3, dtype=np.int8),
    np.full((2, 2), 200, np.uint8),
    np.array([True, False, True]),
]
STARTS = [0, 1.5, -0.0, True, np.float32(0.1), np.float64(0.1), np.linspace(0.1, 0.3, 3)]


def same_bits(one, other):
    one, other = np.asarray(one), np.asarray(other)
    return (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())


@pytest.mark.parametrize("executor", ["numpy", "native"])
@pytest.mark.parametrize("x", TO_ADD, ids=lambda x: f"{x.dtype}{x.shape}")
def test_a_sum_is_added_up_in_turn_as_python_does(executor, x):
    def from_nothing(x):
        return sum(x)

    def from_a_start(x, start):
        return sum(x, start)

    def of_a_list(x):
        return sum([each / 3 for each in x], 0.0)

    def of_pythons(x):
        return sum([float(each) / 3 for each in x], 0.0)

    programs = [from_nothing, of_a_list]
    if x.ndim == 1 and x.dtype.kind != "c":
        programs.append(of_pythons)
    for program in programs:
        assert same_bits(ag.function(program, executor=executor)(x), program(x))
    for start in STARTS if x.ndim == 1 or x.shape[1] == 3 else STARTS[:-1]:
        assert same_bits(ag.function(from_a_start, executor=executor)(x, start), from_a_start(x, start))


FEW = """
sum([k, 0.1, k, 1e16, -1e16])
---
sum([0.1, 0.2, 1e16, k, -1e16], 0.3)
---
sum([1, n, k, 3, True, 1e16, n, k, -1e16])
---
sum([k, np.float64(0.1), k, 0.1, 1e16, -1e16])
---
sum([k, 0.1, k, 1e16, -1e16], True)
---
sum([np.inf, k, -1.0]), sum([k, 0.1, k, 0.7], 10**15 + 1)
---
sum((k * 0.1, k * 0.7, k * 1e15, 0.1)), sum({k: 0.1, k / 3: 0.2, k / 7: 1.0})
---
sum(k * each for each in (0.1, 0.2, 0.3, 1e16, -1e16))
---
sum([float(each) for each in x[:n]]) / n
---
sum(each * k if each > k else 0.1 for each in own)
---
sum(own), sum(own[1:]), sum(sorted(own)), sum(map(float, x)), sum(own, start=n)
""".strip().split("\n---\n")


@pytest.mark.parametrize("executor", ["numpy", "native"])
@pytest.mark.parametrize("expression", FEW)
def test_floats_of_pythons_are_added_as_its_version_adds_them(executor, expression):
    lines = ["def f(x, n, own):", "k = float(n) / 3", f"return {expression}"]
    f = function_of("\n    ".join(lines) + "\n")
    x = np.array([0.1, 1e16, 0.7, -1e16])
    own = [0.1, 1e17, 0.3, -1e17, 0.7]
    ag.check(f, x, np.int64(4), own, then=[(x, np.int64(3), own)], executors=[executor], ulps=0)


def test_a_sum_of_floats_that_starts_from_an_int_is_rounded_first():
    def f(x):
        return sum([float(each) / 3 for each in x], 10**15 + 1)

    x = np.random.default_rng(0).random(300)
    with pytest.warns(KindsMeetWarning, match="the sum of a list may be a float or an int"):
        assert same_bits(ag.function(f)(x), f(x))


def test_a_sum_of_numbers_of_which_only_the_run_knows_whose_they_are_is_warned_of_where_that_tells(recwarn):
    def f(n):
        return sum([n * 0.5 if n > 2 else 0.25, 0.1, 0.2])

    ag.function(f)(np.float64(3.0))
    expected = ["`sum` adds numbers that may be Python's own or NumPy's"] * (sys.version_info >= (3, 12))
    assert [str(each.message).partition(", and")[0] for each in recwarn] == expected


def test_a_sum_that_overflows_says_so_in_the_words_of_pythons_additions():
    def program(x):
        return sum(x)

    with pytest.warns(RuntimeWarning, match="overflow encountered in scalar add"):
        ag.function(program)(np.full(2, 1e308))
    with pytest.warns(RuntimeWarning, match="overflow encountered in add"):
        ag.function(program)(np.full((2, 2), 1e308))


@pytest.mark.parametrize("x", [*TO_ADD[:1], *TO_ADD[2:3], TO_ADD[4][:9], np.arange(1, 5, dtype=np.int8)])
@pytest.mark.parametrize("start", [1, 2, 0.3, np.float64(0.7)])
def test_a_product_is_multiplied_in_turn_from_its_start_on(x, start):
    def program(x, start):
        return math.prod(x, start=start)

    assert same_bits(ag.function(program)(x, start), program(x, start))


@pytest.mark.parametrize("start", ["np.float32(0.5)", "np.float64(0)", "np.int8(1)", "np.bool_(True)"])
@pytest.mark.parametrize(
    "items", ["x", "x > 1", "x.reshape(3, 1)", "[v for v in x if v > 1]", "(v for v in x)"]
)
def test_a_sum_may_begin_with_a_number_of_numpys(items, start):
    ag.check(
        function_of(f"import numpy as np\ndef f(x):\n    return sum({items}, {start})\n"),
        np.array([1.0, 2, 3]),
    )
