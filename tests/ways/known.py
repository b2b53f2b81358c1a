"""What is known of programs that are not the same in a graph: `known.txt`, an idea and its ways in a line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from tests.ways.program import ways

__all__ = ["expected", "written"]

FILE = Path(__file__).with_name("known.txt")
ALL = "every way"
SHORTER = 0.7
"""The part of all ways from which on those are written that an idea is not refused in."""


@cache
def expected() -> Mapping[str, str]:
    """By the names of programs, ``refused``, ``warned`` or ``different``; all others are the same."""
    found: dict[str, str] = {}
    kind = ""
    for line in FILE.read_text().splitlines():
        if line and ":" not in line:
            kind = line.strip()
        elif line:
            idea, _, listed = line.partition(": ")
            found |= {f"{idea} — {way}": kind for way in _ways(listed)}
    return found


def _ways(listed: str) -> list[str]:
    if listed == ALL:
        return list(ways())
    rest = listed.removeprefix(f"{ALL} but ")
    names = rest.split(", ")
    return names if rest == listed else [way for way in ways() if way not in names]


def written(outcomes: Iterable[tuple[str, str]]) -> str:
    """The text of the file, for the names of programs and what became of them."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, became in outcomes:
        idea, _, way = name.partition(" — ")
        found[became][idea].append(way)
    blocks = []
    for kind in ("refused", "warned", "different"):
        lines = [f"{idea}: {_listed(names)}" for idea, names in sorted(found[kind].items())]
        blocks.append("\n".join([kind, *lines]))
    return "\n\n".join(blocks) + "\n"


def _listed(names: list[str]) -> str:
    if len(names) == len(ways()):
        return ALL
    if len(names) < SHORTER * len(ways()):
        return ", ".join(names)
    return f"{ALL} but {', '.join(way for way in ways() if way not in names)}"
