"""Random programs of a few lines about one or two ideas, over objects that are shared, chosen and changed.

    program = SmallProgram.from_seed(7)
    live = program.live()
    live.function(*live.calls[0])

`IDEAS` says what they are about. A program is `program(x, n, v)`, over an array, an int and a float, and is
called three times in the world that the calls before have left. `became` says what a graph makes of it.
"""

from __future__ import annotations

import linecache
import re
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from tests.properties.choices import Choices
from tests.properties.ideas import IDEAS, Idea

__all__ = ["SmallLive", "SmallProgram"]

IMPORTS = """\
import bisect, copy, functools, heapq, itertools, math
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field, replace
import numpy as np
"""
FLOATS = ("v", "x[$J]", "1.5", "0.5", "2.0", "-1.0", "s", "x.sum()")
INTS = ("n", "k", "0", "1", "2", "3")
INDICES = ("0", "1", "2", "n % 3", "k % 3", "-1")
SIMPLEST = {
    "F": ("v", "1.5", "s", "x[0]", "x[n % 3]"),
    "I": ("n", "1", "k"),
    "T": ("n > 1", "v > 1.0", "k == 2"),
}
TESTS = ("$F > $F", "n > $I", "k == $I", "$F <= $F", "n % 2 == 0")
HOLE = re.compile(r"\$([A-Z]2?)")


@dataclass(frozen=True)
class SmallLive:
    """A program that can be called, and what to call it with."""

    function: FunctionType
    calls: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class SmallProgram:
    """The text of a module with ``def program(x, n, v)``, and what to call it with.

    Attributes
    ----------
    text : str
    calls : tuple of str
        The arguments of each call, as text.
    ideas : tuple of str
        What it is about.
    """

    text: str
    calls: tuple[str, ...]
    ideas: tuple[str, ...]

    @classmethod
    def from_choices(cls, choices: Choices, ideas: Sequence[str] = ()) -> SmallProgram:
        """The program that numbers lead to: any numbers."""
        return _Writer(choices, ideas).program()

    @classmethod
    def from_seed(cls, seed: int, ideas: Sequence[str] = ()) -> SmallProgram:
        """A random program, about one or two ideas, or those that are named."""
        return cls.from_choices(Choices(Random(seed).randrange), ideas)

    def live(self) -> SmallLive:
        """The program, compiled anew; its source can be found."""
        filename = f"<program {zlib.crc32(self.text.encode()):08x}>"
        linecache.cache[filename] = (len(self.text), None, self.text.splitlines(keepends=True), filename)
        module = sys.modules["program"] = ModuleType("program")  # where dataclasses look for theirs
        scope = vars(module)
        exec(compile(self.text, filename, "exec"), scope)
        calls = tuple(eval(f"{call[len('program') :][:-1]},)", {"np": np}) for call in self.calls)
        return SmallLive(scope["program"], calls)

    def __str__(self) -> str:
        return "\n".join([self.text, *self.calls])


class _Writer:
    """Writes one program, a line at a time."""

    def __init__(self, choices: Choices, ideas: Sequence[str]) -> None:
        self._choices = choices
        names = list(IDEAS)
        first = self._pick(names)
        second = self._pick(names)
        self._names = tuple(ideas) or ((first, second) if self._one_in(2) and first != second else (first,))
        self._ideas: list[Idea] = [IDEAS[name] for name in self._names]
        self._lines: list[str] = []
        self._left = 6
        self._next = 1
        self._loops: list[str] = []
        self._inside_loop = 0

    def program(self) -> SmallProgram:
        arguments: dict[str, str] = {}
        for idea in self._ideas:
            arguments |= idea.arguments or {}
        self._line(0, f"def program({', '.join(['x', 'n', 'v', *arguments])}):")
        if "globals" in self._names:
            self._line(1, "global total, peak")
        self._line(1, "s, k = 0.0, 0")
        for idea in self._ideas:
            for line in idea.setup:
                self._add(1, line if isinstance(line, str) else self._pick(line))
        self._block(1, 2, 3)
        self._line(1, f"return {self._result()}")
        around = "\n".join(idea.around for idea in self._ideas if idea.around)
        text = f"{IMPORTS}\n{around}\n" + "\n".join(self._lines) + "\n"
        more = "".join(f", {value}" for value in arguments.values())
        calls = tuple(f"program({self._call()}{more})" for _ in range(3))
        return SmallProgram(text, calls, self._names)

    def _call(self) -> str:
        x = self._pick(["[1.0, 2.0, 3.0, 4.0]", "[0.0, -1.0, 2.5, 0.5]", "[3.0, 1.0, 2.0, 0.0]"])
        n, v = self._pick([3, 0, 1, 2, 4]), self._pick([2.0, 0.0, 1.5, -1.0])
        return f"np.array({x}), np.int64({n}), np.float64({v})"

    def _result(self) -> str:
        results = [each for idea in self._ideas for each in idea.results]
        return ", ".join([*results, "s", "k"]) if not self._one_in(5) else "s"

    # ── statements ──

    def _block(self, indent: int, depth: int, most: int) -> None:
        for _ in range(1 + self._choices.below(most)):
            with self._choices.stretch("statement"):
                self._statement(indent, depth)

    def _statement(self, indent: int, depth: int) -> None:
        self._left -= 1
        kinds = ["idea"] * 5 + ["number"]
        if depth and self._left > 0:
            kinds += ["if", "if", "else", "for", "each", "while", "try", "finally", "function"]
        if indent > 1:
            kinds += ["return"] + ["break", "continue"] * (self._inside_loop > 0)
        kind = self._pick(kinds)
        getattr(self, f"_{kind}")(indent, depth - 1)

    def _idea(self, indent: int, _: int) -> None:
        idea = self._pick(self._ideas)
        self._add(indent, self._pick(idea.statements))

    def _number(self, indent: int, _: int) -> None:
        self._add(indent, self._pick(["s = $F", "s += $F", "k = $I", "k += $I"]))

    def _if(self, indent: int, depth: int) -> None:
        self._add(indent, "if $T:")
        self._block(indent + 1, depth, 2)

    def _else(self, indent: int, depth: int) -> None:
        self._if(indent, depth)
        self._line(indent, "else:")
        self._block(indent + 1, depth, 2)

    def _loop(self, indent: int, depth: int, header: str, name: str = "") -> None:
        self._add(indent, header)
        if name:
            self._loops.append(name)
        self._inside_loop += 1
        self._block(indent + 1, depth, 2)
        self._inside_loop -= 1
        if name:
            self._loops.pop()

    def _for(self, indent: int, depth: int) -> None:
        name = self._name("i")
        count = self._pick(["n", "n", "3", "$I"])
        self._loop(indent, depth, f"for {name} in range({count}):", name)

    def _each(self, indent: int, depth: int) -> None:
        self._loop(indent, depth, "for s in x:")

    def _while(self, indent: int, depth: int) -> None:
        name = self._name("c")
        self._add(indent, f"{name} = $I")
        self._loop(indent, depth, f"while {name} > 0:\n    {name} -= 1")

    def _try(self, indent: int, depth: int) -> None:
        self._line(indent, "try:")
        self._block(indent + 1, depth, 2)
        self._add(indent + 1, "if $T:\n    raise ValueError('no')")
        if self._one_in(2):
            self._block(indent + 1, depth, 1)
        self._line(indent, "except ValueError:")
        self._block(indent + 1, depth, 1)

    def _finally(self, indent: int, depth: int) -> None:
        self._line(indent, "try:")
        self._block(indent + 1, depth, 2)
        self._line(indent, "finally:")
        inside, self._inside_loop = self._inside_loop, 0
        self._add(indent + 1, self._pick(self._pick(self._ideas).statements))
        self._inside_loop = inside

    def _function(self, indent: int, depth: int) -> None:
        """What is done by a function that is called once or twice."""
        name = self._name("f")
        self._line(indent, f"def {name}():")
        names = self._bound()
        self._line(indent + 1, f"nonlocal {', '.join(names)}")
        if "globals" in self._names:
            self._line(indent + 1, "global total, peak")
        inside, self._inside_loop = self._inside_loop, 0
        self._block(indent + 1, depth, 2)
        self._inside_loop = inside
        self._line(indent, f"{name}()")
        if self._one_in(2):
            self._line(indent, f"{name}()")

    def _bound(self) -> list[str]:
        return ["s", "k", *[name for idea in self._ideas for name in idea.results if name.isidentifier()]]

    def _return(self, indent: int, _: int) -> None:
        self._line(indent, f"return {self._result()}")

    def _break(self, indent: int, _: int) -> None:
        self._add(indent, "if $T:\n    break")

    def _continue(self, indent: int, _: int) -> None:
        self._add(indent, "if $T:\n    continue")

    # ── holes ──

    def _add(self, indent: int, template: str) -> None:
        for line in self._filled(template, 2).split("\n"):
            self._line(indent, line)

    def _filled(self, template: str, depth: int) -> str:
        drawn: dict[str, str] = {}

        def fill(match: re.Match[str]) -> str:
            with self._choices.stretch(match[1]):
                return self._hole(match[1], depth, drawn)

        return HOLE.sub(fill, template)

    def _hole(self, kind: str, depth: int, drawn: dict[str, str]) -> str:
        if kind in {"F", "I", "T"}:
            return self._expression(kind, depth)
        if kind == "J":
            return self._pick([*INDICES, *[f"{name} % 3" for name in self._loops]])
        if kind == "B":
            return self._pick(["0", "1", "n % 2", "k % 2"])
        if kind == "K":
            return self._pick(["'a'", "'b'"])
        for idea in self._ideas:
            names = idea.names.get(kind[0])
            if names:
                drawn[kind] = self._pick(names)
                if kind.endswith("2") and len(names) > 1:
                    drawn[kind] = drawn.setdefault(kind, names[1])
                return drawn[kind]
        raise AssertionError(kind)

    def _expression(self, kind: str, depth: int) -> str:
        basic = {"F": FLOATS, "I": INTS, "T": TESTS}[kind]
        more = [
            each for idea in self._ideas for each in {"F": idea.floats, "I": idea.ints, "T": idea.tests}[kind]
        ]
        if kind == "I":
            basic = (*basic, *self._loops)
        if depth <= 0:
            simple = {
                "F": ["v", "1.5", "s", "x[0]", "x[n % 3]"],
                "I": ["n", "1", "k", *self._loops],
                "T": ["n > 1", "v > 1.0", "k == 2"],
            }
            return self._pick(simple[kind])
        choice = self._choices.below(10)
        if choice < 5 or not more:
            template = self._pick(basic)
        elif choice < 8:
            template = self._pick(more)
        elif kind == "F":
            template = self._pick(["($F + $F)", "$F * 0.5", "($F if $T else $F)", "abs($F)", "min($F, $F)"])
        elif kind == "I":
            template = self._pick(["($I + $I) % 5", "($I if $T else $I)", "int($T)"])
        else:
            template = self._pick(["($T and $T)", "($T or $T)", "not ($T)"])
        return self._filled(template, depth - 1)

    # ── choosing ──

    def _pick(self, choices: Sequence[Any]) -> Any:
        return choices[self._choices.below(len(choices))]

    def _one_in(self, count: int) -> bool:
        return self._choices.below(count) == count - 1

    def _name(self, letter: str) -> str:
        name = f"{letter}{self._next}"
        self._next += 1
        return name

    def _line(self, indent: int, text: str) -> None:
        self._lines.append("    " * indent + text)
