"""The class of a number that is Python's on some paths of a graph, and NumPy's on others."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import IntTooLarge, KindsMeetWarning, StateDisagrees, UnknownKind
from tests.promises.kit import function_of

CALLS = [
    (np.int64(1), np.float64(0.0)),
    (np.int64(0), np.float64(3.0)),
    (np.int64(4), np.float64(1.0)),
]


def a_bool_of_an_and(n, v):
    match (3, n % 2 == 0 and CALLS is CALLS):
        case (count, True):
            return count
        case (count, False):
            return -count
    return 0


def a_comparison_with_what_a_conditional_expression_gives(n, v):
    k = 0
    match (1, k == (n if v > 1.0 else k)):
        case (count, True):
            return count
        case (count, False):
            return -count
    return 0


def a_comparison_with_the_lesser_of_two(n, v):
    match min(v, 2.0) <= 1.5:
        case True:
            return 1
        case False:
            return 2
    return 3


def classes_of_a_number_of_a_branch(n, v):
    k, s = 0, 0.0
    if n > 0:
        k, s = n, v
    return (
        *(isinstance(k, int), isinstance(k, np.int64), isinstance(k, float), isinstance(k, int | np.integer)),
        *(isinstance(s, float), isinstance(-s + 1, np.float64), isinstance(s + v, np.float64)),
        1 if type(k) is int else 2,
    )


def one_branch_inside_another(n, v):
    k = 0
    if n > 0:
        j = n if v > 0 else k
        k = n if isinstance(j, int) else n + 1
    return k, isinstance(k, int)


def computed_in_many_steps(n, v):
    a, b = 0, 1
    if v > 1:
        a = n
    if n > 1:
        b = n
    for _ in (1,) * 20:  # what each step is computed of is looked at once, and not once in each later step
        a = a * b
        b = a * b
    return isinstance(a, int), isinstance(b, int)


def is_true(n, v):
    flag, number = True, len([1] * int(n)) > 1
    if n > 0:
        flag = n > 2
    return flag is True, True is flag, flag is not False, number is True, (n > 2) is True


@pytest.mark.parametrize(
    "program",
    [
        *(a_bool_of_an_and, a_comparison_with_what_a_conditional_expression_gives),
        *(a_comparison_with_the_lesser_of_two, classes_of_a_number_of_a_branch, one_branch_inside_another),
        *(computed_in_many_steps, is_true),
    ],
)
def test_it_is_the_class_that_it_has_on_the_path_that_is_taken(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def a_branch_that_nobody_sees(n, v):
    k = 0
    if n > 0:
        twice = n * 2
        if twice > 3:
            k = n
    return isinstance(k, int)


def a_loop(n, v):
    k = 0
    while v > k:
        k += n + 1
    return isinstance(k, int)


def a_try(n, v):
    k = 0
    try:
        if n > 1:
            raise ValueError
        k = n
        if v > 1:
            raise ValueError
    except ValueError:
        pass
    return isinstance(k, int)


@pytest.mark.parametrize("program", [a_branch_that_nobody_sees, a_loop, a_try])
def test_where_no_value_says_which_path_was_taken_it_is_refused(program):
    with pytest.raises(StateDisagrees, match="Python's on some paths, and NumPy's on others"):
        ag.function(program)(*CALLS[0])


def test_a_class_that_has_both_is_no_question():
    def program(n, v):
        s = 0.0
        for turn in range(n):
            s += v * turn
        return isinstance(s, float), isinstance(s, str)

    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_what_python_says_of_a_chosen_object_is_a_number_of_its_own():
    def program(n, v):
        rows = [[1.0], [2.0, 3.0]]
        is_first, count = rows[n % 2] is rows[0], len(["a", "bcd"][n % 2])
        match is_first:
            case True:
                count += 1
        return type(is_first) is bool, count / 2, np.float32(0.1) * count

    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_the_length_of_a_range_is_a_number_of_python_s():
    def program(n, v):
        length = len(range(n))
        return type(length) is int, np.float32(0.1) * length, length / 2, v / max(length, 1)

    def divided(n, v):
        return 1.0 / len(range(n))

    ag.check(program, *CALLS[0], then=CALLS[1:])
    ag.check(divided, np.int64(2), np.float64(1.0), then=[(np.int64(0), np.float64(1.0))])


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint8])
def test_a_range_of_numpy_s_bounds_has_numbers_of_python_s(kind):
    def program(n):
        kinds, words = [], []
        for i in range(n, n + 3):
            kinds.append(type(i).__name__)
            words.append("fizz" * (i % 3 == 0) or "none")
        down = [np.float32(0.1) * i for i in range(n - 1, -1, -2)]
        return kinds, words, down, "a" * range(n, 9)[0], [i / 2 for i in range(0, 9, n)]

    ag.check(program, kind(4), then=[(kind(1),), (kind(2),)])


def test_an_arange_has_numbers_of_numpy_s():
    ag.check(lambda n: [np.float32(0.1) * i for i in np.arange(2, n)], np.int64(4))


def made_of_a_number_of_python_s(n, v):
    k, s = int(n), float(v)
    return (
        *(type(np.float64(s)), isinstance(np.float64(s + 1), np.float64), [v] - np.float64(s)),
        *(type(np.int64(k)), isinstance(np.int64(k), int), np.int64(k) - [v]),
    )


def made_of_a_number_of_a_branch(n, v):
    k, s = 0, 0.5
    if n > 1:
        k, s = n, s + n
    return (
        *(isinstance(np.int64(k), int), type(np.float64(s)), isinstance(np.sqrt(s), np.float64)),
        *(isinstance(np.float64(s) + 1, np.float64), isinstance(np.maximum(k, 1), int)),
    )


@pytest.mark.parametrize("program", [made_of_a_number_of_python_s, made_of_a_number_of_a_branch])
def test_what_a_class_of_numpy_s_makes_of_a_number_is_numpy_s(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def descend(at, by):
    if at <= 0:
        return by
    return descend(at - 1, by * 0.5) + 1.0


def is_numpys(at, by):
    if at <= 0:
        return isinstance(by, np.floating)
    return is_numpys(at - 1, by + by)


def first_of_two(at, one, other):
    if at <= 0:
        return one, other
    return first_of_two(at - 1, other, one)


def steps(n, v):
    return v if n <= 0 else steps(n - 1, v) if n > 2 else 1.0


def what_a_recursion_gives_of_python_s_numbers(n, v):
    down, numpys = descend(n, 0.5), descend(n, v)
    return (
        *(isinstance(down, np.floating), isinstance(numpys, np.floating), hasattr(down, "shape")),
        *(down * np.float32(0.1), numpys * np.float32(0.1)),
    )


def what_a_recursion_is_given(n, v):
    return is_numpys(n, 0.5), is_numpys(n, v)


def a_float_and_a_list_do_not_add_up_behind_a_recursion(n, v):
    down = descend(n, 0.5)
    try:
        return down + [v, 1.0]  # noqa: RUF005  # which raises
    except TypeError as error:
        return str(error)


def numbers_that_a_recursion_exchanges(n, v):
    one, other = first_of_two(n, 0.5, v)
    return one, other


@pytest.mark.parametrize(
    "program",
    [
        what_a_recursion_gives_of_python_s_numbers,
        what_a_recursion_is_given,
        a_float_and_a_list_do_not_add_up_behind_a_recursion,
        numbers_that_a_recursion_exchanges,
    ],
)
def test_a_number_of_python_s_stays_one_through_a_recursion(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_whose_number_a_recursion_gives_may_be_open():
    def program(n, v):
        return isinstance(steps(n, v), np.floating)

    with pytest.raises(StateDisagrees, match="class of a number"):
        ag.function(program)(*CALLS[2])


KINDS_OF_TRUTHS = """
return sorted([3.0, x, 1.0], reverse=n > 1 and True)
---
return [3.0, x, 1.0][n > 1 and True]
---
return [i for i in range(n > 1 and True)]
---
return [x, 2.0] * (n > 1 and True), "ab" * (n > 1 and True), (x, 2.0)[(n > 1 and True):]
---
items = [1.0]
for i in range(n):
    items.append(x)
items.sort(reverse=n > 1 and True)
return items, sorted(items, reverse=n > 1 and True)
---
items = [2.0]
for i in range(n):
    items.append(x)
try:
    items.sort(reverse=n > 1 and True)
except TypeError as error:
    return str(error), items
return items
""".strip().split("\n---\n")


@pytest.mark.parametrize("text", KINDS_OF_TRUTHS)
def test_a_truth_value_is_an_integer_where_it_is_python_s(text):
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    f = function_of(f"def f(x, n):\n{lines}")
    ag.check(f, np.float64(2.0), np.int64(3), then=[(np.float64(0.5), np.int64(n)) for n in (0, 2)])


def test_what_only_one_of_two_kinds_of_numbers_can_do_is_refused_where_no_value_tells():
    with pytest.raises(StateDisagrees, match="one of them cannot do this"):
        ag.function(lambda n: "abc"[n > 1 and True])(np.int64(3))


@pytest.mark.parametrize("number", ["max([0.5, v])", "v if v > 0.5 else 0.5"])
def test_an_error_of_a_list_shows_whose_the_number_is_that_it_does_not_hold(number):
    f = function_of(f"def f(v):\n    return [3.0].index({number})\n")
    ag.check(f, np.float64(1.5), then=[(np.float64(0.25),), (np.float64(3.0),)])


BESIDE_SEQUENCES = {
    "==": lambda v: v == [3],
    "!=": lambda v: (3, 1) != v,
    "-": lambda v: v - [3],
    "<": lambda v: v < (3,),
    "range": lambda v: v == range(3),
    "in": lambda v: v in [[3], 1],
}


@pytest.mark.parametrize("ask", BESIDE_SEQUENCES.values(), ids=BESIDE_SEQUENCES)
def test_beside_a_sequence_it_matters_whose_a_number_is(ask):
    @ag.function
    def asked(n):
        v = 3
        if n > 1:
            v = np.int64(4)
        return ask(v)

    with pytest.raises(StateDisagrees, match="Python's on some paths"):
        asked(np.int64(2))


def test_a_sequence_is_repeated_by_either():
    def repeated(n):
        v = 3
        if n > 1:
            v = np.int64(4)
        return [5] * v, v * (6,)

    ag.check(repeated, np.int64(2), then=[(np.int64(1),)])


def shown_behind_a_branch(n, x):
    k = 0
    if n > 2:
        k = x[1]
    print([k], (k, 1), {"k": k})
    return repr(k), f"{k!r}", f"{k!r}", str([k + 1]), f"{k}"


def shown_behind_one_of_two_branches(n, x):
    k = 7 if n > 4 else x[0]
    if n > 2:
        k = k + 1
    return repr([k, n]), ascii(-k)


def shown_where_it_may_be_none(n, x):
    k = 0 if n > 4 else x[1]
    if n < 2:
        k = None
    return str([k])


@pytest.mark.parametrize(
    "program", [shown_behind_a_branch, shown_behind_one_of_two_branches, shown_where_it_may_be_none]
)
def test_text_shows_whose_a_number_is_on_the_path_that_is_taken(program):
    x = np.array([3, 1, 4])
    ag.check(program, np.int64(5), x, then=[(np.int64(n), x) for n in (3, 1, 5)])


def shown_behind_a_loop(n, x):
    k = 0
    for i in range(n):
        k = x[i]
    return str([k])


def shown_behind_a_try(n, x):
    k = 0
    try:
        k = x[n]
    except IndexError:
        k = -1
    return repr(k)


def shown_behind_branches_inside_one_another(n, x):
    k = None
    if n < 2:
        k = 0 if n < 1 else x[1]
    return str([k])


def shown_where_a_try_has_branched(n, x):
    k = 0
    try:
        if n > 0:
            k = n
        n = x[n + 3]
    except IndexError:
        n = -n
    return str([k]), n


def shown_by_a_handler(n, x):
    try:
        k = 5 if n > 0 else x[n]
        n = x[n + 3]
    except IndexError:
        return repr(k)
    return n


@pytest.mark.parametrize(
    "program",
    [
        shown_behind_a_loop,
        shown_behind_a_try,
        shown_behind_branches_inside_one_another,
        shown_where_a_try_has_branched,
        shown_by_a_handler,
    ],
)
def test_text_warns_of_a_number_of_which_no_value_says_whose_it_is(program):
    with pytest.warns(KindsMeetWarning, match="is shown as NumPy's in a graph"):
        ag.function(program)(np.int64(0), np.array([3, 1, 4]))


def an_int_that_may_be_small(n, x):
    k = 5
    if n > 2:
        k = x[0]
    return k * 100


def one_less(n, x):
    k = -100 if n > 2 else x[0]
    return 1 - k, k - 100


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32])
@pytest.mark.parametrize("program", [an_int_that_may_be_small, one_less])
def test_an_int_of_pythons_that_outgrows_numpys_dtype_is_an_error_of_that_run(program, dtype):
    x = np.array([1, 2], dtype)
    function = ag.function(program)
    for n in (1, 3):
        plain = np.asarray(program(n, x))
        if isinstance(program(n, x), np.generic) or np.all(np.abs(plain) <= np.iinfo(dtype).max):
            np.testing.assert_array_equal(np.asarray(function(np.int64(n), x)), plain)
        else:
            with pytest.raises(OverflowError, match=f"may be {np.dtype(dtype).name}"):
                function(np.int64(n), x)


def a_quotient(n, x):
    k = 1.0 if n > 2 else x[0]
    return k / 3


def what_gives_way(n, x):
    k = 2.0 if n > 2 else np.float64(n)
    return k * x


def a_root_by_numpy(n, x):
    k = 2.0 if n > 2 else x[0]
    return np.sqrt(k)


def added_by_numpy(n, x):
    k = 2 if n > 2 else x[0]
    return np.add(k, 100)


def beside_a_number_of_numpys(n, x):
    k = 2 if n > 2 else x[0]
    return np.uint8(3) + k


def a_tenth(n, x):
    k = 0.1 if n > 2 else x[0]
    return k


def a_hash(n, x):
    h = 7
    for i in range(n):
        h = h * 31 + int(i)
        if i > 2:
            h = x[0]
    return h


@pytest.mark.parametrize(
    ("program", "dtype"),
    [
        (a_quotient, np.float32),
        (what_gives_way, np.float32),
        (a_root_by_numpy, np.float32),
        (added_by_numpy, np.int16),
        (beside_a_number_of_numpys, np.int32),
        (a_tenth, np.float32),
        (a_hash, np.int8),
    ],
)
def test_a_number_of_pythons_that_has_other_digits_in_numpys_dtype_is_warned_of(program, dtype):
    with pytest.warns(KindsMeetWarning):
        ag.function(program)(np.int64(1), np.array([1, 2], dtype))


def a_mean(n, x):
    total = 0.0
    for i in range(n):
        total += x[i]
    return total / 3, total * n


def half_of_the_last(n, x):
    last = -1e9
    for i in range(n):
        last = x[i]
    return last / 2


@pytest.mark.parametrize("program", [a_mean, half_of_the_last])
def test_nothing_is_said_where_python_computes_the_same_digits(program, recwarn):
    x = np.array([0.3, 0.1, 4.0], np.float32)
    for n in (0, 3):
        plain, found = program(np.int64(n), x), ag.function(program)(np.int64(n), x)
        assert np.array_equal(np.asarray(found), np.asarray(plain))
    assert not [each for each in recwarn if issubclass(each.category, KindsMeetWarning)]


def a_list_of_zeros(n, x):
    counts = [0] * 4
    for i in range(n):
        counts[i] = x[i]
    return ASK(counts[n], counts)


def a_list_that_grew(n, x):
    found = []
    for i in range(n):
        found.append(x[i])
    found.append(0)
    return ASK(found[n - 1], found)


def a_dict_of_numbers(n, x):
    found = {}
    for i in range(n):
        found[i] = x[i]
    found[n] = 0
    return ASK(found[n], found)


def rows_of_zeros(n, x):
    rows = [[0] * 3 for _ in range(n + 1)]
    for i in range(n):
        rows[i][1] = x[i]
    return ASK(rows[n][1], rows)


HOLD_BOTH = [a_list_of_zeros, a_list_that_grew, a_dict_of_numbers, rows_of_zeros]
ASK = None


@pytest.mark.parametrize("program", HOLD_BOTH)
def test_the_class_of_a_number_is_refused_of_a_list_that_holds_some_of_each(program, monkeypatch):
    monkeypatch.setitem(globals(), "ASK", lambda number, numbers: isinstance(number, int))
    with pytest.raises(StateDisagrees, match="Python's on some paths"):
        ag.function(program)(np.int64(2), np.array([3, 1, 4]))


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
@pytest.mark.parametrize("ask", [lambda number, numbers: repr(number), lambda number, numbers: str(numbers)])
@pytest.mark.parametrize("program", HOLD_BOTH)
def test_text_warns_of_a_list_that_holds_some_of_each(program, ask, monkeypatch):
    monkeypatch.setitem(globals(), "ASK", ask)
    function = ag.function(program)
    function(np.int64(2), np.array([3, 1, 4]))
    assert any("is shown as NumPy's" in str(notice) for notice in function.notices)


def all_of_pythons(n, x):
    counts, found = [0] * 4, []
    for i in range(n):
        counts[i] += i
        found.append(i)
    return isinstance(counts[n], int), isinstance(found[0], int), str([counts, found])


def all_of_numpys(n, x):
    found, kept = [], []
    for i in range(n):
        found.append(x[i])
        if x[i] > 1:
            kept.append(x[i])
    if n > 1:
        kept += found
    return isinstance(found[0], int), isinstance(kept[0], np.int64), str([found, kept])


@pytest.mark.parametrize("program", [all_of_pythons, all_of_numpys])
def test_lists_of_one_kind_of_number_know_whose_these_are(program):
    x = np.array([3, 1, 4])
    ag.check(program, np.int64(2), x, then=[(np.int64(n), x) for n in (1, 3, 2)])


EITHER = "k = 2\nif n > 1:\n    k = n\n"


@pytest.mark.parametrize(
    "use",
    [
        *("k << (n - 2)", "k >> (n - 2)", "k ** (n - 1)", "k ** 0.5", "0.0 ** (k - 3)", "(0.0 * k) ** -1"),
        *("(0 * k) ** -1.0", "2 ** k", "k * 2**40", "k + 5 - k * 3"),
    ],
)
def test_an_operator_raises_what_it_raises_of_the_number_that_it_is_given(use):
    caught = "(ValueError, ZeroDivisionError)"
    text = f"{EITHER}try:\n    return {use}\nexcept {caught} as error:\n    return str(error)"
    f = function_of("def f(n):\n" + "".join(f"    {line}\n" for line in text.splitlines()))
    ag.check(f, np.int64(3), then=[(np.int64(1),), (np.int64(2),)])


@pytest.mark.parametrize(
    ("use", "error"),
    [
        *[(use, UnknownKind) for use in ("k ** -1", "2 ** -k", "k ** (k - 3)", "pow(k, -1)", "(-k) ** 0.5")],
        *[
            (use, IntTooLarge)
            for use in ("k << 70", "k * 2**62 * 8", "2 ** (k * 40)", "k * -(2**62) - 2**62")
        ],
    ],
)
def test_what_a_graph_cannot_hold_of_a_number_of_pythons_is_refused_and_not_caught(use, error):
    text = f"{EITHER}try:\n    return {use}\nexcept ValueError as error:\n    return 0"
    graph = ag.function(function_of("def f(n):\n" + "".join(f"    {line}\n" for line in text.splitlines())))
    with np.errstate(all="ignore"):
        graph(np.int64(3))  # NumPy's own, which wraps around, or raises a ValueError
    with pytest.raises(error):
        graph(np.int64(1))


def test_a_negative_power_is_refused_where_no_value_tells_whose_the_number_is():
    def f(n):
        k = 3
        for i in range(n):
            if i == 1:
                k = n
        try:
            return k**-1
        except ValueError:
            return 0

    with pytest.raises(UnknownKind):
        ag.function(f)(np.int64(1))


def test_a_name_that_there_is_not_is_missed_in_the_words_of_either():
    def f(n):
        k = n
        if n > 1:
            k = 3
        try:
            return k.nothing
        except AttributeError as error:
            return str(error)

    ag.check(f, np.int64(3), then=[(np.int64(1),)])


@pytest.mark.parametrize("part", ["shape", "dtype.name", "item()", "astype(float)", "sum()", "T", "ndim"])
def test_what_only_numbers_of_numpys_have_raises_on_paths_on_which_it_is_pythons(part):
    told = f"""def f(n):
    k = 0
    if n > 0:
        k = n
    return k.{part}
"""
    caught = f"""def f(n):
    def read(k):
        return k.{part}

    k = n if n > 0 else 0
    try:
        return read(k)
    except AttributeError as error:
        return str(error)
"""
    own = f"def f(n):\n    return int(n).{part}\n"
    for program in (told, caught, own):
        ag.check(function_of(program), np.int64(3), then=[(np.int64(-1),), (np.int64(2),)])


def test_behind_a_loop_such_a_read_warns():
    def f(x):
        total = 0.0
        for each in x:
            total += each
        return total.item()

    with pytest.warns(KindsMeetWarning, match="has `item` in a graph"):
        assert float(ag.function(f)(np.arange(3.0))) == 3.0


@pytest.mark.parametrize(
    "raises",
    [
        "raise KeyError(k, [k], {'a': k})",
        "raise LookupError(k)",
        "assert k > 9, [k]",
        "return {5: 1}[k]",
        "return {j + 7: j for j in range(n)}[k]",
        "return [j + 9 for j in range(n)].index(k)",
    ],
)
def test_an_exception_has_pythons_number_on_paths_on_which_it_is_one(raises):
    outside = f"def f(n):\n    k = 0\n    if n > 0:\n        k = n\n    {raises}\n"
    inside = f"""def f(n):
    k = n if n > 0 else 0
    try:
        {raises}
    except (LookupError, AssertionError, ValueError) as error:
        return repr(error), str(error), error.args
"""
    for program in (outside, inside):
        ag.check(function_of(program), np.int64(3), then=[(np.int64(-1),), (np.int64(2),)])


KNOWN = [
    *("float(v) + K", "K - int(n)", "int(n) / K", "float(v) % np.float64(0.3)", "float(v) // K"),
    *("pow(int(n), K)", "K ** int(n)"),
    *("int(n) / np.float64(0.0)", "float(v) < K", "bool(n) * K", "divmod(int(n), K)", "abs(K - float(v))"),
    *("sum([float(v), K, 0.5])", "sum([int(n), 0.5, K])", "K if n > 2 else 0.5", "K if n > 2 else float(v)"),
    *("complex(v, 1) + np.complex128(1)", "float(v) * np.complex128(1j)"),
]


@pytest.mark.parametrize("number", KNOWN)
def test_a_known_float_of_numpys_is_numpys_beside_a_number_of_pythons(number):
    f = function_of(f"def f(v, n):\n    t = {number}\n    return t, type(t), repr(t)\n", K=np.float64(0.7))
    ag.check(f, np.float64(1.5), np.int64(3), then=[(np.float64(0.25), np.int64(2))])


OF_COMPLEX = [
    *("1j * v", "v * 1j", "(1 + 2j) / v", "c - v", "v - c", "c ** np.float64(2.0)", "c + v * c", "c == v"),
    *("c * np.float64(0.5)", "np.float64(0.5) * c", "c * np.float32(0.5)", "1j * n"),
    "1j * (v if n > 2 else 0.5)",
    *("c / np.float64(0.0)", "1j / (v * 0.0)", "c * np.asarray(v)", "c * np.ones(2)[:n]"),
]


@pytest.mark.parametrize("number", OF_COMPLEX)
def test_a_complex_number_of_pythons_takes_a_float64_of_numpys_for_a_float(number):
    lines = f"    c = complex(v, 1)\n    t = {number}\n    return t, type(t), repr(t)\n"
    f = function_of(f"def f(v, n):\n{lines}")
    ag.check(f, np.float64(1.5), np.int64(3), then=[(np.float64(0.25), np.int64(2))])


@pytest.mark.parametrize("turns", [2, 3])
@pytest.mark.parametrize("ending", ["except ValueError:\n            k += 2", "finally:\n            s += k"])
def test_whose_a_number_is_is_asked_anew_behind_a_try_that_has_asked(ending, turns):
    source = f"""
def f(n, v):
    k = s = 0
    path = [1.0]

    def note(by):
        path.append(by)
        return len(path)

    for _ in range({turns}):
        try:
            if n > 3:
                raise ValueError("no")
            k += note(v)
        {ending}
        if n <= 1:
            k = n
    return k, s, path
"""
    calls = [(np.int64(n), np.float64(2.0)) for n in (3, 1, 4)]
    ag.check(function_of(source), *calls[0], then=calls[1:])
