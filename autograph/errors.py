"""Every exception AutoGraph raises, and the diagnostics they carry.

::

    AutoGraphError
    ├── ConversionError          a function cannot be converted
    │   ├── SourceNotFound       its source text cannot be had
    │   └── UnsupportedSyntax    its source says something that has no converted form
    └── Difference(AssertionError)  `check` found a graph that does something else than its function

    AutoGraphWarning(UserWarning)
    └── ConversionWarning        a function is called as it is, because it cannot be converted

An exception that can point at the user's source carries a `Diagnostic`: what happened, where, why, and the
way out. It is plain data (a frozen dataclass), so a test or an editor reads its fields instead of its text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import fields
from typing import ClassVar

from autograph_base.dataclass import dataclass

__all__ = [
    "AutoGraphError",
    "AutoGraphWarning",
    "ConversionError",
    "ConversionWarning",
    "Diagnostic",
    "Difference",
    "FoundDifference",
    "FoundWarnedDifference",
    "Location",
    "MissingSource",
    "SourceNotFound",
    "UnsupportedConstruct",
    "UnsupportedSyntax",
]


@dataclass(frozen=True)
class Location:
    """A stretch of one line of the user's source.

    Parameters
    ----------
    filename : str
        As Python's own traceback would print it.
    line : int
        Counted from 1.
    function : str
        The function that the line belongs to.
    text : str
        The whole source line; empty when it is not known.
    column, end_column : int
        The stretch that the carets underline, in characters counted from 0. No carets when it is empty.

    Examples
    --------
    >>> print(Location("model.py", 12, "step", "    if loss < best:", 4, 18).render())
      File "model.py", line 12, in step
        if loss < best:
        ^^^^^^^^^^^^^^
    """

    filename: str
    line: int
    function: str
    text: str = ""
    column: int = 0
    end_column: int = 0

    def render(self) -> str:
        """The location as Python's traceback draws it."""
        drawn = [f'  File "{self.filename}", line {self.line}, in {self.function}']
        stripped = self.text.strip()
        if stripped:
            drawn.append(f"    {stripped}")
            start = len(self.text) - len(self.text.lstrip())
            before = self.text[start : max(self.column, start)]
            marked = self.text[max(self.column, start) : self.end_column].rstrip()
            if marked:
                drawn.append("    " + " " * _width(before) + "^" * _width(marked))
        return "\n".join(drawn)


def _width(text: str) -> int:
    """How many terminal cells a text takes: wide characters take two, combining ones none."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "FW" else 1 for c in text
    )


@dataclass(frozen=True)
class Diagnostic:
    """What happened, where, why, and the way out: the four parts of a message.

    A subclass is a frozen dataclass too. Its `title`, `why` and `way_out` may name its own fields in braces;
    `details` may add lines under the source line.
    """

    title: ClassVar[str] = ""
    why: ClassVar[str] = ""
    way_out: ClassVar[str] = ""

    where: Location | None

    def details(self) -> Iterable[str]:
        """Lines that say more about the place, drawn under its carets."""
        return ()

    def render(self) -> str:
        """The whole message, without the exception's name."""
        place = [self.where.render()] if self.where else []
        place += [f"  {line}" for line in self.details()]
        reason = [self._filled(self.why), self._filled(self.way_out)]
        blocks = [self._filled(self.title), "\n".join(place), "\n".join(filter(None, reason))]
        return "\n\n".join(block for block in blocks if block)

    def _filled(self, text: str) -> str:
        """`text` with the diagnostic's own fields in place of the names in braces."""
        return text.format_map({f.name: getattr(self, f.name) for f in fields(self)})


class AutoGraphError(Exception):
    """The root of every error AutoGraph raises itself.

    Parameters
    ----------
    message : str or Diagnostic
        A diagnostic is kept as `diagnostic` and rendered when the error is printed.

    Attributes
    ----------
    identifier : str
        What the catalogue lists the class under; empty for a class that is there to be caught, not raised.
    """

    identifier: ClassVar[str] = ""

    def __init__(self, message: str | Diagnostic) -> None:
        super().__init__(message)
        self.diagnostic = message if isinstance(message, Diagnostic) else None

    def __str__(self) -> str:
        text = self.diagnostic.render() if self.diagnostic else super().__str__()
        return f"{text}  [{self.identifier}]" if self.identifier else text


class ConversionError(AutoGraphError):
    """A function cannot be converted.

    Mark it `do_not_convert` where it needs no conversion.
    """


@dataclass(frozen=True)
class FoundDifference(Diagnostic):
    """Where a graph does something else than its function."""

    title = "the graph of {function}() differs from {function}() in call {call}, on the executor '{executor}'"
    why = "A graph does what Python does, or says that it cannot: this one did neither."
    way_out = "`ag.explain` says what became of the line."

    function: str
    call: int
    executor: str
    shown: tuple[str, ...]

    def details(self) -> Iterable[str]:
        return self.shown


@dataclass(frozen=True)
class FoundWarnedDifference(FoundDifference):
    """Where a graph does something else than its function, after a warning that it would."""

    why = "A warning was given of it when the graph was made, or ran."
    way_out = "Do what the warning says, and the two are alike."

    warnings: tuple[str, ...]

    def details(self) -> Iterable[str]:
        return (*self.shown, *[f"  warning:  {each}" for each in self.warnings])


class Difference(AutoGraphError, AssertionError):
    """`check` found that a graph does something else than the function that it was made from.

    Until that is mended, keep the line out of the graph.
    """

    identifier = "difference"


class AutoGraphWarning(UserWarning):
    """The root of every warning AutoGraph gives itself.

    Attributes
    ----------
    identifier : str
        What the catalogue lists the class under.
    """

    identifier: ClassVar[str] = ""

    def __str__(self) -> str:
        return f"{super().__str__()}  [{self.identifier}]"


class ConversionWarning(AutoGraphWarning):
    """A function is called as it is, because it cannot be converted.

    Change what the warning names, or mark the function `do_not_convert`.
    """

    identifier = "conversion-warning"


@dataclass(frozen=True)
class MissingSource(Diagnostic):
    """A function whose source text cannot be had."""

    title = "the source of `{function}` cannot be had: {because}"
    why = "A function is converted from its source text."
    way_out = "{instead}"

    function: str
    because: str
    instead: str


class SourceNotFound(ConversionError):
    """The source text of a function cannot be had, or is not the text that the function was made from.

    Define the function in a file, and start anew after editing it.
    """

    identifier = "source-not-found"


@dataclass(frozen=True)
class UnsupportedConstruct(Diagnostic):
    """A construct that has no converted form."""

    title = "{construct} cannot be converted"
    why = "{because}"
    way_out = "{instead}"

    construct: str
    because: str
    instead: str


class UnsupportedSyntax(ConversionError):
    """The source of a function says something that has no converted form.

    Move the part to be converted into a function of its own.
    """

    identifier = "unsupported-syntax"
