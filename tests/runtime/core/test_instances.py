from collections import deque
from dataclasses import dataclass

from runtime.core.instances import (
    attributes_of,
    build_instance,
    is_of_statement,
    is_plain_class,
    is_value,
    leave_out,
    split_instance,
)
from runtime.core.tensor import Tensor


class Point:
    __slots__ = ("__dict__", "x", "y")

    def __init__(self):
        raise AssertionError("nobody calls the constructor")

    @property
    def name(self):
        raise AssertionError("nobody asks properties")


def point(**attributes):
    made = object.__new__(Point)
    for name, value in attributes.items():
        setattr(made, name, value)
    return made


def test_attributes_are_those_in_slots_and_in_the_dict_of_an_object():
    assert attributes_of(point(x=1, colour="red")) == {"colour": "red", "x": 1}


def test_an_instance_is_put_together_without_its_constructor():
    keys, children, extra = split_instance(point(y=2, colour="red"))
    made = build_instance(Point, keys, children, extra)
    assert type(made) is Point
    assert attributes_of(made) == {"colour": "red", "y": 2}


def test_what_stands_for_no_attribute_is_left_out():
    class Nothing:
        pass

    leave_out(Nothing)
    made = build_instance(Point, ("x", "y"), (Nothing(), 3), None)
    assert attributes_of(made) == {"y": 3}


def test_an_exception_is_its_arguments_and_its_cause_too():
    cause = KeyError("k")
    error = ValueError("no", 1)
    error.__cause__ = cause
    assert attributes_of(error) == {"args": ("no", 1), "__cause__": cause}
    made = build_instance(ValueError, *split_instance(error)[:2], None)
    assert made.args == ("no", 1)
    assert made.__cause__ is cause


def test_a_plain_class_is_one_of_statements_alone_and_none_of_ours():
    class Derived(Point):
        pass

    class Queue(deque):
        pass

    assert is_plain_class(Derived)
    assert not is_plain_class(Queue)
    assert not is_plain_class(Tensor)
    assert is_of_statement(Queue)
    assert not is_of_statement(deque)


def test_a_dataclass_is_a_value_where_it_is_frozen_and_compares_its_fields():
    @dataclass(frozen=True)
    class Value:
        x: int

    @dataclass(frozen=True, eq=False)
    class Itself:
        x: int

    @dataclass
    class Changing:
        x: int

    assert [is_value(kind) for kind in (Value, Itself, Changing, Point)] == [True, False, False, False]
