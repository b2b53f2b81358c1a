"""`hasattr`, and `getattr` with a default, of what a property or `__getattr__` raises in some runs."""

import numpy as np
import pytest

import autograph as ag


class Checked:
    def __init__(self, n):
        self.n = n

    @property
    def value(self):
        if self.n < 2:
            raise AttributeError("none")
        return self.n


class Asked:
    def __init__(self, n):
        self.n = n

    def __getattr__(self, name):
        if name.startswith("_") or self.n < 2:
            raise AttributeError(name)
        return self.n * 2


class Descriptor:
    def __get__(self, owner, kind=None):
        if owner.n < 2:
            raise AttributeError("not yet")
        return owner.n + 1


class Described(Checked):
    other = Descriptor()


class Stored:
    """An object that keeps attributes in a dict."""

    def __init__(self):
        self._held = {}

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._held[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        if name.startswith("_"):
            super().__setattr__(name, value)
        else:
            self._held[name] = value

    def __delattr__(self, name):
        del self._held[name]


def a_property(n):
    return hasattr(Checked(n), "value"), getattr(Checked(n), "value", -1)


def any_name(n):
    asked = Asked(n)
    return hasattr(asked, "v"), getattr(asked, "v", None), hasattr(asked, "_v"), hasattr(asked, "n")


def a_descriptor(n):
    return hasattr(Described(n), "other"), getattr(Described(n), "other", n - 7)


def a_dict_behind(n):
    stored = Stored()
    stored.x = n
    if n > 2:
        stored.y = n * 2
    found = [stored.x, hasattr(stored, "y"), getattr(stored, "y", 0)]
    if n > 2:
        del stored.y
    return found, hasattr(stored, "y")


def one_that_some_paths_have_set(n):
    asked = Asked(n)
    for name in ("a", "b"):
        if hasattr(asked, name):
            asked.kept = getattr(asked, name)
    return getattr(asked, "kept", 0), hasattr(asked, "kept"), getattr(asked, "n", 3)


@pytest.mark.parametrize(
    "program", [a_property, any_name, a_descriptor, a_dict_behind, one_that_some_paths_have_set]
)
def test_what_raises_in_some_runs_is_no_attribute_in_those(program):
    ag.check(program, np.int64(5), then=[(np.int64(n),) for n in (1, 3)])


def test_another_exception_leaves_it():
    class Broken:
        @property
        def value(self):
            raise ValueError("broken")

    @ag.function
    def program(n):
        return hasattr(Broken(), "value"), n

    with pytest.raises(ValueError, match="broken"):
        program(np.int64(1))
