"""Dicts and lists of other classes come back from every call with what is in them."""

from collections import Counter, OrderedDict, defaultdict, deque

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees

f = np.float64


class Named(dict):
    """A dict with an attribute, which counts what is written."""

    def __init__(self, name, **items):
        super().__init__(**items)
        self.name = name
        self.written = 0

    def __setitem__(self, key, value):
        self.written += 1
        super().__setitem__(key, value)


class Slotted(list):
    """A list with an attribute, and without a dict."""

    __slots__ = ("total",)


class Ordered(OrderedDict):
    """An ordered dict by another name."""


class Short(deque):
    """A deque by another name."""


class Grouped(defaultdict):
    """A dict that makes what is missing, by another name."""


def named(x):
    made = Named("first", a=x)
    made["b"] = x * 2
    return made, made.name, made.written


def slotted(x):
    made = Slotted([x, x * 2])
    made.total = x * 3
    return made, made.total


def short(x):
    return Short([1, x, x * 2], maxlen=2)


def grouped(x):
    made = Grouped(list)
    made["a"].append(x)
    return made


def ordered(x):
    made = OrderedDict(b=x, a=x * 2)
    made.move_to_end("b")
    return made


def held_twice(x):
    made = Ordered(a=[x])
    return made, [made]


@pytest.mark.parametrize("program", [named, slotted, short, grouped, ordered, held_twice])
def test_every_call_makes_them_anew(program):
    ag.check(program, f(1.0), then=[(f(2.0),)])


def test_they_are_of_their_class_with_what_belongs_to_it():
    found, _, _ = ag.function(named)(f(1.0))
    assert (type(found), found.name, found.written, [*found]) == (Named, "first", 1, ["a", "b"])
    assert ag.function(short)(f(1.0)).maxlen == 2
    assert ag.function(grouped)(f(1.0))["missing"] == []
    made, (same,) = ag.function(held_twice)(f(1.0))
    assert made is same
    assert type(ag.function(lambda x: Counter(a=x))(f(1.0))) is Counter


kept = []


def test_what_a_function_leaves_outside_is_made_anew_too():
    def keep(x):
        kept.append(Slotted([x]))

    staged = ag.function(keep)
    staged(f(1.0))
    staged(f(2.0))
    assert [list(map(float, each)) for each in kept] == [[1.0], [2.0]]
    kept.clear()


class Box(dict):
    def put(self, key, value):
        self[key] = value


class Line(deque):
    pass


class Bag(set):
    pass


def boxed(xs):
    box = Box()
    for x in xs:
        box.put(x, 1)
    return len(box)


def lined(xs):
    line = Line()
    for x in xs:
        line.append(x)
    return len(line)


def bagged(xs):
    bag = Bag()
    for x in xs:
        bag.add(x)
    return len(bag)


@pytest.mark.parametrize(("program", "name"), [(boxed, "Box"), (lined, "Line"), (bagged, "Bag")])
def test_dicts_sets_and_deques_of_own_classes_that_would_hold_values_of_the_run_are_refused(program, name):
    with pytest.raises(StateDisagrees, match=f"a {name} would hold what only the run knows"):
        ag.function(program)(np.array([1.0, 2.0, 1.0]))


class Twice(list):
    def append(self, item):
        super().append(item * 2)


def put(box, x):
    box.update({x: 1})


@pytest.mark.parametrize(
    ("kind", "add"), [(Twice, Twice.append), (Box, put), (Bag, Bag.add), (Line, Line.append)]
)
def test_what_gets_longer_where_a_tensor_decides_keeps_its_own_methods_or_is_refused(kind, add):
    def program(x):
        made = kind()
        if x > 0:
            add(made, 3)
        add(made, x)
        return len(made)

    with pytest.raises(StateDisagrees, match=f"a {kind.__name__} would hold what only the run knows"):
        ag.function(program)(f(1.0))


class Loud(dict):
    def update(self, *args, **kwargs):
        dict.update(self, *args, **kwargs)

    def get(self, key, default=None):
        return dict.get(self, key, default)

    def copy(self):
        return Loud(dict.copy(self))


class Louder(list):
    def append(self, item):
        list.append(self, item)

    def pop(self, *place):
        return list.pop(self, *place)


class Late(deque):
    def popleft(self):
        return deque.popleft(self)


class Shout(str):
    __slots__ = ()

    def upper(self):
        return str.upper(self) + "!"


def test_a_method_calls_that_of_pythons_class_by_its_name():
    def program(x):
        table, items, line = Loud(), Louder(), Late([x])
        table.update({1: x}, b=x * 2)
        items.append(x * 3)
        items.append(x)
        return table.get("b"), table.copy(), items.pop(), items, line.popleft(), Shout("a").upper()

    ag.check(program, f(1.0), then=[(f(-2.0),)])


class Doubles(dict):
    def __missing__(self, key):
        return key * 2


class Branch(dict):
    def __missing__(self, key):
        made = self[key] = Branch()
        return made


class Scaled(dict):
    def __getitem__(self, key):
        return super().__getitem__(key) * 2


def test_what_stands_for_a_missing_key_is_what_the_class_says():
    def program(n):
        doubles, scaled = Doubles({3: 1}), Scaled(a=1, b=2)
        scaled["a"] += n
        scaled["b"] += 1
        tree = Branch()
        tree["a"]["b"]["c"] = n
        tree["a"]["d"] = n + 1
        return doubles[n], len(doubles), n in doubles, doubles.get(n), [*scaled.items()], tree, len(tree["a"])

    ag.check(program, np.int64(3), then=[(np.int64(5),)])


def test_a_missing_key_that_is_put_in_and_only_the_run_knows_is_refused():
    class Kept(dict):
        def __missing__(self, key):
            self[key] = key * 2
            return self[key]

    def program(n):
        return Kept()[n]

    with pytest.raises(StateDisagrees, match="a Kept would hold what only the run knows"):
        ag.function(program)(np.int64(3))
