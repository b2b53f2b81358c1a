"""Generators that builtins, comprehensions and Python itself consume."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import GraphError, NoConcreteValue
from tests.beyond.kit import check, loudly, upto


def naturals():
    i = 0
    while True:
        yield i
        i += 1


# ── builtins and comprehensions ──


def test_builtins():
    def f(n):
        return (
            sum(upto(n)),
            list(upto(n)),
            tuple(upto(n)),
            any(upto(n)),
            all(upto(n)),
            min(upto(n)),
            max(upto(n)),
            sorted(upto(n), reverse=True),
        )

    for n in (1, 4):
        check(f, n)


def test_any_all_and_in_stop_a_generator():
    def f(n):
        return (
            any(i > n for i in naturals()),
            all(i < n for i in naturals()),
            n in naturals(),
        )

    check(f, 4)


def test_comprehensions():
    def f(n):
        return [i * i for i in upto(n)], [i for i in upto(n) if i % 2 == 0], sum(i + 1 for i in upto(n))

    for n in (0, 5):
        check(f, n)


def test_enumerate_zip_map_and_filter():
    def f(n):
        total = 0
        for number, i in enumerate(upto(n), 1):
            total += number * i
        for i, j in zip(upto(n), upto(n + 2)):
            total += i * j
        for i in map(lambda i: i + 1, upto(n)):
            total += i
        for i in filter(lambda i: i > 1, upto(n)):
            total += i
        return total

    for n in (0, 5):
        check(f, n)


def test_a_comprehension_and_its_generator_take_turns():
    def say(i):
        print("takes", i)
        return i

    def f(n):
        return [say(i) for i in loudly(n)]

    check(f, 3)


def test_extend_and_unpacking():
    def f(n):
        found = [0]
        found.extend(upto(n))
        a, b = upto(2)
        return found, a, b

    check(f, 3)


# ── generators that Python runs ──


def test_next_and_then_a_loop():
    def three(x):
        yield x
        yield x + 1
        yield x + 2

    def f(x):
        items = three(x)
        first = next(items)
        total = first * 100
        for item in items:
            if item > 4:
                break
            total += item
        return total, next(items, -1)

    for x in (1, 3):
        check(f, x)


def test_a_generator_that_takes_what_is_sent():
    def averages():
        total = 0.0
        count = 0
        average = None
        while True:
            value = yield average
            total += value
            count += 1
            average = total / count

    def f(x):
        items = averages()
        next(items)
        items.send(x)
        return items.send(x + 2)

    check(f, 1)


@pytest.mark.parametrize("ask", [len, bool], ids=["len", "bool"])
def test_a_generator_that_python_runs_does_not_guess_what_a_list_of_the_graph_holds(ask):
    def f(n):
        found, counts = [], {}
        if n > 1:
            found.append(n)
            counts[n] = 1

        def sizes(held):
            try:
                yield ask(held)
            finally:
                held = None
            yield n

        return list(sizes(found)), list(sizes(counts))

    with pytest.raises(NoConcreteValue, match=r"Python asked (how long|whether) a list of the graph is"):
        ag.function(f)(np.int64(3))


def test_a_generator_with_a_finally():
    def three(x):
        try:
            yield x
            yield x + 1
        finally:
            closed.append(x)

    closed = []

    def f(x):
        total = 0
        for i in three(x):
            total += i
        return total, len(closed)

    def program(x):
        closed.clear()
        return f(x)

    check(program, 1)


def test_a_generator_that_ran_to_its_end_gives_no_more():
    def f(n):
        items = upto(n)
        total = 0
        for i in items:
            total += i
        for i in items:
            total += 100
        return total, list(items), next(items, -1)

    check(f, 3)


def test_a_generator_that_was_left_early_cannot_go_on():
    @ag.function
    def f(n):
        items = upto(n)
        for i in items:
            if i > 1:
                break
        return sum(items)

    with pytest.raises(GraphError, match="asked for items again"):
        f(rt.asarray(5))


def test_a_generator_made_before_a_loop_is_not_consumed_by_every_turn():
    @ag.function
    def f(n):
        items = upto(n)
        total = 0
        while n > 0:
            for i in items:
                total += i
            n -= 1
        return total

    with pytest.raises(GraphError, match="asked for items again"):
        f(rt.asarray(5))


def test_a_generator_that_branches_consume():
    def f(n):
        items = upto(n)
        total = 0
        if n > 3:
            for i in items:
                total += i
        else:
            for i in items:
                total -= i
        return total

    for n in (2, 5):
        check(f, n)


def test_endless_generators_in_enumerate_zip_and_generator_expressions():
    def f(limit, items):
        for square in (i * i for i in naturals()):
            if square > limit:
                break
        for number, i in enumerate(naturals(), 5):
            if number * i > limit:
                break
        total = 0
        for i, item in zip(naturals(), items):
            total += i * item
        return square, number, i, total

    for limit in (0, 50):
        check(f, limit, [1, 2, 3, 4])


def test_zip_asks_in_the_order_of_its_arguments():
    def f(items, n):
        total = 0
        for item, i, again in zip(items, loudly(n), items):
            print("takes", item, i)
            total += i * item * again
        return total

    for n in (1, 3, 5):
        check(f, [1, 2, 3], n)


def test_a_generator_has_no_length_and_no_order_to_turn_round():
    for program in (lambda n: len(upto(n)), lambda n: reversed(upto(n)), lambda n: upto(n)[0]):
        with pytest.raises(TypeError):
            ag.function(program)(rt.asarray(3))


def _counted(n):
    k = 0
    while k < n:
        yield k
        k += 1


def _doubled():
    k = 1
    while True:
        yield k
        k *= 2


def _first_that_passes(limit):
    return next(k for k in _doubled() if k > limit)


def _first_that_passes_or_none(limit):
    return next((k for k in _counted(8) if k > limit), -1), next(k for k in _counted(limit + 9) if k > limit)


@pytest.mark.parametrize("program", [_first_that_passes, _first_that_passes_or_none])
def test_next_looks_on_until_an_item_passes(program):
    ag.check(program, np.int64(5), then=[(np.int64(0),), (np.int64(100),)])


@pytest.mark.parametrize("decide", [any, all], ids=lambda decide: decide.__name__)
def test_what_decides_over_two_loops_makes_no_more_items_than_it_needs(decide):
    def decided(xs, ys, limit):
        asked = []

        def is_above(x, y):
            asked.append(x * 10 + y)
            return x * y > limit

        return decide(is_above(x, y) for x in xs if x > 1 for y in ys if y != x), asked

    xs, ys = np.array([1, 2, 3]), np.array([1, 2, 3])
    ag.check(decided, xs, ys, 2, then=[(xs, ys, 40), (xs, ys, -1), (xs[:0], ys, 1), (xs, ys[:0], 1)])
    ag.check(decided, [1, 2, 3], (1, 3), np.int64(2), then=[([1, 2, 3], (1, 3), np.int64(9))])


def test_one_loop_of_two_may_be_over_what_a_generator_function_gives():
    def numbers(limit):
        number = 0
        while number < limit:
            yield number
            number += 1

    def found(limit, wanted):
        seen = []

        def is_wanted(number):
            seen.append(number)
            return number == wanted

        return any(is_wanted(x * y) for x in numbers(limit) for y in numbers(x)), seen

    ag.check(found, np.int64(4), np.int64(2), then=[(np.int64(4), np.int64(99)), (np.int64(0), np.int64(0))])


def _refuse(item):
    raise ValueError(f"{item} is refused")


@pytest.mark.parametrize(
    "gathered",
    [
        lambda items: [_refuse(item) for item in items],
        lambda items: [[][item] for item in items if item > 0],
        lambda items: [other for item in items for other in _refuse(item)],
        lambda items: {item: _refuse(item) for item in items},
        lambda items: tuple(_refuse(item) for item in items),
        lambda items: sum(_refuse(item) for item in items),
        lambda items: list(map(_refuse, items)),
        lambda items: [int("none") for _ in items],
    ],
)
def test_an_item_that_always_raises_does_so_where_there_is_one(gathered):
    def f(n):
        items = []
        for i in range(n):
            items.append(i)
        return gathered(items), len(items)

    ag.check(f, np.int64(0), then=[(np.int64(2),), (np.int64(0),)])


def test_zip_asks_a_generator_as_often_as_python_does():
    def behind(xs, n):
        return [x for _, x in zip(range(n), _told(xs))]

    def before(xs, n):
        return [x for x, _ in zip(_told(xs), range(n))]

    def between(xs, n):
        for i, x, y in zip(range(n), _told(xs), xs):
            print(i, x)
            if y > 2:
                break

    some, none = np.array([1.0, -2.0, 3.0]), np.array([])
    counts = [(some, np.int64(0)), (some, np.int64(1)), (some, np.int64(5)), (none, np.int64(2))]
    for program in (behind, before, between):
        ag.check(program, some, np.int64(2), then=counts)


def test_zip_of_several_generators_that_print_is_refused():
    def f(xs, n):
        return list(zip(_told(xs), range(n), _told(xs)))

    with pytest.raises(GraphError, match="one by one, and making them has effects"):
        ag.function(f)(np.ones(2), np.int64(1))


def _told(xs):
    for x in xs:
        print("gives", x)
        yield x


def _squared(x):
    print("squares", x)
    return x * x


@pytest.mark.parametrize(
    "gathered",
    [
        lambda xs: [x for x in map(_squared, xs) if x < 10],
        lambda xs: list(x for x in (_squared(x) for x in xs if x != 2) if x < 10),
        lambda xs: {x: 1 for x in (_squared(x) for x in xs) if x < 10},
        lambda xs: sum(x for x in (x + 1 for x in map(_squared, xs) if x != 4) if x < 10),
        lambda xs: max((x for x in map(_squared, xs) if x < 10), default=0),
        lambda xs: list(filter(lambda x: x < 10, map(_squared, xs))),
        lambda xs: any(x > 3 for x in (_squared(x) for x in xs) if x < 10),
        lambda xs: all(x < 3 for x in map(_squared, xs)),
    ],
)
def test_what_an_item_is_made_of_is_made_once_however_many_conditions_there_are(gathered):
    ag.check(gathered, np.array([1, 2, 3, 4]), then=[(np.array([5, 1]),), (np.array([], int),)])
    ag.check(lambda n: gathered(range(n)), np.int64(4), then=[(np.int64(0),), (np.int64(6),)])
    ag.check(gathered, [1, 2, 3, 4])
