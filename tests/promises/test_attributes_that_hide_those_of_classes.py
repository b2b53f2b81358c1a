"""What an object keeps on some paths hides what its class has: elsewhere the class's method is there."""

import argparse
import functools
import types

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees


class Lazy:
    """A descriptor that is asked once: the object keeps what it gave."""

    def __init__(self, function):
        self.function = function

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, owner, kind=None):
        found = self.function(owner)
        setattr(owner, self.name, found)
        return found


class Measured:
    def __init__(self, size):
        self.size = size

    @Lazy
    def twice(self):
        print("computed")
        return self.size * 2

    @functools.cached_property
    def thrice(self):
        print("computed, too")
        return self.size * 3

    def name(self):
        return "class", self.size


def a_method(n):
    measured = Measured(n)
    if n > 2:
        measured.name = lambda: ("object", n + 1)
    return measured.name(), hasattr(measured, "name")


def a_method_that_is_read(n):
    measured = Measured(n)
    if n > 2:
        measured.name = 5
    found = measured.name
    return found if n > 2 else n


def a_descriptor(n):
    measured = Measured(n)
    if n > 2:
        measured.twice  # it has an effect
    found = measured.twice
    measured.size = 100
    return found, measured.twice


def a_descriptor_without_branches(n):
    measured = Measured(n)
    found = measured.twice
    measured.size = 100
    return found, measured.twice


def a_cached_property(n):
    measured = Measured(n)
    if n > 2:
        measured.thrice
    found = measured.thrice
    measured.size = 100
    return found, measured.thrice


def a_descriptor_that_is_asked_for(n):
    measured = Measured(n)
    if n > 2:
        measured.twice = n
    return getattr(measured, "twice", -1), hasattr(measured, "twice"), "twice" in measured.__dict__


def one_that_was_deleted(n):
    measured = Measured(n)
    measured.name = lambda: ("object", n)
    if n > 2:
        del measured.name
    return measured.name()


@pytest.mark.parametrize(
    "program",
    [
        a_method,
        a_method_that_is_read,
        a_descriptor,
        a_descriptor_without_branches,
        a_cached_property,
        a_descriptor_that_is_asked_for,
        one_that_was_deleted,
    ],
)
def test_where_an_object_keeps_nothing_its_class_is_asked(program):
    ag.check(program, np.int64(5), then=[(np.int64(n),) for n in (1, 3, 0)])


def test_a_missing_attribute_of_pythons_objects_is_told_in_pythons_words():
    def program(n):
        called, plain, module = functools.partial(pow, 2), types.SimpleNamespace(), types.ModuleType("home")
        out = []
        for owner in (called, plain, module):
            if n > 2:
                owner.note = n
            try:
                out.append(owner.note)
            except AttributeError as error:
                out.append(str(error))
        return out

    ag.check(program, np.int64(5), then=[(np.int64(1),)])


def made(kind):
    def program(n):
        owner = kind(a=1)
        if n > 2:
            owner.b = n
        return owner

    return program


def nested(kind):
    def program(n):
        owner = kind(a=1, b=2)
        if n > 2:
            del owner.b
        return {"k": [owner, n]}, hasattr(owner, "b")

    return program


@pytest.mark.parametrize("kind", [types.SimpleNamespace, argparse.Namespace])
@pytest.mark.parametrize("make", [made, nested])
def test_a_namespace_is_given_back_with_the_attributes_that_its_path_has_set(kind, make):
    ag.check(make(kind), np.int64(5), then=[(np.int64(1),)])


class Named(types.SimpleNamespace):
    def twice(self):
        return self.a * 2


def test_a_namespace_is_carried_chosen_and_filled_as_other_objects_are():
    def program(n):
        named = Named(a=n, b=2)
        if n > 2:
            named = Named(a=1, b=n)
        total = types.SimpleNamespace(count=0, items=[])
        for i in range(n):
            total.count += i
            total.items.append(i)
        one = types.SimpleNamespace(a=n) if n > 2 else types.SimpleNamespace(a=-n)
        one.k = 3
        return named, named.twice(), total, f"{one}"

    ag.check(program, np.int64(5), then=[(np.int64(1),)])


USES = {
    "compared": lambda one, other: one == other,
    "compared from the other side": lambda one, other: other != one,
    "compared in lists": lambda one, other: [one] == [other],
    "looked for": lambda one, other: other in [one],
    "shown": lambda one, _: str(one),
    "shown in a list": lambda one, _: f"{[one]}",
    "printed": lambda one, _: print(one),
}


@pytest.mark.parametrize("kind", [types.SimpleNamespace, argparse.Namespace])
@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_who_looks_at_all_of_a_namespace_that_may_lack_an_attribute_is_answered_or_refused(kind, use):
    def program(n):
        owner = kind(a=1)
        if n > 2:
            owner.b = n
        return use(owner, kind(a=1))

    converted = ag.function(program)
    found, expected = converted(np.int64(5)), program(np.int64(5))
    assert found == expected if expected is not None else found is None
    with pytest.raises(StateDisagrees, match="which only some paths have bound"):
        converted(np.int64(1))


class Best:
    best = None


class Forgiving:
    def __enter__(self):
        pass

    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, KeyError)


BEST = Best()


def kept_where_nothing_is_raised(n, v):
    held = BEST
    while n > 0:
        n = n // 2
        with Forgiving():
            if n > 1:
                raise KeyError("no")
            if held.best is None:
                held.best = v + n
    return held.best


def test_what_a_path_leaves_alone_is_the_same_attribute_behind_what_was_raised():
    calls = [(np.int64(n), np.float64(3)) for n in (1, 7, 0)]
    ag.check(kept_where_nothing_is_raised, np.int64(3), np.float64(2), then=calls)
