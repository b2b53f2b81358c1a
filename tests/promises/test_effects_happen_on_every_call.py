"""What a function changes outside of itself changes on every call, and holds no tensor of a graph."""

from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import GraphError, StateDisagrees

CALLS = [(np.float64(2.0),), (np.float64(5.0),), (np.float64(-3.0),)]
ONE = np.float64(1.0)
COUNT = 0


def check(f, *arguments, then=CALLS):
    ag.check(f, *(arguments or (ONE,)), then=then)


def test_a_global_counts():
    def f(x):
        global COUNT
        COUNT += 1
        return x + COUNT

    check(f)


def test_a_variable_of_a_function_around():
    total = 0.0

    def f(x):
        nonlocal total
        total = total + x
        return total * 2

    check(f)


class Model:
    """Counts, remembers, and averages."""

    made = 0

    def __init__(self):
        self.steps = 0
        self.history = []
        self.average = None

    def step(self, x):
        self.steps += 1
        self.history.append(x)
        if self.average is None:
            self.average = x
        else:
            self.average = 0.5 * self.average + 0.5 * x
        return self.average


def test_attributes_that_a_method_counts_appends_to_and_sets_lazily():
    model = Model()
    check(lambda x: model.step(x))


def test_a_graph_serves_every_step():
    model = Model()
    step = ag.function(model.step)
    for number in range(10):
        step(np.float64(number))
    assert model.steps == 10
    assert type(model.steps) is int
    assert len(model.history) == 10
    assert len(step.concrete_functions) == 2  # of the first call, whose average is None, and of the others


def test_a_class_attribute():
    class Counted:
        count = 0

    def f(x):
        Counted.count += 1
        return x

    check(f)


def test_items_of_a_dict():
    table = {"n": 0, "last": None}

    def f(x):
        table["n"] += 1
        table["last"] = x
        table["more"] = [x, {"twice": x * 2}]
        return x

    check(f)


def test_lists_and_sets_and_dicts_that_are_read_as_well():
    items, seen, cache = [1.0], set(), {}

    def f(x):
        items.append(x)
        seen.add("a")
        if "w" not in cache:
            cache["w"] = x
        return sum(items) + len(seen) + cache["w"]

    check(f)


def test_a_window_of_the_last_values():
    window = []

    def f(x):
        window.append(x)
        if len(window) > 2:
            window.pop(0)
        return sum(window)

    check(f)


def test_a_list_that_only_grows_is_not_looked_into():
    log = []

    @ag.function
    def f(n):
        for i in range(n):
            log.append(i)
        return n

    for n in (2, 3, 0, 4):
        f(rt.asarray(n))
    assert [int(each) for each in log] == [0, 1, 0, 1, 2, 0, 1, 2, 3]
    assert len(f.concrete_functions) == 1


def test_a_list_in_a_branch_and_in_a_loop():
    log = []

    def f(x):
        if x > 0:
            log.append(x)
        for i in range(3):
            if x > i:
                log.append(x * i)
        return len(log)

    check(f)


def test_containers_that_the_caller_passed():
    def f(items, table, x):
        items.append(x)
        items[0] = x * 2
        table["n"] = table["n"] + 1
        table["x"] = x
        return len(items)

    items, table = [3.0], {"n": 0}
    check(f, items, table, ONE, then=[(items, table, ONE), (items, table, ONE)])


@dataclass
class Point:
    """A dataclass that changes."""

    x: float = 0.0
    trail: list = field(default_factory=list)


def test_a_dataclass_that_the_caller_passed():
    def f(point, x):
        point.x = point.x + x
        point.trail.append(x)
        return point.x

    point = Point()
    check(f, point, ONE, then=[(point, ONE), (point, ONE)])


def test_objects_stay_the_objects_that_they_were():
    inner = [1.0]
    box = Model()

    @ag.function
    def f(items, x):
        box.kept = items
        box.inner = inner
        box.me = box
        items.append(x)
        return x

    mine = []
    f(mine, ONE)
    assert box.kept is mine
    assert box.inner is inner
    assert box.me is box
    assert mine == [1.0]


class Node:
    """Made in the function; knows itself."""

    def __init__(self, value):
        Model.made += 1
        self.value = value
        self.me = self


def test_objects_that_are_made_are_made_anew():
    box = Model()
    box.best = None

    @ag.function
    def f(x):
        box.best = Node(x)
        box.history.append((x, [x * 2]))
        return x

    made = Model.made
    f(ONE)
    first = box.best
    f(np.float64(2.0))
    assert box.best is not first
    assert box.best.me is box.best
    assert (float(first.value), float(box.best.value)) == (1.0, 2.0)
    assert box.history[0][1] is not box.history[1][1]
    assert Model.made == made + 2


def test_property_setters_and_methods_of_the_data_model():
    class Guarded:
        calls = 0

        def __init__(self):
            self._v = 1.0
            self.log = []

        @property
        def v(self):
            self.log.append("get")
            return self._v

        @v.setter
        def v(self, value):
            self.log.append("set")
            self._v = value

        def __len__(self):
            Guarded.calls += 1
            return 3

    guarded = Guarded()

    def f(x):
        guarded.v = guarded.v + x
        return guarded.v + len(guarded)

    check(f)


def test_a_generator_counts():
    seen = {"n": 0}

    def items(n):
        for i in range(n):
            seen["n"] += 1
            yield i

    def f(x):
        for i in items(3):
            x = x + i
        return x

    check(f)


def test_a_function_that_is_called_in_a_trace():
    total = 0.0

    @ag.function
    def add(x):
        nonlocal total
        total = total + x
        return total

    def f(x):
        return add(x) * 2 + add(x) + total

    check(f)


def test_a_value_becomes_another():
    last = None

    def f(x):
        nonlocal last
        before, last = last, x
        return x if before is None else x - before

    check(f)


def test_attributes_of_a_function():
    def f(x):
        f.calls = getattr(f, "calls", 0) + 1
        return x

    f.calls = 0
    graph = ag.function(f)
    for _ in range(3):
        graph(ONE)
    assert f.calls == 3


# ── what is not taken ──


def test_rows_of_a_list_of_lists_stay_the_rows_that_others_hold():
    grid = [[0.0, 0.0], [0.0, 0.0]]
    row = grid[0]

    def f(x):
        grid[0][1] += x
        grid[1] = [x, x]
        return row[1] + grid[0][1]

    check(f)


def test_a_branch_that_is_not_taken_leaves_no_trace():
    model, table = Model(), {"b": {1: 0.0}}

    def f(x):
        if x > 2:
            table["b"][1] = 5.0
            model.steps += 1
            model.history.append(x)
        return x

    check(f)


def test_nothing_that_is_left_is_of_a_graph():
    box = {"list": [], "deep": {"a": [0.0]}, "made": None}

    @ag.function
    def f(x):
        box["list"].append([x, (x,)])
        box["deep"]["a"][0] = x
        box["made"] = Point(x, [x])
        box["f"] = lambda: x
        return x

    def leaves(value):
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, Point):
            value = [value.x, value.trail]
        if callable(value):
            value = [value()]
        return (
            [leaf for item in value for leaf in leaves(item)] if isinstance(value, list | tuple) else [value]
        )

    for number in (1.0, 2.0):
        f(np.float64(number))
        assert all(type(leaf) in {rt.Tensor, float} for leaf in leaves(box))
    assert [float(leaf) for leaf in leaves(box)] == [1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0]


# ── TensorFlow's rule ──


def test_effects_of_a_trace_happen_once():
    count, rate = 0, 2.0

    @ag.function(effects="trace")
    def f(x):
        nonlocal count
        count += 1
        return x * rate

    f(ONE)
    rate = 3.0
    assert float(f(ONE)) == 2.0
    assert count == 1


# ── who nobody asks ──


def test_a_property_and_an_operator_in_a_branch():
    class Counted:
        def __init__(self):
            self.hits = 0

        @property
        def two(self):
            self.hits += 1
            return 2.0

        def __add__(self, other):
            self.hits += 1
            return other + 1

    counted = Counted()

    def f(x):
        if x > 1:
            x = x * counted.two
        for i in range(3):
            if x > i:
                x = counted + x
        return x

    check(f)


def test_what_is_taken_away():
    class Bag:
        pass

    bag = Bag()
    bag.x, bag.y = 1.0, 2.0

    def f(v):
        if hasattr(bag, "x"):
            del bag.x
        bag.y = v
        return v

    check(f)


def test_an_array_that_python_writes_to_and_other_numbers_in_memory():
    weights, buffer = np.zeros(3), bytearray(b"ab")

    def f(x):
        weights[0] = 5.0
        buffer.append(99)
        return x + weights.sum() + len(buffer)

    check(f)


def test_a_recursive_function_counts_and_marks():
    marked = [False] * 6
    state = {"calls": 0}

    def walk(i):
        state["calls"] += 1
        marked[i] = True
        if i > 1:
            walk(i - 2)

    def f(n):
        walk(n)
        return state["calls"]

    check(f, np.int64(3), then=[(np.int64(4),), (np.int64(1),)])


def test_an_iterator_from_outside_is_an_error():
    numbers = iter([1.0, 2.0, 3.0])

    @ag.function
    def f(x):
        return x + next(numbers)

    with pytest.raises(GraphError, match="a list_iterator from outside of the function is advanced"):
        f(ONE)


# ── what is returned ──


def test_objects_and_functions_that_are_returned_hold_values():
    @ag.function
    def f(x):
        def add(y):
            return x + y

        return Node(x * 2), add

    (node, add), (other, _) = f(ONE), f(np.float64(5.0))
    assert (float(node.value), float(other.value), float(add(2.0))) == (2.0, 10.0, 3.0)
    assert node.me is node


def test_an_argument_that_is_returned_is_the_callers():
    @ag.function
    def f(items, x):
        items.append(x)
        return items

    mine = []
    assert f(mine, ONE) is mine


@ag.do_not_convert
def append_unseen(items, item):
    items.append(item)


def test_a_list_of_the_callers_grows_on_one_path_in_code_that_is_not_converted():
    def f(x, items):
        if x > 0:
            append_unseen(items["all"], 3.0)
        return len(items["all"])

    check(f, ONE, {"all": [1.0, 2.0]}, then=[(np.float64(-1.0), {"all": [1.0, 2.0]})])


def test_a_change_that_is_another_one_in_each_trace_is_refused():
    nodes, numbered = [Node(0.0) for _ in range(100)], lru_cache(lambda *key: key)

    @ag.do_not_convert
    def mark():
        nodes[numbered.cache_info().currsize].value = 1.0
        numbered(len(nodes), numbered.cache_info().currsize)

    @ag.function
    def f(x):
        if x > 0:
            mark()
        return x + sum(node.value for node in nodes)

    with pytest.raises(StateDisagrees, match=r"what .* does not settle"):
        f(ONE)


def test_a_deque_a_dict_and_a_set_outside_grow_in_front_of_a_branch_and_in_it():
    queue, table, seen = deque([7.0]), {1: 7.0}, {1, 2}

    def f(x):
        queue.append(x)
        table[2] = x
        seen.add(3)
        if x > 0:
            queue.append(x * 2)
            table[3] = x * 2
            seen.add(4)
        return len(queue), queue[0], len(table), len(seen)

    check(f)


def test_a_list_outside_grows_in_front_of_a_branch_and_in_it():
    store = [7.0]

    def f(x):
        store.append(x)
        if x > 0:
            store.append(x * 2)
        return len(store), store[0]

    check(f)


BUFFER = np.ones(3)


@ag.do_not_convert
def written_behind_the_graph():
    BUFFER[0] += 1.0


def written_by_both(x):
    written_behind_the_graph()
    BUFFER[1] += x


def written_by_both_on_a_path(x):
    written_behind_the_graph()
    if x > 1:
        BUFFER[1] += 1.0


@pytest.mark.parametrize("program", [written_by_both, written_by_both_on_a_path])
def test_an_array_outside_that_code_which_is_not_converted_writes_to_as_the_graph_does_is_refused(program):
    with pytest.raises(GraphError, match="by code that is not converted, and in the graph"):
        ag.check(program, np.float64(2.0))
    assert BUFFER.tolist() == [1.0, 1.0, 1.0]


def test_an_array_outside_that_only_code_which_is_not_converted_writes_to():
    def program(x):
        written_behind_the_graph()
        return x + BUFFER[0]

    ag.check(program, np.float64(2.0))


class OneEach(type):
    instances, made = {}, 0

    def __call__(cls, *args):
        if cls not in cls.instances:
            OneEach.made += 1
            cls.instances[cls] = super().__call__(*args)
        return cls.instances[cls]


class Settings(metaclass=OneEach):
    def __init__(self, scale):
        self.scale, self.reads = scale, 0

    def read(self):
        self.reads += 1
        return self.scale


def test_a_metaclass_keeps_what_it_makes_when_it_is_called():
    def scaled(x):
        settings = Settings(10.0)
        settings.scale = settings.scale + x
        return settings.read(), Settings().reads, Settings() is settings, OneEach.made

    ag.check(scaled, np.float64(2.0), then=[(np.float64(3.0),), OneEach.instances.clear, (np.float64(1.0),)])
    assert not OneEach.instances
