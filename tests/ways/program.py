"""Programs of a few lines over one idea, reached in one way: `ideas/` has the ideas, `ways.txt` the ways."""

from __future__ import annotations

import ast
import linecache
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from textwrap import indent
from types import ModuleType
from typing import Any

import numpy as np

from tests.properties.grammar import Live

__all__ = ["Idea", "Program", "ideas", "programs", "reached", "ways"]

HERE = Path(__file__).parent
IMPORTS = """\
import bisect, cmath, contextlib, copy, functools, heapq, io, itertools, logging, math, numbers, operator, os
import random, statistics, time, warnings
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import astuple, dataclass, replace
from enum import Enum
from fractions import Fraction
import numpy as np
import autograph as ag
"""
CALLS = (
    "(np.array([1.0, 2.0, 3.0]), np.int64(3), np.float64(2.0))",
    "(np.array([3.0, 0.5, -1.0]), np.int64(0), np.float64(0.5))",
    "(np.array([0.5, 2.5, 1.5]), np.int64(2), np.float64(-1.0))",
    "(np.array([2.0, 1.0, 4.0]), np.int64(4), np.float64(1.5))",
)
_NUMBERS = count(1)


@dataclass(frozen=True)
class Idea:
    """Some lines about one promise.

    Attributes
    ----------
    point : int
        Which promise, by its number.
    name : str
    around : str
        The lines of the module around the function.
    make : str
        What there is at the start of a call.
    do : str
        What is reached, with the parameters `n`, `v` and `x`.
    give : str
        The expression that is returned.
    between : str
        What happens in the module between two calls.
    shared : tuple of str
        The names of globals that `do` sets.
    """

    point: int
    name: str
    around: str = ""
    make: str = ""
    do: str = ""
    give: str = "v"
    between: str = ""
    shared: tuple[str, ...] = ()

    @property
    def made(self) -> tuple[str, ...]:
        """The names that there are at the start of a call."""
        return _bound(self.make)

    @property
    def bound(self) -> tuple[str, ...]:
        """Those of them that `do` gives another value."""
        return tuple(name for name in self.made if name in _bound(self.do))


@dataclass(frozen=True)
class Program:
    """An idea, reached in some way."""

    idea: Idea
    way: str
    text: str = field(repr=False)

    @property
    def name(self) -> str:
        """What tests and lists call it."""
        return f"{self.idea.point:02} {self.idea.name} — {self.way}"

    @property
    def shown(self) -> str:
        """Its text, without what it imports."""
        return self.text.removeprefix(IMPORTS).strip()

    def live(self) -> Live:
        """The function, and its calls with what happens between them; its source can be found."""
        filename = f"<way {next(_NUMBERS)}>"
        linecache.cache[filename] = (len(self.text), None, self.text.splitlines(keepends=True), filename)
        module = sys.modules["way"] = ModuleType("way")  # where dataclasses look for theirs
        space = vars(module)
        exec(compile(self.text, filename, "exec"), space)
        steps: list[tuple[Any, ...] | Callable[[], Any]] = []
        for number, call in enumerate(CALLS):
            if number and self.idea.between:
                steps.append(lambda: exec(self.idea.between, space))
            steps.append(eval(call, {"np": np}))
        return Live(space["program"], tuple(steps), module)


@cache
def _bound(lines: str) -> tuple[str, ...]:
    """The names that lines bind, in order; those of functions and classes in them are their own."""
    found: dict[str, None] = {}
    pending: list[ast.AST] = list(ast.parse(lines).body)
    while pending:
        node = pending.pop(0)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = None
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = None
        elif not isinstance(node, ast.Lambda | ast.ListComp | ast.GeneratorExp | ast.DictComp | ast.SetComp):
            pending[:0] = ast.iter_child_nodes(node)
    return tuple(found)


@cache
def ways() -> dict[str, str]:
    """What is around `BODY`, by name."""
    return dict(_blocks((HERE / "ways.txt").read_text()))


@cache
def ideas() -> tuple[Idea, ...]:
    """All ideas, in the order of the promises."""
    found = []
    for path in sorted((HERE / "ideas").glob("*.txt")):
        for name, text in _blocks(path.read_text()):
            around, *parts = re.split(r"^#: ", text, flags=re.MULTILINE)
            sections: dict[str, str] = {}
            shared: tuple[str, ...] = ()
            for part in parts:
                title, _, body = part.partition("\n")
                kind, _, names = title.partition(" ")
                sections["shared" if kind == "global" else kind] = (
                    names.split() if kind == "global" else body.rstrip("\n")
                )
            shared = tuple(sections.pop("shared", ()))
            found.append(Idea(int(path.name[:2]), name, around, shared=shared, **sections))
    return tuple(found)


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    for block in re.split(r"^# ", text, flags=re.MULTILINE)[1:]:
        name, _, lines = block.partition("\n")
        yield name, lines.rstrip("\n") + "\n"


def programs(idea: Idea) -> list[Program]:
    """An idea in all ways that it can be reached in."""
    return [reached(idea, way) for way in ways()]


def reached(idea: Idea, way: str) -> Program:
    """An idea in one of the ways."""
    return Program(idea, way, _text(idea, ways()[way]))


def _text(idea: Idea, lines: str) -> str:
    """The module of a program."""
    made, bound = idea.made, idea.bound
    shared = "".join(f"global {name}\n" for name in idea.shared)
    given = re.search(r"def \w+\((.*)\):\n +NONLOCAL", lines)
    taken = given[1].split(", ") if given else []
    around = [*bound, *(name for name in _bound(idea.do) if name in "nvx" and name not in taken)]
    nonlocal_ = shared + (f"nonlocal {', '.join(around)}\n" if around else "")
    words = {
        "BODY": idea.do,
        "NONLOCAL": nonlocal_.rstrip("\n") or "pass",
        "KEEP": "\n".join(f"self.{name} = {name}" for name in made) or "pass",
        "TAKE": shared + "\n".join(f"{name} = self.{name}" for name in made),
        "GIVE": "\n".join(f"{name} = actor.{name}" for name in made) or "pass",
    }
    filled = []
    for line in lines.splitlines():
        word = line.strip()
        if word in words:
            filled.append(indent(words[word], line[: -len(word)]))
            continue
        line = line.replace("GIVES", f"({idea.give},)")
        names = ", ".join(made)
        if "BOUND" in line:
            line = line.replace("BOUND = ", f"{', '.join(bound)}, = " if bound else "")
            line = line.replace("return BOUND", f"return {', '.join(bound)}," if bound else "return")
        if "MADE" in line:
            line = line.replace("(MADE)", f"({names})").replace("[MADE]", f"[{names}]")
            line = line.replace("MADE = ", f"[{names}] = ").replace(", MADE", f", {names}" if names else "")
        if word.startswith("def act(n, v, x") and shared:
            line += "\n" + indent(shared.rstrip("\n"), " " * (len(line) - len(line.lstrip()) + 4))
        filled.append(line)
    body = shared + idea.make + "\n" + "\n".join(filled) + f"\nreturn {idea.give}"
    return f"{IMPORTS}\n{idea.around}\n\ndef program(x, n, v):\n{indent(body, '    ')}\n"
