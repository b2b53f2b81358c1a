"""Sets and values of Python's among the arguments: one graph serves all that hold the same."""

import datetime as dt
import decimal
import fractions
import pathlib

import numpy as np
import pytest

import autograph as ag


def grown(found, x):
    found.add(x * 10)
    return x in found, len(found), sorted(found)


def test_a_graph_serves_every_set_that_holds_the_same():
    graph = ag.function(grown)
    for x in 2, 3:
        plain, given = {1, 2, 3}, {1, 2, 3}
        expected, result = grown(plain, x), graph(given, np.int64(x))
        assert (bool(result[0]), int(result[1]), [int(each) for each in result[2]]) == expected
        assert given == plain
    assert len(graph.concrete_functions) == 1


def test_a_set_that_holds_more_at_each_call_is_an_input():
    graph, plain, given = ag.function(grown), {1}, {1}
    for x in range(2, 9):
        assert int(graph(given, np.int64(x))[1]) == grown(plain, x)[1]
        assert given == plain
    assert len(graph.concrete_functions) < 5


def test_sets_of_texts_pairs_and_numbers_of_other_kinds_are_told_apart():
    graph = ag.function(lambda found, x: [str(each) for each in sorted(found)][int(x > 1)])
    sets = [{"a", "b"}, {"a", "c"}, {(1, 2), (3, 4)}, {1, 2}, {1.0, 2.0}, {True, 2}]
    for each in sets:
        for x in 1, 2:
            assert graph(set(each), np.int64(x)) == [str(item) for item in sorted(each)][int(x > 1)]
    assert len(graph.concrete_functions) == len(sets)


def test_what_is_returned_or_kept_is_the_set_of_the_caller():
    kept = []

    def program(found):
        kept.append(found)
        found.add(9)
        return found, {"found": found}

    graph = ag.function(program)
    for _ in range(2):
        given = {1, 2}
        result, held = graph(given)
        assert result is given
        assert held["found"] is given
        assert kept[-1] is given
        assert given == {1, 2, 9}


def test_a_set_that_is_two_arguments_is_one():
    def program(one, other, x):
        one.add(x)
        return len(other), one is other

    graph = ag.function(program)
    for _ in range(2):
        same = {1}
        count, is_one = graph(same, same, np.int64(5))
        assert (int(count), bool(is_one)) == (2, True)
        count, is_one = graph({1}, {1}, np.int64(5))
        assert (int(count), bool(is_one)) == (1, False)


shared = {1, 2}


def test_a_set_that_the_function_has_from_outside_as_well_is_that_one():
    def program(found, x):
        found.add(x)
        return len(shared), found is shared

    graph = ag.function(program)
    for _ in range(2):
        given = {1, 2}
        assert [int(each) for each in graph(given, np.int64(7))] == [2, False]
        shared.discard(7)
        assert [int(each) for each in graph(shared, np.int64(7))] == [3, True]
        shared.discard(7)


@pytest.mark.parametrize(
    "make",
    [
        lambda: dt.date(2024, 2, 29),
        lambda: dt.datetime(2024, 2, 29, 12, tzinfo=dt.UTC),
        lambda: dt.timedelta(days=3),
        lambda: decimal.Decimal("1.50"),
        lambda: fractions.Fraction(1, 3),
        lambda: pathlib.PurePosixPath("a/b"),
        lambda: frozenset({"a", "b"}),
    ],
)
def test_values_of_python_that_never_change_are_told_by_what_they_are(make):
    graph = ag.function(lambda value, x: (str(value) if x > 1 else "", x + 1))
    for x in 1, 2:
        assert graph(make(), np.int64(x))[0] == (str(make()) if x > 1 else "")
    assert len(graph.concrete_functions) == 1


def test_equal_decimals_of_other_digits_are_told_apart():
    graph = ag.function(lambda value, x: (str(value), x))
    assert [graph(decimal.Decimal(each), np.int64(1))[0] for each in ("1.5", "1.50")] == ["1.5", "1.50"]


@pytest.mark.parametrize("kind", [set, frozenset])
def test_sets_of_numpys_numbers_are_told_by_these(kind):
    @ag.function
    def total(numbers, x):
        return sum(sorted(numbers)) * x

    for values in ([1, 2, 3], [1, 2, 3], [4], [1, 2, 3]):
        assert total(kind(np.array(values)), np.int64(2)) == 2 * sum(values)
    assert total.experimental_get_tracing_count() == 2
    total(kind(np.array([1, 2, 3], np.int8)), np.int64(2))
    assert total.experimental_get_tracing_count() == 3


def test_sets_of_spans_of_time_are_told_by_their_units():
    @ag.function
    def is_short(spans, x):
        return np.timedelta64(60, "s") in spans, x

    for unit, found in (("s", False), ("m", True), ("s", False)):
        assert is_short({np.timedelta64(1, unit)}, np.int64(2))[0] == found
