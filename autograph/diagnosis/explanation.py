"""What `ag.explain` gives: data, a text, and a page."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.text import Text

from autograph.diagnosis import page, text
from autograph.diagnosis.marks import Section

__all__ = ["Explanation"]


@dataclass(frozen=True)
class Explanation:
    """What became of a function when it was traced for some arguments.

    `print` shows it as text, `show` in colours, a notebook as a page.

    Attributes
    ----------
    name : str
        The function.
    signature : str
        The arguments that it was traced for.
    sections : tuple of Section
        The function itself, then what it calls, in the order in which they were met.
    nodes : tuple of (str, int)
        How many nodes of each kind the graph has, those of branches and loops included.
    error : str
        What tracing ended with; empty where it went well.
    """

    name: str
    signature: str
    sections: tuple[Section, ...]
    nodes: tuple[tuple[str, int], ...]
    error: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Everything as dicts, lists, strings and numbers, ready for JSON."""
        plain: dict[str, Any] = dataclasses.asdict(self, dict_factory=_listed)
        return plain

    def to_html(self) -> str:
        """A page of its own: no other file, nothing from the network."""
        return page.page(self)

    def save(self, path: str | Path) -> None:
        """Writes the page to a file."""
        Path(path).write_text(self.to_html(), encoding="utf-8")

    def show(self) -> None:
        """Prints it, in colours where the output is a terminal."""
        text.show(self)

    def __str__(self) -> str:
        return text.plain(self)

    def __rich__(self) -> Text:
        return text.lines(self)

    def _repr_html_(self) -> str:
        return page.fragment(self)

    def __repr__(self) -> str:
        functions = f"{len(self.sections)} function{'s' * (len(self.sections) != 1)}"
        return f"<Explanation of {self.name}({self.signature}): {functions}>"


def _listed(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {name: _lists(value) for name, value in pairs}


def _lists(value: Any) -> Any:
    return [_lists(item) for item in value] if isinstance(value, tuple) else value
