"""An object without an attribute shows its class's, as that is when it is read, whatever paths have set."""

import numpy as np
import pytest

import autograph as ag


class Base:
    n = 1

    @classmethod
    def hit(cls, by):
        cls.n += by


class Below(Base):
    pass


class Lowest(Below):
    pass


KINDS = (Base, Below, Lowest)
outside = Below()


@pytest.fixture(autouse=True)
def _as_they_were():
    as_before()
    yield
    as_before()


def as_before():
    for owner in (Below, Lowest, outside):
        if "n" in vars(owner):
            del owner.n
    Base.n = 1


def found():
    return Base.n, Below.n, Lowest.n, outside.n, "n" in vars(outside), "n" in Lowest.__dict__


def set_behind_a_branch(x):
    own = Below()
    if x > 1:
        Below.n = 9
        own.n = x
    Base.n = 5
    return own.n, *found()


def counted_in_a_loop_over_classes(x):
    for i in range(x):
        KINDS[i % 3].n += i
    return found()


def a_chosen_class_and_the_one_above(x):
    kind = Base if x > 1 else Below
    kind.n = Base.n + 5
    other = Base if x > 2 else Below
    other.n = other.n + 7
    return found()


def a_class_method_of_a_chosen_class(x):
    seen = []
    for i in range(x):
        kind = Below if i % 2 else Base
        kind.hit(i + 1)
        seen.append(Lowest.n)
    return seen, *found()


def a_class_between_gets_its_own(x):
    if x > 1:
        Lowest.n += Below.n
    Below.n = x
    return found()


def the_one_of_the_other_arm_is_above(x):
    kind = Lowest if x > 1 else Below
    kind.n += 3
    thing = outside if x > 2 else Lowest
    thing.n += x
    return found()


def an_instance_of_a_path_that_is_left(x):
    if x > 1:
        if x > 2:
            Base.n = 4
            outside.n += x
    return found()


def each_turn_sets_the_class_and_the_instance(x):
    one, other = Below(), Lowest()
    for i in range(x):
        if i % 2:
            one.n += 1
        Base.n += 1
        if i > 2:
            Below.n = other.n + 1
    return one.n, other.n, *found()


def made_on_a_path_that_may_give_it_its_own(x):
    if x > 1:
        one = Lowest()
        if x > 2:
            one.n = 30
    else:
        one = Lowest()
    Below.n = x
    return one.n, *found()


def chosen_before_a_loop_over_its_class(x):
    one, seen = Lowest(), []
    for _ in range(x):
        thing = Lowest if x > 1 else one
        thing.n += x
    Lowest.n = 5
    if x % 2 == 0:
        for i in range(3):
            seen.append(i)
    Below.n = x
    return seen, one.n, *found()


def a_chosen_object_inside_of_a_branch(x):
    one, seen = Below(), []
    if x > 0:
        thing = one if x > 1 else Base
        thing.n = 3
        for i in range(x):
            Below.n = i
            seen.append(one.n)
    for i in range(x):
        Base.n = i * 7
        seen.append(one.n)
    return seen, *found()


PROGRAMS = [
    made_on_a_path_that_may_give_it_its_own,
    chosen_before_a_loop_over_its_class,
    a_chosen_object_inside_of_a_branch,
    set_behind_a_branch,
    counted_in_a_loop_over_classes,
    a_chosen_class_and_the_one_above,
    a_class_method_of_a_chosen_class,
    a_class_between_gets_its_own,
    the_one_of_the_other_arm_is_above,
    an_instance_of_a_path_that_is_left,
    each_turn_sets_the_class_and_the_instance,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_a_class_has_by_then_is_shown(program):
    ag.check(program, np.int64(1), then=[(np.int64(2),), (np.int64(0),), (np.int64(5),)])


def left_by(called):
    as_before()
    for x in (3, 1, 4):
        called(np.int64(x))
    return [int(vars(owner)["n"]) if "n" in vars(owner) else None for owner in (*KINDS, outside)]


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_object_keeps_what_its_path_has_given_it_and_no_more(program):
    assert left_by(ag.function(program)) == left_by(program)
