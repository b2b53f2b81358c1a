"""A number is Python's own in a graph where it is in plain Python, and NumPy's where it is that.

The two differ in what they make of others (`True + True` is 2, of NumPy's bools it is True; a Python number
takes the dtype of an array beside it), and in their text.
"""

import enum
import math
import re
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.errors import IntTooLarge, InvalidValue, KindsMeetWarning, NoConcreteValue, StateDisagrees
from tests.promises.kit import function_of

HALF = np.float32(0.5)


def counted(x):
    n = 0
    for _ in range(x):
        n += 1
    return n


def bools_of_python_count(x):
    n = counted(x)
    one, two = n > 1, n > 2
    return (
        one + two,
        one * 3,
        one & two,
        one | two,
        -one,
        one + np.int8(1),
        one / 2,
        one - two,
        one << two,
        abs(one),
    )


def bools_of_numpy_do_not(x):
    return (x > 1) + (x > 2), (x == 3) + (x == 3), np.add(x > 1, x > 0), (x > 1) & True


def truth(x):
    return (
        (not x) + (not x),
        bool(x) + bool(x),
        (1 < counted(x) < 5) + True,
        f"{not x!r} {bool(x)!r} {x > 1!r}",
    )


def membership(x):
    items = [i for i in range(x)]
    found = (2 in items) + (1 in items), any(v > 1 for v in items) + all(v >= 0 for v in items)
    return found, (items == items) + True, (items != items) + 1, (x in (1, 3)) + (x in [3])


def elements(x):
    items = []
    for i in range(x):
        items.append(i * 2)
    numbers = [
        len(items),
        items[0],
        items[-1],
        sum(items),
        max(items),
        min(items),
        items.index(0),
        items.count(0),
    ]
    return [
        number * HALF for number in numbers
    ], f"{numbers!r} {items[0]!r} {len(items)!r} {len(items) > 1!r}"


def operators(x):
    n = counted(x)
    return (
        n * HALF,
        -n * HALF,
        n**2 * HALF,
        n // 2 * HALF,
        n / 2 * HALF,
        abs(n) * HALF,
        divmod(n, 2)[1] * HALF,
    )


def functions_of_numpy(x):
    n = counted(x)
    return (
        np.add(n, 1) * HALF,
        np.sqrt(n) * HALF,
        np.maximum(n, 2) * HALF,
        np.abs(n) * HALF,
        np.negative(n) * HALF,
    )


def functions_of_python(x):
    n = counted(x)
    text = f"{np.add(n, 1)!r} {np.sqrt(n)!r} {divmod(n, 2)!r} {round(n / 3, 1)!r} {pow(n, 2)!r} {min(n, 2)!r}"
    return math.sqrt(n) * HALF, math.floor(n / 2) * HALF, int(x) * HALF, float(x) * HALF, text


def operands_that_are_known(x):
    one, other = x > 1 or True, x > 1 and False
    matched = "none"
    match one:
        case True:
            matched = "of Python"
    return one is True, other is False, isinstance(one, bool), type(other) is np.bool_, matched


def questions(x):
    least, seen, places, array = None, {1, 2}, {}, np.arange(4.0)
    if x > 1:
        least = x
    seen.add(x)
    places[x] = 1.0
    found = [
        *(least is None, least is not None, least == None, not least),  # it is asked so, too
        *(x in seen, seen == {1, 2}, seen != {1, 2}, seen <= {1, 2, 3}, seen.isdisjoint({5}), {x} == {3}),
        *(x in places, places == {3: 1.0}, places != {3: 1.0}, len(places) == 1),
        *(np.array_equal(array, array), np.array_equiv(array, x), np.allclose(array, array)),
    ]
    return [each is True for each in found], [each is False for each in found], found[0] + found[1]


@pytest.mark.parametrize(
    "program",
    [
        *(bools_of_python_count, bools_of_numpy_do_not, truth, membership, elements, operators, questions),
        *(functions_of_numpy, functions_of_python, operands_that_are_known),
    ],
)
def test_a_number_is_of_the_kind_that_it_is_in_python(program):
    ag.check(program, np.int64(3), then=[(np.int64(1),), (np.int64(4),)])


def test_what_a_known_operand_decides_is_known_whosever_it_is():
    @ag.function
    def program(x):
        found = x > 1 or True
        if found:
            value = 1
        while not found:
            value = x.is_never_asked
        return value if found and (x >= 0 or True) else x.is_never_asked

    assert program(np.int64(3)) == 1
    assert "StatelessWhile" not in program.concrete_functions[0].graph.ops


@pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning")
def test_the_bits_of_a_bool_of_python_are_those_of_a_number():
    """From 3.12 on, Python warns of it, and a graph does not."""

    def turned(x):
        n = counted(x)
        return ~(n > 1), ~(n > 5)

    assert [int(each) for each in ag.function(turned)(np.int64(3))] == list(turned(np.int64(3))) == [-2, -1]


def test_sums_of_truth_count():
    def program(x):
        large = [v > 1 for v in x]
        return sum(large), sum(v > 1 for v in x), any(large) * 2, np.sum(large), f"{sum(large)!r}"

    ag.check(program, np.arange(4.0), then=[(np.zeros(3),)])


MEETING = {
    "k = 0\nif v > 1:\n    k = v\nreturn k": "float64 or an int, and in a graph it is always a float64",
    "k = 0\nfor i in range(n):\n    k += v\nreturn k": "`k` may be a float64 or an int",
    "k = v > 0 and n\nreturn k": "may be a bool or an int64",
    "items = []\nfor i in range(n):\n    items.append(i)\nitems.append(v)\nreturn items": "an element",
    "items = [v]\nitems.extend(range(n))\nreturn items": "may be a float64 or an int",
    "found = {}\nfor i in range(n):\n    found[i] = 1\nfound[0] = v\nreturn found": "an element of a list",
    "items = []\nfor i in range(n):\n    items.append(v)\nreturn sum(items)": "the sum of a list may be",
    "x = np.full(3, v)\nreturn sum(x[x > n])": "the sum of an array may be",
    "try:\n    assert v < 1\n    k = 0.5\nexcept AssertionError:\n    k = 1\nreturn k": "float or an int",
    "k = np.float32(1)\nif v > 1:\n    k = v\nreturn k": "a float32 or a float64",
}
"""Programs whose numbers are of several kinds, and what the warning says."""


@pytest.mark.parametrize("program", MEETING)
def test_numbers_of_several_kinds_become_one_kind_with_a_warning(program):
    lines = "".join(f"    {line}\n" for line in program.splitlines())
    f = ag.function(function_of(f"def f(n, v):\n{lines}"))
    with pytest.warns(KindsMeetWarning, match=re.escape(MEETING[program])):
        f(np.int64(3), np.float64(2.0))


ALIKE = [
    "k = 0.0\nif v > 1:\n    k = v\nreturn k",
    "k = 0\nfor i in range(n):\n    k += i\nreturn k",
    "k = 0\nfor i in range(3):\n    k += v\nreturn k",
    "k = n\nif v > 1:\n    k = n / 2\nelse:\n    k = 0.5\nreturn k",
    "items = []\nfor i in range(n):\n    items.append(v)\nreturn sum(items, 0.0), sum(i for i in range(n))",
    "x = np.full(3, v)\nreturn sum(x), sum(x[x > n], 0.0), sum(x[x > n]) > 1, sum(np.array([n])[x[:1] > n])",
    "items = [n, v]\nreturn items, n < v, max(n, 1), n + v",
]


@pytest.mark.parametrize("program", ALIKE)
def test_numbers_of_one_kind_are_not_warned_of(program):
    lines = "".join(f"    {line}\n" for line in program.splitlines())
    ag.check(function_of(f"def f(n, v):\n{lines}"), np.int64(3), np.float64(2.0))


def test_the_sum_of_no_elements_is_what_it_starts_from():
    def f(x):
        try:
            return sum(x) / len(x)
        except ZeroDivisionError:
            return sum(x), sum(x, 2), f"{sum(x)!r}"

    ag.check(f, np.array([]), then=[(np.ones(2),), (np.zeros((0, 2)),)])


def test_a_value_without_a_name_is_not_quoted_as_one():
    with pytest.warns(KindsMeetWarning, match="^the value may be a float64 or an int"):
        ag.function(lambda x: x if x > 0 else 0)(np.float64(1.0))


def test_a_check_says_what_was_warned_of():
    def f(v):
        k = 0
        if v > 1:
            k = 0.5
        return k

    with pytest.raises(ag.errors.Difference, match="warning:  `k` may be a float or an int"):
        ag.check(f, np.float64(0.0))


@pytest.mark.parametrize(
    "told",
    [
        lambda n, v: (int(n).bit_length(), int(n).bit_count(), n.bit_count(), type(n.bit_count())),
        lambda n, v: (n.numerator, n.denominator, int(n).numerator, int(n).denominator),
        lambda n, v: (float(v).is_integer() + 1, v.is_integer() + 1),
        lambda n, v: [hasattr(each, "bit_count") for each in (n, v, int(n))],
        lambda n, v: [hasattr(each, "bit_length") for each in (n, v, int(n))],
        lambda n, v: n.bit_length() if v < 0 else 0,
    ],
)
def test_numbers_have_the_methods_of_their_class(told):
    calls = [(np.int64(n), np.float64(v)) for n, v in ((5, 2.0), (-7, -2.5), (-(2**63), 0.0), (0, np.nan))]
    ag.check(told, *calls[0], then=calls[1:])


def test_what_a_graph_cannot_tell_of_a_number_is_refused_by_name():
    with pytest.raises(NoConcreteValue, match="`hex` of a number of a graph"):
        ag.function(lambda v: v.hex())(np.float64(2.0))


def doubled(n):
    k = 1
    for _ in range(n):
        k = k * 2
    return k


def summed(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def lowered(n):
    a, b = 0, -1
    for _ in range(n):
        a, b = b, b - a * 3
    return b


@pytest.mark.parametrize(
    ("grown", "last", "more"),
    [
        (doubled, 62, 63),
        (summed, 91, 93),
        (lowered, 60, 200),
        (lambda n: int(n) ** 21, 7, 9),
        (lambda n: 3 << int(n), 61, 62),
        (lambda n: -(2**32) * int(n), 2**31 - 1, 2**31 + 1),
    ],
)
def test_an_int_of_python_s_that_outgrows_64_bits_is_refused_where_it_does(grown, last, more):
    ag.check(grown, np.int64(2), then=[(np.int64(last),)])
    for executor in ("reference", "numpy", "native"):
        with pytest.raises(IntTooLarge, match="gets larger than a graph has room for"):
            ag.function(grown, executor=executor)(np.int64(more))


@pytest.mark.parametrize("executor", ["reference", "numpy", "native"])
def test_an_int_of_python_s_takes_all_of_its_64_bits(executor):
    @ag.function(executor=executor)
    def f(x, y):
        return int(x) + int(y)

    least, largest = np.int64(-(2**63)), np.int64(2**63 - 1)
    assert (f(largest, np.int64(0)), f(least, np.int64(0))) == (largest, least)
    for end, step in ((largest, 1), (least, -1)):
        with pytest.raises(IntTooLarge, match="gets larger than a graph has room for"):
            f(end, np.int64(step))


def test_ints_of_numpy_s_wrap_around():
    def f(n):
        k = n
        for _ in range(3):
            k = k * n
        return k

    with np.errstate(over="ignore"):
        ag.check(f, np.int64(2), then=[(np.int64(2**40 + 1),)])


def added_up(limit):
    total = 0
    for n in range(2, limit):
        total = total + n
    return total


def the_item_at(index):
    return [10, 20, 30][index]


def the_length(limit):
    return len(range(limit))


@pytest.mark.parametrize(
    "number", [np.float64(1), np.bool_(True), np.complex128(1), np.int8(1), 1.0, True, 1]
)
@pytest.mark.parametrize("function", [added_up, the_item_at, the_length])
def test_ranges_and_indices_are_of_integers(function, number):
    ag.check(function, number)


def test_round_is_python_s_for_python_s_floats():
    def f(n, v):
        own = float(v)
        chosen = own if n > 1 else None
        return round(own, 2), round(v, 2), f"{round(own, n)}", round(12.345, n), round(chosen or 0.5, 1)

    calls = [(np.int64(n), np.float64(v)) for n, v in ((2, 1.115), (3, -10.105), (0, 0.575))]
    ag.check(f, np.int64(1), np.float64(0.285), then=calls)


def test_round_of_a_class_of_one_s_own_is_its_own():
    class Money:
        def __init__(self, cents):
            self.cents = cents

        def __round__(self, digits=0):
            return self.cents // 10 ** (2 - digits)

    ag.check(lambda n, v: (round(Money(n)), round(Money(n), 1)), np.int64(1234), np.float64(1.0))


def shifted(n):
    found, count = [], int(n)
    for shift in (
        lambda k: k << -1,
        lambda k: k >> -2,
        lambda k: 1 << k,
        lambda k: 9 >> k,
        lambda k: 2 ** abs(k),
    ):
        try:
            found.append(shift(count))
        except ValueError as error:
            print(error)
    return found, n >> 1, n << 2, 2 ** abs(count)


def test_an_int_of_python_is_not_shifted_by_a_negative_count():
    ag.check(shifted, np.int64(4), then=[(np.int64(-1),), (np.int64(0),)])


def test_an_int_of_python_to_a_negative_power_is_refused_when_it_happens():
    power = ag.function(lambda n: 2 ** int(n))
    assert power(np.int64(3)) == 8
    with pytest.raises(InvalidValue, match="gets a negative power, which is a float in Python"):
        power(np.int64(-1))


def test_numbers_between_two_are_of_the_kind_in_which_the_two_meet():
    def program(s, x, n):
        found = np.linspace(0, s, 3), np.linspace(s, 1, 4), np.linspace(x, 1, 3), np.linspace(0, n, 4)
        return found, np.linspace(np.float64(0), s, 3), np.linspace(0, x.sum(), 3, retstep=True)

    single = np.float32
    ag.check(program, single(2.5), np.ones(2, single), np.int64(3))


def test_rows_of_ints_beside_rows_of_floats_are_rows_of_floats():
    def rows(n):
        whole, halves = [], []
        for k in range(n):
            whole.append(k)
            halves.append(k / 2)
        whole_rows, rows, deep = [], [], []
        for k in range(n):
            whole_rows.append([*whole])
            rows.append([*halves] if k == 1 else [*whole])
        for _ in range(n):
            deep.append([[*each] for each in whole_rows])
            deep.append([[*each] for each in rows])
        return deep

    with pytest.warns(KindsMeetWarning, match="^an element of a list may be a float64 or an int"):
        results = [
            ag.function(executor=executor)(rows)(np.int64(2)) for executor in ("auto", "numpy", "reference")
        ]
    for deep in results:
        assert [[[float(each) for each in row] for row in rows] for rows in deep] == [
            [[0, 1], [0, 1]],
            [[0, 1], [0, 0.5]],
        ] * 2


class Floor(enum.IntEnum):
    GROUND = 0
    FIRST = 1


class Metres(float):
    pass


def computed(n, x):
    level, length = Floor.FIRST + int(n), Metres(1.5) * float(x)
    moved = Floor.FIRST
    moved += 1 if int(n) > moved else -1
    return (
        level,
        length,
        moved,
        int(n) % Floor.FIRST,
        n + Floor.FIRST,
        np.float32(x) * Metres(2.0),
        f"{length} {level}",
    )


def on_one_path(n, x):
    floor = Floor.GROUND
    if n > 4:
        floor = int(n)
    return int(floor) + 1


@pytest.mark.parametrize("program", [computed, on_one_path])
def test_numbers_of_classes_below_python_s_own_are_numbers(program):
    ag.check(program, np.int64(3), np.float64(2.5), then=[(np.int64(7), np.float64(5.0))])


def named_kind(x, n):
    return type(x and n).__name__


def asked_kind(x, n):
    return isinstance(n if x > 1 else x, np.integer)


def same_for_all_kinds(x, n):
    return isinstance(n if x > 1 else x, np.ndarray), (n if x > 1 else x) > 0


@pytest.mark.parametrize("program", [named_kind, asked_kind])
def test_who_asks_of_what_kind_a_number_is_is_told_that_kinds_meet(program):
    with pytest.warns(KindsMeetWarning, match="may be a float64 or an int64"):
        ag.function(program)(np.float64(2.5), np.int64(3))


def test_nothing_is_said_where_all_kinds_of_numbers_give_the_answer():
    ag.check(same_for_all_kinds, np.float64(2.5), np.int64(3), then=[(np.float64(0.5), np.int64(3))])


def test_an_index_that_is_an_integer_on_some_paths_alone_is_refused():
    def behind_a_branch(x):
        index = 1
        if x > 100:
            index = 0.5
        return [1.0, 2.0, 3.0][index]

    def in_a_loop(x):
        items, index, total = [1.0, 2.0, 3.0], 0, 0.0
        for _ in range(int(x)):
            if total > 100:
                index = 0.5
            total += items[index]
        return total

    def in_the_first_turn(x):
        items, index, total = [1.0, 2.0, 3.0], 0, 0.0
        while total < x:
            total += items[index]
            index = index + 0.5
        return total

    for program in (behind_a_branch, in_a_loop, in_the_first_turn):
        with pytest.raises(StateDisagrees, match="an integer on some paths, a float64 on others"):
            ag.function(program)(np.float64(5.0))


FIRST_NOTHING = {
    "None": "last = None\nfor i in range(n): last = i",
    "None, a tuple": "last = None\nfor i in range(n): last = (3, i)",
    "None, floats": "last, i = None, 0\nwhile i < n:\n    last = [i, 2.5]\n    i += 1",
    "None, in some turns": "last = None\nfor i in range(n):\n    if i == 1: last = (i, True)",
    "a text": "last = ''\nfor i in range(n): last = i",
    "no value": "for i in range(n): last = (i, 1)",
    "an attempt": "last = None\nfor i in range(n):\n    try: last = (i, 8 // (i - 1))\n"
    "    except ZeroDivisionError: continue",
}


@pytest.mark.parametrize("program", FIRST_NOTHING.values(), ids=FIRST_NOTHING)
def test_what_a_loop_binds_is_pythons_where_it_starts_with_nothing(program):
    lines = "".join(f"    {line}\n" for line in program.splitlines())
    f = function_of(f"def f(n):\n{lines}    return repr(last), repr([last])\n")
    for n in (3, 1, 2):
        ag.check(f, np.int64(n))


ASKED_FOR_THE_DTYPE = [
    "v.dtype == float",
    "v.nbytes",
    "np.ones(3).astype(v.dtype)",
    "np.zeros_like(v)",
    "np.ones_like(v)",
    "np.full_like(v, 2)",
    "np.result_type(v, np.int32).name",
    "(v * 2).dtype.kind",
    "v.imag",
    "np.imag(v)",
    "isinstance(v[0], np.floating)",
]


@pytest.mark.parametrize("asked", ASKED_FOR_THE_DTYPE)
def test_who_asks_for_the_dtype_of_numbers_that_are_of_two_kinds_is_warned(asked):
    f = function_of(f"""def f(n):
    v = np.arange(3)
    if n > 1:
        v = v * 0.5
    return {asked}
""")
    with pytest.warns(KindsMeetWarning, match="`v` may be a float64 or an int64"):
        ag.function(f)(np.int64(2))


def test_who_asks_for_lengths_or_says_the_dtype_is_not_warned():
    @ag.function
    def asked(n):
        v = np.arange(3)
        if n > 1:
            v = v * 0.5
        return v.shape, np.zeros_like(v, dtype=int), v > 1

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asked(np.int64(2))


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
@pytest.mark.parametrize(
    "made", ["v = 1j if n > 5 else 2.5", "v = 1j\n    for i in range(n):\n        v = 2.5"]
)
def test_what_is_complex_on_some_paths_alone_is_not_refused_as_pythons_complex_numbers(made):
    program = function_of(f"def f(n):\n    {made}\n    return v > 1\n")
    with pytest.raises(StateDisagrees, match="complex on some paths, and real on others"):
        ag.function(program)(np.int64(1))
    always = function_of("def f(n):\n    v = 1j if n > 5 else 2j\n    return v > 1\n")
    ag.check(always, np.int64(1))


NUMBERS = {
    "bool(x)": bool,
    "int(x)": int,
    "float(x)": float,
    "complex(x)": complex,
    "x": np.int64,
    "x > 1": np.bool_,
    "np.float32(x)": np.float32,
    "np.uint8(x)": np.uint8,
    "np.complex128(x)": np.complex128,
    "np.asarray(x)": np.ndarray,
}
PARTS = (
    *(
        "real",
        "imag",
        "conjugate()",
        "numerator",
        "denominator",
        "bit_length()",
        "bit_count()",
        "is_integer()",
    ),
    *("view()", "copy()", "clip(0)", "conj()", "item()", "T", "shape", "ndim", "size", "zzz", "zzz()"),
)


@pytest.mark.parametrize("number", NUMBERS)
def test_what_a_number_has_is_of_the_class_that_it_is_of_in_python(number):
    program = "def f(x):\n    found, number = [], " + number + "\n"
    for part in PARTS:
        program += (
            f"    try:\n        part = number.{part}\n        found += [(repr(part), type(part).__name__)]\n"
            "    except AttributeError as error:\n        found += [str(error)]\n"
        )
    ag.check(function_of(program + "    return found\n"), np.int64(3), then=[(np.int64(0),)])


def test_a_number_that_is_no_character_is_refused_where_the_program_catches_it():
    def f(x):
        try:
            return chr(x)
        except TypeError as error:
            return str(error)

    ag.check(f, np.float64(65.0))
    ag.check(f, np.int64(65))


def test_a_class_of_numpys_makes_a_number_of_an_array_without_axes():
    def f(x):
        made = np.float64(np.asarray(x))
        return repr(made), type(made) is np.float64

    ag.check(f, np.float64(3.0))


@pytest.mark.parametrize("sign", ["==", "!="])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("other", ["1", "True", "1.5", "1j", "'a'", "b'a'", "None", "{}"])
def test_who_says_whether_two_numbers_are_equal_says_whose_the_answer_is(sign, dtype, other):
    text = f"def f(x):\n    return repr({other} {sign} x[0]), repr(x[0] {sign} {other})\n"
    ag.check(function_of(text), np.array([1, 0], dtype))
