"""What a staged statement changes outside of local variables, wherever that happens."""

from dataclasses import dataclass, field, replace

import pytest

import autograph as ag
import runtime as rt
from tests.beyond.kit import check

counter = 0


class Account:
    """An object with a state."""

    __slots__ = ("balance", "history")

    def __init__(self):
        self.balance = 0
        self.history = 0

    def deposit(self, amount):
        self.balance += amount
        self.history = self.history + 1

    def settle(self):
        if self.balance < 0:
            self.balance = 0


class Walker:
    """An object with private attributes and a property."""

    def __init__(self):
        self.__at = 0
        self.seen = {}

    @property
    def at(self):
        return self.__at

    def step(self, by):
        self.__at = self.__at + by


@dataclass
class Point:
    """A dataclass that changes."""

    x: int = 0
    trail: list = field(default_factory=list)


@dataclass(frozen=True)
class Fixed:
    """A dataclass that does not."""

    x: int = 0


def test_nonlocal_variables_in_a_called_function():
    def f(n):
        total = 0

        def add(value):
            nonlocal total
            total += value

        for i in range(n):
            add(i)
        if total > 5:
            add(100)
        return total

    check(f, 3)
    check(f, 5)


def test_a_closure_made_elsewhere():
    def make():
        count = 0

        def step(by):
            nonlocal count
            count += by
            return count

        return step

    def f(n):
        step = make()
        result = 0
        for i in range(n):
            result = step(i)
        return result, step(0)

    check(f, 5)
    check(f, 0)


def test_globals_in_a_called_function():
    def add(value):
        global counter
        counter = counter + value

    def f(n):
        global counter
        counter = 0
        for i in range(n):
            add(i)
        result = counter
        counter = 0
        return result

    check(f, 5)


def test_attributes_in_a_method_of_an_object():
    def f(items):
        account = Account()
        for item in items:
            account.deposit(item)
            if item > 2:
                account.settle()
        return account.balance, account.history

    check(f, [1, -5, 3, 4])


def test_attributes_in_branches():
    def f(x):
        account = Account()
        if x > 0:
            account.balance = x
        else:
            account.history = -x
        return account.balance, account.history

    check(f, 2)
    check(f, -2)


def test_private_attributes_and_properties():
    def f(n):
        walker = Walker()
        for i in range(n):
            walker.step(i)
        return walker.at

    check(f, 5)


def test_two_names_of_one_object():
    def f(n):
        one = Account()
        other = one
        while n > 0:
            one.deposit(n)
            other.balance = other.balance * 2
            n -= 1
        return one.balance, other.balance

    check(f, 4)


def test_dataclasses_that_change():
    def f(n):
        point = Point()
        for i in range(n):
            point.x += i
            point.trail.append(i)
        return point.x, point.trail

    check(f, 4)


def test_dataclasses_that_are_replaced():
    def f(n):
        point = Fixed()
        for i in range(n):
            point = replace(point, x=point.x + i)
        return point.x

    check(f, 4)


def test_objects_made_in_the_loop_are_its_own():
    def f(items):
        total = 0
        for item in items:
            account = Account()
            account.deposit(item)
            account.deposit(1)
            total += account.balance
        return total

    check(f, [1, 2, 3])


def test_lambdas_see_loop_variables_late():
    def f(n):
        read = None
        value = 0
        for i in range(3):
            value = value + i * n
            read = lambda: value + i
        return read()

    check(f, 2)


def test_effects_of_a_branch_in_a_loop_in_a_function():
    def visit(account, item):
        if item % 2 == 0:
            account.deposit(item)
            for _ in range(item):
                account.history += 1

    def f(n):
        account = Account()
        for i in range(n):
            visit(account, i)
        return account.balance, account.history

    check(f, 6)


class Queue:
    """Methods with effects, for tests of loops."""

    def __init__(self, left):
        self.left = left
        self.asked = 0
        self.late = False
        self.after = 0

    def next(self):
        self.left = self.left - 1
        return self.left

    def go(self):
        self.asked += 1
        return self.left > 0

    def step(self, x):
        if self.late:
            self.after = self.after + x
        if x > 2:
            self.late = True


def test_the_test_of_a_loop_may_have_effects():
    def f(n):
        queue = Queue(n)
        total = 0
        while queue.next() > 0:
            total += queue.left
        while queue.go():
            queue.left -= 2
        return total, queue.left, queue.asked

    def g(n):
        queue = Queue(n)
        while queue.go() and queue.next() != 2:
            queue.after += 1
        return queue.left, queue.asked, queue.after

    for n in (0, 1, 5):
        check(f, n)
        check(g, n)


def test_what_a_later_turn_alone_changes():
    def f(n):
        queue = Queue(0)
        for i in range(n):
            queue.step(i)
        return queue.after, queue.late

    for n in (0, 3, 6):
        check(f, n)


# ── effects that outlast a call ──


class Meter:
    """Counts what it is given, call after call."""

    def __init__(self):
        self.total = 0
        self.table = {"best": 0.0}

    @ag.function
    def take(self, x):
        if x > 0:
            self.total += 1
            self.table["best"] = rt.maximum(self.table["best"], x)
        return self.total


def test_an_attribute_is_up_to_date_after_every_call():
    meter = Meter()
    assert [int(meter.take(rt.asarray(x))) for x in (1.5, -1.0, 4.5)] == [1, 1, 2]
    assert int(meter.total) == 2
    assert float(meter.table["best"]) == 4.5


def test_what_is_written_between_calls_is_seen():
    meter = Meter()
    meter.take(rt.asarray(1.0))
    meter.total = 10
    assert int(meter.take(rt.asarray(1.0))) == 11


def test_objects_keep_their_own_values():
    one, other = Meter(), Meter()
    one.take(rt.asarray(1.0))
    other.take(rt.asarray(2.0))
    one.take(rt.asarray(3.0))
    assert (int(one.total), int(other.total)) == (2, 1)


def test_a_global_is_up_to_date_after_every_call():
    @ag.function
    def add(x):
        global counter
        counter = counter + x
        return counter * 2

    global counter
    counter = 0
    try:
        assert float(add(rt.asarray(2.5))) == 5.0
        assert float(add(rt.asarray(0.5))) == 6.0
        assert float(counter) == 3.0
    finally:
        counter = 0


def test_a_variable_of_a_function_around_is_up_to_date_after_every_call():
    total = 0

    @ag.function
    def add(x):
        nonlocal total
        for i in range(x):
            total += i
        return total

    assert int(add(rt.asarray(4))) == 6
    assert int(add(rt.asarray(3))) == 9
    assert int(total) == 9


def test_a_graph_function_in_another_one_keeps_both_up_to_date():
    meter = Meter()

    @ag.function
    def twice(x):
        meter.take(x)
        meter.take(x + 1)
        return meter.total * 10

    assert int(twice(rt.asarray(1.0))) == 20
    assert int(twice(rt.asarray(-1.0))) == 20
    assert int(meter.total) == 2
    assert float(meter.table["best"]) == 2.0


def test_the_dtype_of_a_place_is_joined():
    class Box:
        value = 0

    box = Box()

    @ag.function
    def scale(x):
        box.value = box.value + x
        return box.value

    assert float(scale(rt.asarray(0.5))) == 0.5
    assert float(scale(rt.asarray(0.25))) == 0.75


@pytest.mark.parametrize(("effects", "counted"), [("run", 3), ("trace", 1)])
def test_a_counter_counts_calls_or_traces(effects, counted):
    count = 0

    @ag.function(effects=effects)
    def f(x):
        nonlocal count
        count += 1
        return x + 1

    for x in (1, 2, 3):
        f(rt.asarray(x))
    assert count == counted


# ── attributes and keys that are not there at first ──


class Shared:
    """A class with a value for its instances."""

    count = 0


def test_an_attribute_starts_from_what_the_class_says():
    def f(n):
        box = Shared()
        for i in range(n):
            box.count += i
        return box.count, Shared.count

    for n in (0, 4):
        check(f, n)


def test_an_attribute_that_one_branch_makes():
    def f(x):
        box = Shared()
        if x > 0:
            box.extra = x
        if x > -5:
            return box.extra + 1
        return 0

    check(f, 3)
    check(f, -7)
    check(f, -3, raises=AttributeError, message="extra")


def test_an_item_changes_on_a_path_and_another_one_always():
    def f(n, often):
        table = {"last": 0, "turns": 1}
        i = 0
        while i < n:
            if often > i:
                table["last"] = n
            table["turns"] = n
            i += 1
        return table["last"], table["turns"]

    check(f, 3, 1)
    check(f, 0, 1)


def test_a_key_that_one_path_makes_is_there_on_that_path():
    def f(n):
        table = {}

        def add(i):
            table["sum"] = table.get("sum", 0) + i

        for i in range(n):
            add(i)
        return table

    check(f, 3)
    check(f, 0)
