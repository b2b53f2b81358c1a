"""`operator` has signs and statements as functions: they do what the signs do, whoever calls them."""

import functools
import itertools
import operator

import numpy as np
import pytest

import autograph as ag

NUMBERS, WORTH = [10, 20, 30], {1: 2, 2: 5}


class Amount:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Amount(self.value + other.value)

    def __lt__(self, other):
        return self.value < other.value

    def __bool__(self):
        return bool(self.value > 1)

    def __contains__(self, value):
        return self.value == value

    def __getitem__(self, by):
        return self.value + by


def items_are_read(n):
    return operator.getitem(NUMBERS, n), operator.getitem("abc", n), operator.getitem(WORTH, n)


def items_are_set(n):
    items, x = [1, 2, 3], np.arange(4)
    operator.setitem(items, n, 7)
    operator.delitem(items, 0)
    operator.setitem(x, n, 9)
    shown = x
    shown = operator.iadd(shown, n)
    return items, x, shown, operator.getitem(x, slice(n, None))


def truth_and_identity(n):
    return operator.truth(n - 1), operator.not_(n), operator.is_(n, None), operator.is_not(n, None)


def lists_that_grow(n):
    items = []
    for i in range(n):
        items.append(i)
    sums = operator.add(items, [1]), operator.concat(items, [2]), operator.mul(items, 2)
    grown = operator.iadd(items, [3])
    return sums, grown, operator.contains(items, 1), operator.truth(items), operator.eq(items, [0, 3])


def text_is_repeated_and_formatted(n):
    return operator.mul("ab", n), operator.mod("%d!", n), operator.contains("a1b2", str(n))


def sets_of_numbers(n):
    known = {1, 2}
    return operator.contains(known, n), operator.sub(known, {n}) == {2}, operator.and_(known, {n, 5})


def items_are_counted_and_found(n):
    numbers = operator.countOf([n, 1, 2], n), operator.indexOf([5, n], n), operator.countOf((1, 2), n)
    return numbers, operator.indexOf([5, 1], n)


def objects_have_methods(n):
    amount = Amount(n)
    compared = operator.lt(amount, Amount(2)), operator.truth(amount), operator.not_(amount)
    return (
        operator.add(amount, amount).value,
        compared,
        operator.contains(amount, 2),
        operator.getitem(amount, n),
    )


def getters_ask_rows_of_the_run(n):
    rows = [(i * i, -i) for i in range(n)]
    both = operator.itemgetter(0, 1)
    return (
        sorted(rows, key=operator.itemgetter(1)),
        [both(row) for row in rows],
        list(map(operator.itemgetter(1), rows)),
    )


def getters_ask_dicts_and_methods(n):
    rows = [{"a": n, "b": 2}, {"a": 1, "b": n}]
    called = operator.methodcaller("get", n, 0)(WORTH), operator.methodcaller("count", n)([*NUMBERS, n])
    split = operator.methodcaller("split", sep=",")("a,b" * 2)
    return sorted(rows, key=operator.itemgetter("b")), called, split, operator.attrgetter("real")(n)


def builtins_are_handed_on(n):
    greater, less = functools.partial(max, n), functools.partial(operator.lt, n)
    folded = list(itertools.accumulate([n, 3, 1], max)), functools.reduce(operator.mul, [n, 2, 3])
    spread = list(itertools.starmap(max, [(n, 1), (1, n)])), list(itertools.filterfalse(bool, [n, 0]))
    return (
        list(map(greater, [1, 2])),
        list(filter(less, [1, 2, 3])),
        folded,
        spread,
        sorted([3, 1], key=greater),
    )


PROGRAMS = [
    items_are_read,
    items_are_set,
    truth_and_identity,
    lists_that_grow,
    text_is_repeated_and_formatted,
    sets_of_numbers,
    items_are_counted_and_found,
    objects_have_methods,
    getters_ask_rows_of_the_run,
    getters_ask_dicts_and_methods,
    builtins_are_handed_on,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_function_of_operator_does_what_its_sign_does(program):
    ag.check(program, np.int64(1), then=[(np.int64(2),)])


def test_what_is_not_there_is_an_error_at_the_line_of_the_program():
    def read(n):
        return operator.getitem([1, 2], n), operator.indexOf([1, 2], n)

    ag.check(read, np.int64(1), then=[(np.int64(5),), (np.int64(0),)])


class Place:
    def __init__(self, number):
        self.number = number

    def __index__(self):
        return int(self.number) + 1


@pytest.mark.parametrize("number", [np.int64(1), np.uint8(1), np.float64(1.0), np.array(1), np.array([1.0])])
def test_index_gives_an_integer_of_pythons_own_and_takes_no_other_number(number):
    def place(x):
        try:
            found = operator.index(x)
        except TypeError as error:
            raise ValueError(f"{x} is no place: {error}") from None
        return NUMBERS[found], type(found), list(map(operator.index, [x, x + 1]))

    ag.check(place, number, then=[(number - 1,), (number + 5,)])


def test_index_asks_an_object_for_its_method_and_a_bool_of_pythons_for_its_number():
    def places(n):
        return operator.index(Place(n)), operator.index(n > 3 or bool(n)), operator.index(bool(n))

    ag.check(places, np.int64(1), then=[(np.int64(0),)])


def test_index_of_a_bool_of_numpys_is_refused_as_numpy_refuses_it():
    ag.check(lambda n: operator.index(n > 1), np.int64(1))
