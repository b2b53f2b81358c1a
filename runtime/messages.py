"""The parts of a message: what happened, where, why, and the way out; and the roots of errors and warnings.

A message ends with the identifier of its class, which the error catalogue explains. The classes themselves
are in `runtime.errors`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Protocol

__all__ = ["Asked", "Error", "Message", "Notice", "Place", "locate_errors", "nearest", "with_article"]


class Asked(Protocol):
    """A call of NumPy's that is refused here."""

    def error(self) -> Exception | None:
        """What NumPy raises, where it does so whatever the values are."""

    def may_work(self) -> bool:
        """Whether NumPy does for some values what is refused here."""


class Place(Protocol):
    """A line of the user's program."""

    def describe(self) -> str:
        """The line as a traceback shows it."""


def _nowhere() -> Place | None:
    return None


_user_line: Callable[[], Place | None] = _nowhere


def locate_errors(user_line: Callable[[], Place | None]) -> None:
    """Says how an error finds the user's line; `runtime.graph.location` knows."""
    global _user_line  # noqa: PLW0603  # set once, at import: frames are looked at a floor above
    _user_line = user_line


class Message(Exception):
    """What errors and warnings share: the four parts of what they say.

    Parameters
    ----------
    happened : str
        What happened, in one line, in the user's words.
    where : Place, optional
        The line to blame. An error takes the innermost line of the user's that is running by default; with a
        warning, Python shows the line.
    details : iterable of str
        Lines that say more about the place, drawn below it.
    origin : str, optional
        Where the value came from that is not as it should be.
    why : str, optional
        Why that is an error; by default what the class says.
    way_out : str, optional
        What to write instead; by default what the class says.

    Attributes
    ----------
    identifier : str
        What the catalogue lists the class under; empty for a class that is there to be caught, not raised.
    verbatim : bool
        Whether the message is text of the user's program, shown alone.
    """

    identifier: ClassVar[str] = ""
    verbatim: ClassVar[bool] = False
    why: str = ""
    way_out: str = ""

    def __init__(
        self,
        happened: str = "",
        *,
        where: Place | None = None,
        details: Iterable[str] = (),
        origin: str = "",
        why: str | None = None,
        way_out: str | None = None,
    ) -> None:
        Exception.__init__(self, happened)
        self.happened = happened
        self.where = where
        self.details = tuple(details)
        self.origin = origin
        if why is not None:
            self.why = why
        if way_out is not None:
            self.way_out = way_out

    def __str__(self) -> str:
        if "happened" not in vars(self):  # one that a graph catches: the text is that of the run
            return Exception.__str__(self)
        if self.verbatim:
            return self.happened
        place = [self.where.describe()] if self.where is not None else []
        place += [f"  {line}" for line in self.details]
        reason = filter(None, (self.why, self.way_out))
        blocks = filter(None, (self.happened, "\n".join(place), self.origin, "\n".join(reason)))
        return "\n\n".join(blocks) + (f"  [{self.identifier}]" if self.identifier else "")

    def __reduce__(self) -> tuple[Any, ...]:
        state = {name: value for name, value in self.__dict__.items() if name != "call"}
        if self.where is not None:
            state["where"] = _Described(self.where.describe())  # frames and code objects stay behind
        return type(self), self.args, state


class Error(Message):
    """Root of every exception raised by `runtime`."""

    def __init__(self, happened: str = "", *, where: Place | None = None, **parts: Any) -> None:
        super().__init__(happened, where=where or _user_line(), **parts)

    only_in_graphs: ClassVar[bool] = False
    """Whether Python has nothing like it: handlers of the program's for Python's classes do not catch it."""
    call: Asked | None = None
    """The call of NumPy's that it is about: a handler of the program's sees what that raises."""


class Notice(Message, UserWarning):
    """Root of every warning given by `runtime`."""


class _Described(str):
    """The line of an error that came from another process."""

    __slots__ = ()

    def describe(self) -> str:
        """The line as a traceback shows it."""
        return str(self)


def with_article(name: str) -> str:
    """A name as one of several: ``an int``, ``a float``."""
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def nearest(wanted: str, known: Iterable[str]) -> str | None:
    """The name that somebody may have meant: one that begins as theirs does, or nearly is theirs."""
    from difflib import get_close_matches  # noqa: PLC0415  # most programs make no mistake

    names = list(known)
    begin_alike = [each for each in names if wanted and (each.startswith(wanted) or wanted.startswith(each))]
    return next(iter(begin_alike or get_close_matches(wanted, names, 1, _NEAR)), None)


_NEAR = 0.75
"""How much of two names has to be the same for one to be taken for the other."""
