"""What a random program may have: forms of a statement, variables that they are about, and expressions.

A form is a template; its simplest comes first. Behind a ``$`` is a hole, filled by kind:

- ``$F`` is a float, ``$I`` an int, ``$Known`` one that no tensor decides, ``$T`` a test, ``$J`` an index of
  three items, ``$B`` one of two, ``$K`` a key;
- other capitals are variables, or kinds of expressions, that a construct has. With a number, ``$L1``, it is
  one and the same wherever it stands in the form;
- a small letter, ``$c``, is a new name, the same in all of the form, and ``$i`` one of an int that
  statements inside may read;
- a word that is a line of its own is statements: ``$block``, ``$loop`` where `break` and `continue` may
  stand, ``$body`` of a function, ``$generator`` of one that yields, ``$class``, ``$quiet`` for one that has
  no others in it. ``$shared`` declares the variables of the program in a function within; ``$result`` is
  what it returns. ``$helper`` is a call of a function of the module, which has statements in it, too, and
  ``$again`` one of such a function that is there.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

__all__ = ["BLOCKS", "Construct", "Place", "written"]

BLOCKS = ("$block", "$loop", "$body", "$generator", "$class", "$quiet", "$helper")
"""Lines that stand for statements."""


def written(text: str) -> tuple[str, ...]:
    """Forms of several lines, with an empty line between two."""
    return tuple(textwrap.dedent(text).strip("\n").split("\n\n"))


@dataclass(frozen=True)
class Place:
    """Where else the variables of ideas may be; ``NAME`` is one of them, and ``$KIND`` any of its kind.

    Attributes
    ----------
    form : str
        How it is written there.
    setup : tuple of str
        The statements that put it there, of which one is taken.
    around : str
        The line that the module has for it.
    is_global : bool
        Whether that is a variable of the module.
    is_local : bool
        Whether that is a variable of the function.
    """

    form: str
    setup: tuple[str, ...]
    around: str = ""
    is_global: bool = False
    is_local: bool = False


@dataclass(frozen=True)
class Construct:
    """One construct; one with variables of its own is an idea, of which a program has a few.

    Attributes
    ----------
    forms : tuple of str
        What a statement of it looks like.
    names : mapping of str to tuple of str
        The variables of each kind.
    setup : tuple of str or tuple of str
        The lines that make them, in the function; of several, one is taken.
    floats, ints, tests : tuple of str
        Expressions that it adds.
    more : mapping of str to tuple of str
        Kinds of expressions of its own.
    around : str
        What the module has for it.
    globals : tuple of str
        Variables of the module that the function binds.
    results : tuple of str
        What the function returns of it.
    arguments : mapping of str to str
        More parameters, each with what it is called with.
    places : tuple of Place
        Where the variables of the other ideas may be, too.
    is_given : bool
        Whether the caller makes what the other ideas set up, and may give it again in later calls.
    between : tuple of str
        What the caller may do between two calls.
    weight : int
        How often it is taken, among those that are always there.
    """

    forms: tuple[str, ...]
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    setup: tuple[str | tuple[str, ...], ...] = ()
    floats: tuple[str, ...] = ()
    ints: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    more: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    around: str = ""
    globals: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    arguments: Mapping[str, str] = field(default_factory=dict)
    places: tuple[Place, ...] = ()
    is_given: bool = False
    between: tuple[str, ...] = ()
    weight: int = 1

    @cached_property
    def simple(self) -> tuple[str, ...]:
        """The forms that no other statements stand in."""
        return tuple(
            form for form in self.forms if not any(line.strip() in BLOCKS for line in form.split("\n"))
        )

    @cached_property
    def has_variables(self) -> bool:
        """Whether a variable of an idea may be in it, and not only in statements within."""
        return any(re.search(r"\$(?!J\b|B\b|K\b|Known)[A-Z]", form) for form in self.forms)

    @cached_property
    def is_compound(self) -> bool:
        """Whether other statements may stand in it."""
        return len(self.simple) < len(self.forms)
