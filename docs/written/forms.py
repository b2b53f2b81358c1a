"""What all pages are made of: titles with their source, tables, code."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable
from pathlib import Path

__all__ = ["ROOT", "WIDTH", "fenced", "first_line", "page", "table"]

ROOT = Path(__file__).parents[2]
WIDTH = 116


def first_line(thing: object) -> str:
    """What a docstring says first."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def table(header: str, rows: Iterable[Iterable[str]]) -> str:
    """A table; `header` names its columns, with bars between them."""
    line = "|".join("---" for _ in header.split("|"))
    return "\n".join([f"| {header} |", f"|{line}|", *(f"| {' | '.join(row)} |" for row in rows)])


def page(title: str, source: str, introduction: str, *sections: str) -> str:
    """A whole page."""
    note = f"*Written by `python docs/generate.py` from {source}.*"
    return "\n\n".join([f"# {title}", note, textwrap.fill(introduction, WIDTH), *sections]) + "\n"


def fenced(text: str, language: str) -> str:
    """A block of code."""
    return f"```{language}\n{text.strip()}\n```"
