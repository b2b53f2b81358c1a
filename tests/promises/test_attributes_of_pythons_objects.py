"""What programs keep as attributes of functions (`f.calls += 1`), and of other objects of Python's own."""

import contextlib
import functools
import io
import logging
import queue
import random
import threading

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue


def as_written(function):
    return function


def number(value):
    """A value as plain Python prints it, whoever has made it."""
    if isinstance(value, dict):
        return {number(key): number(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [number(held) for held in value]
    return None if value is None else np.asarray(value).tolist()


def counted(function):
    @functools.wraps(function)
    def inner(*args):
        inner.calls += 1
        return function(*args)

    inner.calls = 0
    return inner


def counting(decorate):
    @decorate
    def f(n):
        for i in range(n):
            f.calls += i
            if i % 2:
                f.log.append(i)
        f.last = n
        return n * f.scale

    f.calls, f.log, f.scale = 0, [], 2
    return f, lambda: (f.calls, f.log, f.last)


def remembering_the_first(decorate):
    @decorate
    def f(n):
        if not hasattr(f, "first"):
            f.first = n
        return n + f.first

    return f, lambda: f.first


def called_by_another(decorate):
    @decorate
    def doubled(n):
        doubled.calls += 1
        return n * 2

    @decorate
    def f(n):
        total = 0
        while n > 0:
            total += doubled(n)
            n -= 1
        return total

    doubled.calls = 0
    return f, lambda: doubled.calls


def of_a_method(decorate):
    class Walk:
        @decorate
        def step(self, n):
            Walk.step.calls += 1
            return n + self.step.calls

    Walk.step.calls = 0
    return Walk().step, lambda: Walk.step.calls


def taken_away(decorate):
    @decorate
    def f(n):
        if n > 2:
            f.seen = n
        elif hasattr(f, "seen"):
            del f.seen
        return n

    return f, lambda: getattr(f, "seen", None)


def by_a_decorator_below(decorate):
    @decorate
    @counted
    def f(n):
        return n + 1

    return f, lambda: f.calls


def by_a_decorator_above(decorate):
    @counted
    @decorate
    def f(n):
        return n + 1

    return f, lambda: f.calls


def decorated_twice(decorate):
    @decorate
    @decorate
    def f(n):
        f.calls += n
        return f.calls

    f.calls = 0
    return f, lambda: f.calls


def with_names_of_the_run(decorate):
    @decorate
    def f(n):
        setattr(f, "total", getattr(f, "total", 0) + n)
        return sum(held for name, held in vars(f).items() if name.startswith("total"))

    return f, lambda: f.total


def in_an_array(decorate):
    @decorate
    def f(n):
        f.buffer[0] += n
        return f.buffer.sum()

    f.buffer = np.zeros(3)
    return f, lambda: f.buffer


def of_what_a_tensor_chooses(decorate):
    @decorate
    def doubled(n):
        return n * 2

    @decorate
    def tripled(n):
        return n * 3

    doubled.calls = tripled.calls = 0

    @decorate
    def f(n):
        chosen = doubled if n > 2 else tripled
        chosen.calls += 1
        return chosen(n)

    return f, lambda: (doubled.calls, tripled.calls)


def of_partials(decorate):
    more, twice = functools.partial(np.add, 1), functools.partial(np.multiply, 2)
    more.calls = twice.calls = 0

    @decorate
    def f(n):
        chosen = more if n > 2 else twice
        chosen.calls += 1
        return chosen(n)

    return f, lambda: (more.calls, twice.calls)


def of_a_cache(decorate):
    @functools.cache
    def table(size):
        return size + 1

    table.asked = 0

    @decorate
    def f(n):
        if n > 2:
            table.asked += n
        return table(2) * n

    return f, lambda: table.asked


@pytest.mark.parametrize(
    "make",
    [
        counting,
        remembering_the_first,
        called_by_another,
        of_a_method,
        taken_away,
        by_a_decorator_below,
        by_a_decorator_above,
        decorated_twice,
        with_names_of_the_run,
        in_an_array,
        of_what_a_tensor_chooses,
        of_partials,
        of_a_cache,
    ],
)
def test_attributes_are_those_of_python(make):
    histories = []
    for decorate in (as_written, ag.function):
        f, kept = make(decorate)
        histories.append([(number(f(np.int64(n))), number(kept())) for n in (3, 5, 2, 0, 7)])
    assert histories[0] == histories[1]


def test_what_the_caller_sets_in_between_is_seen():
    @ag.function
    def f(n):
        return n * f.scale

    f.scale = 2
    assert int(f(np.int64(3))) == 6
    f.scale = 5
    assert int(f(np.int64(3))) == 15
    del f.scale
    with pytest.raises(AttributeError, match="no attribute 'scale'"):
        f(np.int64(3))


def test_what_a_function_remembers_by_numbers_is_found_again():
    @ag.function
    def fibonacci(n):
        if n in fibonacci.known:
            return fibonacci.known[n]
        fibonacci.known[n] = n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
        return fibonacci.known[n]

    fibonacci.known = {}
    assert [fibonacci(n) for n in (3, 6, 2, 8)] == [2, 8, 1, 21]
    assert fibonacci.known == {0: 0, 1: 1, 2: 1, 3: 2, 4: 3, 5: 5, 6: 8, 7: 13, 8: 21}


def test_a_call_that_raises_leaves_what_it_has_set():
    @ag.function
    def f(n):
        f.calls += 1
        if n > 3:
            raise ValueError("too many")
        return n

    f.calls = 0
    for n in (3, 5, 2):
        try:
            f(np.int64(n))
        except ValueError:
            continue
    assert int(f.calls) == 3


def test_two_graph_functions_of_one_function_share_its_attributes():
    def f(n):
        return n

    first, second = ag.function(f), ag.function(f)
    first.calls = 3
    assert (f.calls, second.calls, vars(second)) == (3, 3, {"calls": 3})


def test_a_bound_method_takes_no_attributes():
    class Walk:
        @ag.function
        def step(self, n):
            return n

    with pytest.raises(AttributeError, match="'method' object has no attribute 'calls'"):
        Walk().step.calls = 3


@pytest.mark.parametrize(
    "make",
    [
        lambda: logging.getLogger("kept"),
        lambda: random.Random(3),
        threading.Event,
        io.StringIO,
        queue.Queue,
        contextlib.ExitStack,
        lambda: staticmethod(abs),
        lambda: np.poly1d([1, 2]),
        lambda: ValueError("found"),
    ],
)
def test_objects_of_pythons_own_keep_what_a_program_sets(make):
    histories = []
    for decorate in (as_written, ag.function):
        one = make()
        one.calls, one.seen = 0, {"last": None}

        @decorate
        def f(n, one=one):
            one.calls += n
            if n > 2:
                one.level = n
                one.seen["last"] = n
            return one.calls

        histories.append(
            [(number(f(np.int64(n))), number(one.calls), number(one.seen)) for n in (3, 5, 2, 0, 7)]
        )
        assert number(one.level) == 7
        one.calls = 100
        assert number(f(np.int64(1))) == 101
    assert histories[0] == histories[1]


def test_what_a_loggers_level_was_is_read_in_each_call():
    logger = logging.getLogger("of levels")
    logger.level = 5

    @ag.function
    def f(n):
        before = logger.level
        logger.level = n
        return before

    assert [int(f(np.int64(n))) for n in (1, 2, 3)] == [5, 1, 2]


def test_what_is_refused_has_set_nothing():
    logger = logging.getLogger("of refusals")
    logger.level, logger.seen = 5, 0

    @ag.function
    def f(n):
        logger.level = logger.seen = n
        return np.shares_memory(n, n)

    with pytest.raises(NoConcreteValue):
        f(np.int64(3))
    assert (logger.level, logger.seen) == (5, 0)


def test_a_call_that_raises_has_set_what_stands_before():
    logger = logging.getLogger("of exceptions")
    logger.level = 5

    @ag.function
    def f(n):
        logger.level = n
        if n > 3:
            raise ValueError("too many")
        logger.level = n + 1

    for n in (2, 7):
        with contextlib.suppress(ValueError):
            f(np.int64(n))
        assert int(logger.level) == (3 if n == 2 else 7)
