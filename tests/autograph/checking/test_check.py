"""`ag.check` finds every kind of difference, and leaves the world as it was."""

import array
import enum
import io
import logging
import random
import warnings
from collections import defaultdict, deque

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.checking.check import _Checked
from autograph.checking.outcome import Telling
from autograph.checking.world import World
from runtime.errors import ImmutableTensor, StateDisagrees
from runtime.functions import tracer
from runtime.functions.trace import trace
from tests.promises.kit import function_of


class Mean:
    unit = 1.0

    def __init__(self):
        self.total = 0.0
        self.seen = []

    def of(self, x):
        self.total += x
        self.seen.append(x)
        return self.total


class Slotted:
    __slots__ = ("empty", "value")

    def __init__(self, value):
        self.value = value


def checked_as(python, graph, *args, **kwargs):
    """A check in which the graph is made from another function than the plain run."""
    steps = [(args, kwargs)]
    _Checked(python, steps, ulps=4).compare(ag.function(graph))


def difference(python, graph, *args):
    with pytest.raises(ag.Difference) as caught:
        checked_as(python, graph, *args)
    return str(caught.value)


def test_a_function_whose_graph_does_the_same_passes():
    def clipped(x, low):
        if x < low:
            print("too low:", x)
            return low
        return x

    ag.check(clipped, np.float64(1.0), np.float64(2.0), then=[(np.float64(3.0), np.float64(2.0))])
    ag.check(clipped, rt.asarray(1.0), low=rt.asarray(2.0))


def test_what_is_raised_is_compared():
    def root(x):
        if x < 0:
            raise ValueError(f"no root of {x}")
        return x

    ag.check(root, np.float64(-1.0), then=[(np.float64(4.0),)])


def test_a_result_that_differs_is_shown_with_the_line_that_returns_it():
    def python(x):
        y = x + 1
        return y

    message = difference(python, lambda x: x + 2, np.float64(1.0))
    assert "return y" in message
    assert "result\n    Python:  np.float64(2.0)" in message
    assert "graph:   np.float64(3.0)" in message


def test_another_kind_of_result_is_a_difference():
    assert "result" in difference(lambda x: x, lambda x: x * 1.0, np.int64(1))
    assert "float32" in difference(lambda x: x, lambda x: x.astype("float32"), np.float64(1))
    assert "made by the call" in difference(lambda x: [x], lambda x: (x,), np.float64(1))
    assert "of 1 items" in difference(lambda x: [x], lambda x: [x, x], np.float64(1))
    assert "-0.0" in difference(lambda x: x, lambda x: -x, np.float64(0))


def test_rounding_within_some_ulps_is_none():
    checked_as(lambda x: x, lambda x: x + 4e-16, np.float64(1.0))
    assert "result" in difference(lambda x: x, lambda x: x + 4e-15, np.float64(1.0))
    checked_as(lambda x: x, lambda x: x, np.float64("nan"))


def test_of_an_array_the_elements_that_differ_are_shown():
    x = np.array([[1.0, 2.0], [3.0, 4.0]])
    message = difference(lambda x: x, lambda x: x + np.array([0.0, 4e-14]), x)
    assert "result[0, 1], and 1 more element\n    Python:  np.float64(2.0)" in message
    assert "graph:   np.float64(2.00000000000004)" in message
    assert "result\n    Python:  array([1.])" in difference(lambda x: x, lambda x: x[:0], np.ones(1))


def test_a_text_that_differs_is_shown_with_the_line_that_prints_it():
    def python(x):
        print("one")
        print("two", x)

    def graph(x):
        print("one")
        print("too", x)

    message = difference(python, graph, rt.asarray(2.0))
    assert 'print("two", x)' in message
    assert "line 2 of what is printed" in message


def test_an_exception_is_shown_before_the_text_that_is_missing_behind_it():
    def python(x):
        print("one")

    def graph(x):
        raise ValueError("no")

    assert "graph:   ValueError: no" in difference(python, graph, rt.asarray(2.0))


def test_an_exception_that_differs_is_shown_with_its_line():
    def python(x):
        raise ValueError("no")

    assert 'raise ValueError("no")' in difference(python, lambda x: x, np.float64(1.0))

    def other(x):
        raise KeyError("no")

    assert "KeyError" in difference(python, other, np.float64(1.0))


def test_a_change_outside_that_differs_is_shown_with_the_line_that_makes_it():
    kept = {"n": 0}

    def python(x):
        kept["n"] = 5
        return x

    message = difference(python, lambda x: x, np.float64(1.0))
    assert "kept['n']" in message
    assert 'kept["n"] = 5' in message


def test_objects_that_are_shared_have_to_be_shared():
    def python(x):
        row = [x]
        return [row, row]

    assert "the same object as result[0]" in difference(python, lambda x: [[x], [x]], np.float64(1.0))


def test_a_refusal_is_the_error_of_the_graph():
    def refused(x):
        return [0] * x if x.shape else bytes(x)

    with pytest.raises(rt.errors.NoConcreteValue):
        ag.check(refused, np.int64(3))


def test_a_refused_call_that_leaves_changes_is_a_difference():
    kept = []

    def refused(x):
        return bytes(x)

    def leaves(x):
        kept.append(1)
        raise rt.errors.NoConcreteValue("no")

    def check():
        checked = _Checked(refused, [((np.int64(3),), {})], ulps=4)
        checked._outside["kept"] = lambda: kept
        checked._before = World([kept])
        outcomes = iter([(before, after) for before, after in checked._run(leaves, is_plain=False)])
        checked._run = lambda f, is_plain: outcomes
        checked.compare(ag.function(leaves))

    with pytest.raises(ag.Difference, match="`kept` has changed, from a list of 0 items"):
        check()


def test_the_world_is_put_back_after_a_check():
    mean = Mean()
    ag.check(lambda x: x, np.float64(1.0))
    world = World([mean.of])
    mean.of(3.0)
    Mean.unit = 2.0
    Mean.other = 3.0
    mean.more = 1
    world.restore()
    assert (mean.total, mean.seen, Mean.unit) == (0.0, [], 1.0)
    assert not hasattr(Mean, "other")
    assert not hasattr(mean, "more")


def test_every_kind_of_object_is_put_back():
    shared = np.arange(3.0)
    things = {
        "list": [1, 2],
        "deque": deque([1], maxlen=3),
        "set": {1},
        "default": defaultdict(int, a=1),
        "bytes": bytearray(b"ab"),
        "array": shared,
        "view": shared[1:],
        "slots": Slotted(1),
        "buffer": io.StringIO("text"),
        "stream": np.random.default_rng(0),
        "legacy": np.random.RandomState(0),
        "python": random.Random(0),
        "variable": rt.Variable(1.0),
    }
    world = World([things])
    things["list"].append(3)
    things["deque"].append(2)
    things["set"].clear()
    things["default"]["b"] = 1
    things["bytes"] += b"c"
    things["array"][:] = 7
    things["slots"].value = 2
    things["slots"].empty = 2
    things["buffer"].write("changed")
    draws = [things["stream"].random(), things["legacy"].random(), things["python"].random(), random.random()]
    things["variable"].assign(2.0)
    del things["list"]
    world.restore()
    assert (things["list"], things["deque"], things["set"]) == ([1, 2], deque([1]), {1})
    assert (things["default"], things["bytes"], things["buffer"].getvalue()) == ({"a": 1}, b"ab", "text")
    assert shared.tolist() == [0, 1, 2]
    assert things["slots"].value == 1
    assert not hasattr(things["slots"], "empty")
    again = [things["stream"].random(), things["legacy"].random(), things["python"].random(), random.random()]
    assert again == draws
    assert things["variable"].numpy() == 1.0


def test_slots_are_put_back_of_a_class_that_answers_for_what_is_missing():
    class Lazy:
        __slots__ = ("__weakref__", "kept", "name")

        def __init__(self):
            self.name = "lazy"

        def __getattr__(self, name):
            return 7

    lazy = Lazy()

    def kept(x):
        lazy.kept = x + lazy.kept
        return lazy.kept

    ag.check(kept, np.int64(5), then=[(np.int64(3),)])
    assert lazy.kept == 7


def test_the_attributes_of_a_function_are_put_back():
    def halved(n):
        halved.calls += 1
        return n // 2

    halved.calls = 0
    ag.check(halved, np.int64(5), then=[(np.int64(3),)])
    assert vars(halved) == {"calls": 0}


def test_what_cannot_be_put_back_is_refused():
    with pytest.raises(ValueError, match="used up by the first run"):
        ag.check(lambda items: sum(items), iter([1, 2]))


def test_tensors_outside_are_numpy_s_values_for_python():
    kept = {"x": rt.asarray(2.0), "y": [rt.asarray([1.0, 2.0])]}

    def scaled(x):
        assert isinstance(x, np.generic) or x.shape == ()
        return kept["x"] * x + kept["y"][0]

    ag.check(scaled, rt.asarray(3.0))
    assert isinstance(kept["x"], rt.Tensor)


def test_logs_and_warnings_are_texts():
    def python(x):
        logging.getLogger("user").warning("logged")
        warnings.warn("careful", stacklevel=1)

    message = difference(python, lambda x: None, np.float64(1.0))
    assert "user WARNING: logged" in message


def test_a_function_of_ag_function_is_checked_as_the_function_that_it_was_made_from():
    @ag.function
    def doubled(x):
        return x + x

    ag.check(doubled, np.arange(3.0))


def test_one_trace_serves_all_executors(monkeypatch):
    traced = []

    def counted(function, *rest, **options):
        traced.append(function)
        return trace(function, *rest, **options)

    monkeypatch.setattr(tracer, "trace", counted)
    ag.check(lambda x: x * 2 if x > 0 else x, np.float64(3.0), then=[(np.float64(-1.0),)])
    assert len(traced) == 1


def test_errors_say_which_call_and_which_executor():
    def python(x):
        return x + (1 if x > 2 else 0)

    checked = _Checked(python, [((np.float64(v),), {}) for v in (1.0, 3.0)], ulps=4)
    with pytest.raises(ag.Difference, match=r"in call 2, on the executor 'reference'"):
        checked.compare(ag.function(lambda x: x, executor="reference"))


class Twin:
    """One looks like another one."""

    def __init__(self, number):
        self.number = number

    def __hash__(self):
        return 1

    def __repr__(self):
        return "Twin()"


def told(value, *known):
    telling = Telling({id(each): each for each in known})
    telling.tell("value", value)
    return telling.facts


def test_members_that_look_alike_are_told_apart():
    one, other = Twin(1), Twin(2)
    there, back = {one, other}, {other, one}
    assert [*there] != [*back], "the order of members is of no account"
    assert told(there, one, other) == told(back, one, other)
    assert told(there, one, other) != told({one, Twin(2)}, one, other)


def test_items_whose_keys_look_alike_are_told_apart():
    assert told({Twin(1): "a", Twin(2): "b"}) != told({Twin(1): "c", Twin(2): "b"})


def test_the_level_of_a_logger_is_put_back():
    logger = logging.getLogger("autograph.test_the_level_of_a_logger")
    logger.setLevel(logging.INFO)

    def f(x):
        logger.debug("x is %s", x)
        return x

    ag.check(f, np.float64(1.0), then=[lambda: logger.setLevel(logging.DEBUG), (np.float64(2.0),)])
    assert logger.level == logging.INFO


def test_numbers_in_an_array_of_python_s_are_put_back():
    numbers = array.array("d", [1.0, 2.0])

    def f(x):
        numbers[0] += 2.0
        numbers.append(3.0)
        return x * sum(numbers)

    ag.check(f, np.float64(1.0), then=[(np.float64(2.0),)])
    assert numbers.tolist() == [1.0, 2.0]


def test_numpy_warns_of_a_number_as_of_an_array():
    def f(x, y):
        return x / y

    ag.check(f, np.float64(0.0), np.float64(0.0), then=[(np.zeros(2), np.float64(0.0))])


def test_the_order_of_a_dict_is_a_part_of_it():
    assert told({1: "a", 2: "b"}) != told({2: "b", 1: "a"})
    assert told({1: "a", np.int64(2): "b"}) == told({np.int64(1): "a", 2: "b"})


def test_what_a_change_brings_in_is_put_back_too():
    kept, other = {"items": [1.0]}, [2.0]

    def program(x):
        kept["items"].append(x)
        return len(kept["items"])

    def change():
        kept["items"] = other

    ag.check(program, np.float64(1.0), then=[change, (np.float64(2.0),)])
    assert other == [2.0]


@pytest.mark.filterwarnings("ignore:Setting the shape on a NumPy array")  # which the program does
def test_an_array_whose_shape_was_set_gets_it_back():
    def f(x):
        x.shape = (3, 1)
        return x

    given = np.array([3, 1, 2])
    with pytest.raises(ImmutableTensor):
        ag.check(f, given)
    assert given.shape == (3,)


class Right(enum.Flag):
    READ = 1
    WRITE = 2


def test_members_that_an_enumeration_finds_out_are_no_change():
    ag.check(lambda x: Right.READ | Right.WRITE if x > 1 else Right.READ, np.int64(2), then=[(np.int64(0),)])


def test_a_variable_that_a_call_has_made_is_taken_away():
    program = function_of(
        """
def make(x):
    global made
    made = x + 1

def f(x):
    if x > 1:
        make(x)
    try:
        return made
    except NameError as error:
        return str(error)
"""
    )
    ag.check(program, np.int64(1), then=[(np.int64(2),), (np.int64(1),)])
    assert "made" not in program.__globals__


def test_a_variable_that_only_some_paths_make_may_be_deleted_outside():
    program = function_of(
        """
def make(x):
    global made
    made = x + 1

def f(x):
    if x > 1:
        make(x)
    try:
        return made
    except NameError as error:
        return str(error)
"""
    )
    graph = ag.function(program)
    assert int(graph(np.int64(2))) == 3
    del program.__globals__["made"]
    assert graph(np.int64(1)) == "name 'made' is not defined"
    assert int(graph(np.int64(4))) == 5


def test_a_cache_that_a_call_has_filled_is_emptied():
    program = function_of(
        """
from functools import lru_cache

calls = []

@lru_cache(maxsize=None)
def fibonacci(n):
    calls.append(n)
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

def f(x):
    return fibonacci(5) * x, len(calls)
"""
    )
    ag.check(program, np.int64(2))


def test_a_refusal_is_one_also_where_python_raises_an_error_of_its_class():
    program = function_of(
        """
kept = {}

def f(x):
    kept["more"] = 1
    number = 5.0 if x[2] > 2 else x[2]
    number += [x]
"""
    )
    with pytest.raises(StateDisagrees, match=r"a number is Python's on some paths, and NumPy's on others"):
        ag.check(program, np.arange(4.0))


class Grade(enum.IntEnum):
    LOW = 1
    HIGH = 2


def test_attributes_of_members_that_are_numbers_are_put_back():
    def f(n):
        grade = Grade.HIGH if n > 0 else Grade.LOW
        grade.seen = n
        return getattr(Grade.LOW, "seen", None), getattr(Grade.HIGH, "seen", None)

    ag.check(f, np.int64(3), then=[(np.int64(-2),), (np.int64(5),)])
    assert not hasattr(Grade.LOW, "seen")


def test_python_may_be_at_something_else_when_its_stack_is_full():
    def halves(x):
        return halves(x[::2]) + halves(x[1::2]) if len(x) != 1 else x[0]

    ag.check(halves, np.ones(0), then=[(np.ones(4),)])


def test_a_difference_shows_what_the_run_has_warned_of():
    def rows(xs):
        found = []
        for x in xs:
            found.append(np.array([x, x]))
        return np.array(found)

    with pytest.raises(ag.Difference, match="warning:  an array of a list that stayed empty has"):
        ag.check(rows, np.zeros(0))
