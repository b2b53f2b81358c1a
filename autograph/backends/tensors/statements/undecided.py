"""What Python itself looks into, where that differs from run to run: what is behind exceptions, say."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

from autograph.staging.context import staging
from autograph.staging.places import set_takes
from runtime.core.containers import Finish, register
from runtime.core.instances import behind, stand_behind
from runtime.errors import NoConcreteValue, StateDisagrees
from runtime.graph.location import caller_location, is_users_file

__all__ = ["Undecided", "Unsaid"]


class Undecided(BaseException):  # what is behind an exception has to be one
    """May be handed on; a program that looks at it is refused, and no library that shows what was raised.

    Parameters
    ----------
    held : object
        What stands for the exception in joins: by default itself.
    """

    def __init__(self, held: Any = None) -> None:
        staging.chosen = True
        self.held = self if held is None else held

    def refuse(self) -> NoReturn:
        """Says that it is looked at."""
        raise StateDisagrees(
            "the exception behind one that was caught is read, and which one that is shows in the run",
            where=caller_location(),
            why="A graph knows what `__cause__` and `__context__` are where every `raise` that may have been"
            " met has the same class behind it.",
            way_out="Give the exception an attribute or an argument that says what led to it.",
        )

    def __getattribute__(self, name: str) -> Any:
        asks = sys._getframe(1).f_code  # noqa: SLF001  # the one way to look at a frame
        if name not in _OF_EVERY_OBJECT and is_users_file(asks.co_filename):
            self.refuse()
        return super().__getattribute__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "held":
            self.refuse()
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        self.refuse()

    def __str__(self) -> str:
        if is_users_file(caller_location().filename):
            self.refuse()
        return "one of several exceptions"

    def __repr__(self) -> str:
        return str(self)

    def __bool__(self) -> bool:
        if is_users_file(caller_location().filename):
            self.refuse()
        return True

    def __eq__(self, other: object) -> bool:
        if is_users_file(caller_location().filename):
            self.refuse()
        return self is other

    def __hash__(self) -> int:
        asks = sys._getframe(1).f_code  # noqa: SLF001  # as above
        if is_users_file(asks.co_filename):
            self.refuse()
        return super().__hash__()


class Unsaid(Undecided):
    """An argument of a caught exception: each `raise` that may have been met has another kind of it."""

    def refuse(self) -> NoReturn:
        refuse_argument("is read")


def refuse_argument(what: str) -> NoReturn:
    """Says that an argument of an exception is needed that differs from `raise` to `raise`."""
    raise NoConcreteValue(
        f"an argument of an exception that was caught {what}, and only the run knows what was raised",
        where=caller_location(),
        why="Several statements in the `try` may raise it, with containers of several forms, or the `try` "
        "has made a container that it carries, of a length that only the run knows.",
        way_out="Make the container before the `try`, or give all of them arguments of one form.",
    )


def _refuse(self: Unsaid, *_: Any) -> NoReturn:
    self.refuse()


def _refuse_attribute(self: Unsaid, name: str) -> NoReturn:
    if name[:2] == "__":  # a library that looks for a protocol finds none
        raise AttributeError(name)
    self.refuse()


Unsaid.__getattr__ = _refuse_attribute  # type: ignore[attr-defined]  # asked where there is no such attribute
for _name in (
    "getitem",
    "setitem",
    "delitem",
    "len",
    "iter",
    "contains",
    "call",
    "lt",
    "le",
    "gt",
    "ge",
    "float",
    "int",
    "index",
    "complex",
    "neg",
    "pos",
    "invert",
    "abs",
    "enter",
    "next",
):
    setattr(Unsaid, f"__{_name}__", _refuse)
for _name in (
    *("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow"),
    *("and", "or", "xor", "lshift", "rshift"),
):
    setattr(Unsaid, f"__{_name}__", _refuse)
    setattr(Unsaid, f"__r{_name}__", _refuse)


def _split(value: Undecided) -> tuple[tuple[str, ...], tuple[Any, ...], None]:
    """Nothing is known of it, so that one is as good as another."""
    held = object.__getattribute__(value, "held")
    return ((), (), None) if held is value else (("held",), (held,), None)


register(Undecided, _split, lambda kind, _, held, __: kind(*held))
register(
    Unsaid,
    _split,
    lambda kind, _, held, __: kind(*held),
    finish=Finish(lambda _, __: refuse_argument("is returned or kept")),
)
stand_behind(Undecided)


def _taken(name: str, value: Any) -> Any:
    """What Python is given for a value, as what is behind an exception, or as the class of an object."""
    if name != "__class__":
        return behind(value)
    if issubclass(type(value), type):
        return value
    raise StateDisagrees(
        "an object gets another `__class__` on some paths alone",
        where=caller_location(),
        why="A tensor decides between the paths, and Python has one class for an object, whichever is taken.",
        way_out="Make an object of the other class on that path, and bind the variable to it.",
    )


set_takes(_taken)

_OF_EVERY_OBJECT = frozenset(["__class__", "__dict__", "refuse"])
