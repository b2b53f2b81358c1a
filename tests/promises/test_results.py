"""What a function returns is made anew by every call: objects, functions, exceptions; no iterators."""

import enum
import io
from collections import Counter, OrderedDict, defaultdict, deque
from functools import lru_cache

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees

X = np.float64(2.5)


def an_error(x):
    try:
        raise KeyError("missing")
    except KeyError as cause:
        error = ValueError("too much", x)
        error.limit = [x, 3]
        error.__cause__ = cause
        return error


def test_an_exception_holds_the_values_of_its_call():
    graph = ag.function(an_error)
    for x in (X, X * 2, X):
        error = graph(x)
        assert (type(error), error.args[0], float(error.args[1])) == (ValueError, "too much", float(x))
        assert [float(each) for each in error.limit] == [x, 3]
        assert (type(error.__cause__), error.__cause__.args) == (KeyError, ("missing",))


class Bare:
    """Has attributes on some paths only."""

    __slots__ = ("__dict__", "slot")


def test_an_object_under_two_names_has_no_attribute_that_its_path_has_not_given_it():
    def one_of_two(n, v):
        given = Bare()
        if n > 1:
            given.value = v
        else:
            given.slot = v
        return given, [given]

    function = ag.function(one_of_two)
    for number in (3, 0):
        given, [other] = function(np.int64(number), np.float64(2.0))
        assert given is other
        assert [hasattr(given, "value"), hasattr(given, "slot")] == [number > 1, number <= 1]


def test_a_cached_function_caches_the_results_of_its_call():
    @ag.function
    def scaled_by(x):
        @lru_cache(maxsize=8)
        def scaled(k):
            return k * x

        return scaled

    one, other = scaled_by(X), scaled_by(2 * X)
    assert [float(each) for each in (one(2), one(2), other(2))] == [5.0, 5.0, 10.0]
    assert (one.cache_info().hits, other.cache_info().hits, one.cache_info().maxsize) == (1, 0, 8)


def test_an_object_that_nobody_can_make_anew_is_another_one_in_every_call():
    @ag.function
    def page(x):
        file = io.StringIO()
        file.write("page")
        return file

    one, other = page(X), page(X)
    assert one is not other
    one.write("!")
    assert (one.getvalue(), other.getvalue()) == ("page!", "page")


def generated(x):
    return (x * i for i in range(3))


def mapped(x):
    return map(lambda k: k * x, [1, 2])


def zipped(x):
    return {"pairs": zip([x, 1], "ab", strict=True)}


def iterated(x):
    return iter([x, 2.0])


@pytest.mark.parametrize("program", [generated, mapped, zipped, iterated])
def test_an_iterator_of_one_call_is_refused(program):
    graph = ag.function(program)
    for _ in range(2):
        with pytest.raises(StateDisagrees, match=rf"{program.__name__}\(\) returns an iterator"):
            graph(X)


class Metres(float):
    def __repr__(self):
        return f"{float(self)} m"


class Level(enum.IntEnum):
    LOW = 1


def test_numbers_of_own_classes_come_back_as_they_are():
    @ag.function
    def f(x):
        return Metres(2.5), [Level.LOW, x], {"length": Metres(1.0) + x}

    length, (level, _), named = f(np.float64(2.0))
    assert type(length) is Metres
    assert level is Level.LOW
    assert repr(length) == "2.5 m"
    assert float(named["length"]) == 3.0


def row_twice(n):
    a = np.zeros(2)
    rows = [a, a]
    rows[n % 2] += 1
    return rows


def row_in_a_nest(n):
    a = np.ones(2) * n
    return [a, {"a": a}["a"], (a, a)[1], np.ones(2) * n]


def argument_twice(n):
    x = np.asarray(n)
    return [x, x]


@pytest.mark.parametrize("function", [row_twice, row_in_a_nest, argument_twice])
def test_an_array_that_is_returned_twice_is_one_object(function):
    found, expected = ag.function(function)(np.int64(3)), function(np.int64(3))
    assert [[a is b for b in found] for a in found] == [[a is b for b in expected] for a in expected]
    assert np.array_equal(np.asarray(found[0]), expected[0])


def counter():
    count = 0

    def up():
        nonlocal count
        count += 1
        return count

    return up


LEFT = {}


@pytest.mark.parametrize(
    "made",
    [
        lambda: deque([1.0], maxlen=3),
        lambda: {1, 2},
        lambda: defaultdict(list, a=[1.0]),
        lambda: Counter("ab"),
        lambda: OrderedDict(a=1.0),
        lambda: deque([[1.0], {2.0}]),
        lambda: ValueError([1.0]),
        counter,
    ],
)
def test_a_container_without_tensors_is_made_by_each_call_and_is_one_with_what_the_call_leaves(made):
    @ag.function
    def returned(x):
        found = made()
        LEFT["found"] = found
        return found, x

    @ag.function
    def only_returned(x):
        return x, made()

    first, _ = returned(X)
    assert first is LEFT["found"]
    second, _ = returned(X)
    assert second is LEFT["found"] is not first
    assert only_returned(X)[1] is not only_returned(X)[1]


def test_a_function_without_tensors_has_variables_of_its_own_in_each_call():
    made = ag.function(lambda x: (counter(), x))
    up, _ = made(X)
    assert (up(), up(), made(X)[0]()) == (1, 2, 1)


def test_a_range_that_only_the_run_knows_is_one_of_pythons():
    def ranges(n):
        LEFT["range"] = range(n, 3 * n)
        several = []
        for i in range(n):
            several.append(range(i, n))
        compared = (
            range(n) == range(2),
            range(n) != range(0),
            range(3) == range(n),
            range(0, n, 2) == range(0, 1, 3),
        )
        return range(n), range(n)[1:], [range(n, 0, -1)], several, compared, range(n) == {1}

    ag.check(ranges, np.int64(2), then=[(np.int64(1),), (np.int64(0),), (np.int64(3),)])
    found, *_ = ag.function(ranges)(np.int64(4))
    assert type(found) is type(LEFT["range"]) is range
