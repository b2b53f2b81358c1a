"""Generators that yield inside of a `try`, and those that end in an exception."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of

NUMBERS = [np.int64(3), np.int64(1), np.int64(4), np.int64(1), np.int64(5)]


def places(items, wanted):
    place = -1
    try:
        while True:
            yield (place := items.index(wanted, place + 1))
    except ValueError:
        pass


def in_pairs(items):
    iterator = iter(items)
    try:
        while True:
            yield next(iterator), next(iterator)
    except StopIteration:
        return


def in_turn(*many):
    iterators = [iter(items) for items in many]
    while iterators:
        for iterator in list(iterators):
            try:
                yield next(iterator)
            except StopIteration:
                iterators.remove(iterator)


def no_larger(items, limit):
    for item in items:
        try:
            if item > limit:
                raise KeyError(item)
            yield item
        except KeyError as error:
            print("skipped", error)
        else:
            yield -item


def told(items, limit):
    try:
        yield from no_larger(items, limit)
    except IndexError:
        print("never")


def gathered(items, n):
    return list(places(items, n)), list(in_turn(items, [n, n + 1]))


def left_early(items, n):
    total = 0
    for place in places(items, n):
        total += 10 * place
        if total > 20:
            break
    return total


def pairs_of_an_array(items, n):
    return [x * n + y for x, y in in_pairs(items)]


def sums(items, n):
    return sum(no_larger(items, n)), max(no_larger(items, n + 1), default=0)


def a_consumer_that_raises(items, n):
    for x in told(items, n):
        if x == n:
            raise KeyError(x)
        items[x]
    return n


def an_index_that_is_missing(items, n):
    try:
        for x in told(items, n):
            print(items[3 * x])
    except IndexError as error:
        return str(error)
    return "none"


@pytest.mark.parametrize(
    "function", [gathered, left_early, sums, a_consumer_that_raises, an_index_that_is_missing]
)
def test_handlers_hear_of_what_the_generator_raises_and_of_nothing_else(function):
    then = [(NUMBERS, np.int64(3)), (NUMBERS[1:], np.int64(4)), (NUMBERS, np.int64(9))]
    ag.check(function, NUMBERS, np.int64(1), then=then)


@pytest.mark.parametrize(
    "function", [pairs_of_an_array, sums, a_consumer_that_raises, an_index_that_is_missing]
)
def test_an_array_gives_the_items(function):
    array = np.array(NUMBERS)
    ag.check(function, array, np.int64(1), then=[(array[1:], np.int64(4)), (array, np.int64(9))])


def up_to(items, limit):
    for item in items:
        yield item
        if item > limit:
            raise StopIteration


def in_pairs_alone(items):
    iterator = iter(items)
    while True:
        yield next(iterator), next(iterator)


def neighbours(items):
    iterator = iter(items)
    before = next(iterator)
    for item in iterator:
        yield before, item
        before = item


def a_list(items, n):
    return list(up_to(items, n))


def a_loop(items, n):
    for x in up_to(items, n):
        n += x
    return n


def a_loop_over_pairs(items, n):
    for x, y in in_pairs_alone(items):
        n += x * y
    return n


def a_handler(items, n):
    try:
        for x, y in in_pairs_alone(items):
            n += x * y
    except StopIteration:
        n = -1
    except RuntimeError as error:
        print(error, repr(error.__cause__))
        n = -2
    return n


def a_stop_of_the_consumers(items, n):
    few = iter([1, 2])
    try:
        for x in up_to(items, n):
            next(few)
    except StopIteration:
        return n + x
    return n


def all_neighbours(items, n):
    return [x - y + n for x, y in neighbours(items)]


@pytest.mark.parametrize(
    "function", [a_list, a_loop, a_loop_over_pairs, a_handler, a_stop_of_the_consumers, all_neighbours]
)
@pytest.mark.parametrize("items", [NUMBERS, np.array(NUMBERS)], ids=["list", "array"])
def test_a_stop_that_comes_out_of_a_generator_is_a_runtime_error(function, items):
    ag.check(function, items, np.int64(3), then=[(items, np.int64(9)), (items[:0], np.int64(3))])


def test_a_list_that_grows_by_each_item_and_on_paths_that_raise_is_refused_or_collected_first():
    text = """
def positive(xs):
    try:
        for x in xs:
            if x < 0:
                raise ValueError("negative")
            yield x
    except ValueError:
        pass
def f(xs):
    found = []
    for x in {items}:
        try:
            if x > 4:
                raise KeyError("large")
            found.append(x)
        except KeyError:
            found.append(99.0)
    return found
"""
    calls = [(np.array([1.0, 2.0, 3.0]),), (np.array([9.0, 1.0, -1.0]),)]
    with pytest.raises(StateDisagrees, match="gets longer behind a `try`"):
        ag.function(function_of(text.format(items="positive(xs)")))(*calls[1])
    ag.check(function_of(text.format(items="list(positive(xs))")), *calls[0], then=calls[1:])
