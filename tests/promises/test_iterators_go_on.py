"""Iterators go on where a tensor decides: those of lists do, and all others are refused there."""

from __future__ import annotations

import collections
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


class Tickets:
    def __init__(self):
        self.numbers, self.count = itertools.count(), 0

    def taken_from_an_iterator(self, x):
        return next(self.numbers), x

    def counted(self, x):
        self.count += 1
        return self.count - 1, x


def test_a_count_from_outside_is_refused_with_a_way_out_that_works():
    tickets = Tickets()
    with pytest.raises(GraphError, match=r"add to it: `self.count \+= 1`"):
        ag.function(tickets.taken_from_an_iterator)(np.int64(1))
    counted = ag.function(tickets.counted)
    assert [int(counted(np.int64(1))[0]) for _ in range(3)] == [0, 1, 2]


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
        lambda items, xs: (next(items, None), next(items, None), list(items)),
        lambda items, xs: next((item for item in items if item > 1), -1),
        lambda items, xs: list(itertools.islice(items, 1)),
        lambda items, xs: (list(itertools.islice(items, 2)), list(items)),
        lambda items, xs: (collections.deque(itertools.islice(items, 2), maxlen=0), next(items)),
        lambda items, xs: list(itertools.takewhile(lambda item: item < 2, items)),
    ],
)
def test_items_are_made_when_they_are_asked_for(asks):
    def noted(x):
        print("made", x)
        return x

    def f(xs):
        return asks(map(noted, xs), xs)

    def filtered(xs):
        return asks((noted(x) for x in xs if x > 0), xs)

    def listed(xs):
        return asks((noted(x) for x in [xs[0], xs[1], xs[2]]), xs)

    for program in (f, filtered, listed):
        ag.check(program, np.array([1.0, 2.0, 3.0]))


@pytest.mark.parametrize(
    "asks",
    [
        lambda items: next(enumerate(items, 3)),
        lambda items: (next(enumerate(items)), next(items)),
        lambda items: [pair for pair in zip(range(2), enumerate(items))],
        lambda items: [i * x for i, x in itertools.islice(enumerate(items), 2)],
    ],
)
def test_numbered_items_are_made_when_they_are_asked_for(asks):
    def noted(x):
        print("made", x)
        return x

    ag.check(lambda xs: asks(map(noted, xs)), np.array([1.0, 2.0, 3.0]))


def inverses(xs):
    made = (1 // int(x) for x in xs)
    found = next(made)
    for each in made:
        if each == 0:
            break
    return found, next((x for x in xs if 1 // int(x) >= 0), None)


def found_in(xs):
    known = {1: 2.0, 3: 4.0}
    return next(known[int(x)] for x in xs), next(map(known.get, map(int, xs)))


@pytest.mark.parametrize("program", [inverses, found_in])
def test_what_an_item_behind_would_raise_is_not_raised(program):
    ag.check(program, np.array([1.0, 3.0, 0.0, 5.0]))


def test_items_that_are_made_with_effects_are_not_made_ahead():
    seen = []

    def noted(x):
        seen.append(x)
        return x

    def f(xs):
        return [pair for pair in zip(map(noted, xs), xs[:1])], len(seen)

    with pytest.raises(GraphError, match="making them has effects"):
        ag.function(f)(np.array([1.0, 2.0, 3.0]))
    assert not seen


def in_step(xs, n):
    made = []
    try:
        for x, i in zip(xs, range(n), strict=True):
            made.append(x * i)
    except ValueError as error:
        return made, str(error)
    return made, ""


def left_before_the_end(xs, n):
    pairs = zip(xs, range(n), strict=True)
    first = next(pairs)
    for x, i in zip(xs, range(n), strict=True):
        if i == 1:
            break
    return first, x, any(x >= i for x, i in zip(xs, range(n), strict=True))


def never_asked(xs, n):
    pairs, none = zip(xs, range(n), strict=True), zip([], xs, strict=True)
    return type(pairs) is type(none), n


def inside_of_another(xs, n):
    made = []
    try:
        for (x, i), k in zip(zip(xs, range(n), strict=True), range(2)):
            made.append(x + i + k)
        for k, (x, i) in zip(range(len(xs)), zip(xs, range(n), strict=True)):
            made.append(x + i - k)
        for k, (x, i) in zip(range(len(xs)), zip(xs, range(n), strict=True), strict=True):
            made.append(x * i - k)
    except ValueError as error:
        return made, str(error)
    return made, ""


def one_iterator_twice(xs, n):
    it = iter(range(n))
    made = []
    try:
        for one, other in zip(it, it, strict=True):
            made.append(one * other)
    except ValueError as error:
        return made, str(error)
    return made, ""


@pytest.mark.parametrize(
    "program", [in_step, left_before_the_end, never_asked, inside_of_another, one_iterator_twice]
)
def test_a_strict_zip_is_strict_where_it_is_asked_for_more(program):
    xs = np.array([1.0, 2.0, 3.0])
    ag.check(program, xs, np.int64(3), then=[(xs, np.int64(2)), (xs, np.int64(5)), (xs, np.int64(4))])
