"""Methods of classes that a function makes are converted, as those of any other class."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees

CALLS = [(np.int64(2),), (np.int64(1),), (np.int64(3),)]


def counts_in_a_branch(x):
    class Counter:
        def __init__(self):
            self.n = 0

        def add(self):
            self.n += 1

    counter = Counter()
    if x > 1:
        counter.add()
    return counter.n


def decides(x):
    class Rule:
        def of(self, x):
            if x > 1:
                return 1
            return 2

        def __bool__(self):
            return bool(x > 2)

    rule = Rule()
    return rule.of(x), 5 if rule else 6


def collects_in_a_loop(x):
    class Log:
        def __init__(self):
            self.items = []

        def add(self, item):
            self.items.append(item)

        @property
        def last(self):
            return self.items[-1] if self.items else -1

        @staticmethod
        def doubled(item):
            return item * 2 if item > 1 else item

    log = Log()
    for i in range(x):
        log.add(log.doubled(i))
    return log.items, log.last


def attributes_of_the_class(x):
    class Counted:
        made = 0
        seen = dict.fromkeys([0], 1)
        note = lambda self, v: self.seen.update({v: 1})  # a lambda is a method, too

        def __init__(self):
            Counted.made += 1

    for _ in range(x):
        Counted()
    if x > 1:
        Counted().note(x)
    return Counted.made, Counted.seen


def variables_around(x):
    total, found, filled = 0, {}, np.zeros(3)

    class Around:
        def step(self):
            nonlocal total
            total += 1

        def note(self):
            found["a"] = total

        def fill(self):
            filled[1] = x

    around = Around()
    for _ in range(x):
        around.step()
    if x > 1:
        around.note()
        around.fill()
    return total, found, filled


def inherits(x):
    class Base:
        def __init__(self, n):
            self.n = n

        def grown(self):
            return self.n + 1

    class Derived(Base):
        def __init__(self, n):
            super().__init__(n)
            self.__hidden = n

        def grown(self):
            if self.__hidden > 1:
                self.__hidden += 1
            return super().grown() + self.__hidden

    return Derived(x).grown()


def compares(x):
    class Length:
        def __init__(self, metres):
            self.metres = metres

        def __lt__(self, other):
            if other.metres > 5:
                return False
            return self.metres < other.metres

    return (Length(x) < Length(2)), min([Length(x), Length(2)]).metres


PROGRAMS = [
    counts_in_a_branch,
    decides,
    collects_in_a_loop,
    attributes_of_the_class,
    variables_around,
    inherits,
    compares,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_methods_of_a_class_that_is_made_inside(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


# ── what outlives the function ──

KEPT, KNOWN = {}, {}


class Registered:
    def __init_subclass__(cls):
        KNOWN[cls.__name__] = cls


def returned(x):
    class Held:
        value = x

    return Held


def an_instance_that_is_kept(x):
    class Held:
        def value(self):
            return x

    KEPT["held"] = Held()
    return 1


def registered_by_its_base(x):
    class Held(Registered):
        value = x

    return KNOWN["Held"].value


@pytest.mark.parametrize("program", [returned, an_instance_that_is_kept, registered_by_its_base])
def test_a_class_that_holds_a_value_of_the_run_does_not_outlive_it(program):
    with pytest.raises(
        StateDisagrees,
        match=r"Held`, which the function makes, holds a value of the run",
    ):
        ag.function(program)(np.int64(3))
    assert KEPT == KNOWN == {}


def test_an_instance_holds_the_value_and_outlives_the_run_with_its_class():
    def kept(x):
        class Held:
            unit = 3

            def __init__(self, value):
                self.value = value

            def scaled(self):
                return self.value * self.unit

        KEPT["held"] = Held(x)
        return KEPT["held"].scaled()

    graph = ag.function(kept)
    assert [int(graph(np.int64(n))) for n in (2, 3)] == [6, 9]
    assert int(KEPT.pop("held").scaled()) == 9


def test_a_class_that_answers_for_each_attribute_asks_object_itself():
    def doubled(x):
        class Double:
            def __init__(self, value):
                self.value = value

            def __getattribute__(self, name):
                found = object.__getattribute__(self, name)
                return found * 2 if name == "value" else found

            def more(self, by):
                return self.value + by

        double = Double(x)
        double.value += 1
        return double.value, double.more(x)

    ag.check(doubled, np.float64(2.0), then=[(np.int64(3),), (4,)])
