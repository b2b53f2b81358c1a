"""Objects of the program's own classes that are made in branches and turns are what they are in Python."""

from dataclasses import dataclass, field

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees

f, i = np.float64, np.int64
ROW = np.array([1.0, 3.0, 2.0])


class Point:
    """A plain class."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def norm(self):
        return self.x * self.x + self.y * self.y

    def moved(self, by):
        self.x += by
        return self


class Slotted:
    """The same, without a dict."""

    __slots__ = ("x", "y")
    __init__, norm, moved = Point.__init__, Point.norm, Point.moved


@dataclass
class Data:
    """The same, as a dataclass."""

    x: float
    y: float
    norm, moved = Point.norm, Point.moved


KINDS = [Point, Slotted, Data]


def made_in_either_branch(kind, x, y):
    p = kind(x * 2, y) if x > 0 else kind(y, x * 3)
    q = p
    q.moved(1)
    return p.x, p.norm(), p is q


def made_in_one_branch(kind, x, y):
    p = q = kind(x, y)
    if x > 0:
        p = kind(x * 2, y)
    q.x += 1
    return p.x, q.x, p is q


def made_or_none(kind, x, y):
    p = None
    if x > 0:
        p = kind(x * y, x)
    return -1.0 if p is None else p.norm()


def returned(kind, x, y):
    if x > 0:
        return kind(x * 2, y), [kind(y, y)]
    return kind(x * 3, y), [kind(x, x)]


def in_an_attribute(kind, x, y):
    p = kind(x, kind(x + 1, y))
    if x > 0:
        p.y = kind(5.0 * x, 1.0)
    else:
        p.y.x += 10
    return p.y.x, p.y.y


def around_another(kind, x, y):
    inner = kind(x, y)
    outer = kind(inner, x) if x > 0 else kind(inner, x * 2)
    inner.x += 5
    return outer.x.x, outer.x is inner


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "program",
    [
        made_in_either_branch,
        made_in_one_branch,
        made_or_none,
        returned,
        in_an_attribute,
        around_another,
    ],
)
def test_an_object_that_a_branch_makes(program, kind):
    ag.check(program, kind, f(1.0), f(2.0), then=[(kind, f(-1.0), f(2.0))])


def the_best(kind, xs):
    best = kind(0.0, 0.0)
    for v in xs:
        found = kind(v, v * 2)
        if found.norm() > best.norm():
            best = found
    best.x += 1
    return best.x, best.y


def the_best_or_none(kind, xs):
    best = None
    for v in xs:
        found = kind(v, v * 2)
        if best is None or found.norm() > best.norm():
            best = found
    return best.x, best.y


def the_next(kind, xs):
    p, hist = kind(0.0, 1.0), []
    for v in xs:
        if v > 1:
            p = kind(p.y, p.x + v)
        p.y += 1
        hist.append(p.y)
    return p.x, p.y, hist


def swapped(kind, xs):
    a, b = kind(1.0, 2.0), kind(3.0, 4.0)
    for v in xs:
        a, b = b, a
        a.x += v
    return a.x, b.x, a.y


def in_a_list_that_grows(kind, xs):
    found = []
    for v in xs:
        if v > 1:
            found.append(kind(v, v + 1))
    return sum([p.norm() for p in found], 0.0), [p.x for p in found], found


def made_before(kind, xs):
    ps = [kind(0.1 * k, 1.0) for k in range(3)]
    best = ps[0]
    for v in xs:
        for p in ps:
            p.moved(v * p.x)
        for p in ps:
            if p.x > best.x:
                best = p
    best.x = 77.0
    return [p.x for p in ps], best is ps[1], best is ps[2]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "program",
    [the_best, the_best_or_none, the_next, swapped, in_a_list_that_grows, made_before],
)
def test_an_object_that_a_turn_makes(program, kind):
    ag.check(program, kind, ROW, then=[(kind, ROW[::-1] - 1), (kind, ROW * 0)])


class Batch:
    """An object that has a list."""

    made = 0

    def __init__(self):
        Batch.made += 1
        self.number, self.items, self.size = Batch.made, [], 0

    def add(self, item):
        self.items.append(item)
        self.size += 1


def started_anew(xs):
    batch = Batch()
    for v in xs:
        if v > 2:
            batch = Batch()
        batch.add(v)
    return batch.items, batch.size, Batch.made


def emptied(xs):
    batch, full = Batch(), []
    for v in xs:
        batch.add(v)
        if batch.size == 2:
            full.append(sum(batch.items))
            batch.items, batch.size = [], 0
    return full, batch.items


def emptied_in_a_dict(xs):
    batch = {"items": [], "size": 0}
    for v in xs:
        batch["items"].append(v)
        if len(batch["items"]) == 2:
            batch["items"] = []
            batch["size"] += 1
    return batch


def emptied_by_name(xs):
    batch, full = [], []
    for v in xs:
        batch.append(v)
        if len(batch) == 2:
            full.append(sum(batch))
            batch = []
    return batch, full


def started_anew_in_a_dict(xs):
    batch = {"items": [0.0], "size": 0}
    for v in xs:
        if v > 2:
            batch = {"items": [0.0], "size": 0}
        batch["items"][0] += v
        batch["size"] += 1
    return batch


def the_greatest(xs):
    best = None
    for v in xs:
        batch = Batch()
        batch.add(v)
        batch.add(v * 2)
        if best is None or sum(batch.items) > sum(best.items):
            best = batch
    return best.items, best.size


@pytest.mark.parametrize(
    "program",
    [started_anew, emptied, emptied_in_a_dict, emptied_by_name, started_anew_in_a_dict, the_greatest],
)
def test_an_object_with_a_list(program):
    ag.check(program, ROW, then=[(ROW * 0,), (ROW[::-1],)])


class Shape:
    def __init__(self, size):
        self.size = size

    def area(self):
        return self.size


class Square(Shape):
    def area(self):
        return self.size * self.size


def of_either_class(xs):
    total, shape = 0.0, Shape(0.0)
    for v in xs:
        shape = Square(v) if v > 1 else Shape(v)
        total += shape.area()
    return total, isinstance(shape, Square), type(shape) is Shape


def test_an_object_of_one_of_two_classes():
    ag.check(of_either_class, ROW, then=[(ROW[::-1],)])


def with_a_further_attribute(kind, xs):
    best = None
    for v in xs:
        p = kind(v, v)
        if v > 1:
            p.z = v
        if best is None or v >= best.x:
            best = p
    return hasattr(best, "z"), getattr(best, "z", -1.0)


class Open(Slotted):
    __slots__ = ("z",)


@pytest.mark.parametrize("kind", [Point, Open, Data])
def test_an_attribute_that_only_some_of_the_objects_have(kind):
    ag.check(with_a_further_attribute, kind, ROW, then=[(kind, ROW * 0), (kind, ROW[::-1])])


def linked(n):
    first = None
    for k in range(n):
        first = Point(k, first)
    total = 0
    while first is not None:
        total, first = total * 10 + first.x, first.y
    return total


def one_more(x):
    first = Point(x, None)
    if x > 0:
        first = Point(x + 1, first)
    return first.x


def in_a_ring(x):
    p = Point(x, None)
    p.y = p
    if x > 0:
        p.x = x * 2
    return p.y.y.x


def test_objects_that_lead_to_others():
    ag.check(linked, 4)
    ag.check(one_more, f(1.0), then=[(f(-1.0),)])
    ag.check(in_a_ring, f(1.0), then=[(f(-1.0),)])


class Box:
    items = None


box = Box()


def another_list_with_the_same_in_it(x):
    box.items = []
    old = box.items
    if x > 0:
        box.items = []
    box.items.append(x)
    return old, box.items


def kept_and_returned(x):
    box.items = [x]
    return box.items


def test_a_list_that_is_kept_and_returned_is_one():
    ag.check(kept_and_returned, f(1.0), then=[(f(2.0),)])


def test_a_list_is_another_one_though_it_holds_the_same():
    ag.check(another_list_with_the_same_in_it, f(1.0), then=[(f(-1.0),)])


def test_an_object_that_a_branch_gives_two_names_is_refused_where_that_matters():
    def program(x):
        if x > 0:
            inner = Point(x * 2, 1.0)
            p = Point(inner, x)
        else:
            inner = Point(x * 3, 1.0)
            p = Point(inner, x)
        inner.x += 5
        return p.x.x

    with pytest.raises(StateDisagrees, match="a Point may have changed under another name"):
        ag.check(program, f(1.0))


@dataclass
class Patch:
    side: float
    area: float = field(init=False)
    name: str = field(init=False)

    def __post_init__(self):
        if self.side < 0:
            self.side = -self.side
        if self.side > 100:
            raise ValueError("large", self.side)
        self.area = self.side**2
        if self.area > 1:
            self.name = "large"
        else:
            self.name = "small"


def test_fields_of_a_dataclass_are_set_after_a_branch():
    def f(side):
        try:
            patch = Patch(side)
        except ValueError as error:
            return error.args[1], "none", False
        return patch.area, patch.name, patch == Patch(-side)

    ag.check(f, np.float64(2.0), then=[(np.float64(-0.5),), (np.float64(-300.0),)])
