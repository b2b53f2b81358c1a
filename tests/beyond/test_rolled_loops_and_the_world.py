"""What turns of rolled loops change outside, when loops are rolled, and what is said of it."""

import collections

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.beyond.rolling import X, for_stmt, loops_of, short_loops_roll

pytestmark = pytest.mark.usefixtures(short_loops_roll.__name__)


class Meter:
    def __init__(self):
        self.count, self.total, self.bytes = 0, 0.0, bytearray()

    def add(self, x):
        self.count += 1
        self.total = self.total + x

    @property
    def asked(self):
        self.count += 1
        return self.count

    def __add__(self, x):
        self.count += 1
        return self.total + x


def test_what_turns_change_outside_changes_call_by_call():
    meter, counts = Meter(), {"turns": 0}

    def f(x):
        for i in range(8):
            meter.add(x[i])
            counts["turns"] += 1
            x = x + counts["turns"]
        return x, meter.count, meter.total

    ag.check(f, X, then=[(X,), (X * 2,)])
    assert loops_of(f, X)


def test_properties_and_operators_of_classes_count_in_every_turn():
    meter = Meter()

    def f(x):
        for _ in range(8):
            x = meter + x + meter.asked
        return x, meter.count

    ag.check(f, X, then=[(X,)])


@pytest.mark.parametrize("place", ["attribute", "variable", "alias"])
def test_what_changes_without_a_word_is_unrolled(place):
    def f(x):
        meter = Meter()
        found = bytearray()
        for _ in range(8):
            if place == "attribute":
                meter.bytes += b"a"
            elif place == "variable":
                found += b"a"
            else:
                alias = meter.bytes
                alias += b"a"
        return x + len(found) + len(meter.bytes)

    ag.check(f, X)
    assert not loops_of(f, X)


def test_an_iterator_from_outside_gives_an_item_in_every_turn():
    def f(x):
        items = iter([1, 2, 3, 4, 5, 6, 7, 8, 9])
        for _ in range(8):
            for item in items:
                x = x + item
                break
        return x

    ag.check(f, X)
    assert not loops_of(f, X)


def test_arrays_of_numpy_s_that_turns_change_are_changed_in_every_turn():
    def f(x):
        held = [np.zeros(3)]
        for _ in range(8):
            array = held[0]
            array += 1.0
        return x + held[0][0]

    ag.check(f, X)


# ── when ──


def test_a_short_loop_is_not_tried(monkeypatch):
    monkeypatch.setattr(for_stmt, "FEWEST_ROLLED", 64)

    def f(x, n):
        for i in range(n):
            x = x + i
        return x

    assert not loops_of(f, X, 63)
    assert loops_of(f, X, 64)


def test_the_switch_unrolls():
    def f(x):
        for i in range(8):
            x = x * i
        return x

    def multiplications(options):
        graph = ag.function(f, options=options).get_concrete_function(rt.TensorSpec((), rt.float64)).graph
        return graph.ops.count("Mul")

    assert multiplications(ag.Options(rolls=False)) == 8
    assert multiplications(ag.Options()) == 0


@pytest.mark.parametrize("settings", [{"strict": True}, {"effects": "trace"}])
def test_under_tensorflow_s_rules_loops_of_python_are_unrolled(settings):
    @ag.function(**settings)
    def f(x):
        for _ in range(8):
            x = x * 2.0
        return x

    assert f.get_concrete_function(rt.TensorSpec((), rt.float64)).graph.ops.count("Mul") == 8


def test_five_thousand_turns_make_the_graph_of_a_hundred():
    @ag.function
    def f(x, n):
        for i in range(n):
            x = x + i * 0.5
        return x

    def nodes(n):
        graph = f.get_concrete_function(rt.TensorSpec((), rt.float64), n).graph
        return sum(len(each.nodes) for each in graph.walk())

    assert nodes(5000) <= nodes(100) + 1


def test_what_was_tried_leaves_nothing_behind():
    def f(x):
        for i in range(8):
            y = x[i] * 2 + {7: 1}.get(i, 0)
            x = x * y
        return x

    def graph(options):
        spec = rt.TensorSpec((8,), rt.float64)
        return str(ag.function(f, options=options).get_concrete_function(spec).graph)

    assert graph(ag.Options()) == graph(ag.Options(rolls=False))


def test_a_tried_loop_says_why_it_is_unrolled():
    def f(x):
        for i in range(8):
            x = x + {7: 1}.get(i, 0)
        return x

    mark = next(each for each in ag.explain(f, X).sections[0].marks if each.text.startswith("for "))
    assert mark.summary == (
        "unrolled 8 times: `range(8)` is a Python range; not rolled: a number of the loop is handed to "
        "dict.get()"
    )


def test_what_a_container_of_arrays_holds_after_a_loop_is_no_tensor_of_the_loop():
    def f(x, n):
        listed, named = [x * 1], {"a": x}
        for _ in range(n):
            listed[0] = listed[0] * 2
            named["a"] = named["a"] + listed[0]
        return listed, named

    ag.check(f, X, np.int64(3), then=[(X, np.int64(0))])


def test_named_tuples_are_printed_as_what_they_are():
    pair = collections.namedtuple("pair", "a b")

    def f(x):
        print(pair(x[0], 1), (x[0], 2))
        for i in range(8):
            print(pair(x[0], 1), i)
            x = x + 1
        return x

    ag.check(f, X)


def test_a_rolled_loop_says_what_it_is():
    def f(x):
        for i in range(8):
            x = x + i
        return x

    mark = next(each for each in ag.explain(f, X).sections[0].marks if each.text.startswith("for "))
    assert mark.summary == "rolled into StatelessWhile: `range(8)` is a Python range"
