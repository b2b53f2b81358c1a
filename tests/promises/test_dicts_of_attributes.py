"""The dict of an object's attributes: who sets an item of it sets an attribute, on the path where that is."""

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees


class Box:
    """An object that keeps what it is given."""


def an_item_is_set(n):
    box = Box()
    if n > 2:
        box.__dict__["x"] = n
    return getattr(box, "x", 0), hasattr(box, "x")


def on_each_path(n):
    box = Box()
    box.x = 1
    if n > 2:
        vars(box)["x"] = n
    else:
        box.__dict__["x"] = -n
    return box.x, box.__dict__["x"]


def in_a_loop(n):
    box = Box()
    box.x = 1
    for i in range(n):
        box.__dict__["x"] += i
    return box.x, box


def an_item_is_deleted(n):
    box = Box()
    box.x = 1
    if n > 2:
        del box.__dict__["x"]
    return hasattr(box, "x"), box


def the_dict_has_a_name(n):
    box = Box()
    box.x = 1
    held = vars(box)
    if n > 2:
        held["x"] = n
    held["y"] = n
    return held, box, box.y


def it_is_updated(n):
    box = Box()
    box.x = 1
    if n > 2:
        box.__dict__.update(x=n, y=3)
    else:
        vars(box).update([("z", n)])
    return box.x, box, hasattr(box, "z")


def an_item_is_popped(n):
    box = Box()
    box.x = 1
    found = vars(box).pop("x") if n > 2 else 3
    return found, box


def an_item_is_set_where_there_is_none(n):
    box = Box()
    if n > 2:
        vars(box).setdefault("z", n)
    return box


def it_is_cleared(n):
    box = Box()
    box.x = 1
    if n > 2:
        vars(box).clear()
    return box


def names_in_a_loop(n):
    box = Box()
    for name, value in {"p": n, "q": 2}.items():
        if n > 2:
            box.__dict__[name] = value
    return box


class Lazy:
    def __init__(self, function):
        self.function = function

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, owner, kind=None):
        found = owner.__dict__[self.name] = self.function(owner)
        return found


class Measured:
    def __init__(self, size):
        self.size = size

    @Lazy
    def twice(self):
        print("computed")
        return self.size * 2


def a_descriptor_that_is_asked_once(n):
    measured = Measured(n)
    if n > 2:
        measured.twice  # it has an effect
    found = measured.twice
    measured.size = 100
    return found, measured.twice


@pytest.mark.parametrize(
    "program",
    [
        an_item_is_set,
        on_each_path,
        in_a_loop,
        an_item_is_deleted,
        the_dict_has_a_name,
        it_is_updated,
        an_item_is_popped,
        an_item_is_set_where_there_is_none,
        it_is_cleared,
        names_in_a_loop,
        a_descriptor_that_is_asked_once,
    ],
)
def test_who_sets_an_item_of_it_sets_an_attribute(program):
    ag.check(program, np.int64(5), then=[(np.int64(n),) for n in (1, 3)])


def the_dict_and_the_object(n):
    box = Box()
    box.x = 1
    held = vars(box)
    for i in range(n):
        held["x"] += i
    return {"boxes": [box, box]}, held


def an_attribute_of_some_paths(n):
    box = Box()
    held = box.__dict__
    if n > 2:
        box.x = n
    return {"boxes": [box]}, held


@pytest.mark.parametrize("program", [the_dict_and_the_object, an_attribute_of_some_paths])
def test_what_comes_out_is_the_dict_of_the_object_that_comes_out(program):
    for n in (5, 1):
        found, held = ag.function(program)(np.int64(n))
        assert vars(found["boxes"][0]) is held
    ag.check(program, np.int64(5), then=[(np.int64(1),)])


def a_key_of_some_paths(n):
    box = Box()
    held = vars(box)
    if n > 2:
        held["x"] = n
    return held, box


def test_a_dict_in_a_variable_gets_no_key_that_only_some_paths_put_in():
    with pytest.raises(StateDisagrees, match="`__dict__` of a Box is in a variable"):
        ag.function(a_key_of_some_paths)(np.int64(5))
