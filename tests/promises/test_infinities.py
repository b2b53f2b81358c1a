"""A search that begins with an infinity finds an integer: it stays one, and the infinity what it is."""

import math

import numpy as np
import pytest

import autograph as ag
from runtime.errors import KindsMeetWarning, StateDisagrees

SOME = np.array([3, 1, 2])
OTHERS = [(np.array([1]),), (np.array([2, 2, 7]),), (np.array([], dtype=int),)]


def lowest(numbers):
    best = math.inf
    for number in numbers:
        if number < best:
            best = number
    return best


def of_builtins(numbers):
    low, high = math.inf, -math.inf
    for number in numbers:
        low, high = min(low, number), max(high, number)
    return low, high, high - low, (low + high) / 2


def profit(prices):
    cheapest, best = math.inf, 0
    for price in prices:
        cheapest = min(cheapest, price)
        best = max(best, price - cheapest)
    return best


def or_none(numbers):
    best = float("inf")
    for number in numbers:
        if number % 2 == 0 and number < best:
            best = number
    return best if best != float("inf") else None


def with_its_place(numbers):
    best, place = -np.inf, None
    for i, number in enumerate(numbers):
        if number > best:
            best, place = number, i
    return best, place


def the_two_lowest(numbers):
    one = two = math.inf
    for number in numbers:
        if number < one:
            one, two = number, one
        elif number < two:
            two = number
    return one, two, two if two < math.inf else -1


def closest(numbers):
    best = math.inf
    for one in numbers:
        for other in numbers:
            if one != other:
                best = min(best, abs(one - other))
    return best


def in_an_attribute(numbers):
    class Record:
        best = math.inf

        def add(self, number):
            if number < self.best:
                self.best = number

    record = Record()
    for number in numbers:
        record.add(number)
    return record.best


def in_a_list(numbers):
    best = [math.inf, None]
    for i, number in enumerate(numbers):
        if number < best[0]:
            best = [number, i]
    return best


def until_it_is_low(numbers):
    best, i = math.inf, 0
    while i < len(numbers) and best > 1:
        best = min(best, numbers[i])
        i += 1
    return best, i


def asked(numbers):
    best = lowest(numbers)
    text = f"{best}", str(best), f"{best:.2f}"
    is_what = isinstance(best, float), math.isinf(best), best == math.inf
    computed = round(best, 1), abs(best), -best, best + 1, best * 2, best / 2
    ordered = sorted([best, 2, 1]), max(best, 2), min(best, 2), sum([best, 1])
    return text, is_what, computed, ordered, {best: 1}, best in {1, 2}


def as_a_whole_number(numbers):
    best = lowest(numbers)
    try:
        return int(best), best // 2
    except OverflowError as error:
        return str(error)


def as_an_index(numbers):
    best = lowest(numbers)
    return numbers[best] if best < len(numbers) else None, [*range(best)] if best != math.inf else []


@pytest.mark.parametrize(
    "program",
    [
        lowest,
        of_builtins,
        profit,
        or_none,
        with_its_place,
        the_two_lowest,
        closest,
        in_an_attribute,
        in_a_list,
        until_it_is_low,
        asked,
        as_a_whole_number,
        as_an_index,
    ],
)
def test_what_is_found_is_an_integer_and_without_any_it_is_the_infinity(program):
    ag.check(program, SOME, then=OTHERS)


def test_costs_of_a_table_are_integers():
    def cheapest_way(costs):
        rows, columns = costs.shape
        table = [[math.inf] * columns for _ in range(rows)]
        table[0][0] = costs[0, 0]
        for i in range(rows):
            for j in range(columns):
                if i:
                    table[i][j] = min(table[i][j], table[i - 1][j] + costs[i, j])
                if j:
                    table[i][j] = min(table[i][j], table[i][j - 1] + costs[i, j])
        return table[-1][-1], table

    ag.check(cheapest_way, np.array([[3, 1], [2, 5]]), then=[(np.array([[1, 1], [1, 9]]),)])


def test_floats_are_floats_as_before():
    function = ag.function(lowest)
    assert function(np.array([3.0, 1.0])) == 1.0
    assert "StatelessIf" not in function.concrete_functions[0].graph.ops
    ag.check(lowest, np.array([3.0, 1.0]), then=[(np.array([]),)])


def test_where_such_a_trace_is_refused_all_are_floats_and_it_is_said():
    def listed(numbers):
        return np.array([lowest(numbers), 1])

    with pytest.warns(KindsMeetWarning, match="may be a float64 or an int64"):
        found = ag.function(listed)(SOME)
    assert found.dtype == float
    assert [*found] == [1.0, 1.0]


def test_whether_it_is_the_infinity_itself_is_for_python_to_say():
    def is_untouched(numbers):
        return closest(numbers) is math.inf

    with pytest.raises(StateDisagrees, match="whether two numbers are one object"):
        ag.function(is_untouched)(SOME)
