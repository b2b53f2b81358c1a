"""Which backend a value belongs to."""

import gc
import weakref

import pytest

import autograph as ag
from autograph.staging import dispatch
from autograph.staging.dispatch import Backends
from autograph.staging.plain import Plain


class Apple:
    pass


class SmallApple(Apple):
    pass


class Pear:
    pass


class Apples(Plain):
    name = "apples"
    owns = (Apple,)


class Fruit(Plain):
    name = "fruit"
    owns = (Apple, Pear)


def test_everything_belongs_to_plain_python_when_nobody_owns_it():
    backends = Backends([Apples()])
    assert backends.of(1) is backends.plain
    assert backends.of() is backends.plain
    assert backends.of(1, "a", None, Apple) is backends.plain


def test_subclasses_belong_to_the_owner_of_their_base():
    assert Backends([Apples()]).of(SmallApple()).name == "apples"


def test_the_first_backend_that_owns_a_type_gets_it():
    backends = Backends([Apples(), Fruit()])
    assert backends.of(Apple()).name == "apples"
    assert backends.of(Pear()).name == "fruit"


def test_of_several_values_the_first_owned_one_decides():
    backends = Backends([Apples(), Fruit()])
    assert backends.of(1, Pear(), Apple()).name == "fruit"


def test_a_backend_may_own_what_python_owns():
    class Numbers(Plain):
        name = "numbers"
        owns = (int,)

    assert Backends([Numbers()]).of(True).name == "numbers"


def test_the_cache_does_not_keep_classes_without_end(monkeypatch):
    monkeypatch.setattr(dispatch, "TYPES_REMEMBERED", 3)
    backends = Backends()
    first = type("Temporary", (), {})
    backends.of(first())
    gone = weakref.ref(first)
    del first
    for index in range(4):
        backends.of(type(f"Temporary{index}", (), {})())
    gc.collect()
    assert gone() is None


def test_repr_names_the_backends():
    assert repr(Backends([Apples()])) == "Backends(apples, python)"


@pytest.mark.parametrize(
    "given", [Plain(), Plain, [Plain], [3]], ids=["one", "a class", "classes", "numbers"]
)
def test_what_is_not_a_list_of_backends_is_refused(given):
    with pytest.raises(TypeError, match=r"`backends` is a list of objects whose classes derive from"):
        ag.convert(backends=given)(abs)
