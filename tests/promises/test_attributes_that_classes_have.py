"""An attribute that a class has, and its instance only on some paths: what Python leaves there."""

import numpy as np
import pytest

import autograph as ag

CALLS = [(0, np.float64(1.0)), (3, np.float64(-2.0)), (2, np.float64(5.0))]


def check(f):
    ag.check(f, np.int64(1), np.float64(0.5), then=[(np.int64(n), v) for n, v in CALLS])


class Box:
    """What each box has until it is given its own."""

    size = 1.0
    seen = False
    label = None


def test_a_branch_that_is_not_taken_leaves_none():
    box = Box()

    def f(n, v):
        if v > 1:
            box.size = v
            box.seen = True
            box.label = v * 2
        return box.size, box.seen, box.label

    check(f)


def test_the_value_of_the_class_may_become_its_own():
    box = Box()

    def f(n, v):
        if v > 1:
            box.seen = False
        return box.seen

    check(f)


def test_one_that_two_statements_may_give():
    box = Box()

    def f(n, v):
        if n > 2:
            if v > 1:
                box.size = v
            if v < -1:
                box.size += v
        for i in range(n):
            if i == 2:
                box.size = box.size + i
        return box.size

    check(f)


def test_what_is_bound_in_the_end_is_its_own():
    box = Box()

    def f(n, v):
        if v > 1:
            box.size = v
        before = box.size
        box.size = before + 1
        return before

    check(f)


@pytest.mark.parametrize("raises", [False, True])
def test_a_try_that_is_left(raises):
    box = Box()

    def f(n, v):
        try:
            if n > 1:
                box.size = v
            if v > 1 and raises:
                raise ValueError("left")
            box.label = n
        except ValueError:
            box.seen = True
        return box.size

    check(f)


def test_an_instance_that_is_made_inside():
    def f(n, v):
        box = Box()
        while n > 1:
            n -= 1
            box.size *= v
        return box.size, box

    check(f)


def test_an_attribute_that_only_some_paths_give_to_what_is_returned():
    def f(n, v):
        box = Box()
        if v > 1:
            box.more = v
        return box

    check(f)


def test_a_class_below():
    class Small(Box):
        pass

    def f(n, v):
        if v > 1:
            Small.size = v
        return Small.size, Box.size

    check(f)


def test_one_that_is_deleted():
    box = Box()

    def f(n, v):
        box.size = v
        if v > 0:
            del box.size
        return box.size

    check(f)


@pytest.mark.parametrize("is_outside", [False, True])
def test_an_own_value_that_is_also_the_classs_stays_the_instances_own(is_outside):
    outside = Box()
    outside.size = Box.size

    def f(n, v):
        box = outside if is_outside else Box()
        if not is_outside:
            box.size = Box.size
        if v > 1:
            box.size += v
        else:
            box.size += n
        return box.size, box

    check(f)


class Tally:
    total = 0

    def add(self, x):
        self.total += x
        Tally.total += 1


@pytest.mark.parametrize("is_chosen", [False, True])
def test_an_instance_shows_what_the_same_path_has_made_of_its_class(is_chosen):
    def f(n, v):
        Tally.total = 0
        one, other = Tally(), Tally()
        if is_chosen:
            (one if n > 1 else other).add(v)
        elif n > 1:
            one.add(v)
        else:
            other.add(v)
        return one.total, other.total, Tally.total

    ag.check(f, np.int64(3), np.int64(5), then=[(np.int64(0), np.int64(7)), (np.int64(3), np.int64(1))])
