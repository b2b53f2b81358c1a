"""Counted loops look once whether their indices are inside, and else at each of them."""

import itertools
import re
import sys

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import int64
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.language.loops import Function, If, Number, Set, Variable, add
from runtime.executors.native.lower.sure import sure
from runtime.executors.native.whole import lowered


def forwards(x, n):
    for i in range(n):
        x[i] = x[i] * 2.0 + i
    return np.sum(x)


def from_another_number(x, n):
    total = 0.0
    for i in range(2, n):
        total += x[i] * x[i - 2]
    return total


def backwards(x, n):
    for i in range(n):
        x[n - 1 - i] = x[i] + 1.0
    return np.sum(x)


def beside_the_edge(x, n):
    total = 0.0
    for i in range(n):
        total += x[i - 1] - x[i]
    return total


def triangle(table, n):
    for i in range(n):
        for j in range(i + 1):
            table[i, j] = table[j, i] + i * 3.0 - j
    return np.sum(table)


def differences(table, n):
    for i in range(1, n):
        for j in range(1, n):
            table[i, j] = min(table[i - 1, j], table[i, j - 1]) + table[i - 1, j - 1]
    return np.sum(table)


def counted(x, n):
    found = np.zeros(4, np.int64)
    for i in range(n):
        found[x[i]] += 1
    return found


def by_steps(x, n):
    total, i = 0.0, 0
    while i < n:
        total += x[2 * i + 1]
        i += 1
    return total, i


def with_a_way_out(x, n):
    total = 0.0
    for i in range(n):
        if x[i] > 7.0:
            break
        total += x[i]
    return total


def behind_a_test(x, n):
    total = 0.0
    for i in range(n):
        if i < 5:
            total += x[i]
        if i > 0:
            total -= x[i - 1] * 0.5
    return total


def far_away(x, n):
    total = 0.0
    for i in range(n, n + 3):
        total += x[i - n]
    return total


def with_two_rows(x, n):
    above, row = np.zeros(n + 1), np.zeros(n + 1)
    for i in range(n):
        for j in range(1, n + 1):
            row[j] = max(above[j], row[j - 1]) + x[j - 1] * i
        above, row = row, above
    return above[n]


def moved_down(x, n):
    for i in range(1, n):
        j, own = i - 1, -x[i]
        while j >= 0 and x[j] > own:
            x[j + 1] = x[j]
            j -= 1
    return x[0]


def down_to_a_number(x, n):
    total, i = 0.0, n - 1
    while i > 2:
        total = total * 0.5 + x[i - 2]
        i -= 3
    return total, i


def until_one_is_large(x, n):
    i = 0
    while i <= n and x[i] < 7.0:
        x[i] += i
        i += 2
    return i


def by_a_number(x, n):
    i, step = 1, n // 3
    while i < n:
        x[i] += 1.0
        i += step
        if x[0] > 5.0:
            break
        x[0] += 1.0
    return i


def by_a_third(x, n):
    i, step = 0, n // 3
    while i < n:
        x[i] += step
        i += step
    return i


def multiples(x, n):
    i = 1
    while i * i < n:
        j = i * i
        while j < n:
            x[j] += i
            j += i
        i += 1
    return i


def pairs_by_a_number(x, n):
    total, i = 0.0, 0
    while i < n:
        for j in range(i, n):
            total += x[j] - x[i]
        i += int(x[1]) * 2
    return total


def kept_in_order(x, n):
    kept, size = np.zeros(10), 0
    for i in range(n):
        j = size
        while j > 0 and kept[j - 1] > x[i]:
            kept[j] = kept[j - 1]
            j -= 1
        kept[j] = x[i]
        size += 1 if x[i] > -100.0 else -3
    return kept


def kept_ones(x, n):
    kept, count = np.zeros(10), 0
    for i in range(n):
        if x[i] > 2.0:
            kept[count] = x[i]
            count += 1
    return kept, count


def there_and_back(x, n):
    count = 4
    for i in range(n):
        if x[i] > 3.0:
            count += 1
            if x[i] > 6.0:
                x[count] -= 0.5
        else:
            count = count - 1
        x[count] += 1.0
    return count


def two_a_turn(x, n):
    kept, count, i = np.zeros(20), 0, 0
    while i < n:
        kept[count] = x[i]
        kept[count + 1] = -x[i]
        count += 2 if x[i] < 5.0 else 1
        i += 1
    return kept


def counted_outside_too(x, n):
    kept, count = np.zeros(30), 0
    for i in range(n):
        kept[count] = -1.0
        count += 1
        for j in range(2):
            if x[j] < x[i]:
                kept[count] = x[i]
                count += 1
    return kept


def begun_anew(x, n):
    kept = np.zeros((10, 5))
    for i in range(n):
        count = i // 2
        for j in range(i):
            if x[j] > 1.5 * j:
                kept[i, count] = x[j]
                count += 1
    return kept


X, TABLE = np.arange(10.0), np.arange(36.0).reshape(6, 6)
WHOLE = np.array([0, 3, 1, 1, -1, 2, 0, 3, -2, 1])
CASES = [
    *[(forwards, X, n) for n in (-3, 0, 1, 10, 11)],
    *[(from_another_number, X, n) for n in (0, 2, 10, 11)],
    *[(backwards, X, n) for n in (0, 3, 10, 11, 15)],
    *[(beside_the_edge, X, n) for n in (0, 10, 11)],
    *[(triangle, TABLE, n) for n in (0, 1, 6, 7)],
    *[(differences, TABLE, n) for n in (0, 1, 6, 7)],
    *[(counted, WHOLE, n) for n in (0, 10, 12)],
    *[(by_steps, X, n) for n in (-1, 0, 5, 6)],
    *[(with_a_way_out, X, n) for n in (3, 10, 11, 50)],
    *[(behind_a_test, X, n) for n in (3, 10, 11, 12)],
    *[(moved_down, X, n) for n in (0, 1, 5, 10, 11)],
    *[(down_to_a_number, X, n) for n in (-5, 0, 3, 10, 12, 13, 2**63 - 1)],
    *[(by_a_number, X, n) for n in (-7, -1, 0, 2, 3, 6, 9, 10, 11, 2**63 - 1)],
    *[(by_a_third, X, n) for n in (-9, 0, 3, 9, 10, 11, 2**63 - 1)],
    *[(multiples, X, n) for n in (-1, 0, 2, 9, 10, 11)],
    *[(pairs_by_a_number, X, n) for n in (0, 1, 9, 10, 11)],
    *[(until_one_is_large, X * 0.1, n) for n in (-1, 0, 5, 9, 10, 2**63 - 1)],
    *[(with_two_rows, X, n) for n in (0, 1, 9, 10, 11)],
    *[(kept_in_order, X[::-1].copy(), n) for n in (0, 1, 10, 11)],
    *[(kept_in_order, WHOLE * -60.0, n) for n in (4, 10, 11)],
    *[(kept_ones, X, n) for n in (0, 3, 10, 11)],
    *[(kept_ones, X + 5.0, n) for n in (3, 10, 11)],
    *[(there_and_back, X, n) for n in (0, 1, 4, 5, 9, 10, 11)],
    *[(there_and_back, -X, n) for n in (4, 5, 9, 10)],
    *[(there_and_back, X + 4.0, n) for n in (4, 5, 6, 9, 10)],
    *[(two_a_turn, X, n) for n in (0, 5, 10, 11)],
    *[(counted_outside_too, X, n) for n in (0, 5, 10, 11)],
    *[(begun_anew, X, n) for n in (0, 3, 6, 7, 10, 11)],
    *[(begun_anew, X * 9.0, n) for n in (3, 4, 6, 7, 10)],
    *[(far_away, X, n) for n in (0, -2, 2**62, 2**63 - 4, -(2**63))],
]


def outcome(call, *arguments):
    """What a call gives, what it leaves in the first argument, or what it raises."""
    first = arguments[0].copy()
    try:
        found = call(first, *arguments[1:])
    except IndexError as error:
        return str(error).splitlines()[0]
    results = [np.asarray(each).tolist() for each in (found if isinstance(found, tuple) else (found,))]
    return results, first.tolist()


@pytest.mark.parametrize(("function", "x", "n"), CASES, ids=lambda each: getattr(each, "__name__", None))
def test_what_is_found_and_raised_is_what_python_finds_and_raises(function, x, n):
    compiled = ag.function(function, jit_compile=True)
    expected = outcome(function, x, n)
    assert outcome(compiled, x, np.asarray(n)) == expected


@pytest.mark.parametrize(
    ("function", "specs"),
    [
        (forwards, ((10,), ())),
        (from_another_number, ((10,), ())),
        (backwards, ((10,), ())),
        (triangle, ((6, 6), ())),
        (differences, ((6, 6), ())),
        (with_two_rows, ((10,), ())),
        (with_a_way_out, ((10,), ())),
        (moved_down, ((10,), ())),
        (down_to_a_number, ((10,), ())),
        (until_one_is_large, ((10,), ())),
        (by_a_third, ((10,), ())),
        (kept_ones, ((10,), ())),
        (two_a_turn, ((10,), ())),
    ],
)
def test_loops_have_a_form_without_tests(function, specs):
    x, n = (rt.TensorSpec(shape, dtype) for shape, dtype in zip(specs, ("float64", "int64"), strict=True))
    concrete = ag.function(function).get_concrete_function(x, n)
    module = concrete.optimised_module
    loops = lowered(module)
    whole = TABLE if function in {triangle, differences} else X
    quick = re.split(r"\n    else:\n *(?:while|remember|for|v\d+\.)", str(loops))[0]
    begins = re.search("for v|while True", quick).start()
    assert "fail" not in quick[begins:]
    for turns in (0, 3, len(whole), len(whole) + 1):
        arguments = whole, np.asarray(turns)
        assert outcome(Interpreted(loops, module.entry).entry, *arguments) == outcome(
            concrete.program.entry, *arguments
        )


def test_an_inner_loop_from_a_number_of_outer_turns_has_a_form_without_tests():
    specs = rt.TensorSpec((10,), "float64"), rt.TensorSpec((), "int64")
    source = ag.function(kept_in_order).get_concrete_function(*specs).program.source()
    quick, slow = source.split("while True:")[1:3]
    assert "fail" not in quick
    assert "fail" in slow


def behind_a_number(x, n):
    total = 0.0
    for step in x:
        far = int(step)
        for j in range(60):
            if j >= far:
                total += x[j - far]
    return total * n


def from_a_list(x, n):
    starts, total = np.array([2, 0, 35]), 0.0
    for k in range(n):
        first = starts[k]
        i = 0
        while i <= 24:
            total += x[first + i]
            i += 1
    return total


LONG = np.arange(60.0) % 7


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("function", [behind_a_number, from_a_list])
def test_forms_of_inner_loops_find_what_python_finds(function, n):
    for options in ({}, {"jit_compile": True}):
        for x in (LONG, LONG[:59], LONG - 3.0):
            assert outcome(ag.function(function, **options), x, np.asarray(n)) == outcome(function, x, n)


def most_worth(weights, values):
    table = np.zeros((41, 301), np.int64)
    for i in range(1, 41):
        weight = weights[i - 1]
        for room in range(301):
            best = table[i - 1, room]
            if room >= weight:
                best = max(best, table[i - 1, room - weight] + values[i - 1])
            table[i, room] = best
    return table


def test_no_form_is_made_for_one_number_alone():
    numbers = np.random.default_rng(0).integers(1, 40, (2, 40))
    staged = ag.function(most_worth)
    assert np.array_equal(staged(*numbers), most_worth(*numbers))
    source = staged.concrete_functions[0].program.source()
    assert source.count("range(301)") == 1
    assert "while True" not in source


def squares(x):
    found = np.zeros(10)
    for i in range(10):
        found[i] = x[i] * x[i]
    return found


def test_what_is_known_to_be_inside_has_one_form():
    concrete = ag.function(squares).get_concrete_function(rt.TensorSpec((10,), "float64"))
    assert "fail" not in concrete.program.source()
    assert np.array_equal(concrete(X), X * X)


def behind_a_check(x, n, k):
    """What an outer turn has found to be inside bounds an inner loop."""
    total = 0
    while k >= 0:
        x[k] += 1
        for i in range(k):
            total += x[i]
        k -= n
    return total


def behind_a_test(x, low, high):
    """A test may say how far a loop goes."""
    total = 0
    if 0 <= low and high <= 10:
        for i in range(low, high):
            total += x[i]
    return total


@pytest.mark.parametrize("function", [behind_a_check, behind_a_test])
def test_what_a_test_has_said_before_a_loop_is_not_asked_again(function):
    graph = ag.function(function)
    concrete = graph.get_concrete_function(rt.TensorSpec((10,), "int64"), np.int64(1), np.int64(9))
    source = concrete.program.source()
    quick = source[source.index("for v") :].split("\n        else:")[0]
    assert "fail" not in quick
    assert "(-1 < v" not in source  # nor is it asked for before
    assert ("-1099511627776" in source) == (function is behind_a_test)  # a difference may wrap around
    for ends in itertools.product((-(2**62), -3, 0, 1, 2, 9, 10, 11), repeat=2):
        ends = tuple(map(np.int64, ends))
        if function is behind_a_check and ends[0] <= 0:
            continue
        assert outcome_between(graph, ends) == outcome_between(function, ends)


def outcome_between(call, ends):
    x = np.arange(10)
    try:
        return int(call(x, *ends))
    except IndexError as error:
        return str(error).splitlines()[0]


def test_what_a_test_has_said_is_forgotten_where_its_numbers_change():
    def moved(x, low, high):
        total = 0
        if 0 <= low and high <= 10:
            high += 1
            for i in range(low, high):
                total += x[i]
        return total

    graph = ag.function(moved)
    for high in map(np.int64, (9, 10)):
        assert outcome_between(graph, (np.int64(3), high)) == outcome_between(moved, (np.int64(3), high))


def steps_for(lines):
    """Calls of Python that so many lines take: each is a sum, and a branch."""
    body = []
    for i in range(lines):
        total = Variable(f"t{i}", int64)
        body += [Set(total, add(Variable("n", int64), i)), If(total, [Set(Variable("v", int64), total)], [])]
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        sure(Function("f", [Variable("n", int64)], body, [Number(0, int64)]))
    finally:
        sys.setprofile(before)
    return calls


def test_twice_the_code_takes_twice_the_time():
    assert steps_for(400) < 2.2 * steps_for(200)


def lower_triangle(x, n):
    for k in range(n):
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                x[i, j] -= x[i, k] * x[k, j]
    return x[0, 0]


@pytest.mark.parametrize("n", [0, 1, 5, 6, 7])
def test_bounds_of_an_inner_loop_that_an_outer_one_moves_are_known(n):
    staged = ag.function(lower_triangle, jit_compile=True)
    assert outcome(staged, TABLE, np.asarray(n)) == outcome(lower_triangle, TABLE, n)
    quick = re.split("\n    else:\n *(?:while|remember)", staged.concrete_functions[0].program.source())[0]
    assert "fail" not in quick
    assert "(v0 * -2)" not in quick  # what would hold for half of the tables alone


def pascals(n):
    rows = np.zeros((n, n), np.int64)
    for i in range(n):
        rows[i, 0] = 1
        for j in range(1, i + 1):
            rows[i, j] = rows[i - 1, j - 1] + rows[i - 1, j]
    return rows


def partitions(n):
    ways = np.zeros(n + 1, np.int64)
    ways[0] = 1
    for part in range(1, n + 1):
        for total in range(part, n + 1):
            ways[total] += ways[total - part]
    return ways


def numbered(n):
    found = np.full((n, 3), 7)
    for i in range(n):
        for j in range(3):
            found[n - 1 - i, j] += i * j
    return found


@pytest.mark.parametrize("function", [pascals, partitions, numbered])
def test_an_array_that_is_as_long_as_a_loop_is_indexed_without_tests(function):
    graph = ag.function(function)
    for n in (0, 1, 2, 7):
        assert outcome_of(graph, np.int64(n)) == outcome_of(function, np.int64(n))
    for n in (-2, -3):
        with pytest.raises(ValueError, match="negative dimensions are not allowed"):
            graph(np.int64(n))
    source = graph.concrete_functions[0].program.source()
    quick = source[source.index("for v") :].split("\n    else:")[0]
    assert "fail" not in quick
    assert quick.count("else:") == 0  # of inner loops there is no other form
    assert source.count("memory(") == 1  # nor is there a copy


def outcome_of(call, *arguments):
    """What a call gives, or what it raises."""
    try:
        return np.asarray(call(*arguments)).tolist()
    except IndexError as error:
        return str(error).splitlines()[0]


def every_fourth(n):
    found = np.zeros(n * 4, np.int64)
    for i in range(n):
        found[4 * i] = i
    return found


def sums_of_two(n, m):
    found = np.zeros(n + m, np.int64)
    for i in range(n):
        for j in range(m):
            found[i + j] += 1
    return found


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (every_fourth, (0,)),
        (every_fourth, (3,)),
        (every_fourth, (2**62 + 2,)),
        (every_fourth, (-(2**62) + 2,)),
        (sums_of_two, (2, 3)),
        (sums_of_two, (0, 3)),
        (sums_of_two, (-1, 3)),
        (sums_of_two, (-(2**63) + 3, 2**63 - 1)),
    ],
)
def test_nothing_is_written_behind_an_array_whose_length_has_wrapped_around(function, arguments):
    with np.errstate(over="ignore"):
        given = [np.int64(each) for each in arguments]
        assert outcome_of(ag.function(function), *given) == outcome_of(function, *given)


def first_of_each(x, n):
    total = 0.0
    for i in range(-5, n):
        for j in range(i - 2):
            total += x[i - 3] * x[j]
    return total


@pytest.mark.parametrize("n", [-6, 0, 3, 4, 10, 13, 14])
def test_what_a_turn_says_of_the_numbers_around_it_is_not_asked(n):
    assert outcome(ag.function(first_of_each), X, np.asarray(n)) == outcome(first_of_each, X, n)


def from_far_below(x, i, n):
    total, j = 0.0, i
    while j < n:
        total += x[n - 1 - i]
        j += 1
        if total > 1.0:
            break
    return total


@pytest.mark.parametrize(
    ("i", "n"), [(0, 5), (3, 3), (0, 11), (-(2**63) + 3, 2**62), (-(2**63) + 1, 3), (2**62, -5)]
)
def test_loops_of_more_turns_than_one_can_count_say_nothing(i, n):
    with np.errstate(over="ignore"):
        given = np.int64(i), np.int64(n)
        assert outcome(ag.function(from_far_below), X, *given) == outcome(from_far_below, X, *given)


def over_a_list_that_it_changes(x):
    items = [x + k for k in range(20)]
    total = 0
    for item in items:
        total = total * 3 % 1009 + item
        items[item % 7] = total
    return total, items[0], items[6]


def test_a_limit_that_only_the_test_of_a_loop_computes_is_computed():
    graph, x = ag.function(over_a_list_that_it_changes, executor="native"), np.int64(5)
    assert graph(x) == over_a_list_that_it_changes(x)
    module = graph.concrete_functions[0].optimised_module
    assert tuple(Interpreted(lowered(module), module.entry).run([x])) == over_a_list_that_it_changes(x)
