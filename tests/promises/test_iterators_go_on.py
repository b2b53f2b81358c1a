"""Iterators go on where a tensor decides: those of lists do, and all others are refused there."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Iterator

import numpy as np
import pytest

import autograph as ag
from runtime.errors import GraphError


def numbers(log):
    log.append(1)
    yield 1
    log.append(2)
    yield 2


def of_a_list(x):
    it = iter([1, 2, 3])
    if x > 1:
        next(it)
    return list(it)


def numbered(x):
    it = enumerate([5, 6, 7])
    if x > 1:
        next(it)
    return next(it)


def of_a_generator(x):
    log = []
    it = numbers(log)
    if x > 1:
        next(it)
    return len(log)


def of_a_callee(x):
    it = zip([1, 2], [3, 4], strict=True)

    def taken():
        return next(it)

    if x > 1:
        taken()
    return list(it)


def in_each_turn(x):
    it, total = iter([1, 2, 3]), 0
    for _ in range(x):
        total += next(it)
    return total


def in_a_loop_over_it(x):
    it, total = itertools.count(), 0
    if x > 1:
        for i in it:
            total += i
            if i > 3:
                break
    return total + next(it)


def in_a_comprehension(x):
    it = map(abs, [1, 2, 3])
    found = [i for i in it if i > 2] if x > 1 else []
    return found, list(it)


def unpacked(x):
    it, a = iter([1, 2]), 0
    if x > 1:
        a, _ = it
    return a, list(it)


def in_a_display(x):
    it = re.finditer("x", "xxx")
    first = [*it] if x > 1 else []
    return len(first), len([*it])


def handed_to_a_function(x):
    it = re.finditer("x", "xxx")
    if x > 1:
        x += len([it].__class__((*it, *it)))
    return x, len([*it])


def by_its_own_method(x):
    it = re.finditer("x", "xxx")
    if x > 1:
        it.__next__()
    return len([*it])


def looked_through(x):
    it = re.finditer("x", "xxx")
    if x > 1:
        x += 1 in it
    return x, len([*it])


DECIDED = [
    in_a_display,
    by_its_own_method,
    looked_through,
    numbered,
    of_a_generator,
    of_a_callee,
    in_a_comprehension,
    unpacked,
]


@pytest.mark.parametrize("program", DECIDED, ids=lambda program: program.__name__)
def test_an_iterator_that_a_tensor_has_asked_for_items_is_refused(program):
    with pytest.raises(GraphError, match=r"is asked for items (again|where a tensor decides)"):
        ag.function(program)(np.int64(2))


def asked_by_a_callee(it):
    return it.__next__()


def left_alone(it):
    del it
    return 0


LEFT = [
    next,
    list,
    set,
    sum,
    enumerate,
    asked_by_a_callee,
    lambda it: [*it],
    lambda it: 3 in it,
    lambda it: max(*it),
    lambda it: [i for i in it],
]


@pytest.mark.parametrize("use", LEFT)
def test_an_iterator_that_a_loop_of_the_graph_has_left_is_refused_where_it_is_asked_again(use):
    def program(x):
        it = re.finditer("x", 6 * "x")
        for i in it:
            if i.start() > x:
                break
        return use(it)

    with pytest.raises(GraphError, match="callable_iterator is asked for items again"):
        ag.function(program)(np.int64(2))


def test_an_iterator_that_a_loop_of_the_graph_has_left_may_be_passed_on():
    def program(x):
        it, found = re.finditer("x", 6 * "x"), 0
        for i in it:
            found += i.start()
            if i.start() > x:
                break
        return found + left_alone(it)

    ag.check(program, np.int64(2))


def test_a_generator_that_has_begun_does_not_go_on_with_what_has_become_another_object():
    def f(x):
        log = []
        it = numbers(log)
        next(it)
        if x > 1:
            log.append(5)
        next(it)
        return log

    with pytest.raises(GraphError, match="a generator goes on, whose `log` only the graph knows by now"):
        ag.function(f)(np.int64(2))


def made_where_it_is_used(x):
    found = 0
    if x > 1:
        it = iter([1, 2, 3])
        found = next(it) + sum(it)
    return found


def outside_of_branches(x):
    it = iter([1, 2, 3])
    first = next(it)
    if x > 1:
        first += x
    return first, list(it)


def in_a_try(x):
    it, found = iter([1, 2]), []
    while True:
        try:
            found.append(next(it) * x)
        except StopIteration:
            break
    return found


@pytest.mark.parametrize(
    "program",
    [of_a_list, in_each_turn, in_a_loop_over_it, made_where_it_is_used, outside_of_branches, in_a_try],
    ids=lambda program: program.__name__,
)
def test_an_iterator_of_a_list_and_one_that_python_asks_once_are_as_in_python(program):
    ag.check(program, np.int64(2), then=[(np.int64(1),)])


class Stages:
    def __init__(self):
        self.factors = [1.0, 2.0]

    def passed(self, x):
        self.inputs = []
        for index, factor in enumerate(self.factors):
            self.inputs.append(x)
            x = x * factor
            if index < len(self.factors) - 1:
                x = np.maximum(x, 0)
        return x


def test_an_iterator_of_a_turn_that_is_traced_anew_is_made_anew():
    def program(n, x):
        stages, total = Stages(), 0.0
        for _ in range(n):
            x = stages.passed(x)
            total += x
            if total > 3:
                break
        return total

    ag.check(program, np.int64(3), np.float64(0.5))


def begun(generator):
    next(generator)
    return generator


FROM_OUTSIDE = [
    iter([1, 2]),
    iter({1: 2}),
    map(abs, iter([1, 2])),
    zip(iter([1]), [2], strict=True),
    itertools.chain([1], [2]),
    itertools.count(),
    iter(lambda: 1, 2),
    re.finditer("x", "xx"),
    io.StringIO("a\nb\n"),
    csv.reader(["a", "b"]),
    itertools.islice((i for i in range(5)), 3),
    begun(i for i in range(5)),
]


@pytest.mark.parametrize("iterator", FROM_OUTSIDE, ids=lambda iterator: type(iterator).__name__)
def test_an_iterator_from_outside_is_not_advanced_by_a_trace(iterator):
    def takes(x):
        next(iterator)
        return x

    def leaves(x):
        return x + (iterator is None or not isinstance(iterator, Iterator) or repr(iterator) == "")

    assert ag.function(leaves)(np.int64(1)) == 1
    with pytest.raises(GraphError, match="from outside of the function is advanced in it"):
        ag.function(takes)(np.int64(1))


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n + 1


def counted_down(n):
    numbers = Countdown(n)
    first = next(numbers, None)
    two = list(itertools.islice(numbers, 2))
    return first, next(numbers, -1), two, numbers.n, list(numbers), next(numbers, "end")


def test_next_of_an_iterator_of_the_program_has_a_default():
    ag.check(counted_down, np.int64(6), then=[(np.int64(0),), (np.int64(1),), (np.int64(3),)])


def test_a_loop_makes_each_item_in_its_turn():
    def shown(x):
        print("made", x)
        return x + 1

    def f(xs):
        total = 0.0
        for y in map(shown, filter(lambda x: x > 1, xs)):
            print("used", y)
            total += y
        for y in (shown(x) for x in xs if x > 2):
            total -= y
        return total

    ag.check(f, np.array([1.0, 2.0, 3.0]), then=[(np.array([1.0, 1.0, 1.0]),)])


@pytest.mark.parametrize(
    "asks",
    [
        lambda items, xs: next(items),
        lambda items, xs: next(items, None),
        lambda items, xs: [pair for pair in zip(items, xs[:1])],
        lambda items, xs: list(itertools.islice(items, 1)),
    ],
)
def test_items_that_are_made_with_effects_are_not_made_ahead(asks):
    seen = []

    def noted(x):
        seen.append(x)
        return x

    def f(xs):
        return asks(map(noted, xs), xs), len(seen)

    with pytest.raises(GraphError, match="making them has effects"):
        ag.function(f)(np.array([1.0, 2.0, 3.0]))
    assert not seen
