"""Calls that a test serves, which is written for the arguments of an earlier one."""

import random
import traceback
from decimal import Decimal

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.functions.alike import NONE_RETURNED, serving

CALLS = 30
LONGEST = [3]


def served(*args, **kwargs):
    return serving(args, kwargs, {"found": "found"}, ["result = found"])


class Thing:
    pass


THING = Thing()
GENERATOR = np.random.default_rng(1)


@pytest.mark.parametrize(
    ("like", "others"),
    [
        (1, [True, 1.0, 2, np.int64(1), "1", None]),
        (1.5, [1.25, np.float64(1.5), None]),
        (True, [1, False, np.True_]),
        (float("inf"), [1.0, np.float64("inf")]),
        ("a", ["b", b"a", ["a"]]),
        (None, [0, False, ""]),
        ([1, "a"], [[1, "b"], [True, "a"], (1, "a"), [1], [1, "a", 2], []]),
        ((2, (3,)), [(2, [3]), (2, (4,)), [2, (3,)]]),
        ({"a": 1, "b": 2}, [{"b": 2, "a": 1}, {"a": 1}, {"a": 1, "b": True}, {"a": 1, "b": 2, "c": 3}]),
        (np.ones(3), [np.ones(4), np.ones(3, np.float32), np.ones((3, 1)), [1.0, 1.0, 1.0]]),
        (np.float64(1), [np.float32(1), 1.0, np.ones(())]),
        (0.0, [-0.0, 0, 1.0, None]),
        ([-0.0], [[0.0], [0], [-1.0]]),
        (THING, [Thing(), None]),
        (rt.ones((3,)), [rt.ones((4,)), rt.ones((3,), dtype="float32"), np.ones(3), 1.0]),
        (GENERATOR, [np.random.default_rng(1), random.Random(1)]),
    ],
)
def test_arguments_are_told_from_others(like, others):
    serve = served(like)
    assert serve(like) == "found"
    assert [serve(other) for other in others] == [None] * len(others)
    assert serve() is None
    assert serve(like, 1) is None
    assert serve(like, name=1) is None


@pytest.mark.parametrize("value", [1j, {1: 2}, {1, 2}, [*range(100)]])
def test_no_test_is_written_for_what_takes_long_to_tell(value):
    assert served(value) is None


def test_times_of_numpys_are_told_by_their_units():
    serve = served(np.datetime64("2020-01-01"))
    assert serve(np.datetime64("2020-01-01T12")) is None


def test_what_runs_is_given_the_arrays_and_told_which_are_the_callers():
    def run(arrays, lent, args, kwargs):
        return [each.tolist() for each in arrays], lent, len(args), list(kwargs)

    x, row, number = rt.asarray([1.0]), np.ones(2), np.int64(3)
    body = ["result = run({arrays}, {lent}, {args}, {kwargs})"]
    serve = serving((number, {"a": (row, 4)}), {"x": x}, {"run": run}, body)
    assert serve(number, {"a": (row, 4)}, x=x) == ([3, [1.0, 1.0], [1.0]], 0b010, 2, ["x"])
    assert serve(number, {"a": (row, 5)}, x=x) is None


def test_the_handle_of_a_list_is_told_from_nothing():
    assert served(rt.ops.list_from([rt.asarray(1)])) is None


def test_two_lists_are_not_one():
    serve = served([1], [1])
    one = [1]
    assert serve(one, [1]) == "found"
    assert serve(one, one) is None


def test_an_object_is_not_kept():
    thing = Thing()
    serve = served(thing)
    assert serve(thing) == "found"
    del thing
    assert serve(Thing()) is None


def test_what_is_named_is_told_by_its_name():
    serve = served(1, name="a")
    assert serve(1, name="a") == "found"
    assert serve(1, "a") is None
    assert serve(1, other="a") is None
    assert served(one=1, two=2) is None  # some functions are told the order


@pytest.mark.parametrize("name", ["type", "class", "found", "result", "a0", "_0", "a b", "ﬁ", "__debug__"])
def test_no_test_is_written_for_names_that_mean_something_else_in_it(name):
    assert served("x", **{name: "a"}) is None

    @ag.function
    def named(value, **options):
        return [f"{key} {given}" for key, given in options.items()]

    assert [named("x", **{name: "a"}) for _ in range(3)] == [[f"{name} a"]] * 3


def test_none_is_told_from_a_call_that_is_left():
    serve = serving((1,), {}, {}, ["result = None"])
    assert serve(1) is NONE_RETURNED
    assert serve(2) is None


def test_what_is_known_is_given_anew_each_time():
    @ag.function
    def table(n):
        return [[i * j for i in range(n)] for j in range(n)]

    for _ in range(CALLS):
        result = table(3)
        assert result == table.python_function(3)
        result[0][0] = 9
    assert table(True) == [[0]]


def test_a_function_that_gives_none_gives_it_each_time():
    @ag.function
    def nothing(n):
        [*range(n)]

    assert [nothing(3) for _ in range(CALLS)] == [None] * CALLS


def test_what_is_known_depends_on_which_lists_are_one():
    @ag.function
    def told(a, b):
        return "one" if a is b else "two"

    one = ["x"]
    for _ in range(CALLS):
        assert told(one, ["x"]) == "two"
        assert told(one, one) == "one"


def test_what_is_known_depends_on_what_is_outside():
    @ag.function
    def longest(word):
        return word[: LONGEST[0]]

    for _ in range(CALLS):
        assert longest("abcd") == "abc"
    LONGEST[0] = 2
    assert longest("abcd") == "ab"
    LONGEST[0] = 3
    assert longest("abcd") == "abc"


def test_the_order_of_keyword_arguments_counts():
    @ag.function
    def names(**options):
        return [*options]

    for _ in range(CALLS):
        assert names(a=1, b=2) == ["a", "b"]
        assert names(b=2, a=1) == ["b", "a"]


def test_a_call_that_raises_before_there_is_a_graph_raises_each_time():
    @ag.function
    def refuse(word, x):
        if len(word) > LONGEST[0]:
            raise ValueError(f"{word} is long")
        return x + 1

    for _ in range(CALLS):
        with pytest.raises(ValueError, match="abcd is long") as caught:
            refuse("abcd", np.int64(1))
        assert {each.filename for each in traceback.extract_tb(caught.value.__traceback__)} == {__file__}
    LONGEST[0] = 9
    assert refuse("abcd", np.int64(1)) == 2
    LONGEST[0] = 3
    with pytest.raises(ValueError, match="abcd is long"):
        refuse("abcd", np.int64(1))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({1: "x"}, {True: "x"}),
        ({1.0: "x"}, {1: "x"}),
        ({0.0: "x"}, {-0.0: "x"}),
        ({(1, 2): "x"}, {(True, 2): "x"}),
        ({Decimal(1): "x"}, {Decimal("1.0"): "x"}),
        (range(0), range(1, 1)),
        ([range(0)], [range(1, 1)]),
    ],
)
def test_what_is_equal_and_not_the_same_has_a_graph_of_its_own(one, other):
    @ag.function
    def text(value):
        return f"{value}"

    for _ in range(3):
        assert text(one) == str(one)
        assert text(other) == str(other)
