"""Writes one random program: a line at a time, from numbers.

A program begins with what its ideas set up. Then come statements, each of which is a form of a construct
with its holes filled: `constructs.construct` says what there is. Functions of the module that a statement
calls are written with it; they have the variables of the program as parameters, and are given any of the
same kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.properties.bindings import assigned, bound, read, variables
from tests.properties.choices import Choices
from tests.properties.constructs import (
    BLOCKS,
    CONSTRUCTS,
    CONTROL,
    IDEAS,
    IN_PYTHON,
    JUMPS,
    WAYS,
    Construct,
    Place,
)

__all__ = ["LARGE", "SMALL", "Pair", "Size", "Writer", "Written"]

Pair = tuple[str, str, str]
"""``("in", outer, inner)``, ``("then", one, next)``, or ``("with", way, one)`` that has a variable there."""

IMPORTS = """\
import bisect, copy, functools, heapq, itertools, math
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field, replace
import numpy as np
"""

EXPRESSIONS: Mapping[str, tuple[str, ...]] = {
    "F": ("v", "1.5", "s", "x[$J]", "0.5", "2.0", "-1.0", "x.sum()"),
    "I": ("n", "1", "k", "0", "2", "3"),
    "T": ("n > 1", "v > 1.0", "k == 2", "$F > $F", "n > $I", "k == $I", "$F <= $F", "n % 2 == 0"),
}
"""Of floats, ints and tests: what any program has. Those without others in them end what is nested."""

JOINED: Mapping[str, tuple[str, ...]] = {
    "F": ("($F + $F)", "$F * 0.5", "($F if $T else $F)", "abs($F)", "min($F, $F)"),
    "I": ("($I + $I) % 5", "($I if $T else $I)", "int($T)"),
    "T": ("($T and $T)", "($T or $T)", "not ($T)"),
}
"""Larger ones."""

ATOMS: Mapping[str, tuple[str, ...]] = {
    "J": ("0", "1", "2", "n % 3", "k % 3", "-1"),
    "B": ("0", "1", "n % 2", "k % 2"),
    "K": ("'a'", "'b'"),
    "Known": ("3", "1", "2"),
}

HANDED: Mapping[str, tuple[str, ...]] = {
    "x": ("x", "x", "x[::-1]", "x.copy()", "x[:]"),
    "n": ("$I % 5",),
    "v": ("$F",),
}
"""What a function of the module is given for what every program has."""

CALLS = ("HELPER", "RESULTS = HELPER", "s = HELPER[-2]", "s, k = HELPER[-2:]")
"""How such a function is called."""

HOLE = re.compile(r"\$([A-Z][a-z]*\d?|[a-z]+)")

NESTED = {*EXPRESSIONS, *(kind for idea in IDEAS.values() for kind in idea.more)}
"""Kinds of expressions that may have others in them."""


@dataclass(frozen=True)
class Size:
    """How much of a program there is.

    Attributes
    ----------
    ideas : int
        How many it has at most.
    ways : int
        How many it has at most of those that say where the variables of the others may be.
    statements : int
        How many it has before it gets no more with others in them.
    depth : int
        How deep these stand in one another.
    block : int
        How many stand in one at most; twice as many in the function itself.
    weight : int
        How often a statement is about an idea: a statement of numbers is as often as one that weighs 1.
    expressions : int
        How deep these stand in one another.
    lines : int
        How many lines it has at least.
    """

    ideas: int = 2
    ways: int = 1
    statements: int = 6
    depth: int = 2
    block: int = 2
    weight: int = 8
    expressions: int = 2
    lines: int = 0


SMALL = Size()
LARGE = Size(ideas=4, ways=2, statements=14, depth=3, block=3)


class Written(NamedTuple):
    """The text of a module, the calls, what it is about, and which constructs met."""

    text: str
    calls: tuple[str, ...]
    ideas: tuple[str, ...]
    pairs: frozenset[Pair]


class _Spot(NamedTuple):
    """Where a statement stands."""

    indent: int
    depth: int
    around: tuple[str, ...] = ()
    in_loop: bool = False
    in_function: bool = True
    yields: bool = False
    before: str | None = None


class _Placed(NamedTuple):
    """A variable that has another place, too."""

    way: str
    place: Place
    kind: str
    name: str

    def written(self, template: str) -> str:
        return template.replace("$KIND", f"${self.kind}").replace("NAME", self.name)

    @property
    def form(self) -> str:
        return self.written(self.place.form)


class Writer:
    """Writes one program from choices; the parameters are those of `Program.from_choices`."""

    def __init__(
        self,
        choices: Choices,
        ideas: Sequence[str] | None,
        constructs: Sequence[str] | None,
        size: Size | None,
        *,
        staged: bool,
    ) -> None:
        self._choices = choices
        self._size = size or (LARGE if self._one_in(8) else SMALL)
        self._names = tuple(self._new_ideas(staged=staged) if ideas is None else ideas)
        self._ideas = {name: IDEAS[name] for name in self._names}
        in_python = bool(IN_PYTHON & self._ideas.keys())
        known = [name for name in CONTROL if in_python or name not in IN_PYTHON]
        self._control = [name for name in known if constructs is None or name in constructs]
        self._jumps = [name for name in JUMPS if constructs is None or name in constructs]
        self._kinds = {takes_more: self._known_kinds(takes_more) for takes_more in (False, True)}
        self._own: dict[str, list[str]] = {}
        self._named: dict[str, list[str]] = {}
        self._placed = [*self._new_places()]
        self._globals = [
            *(name for idea in self._ideas.values() for name in idea.globals),
            *(each.form for each in self._placed if each.place.is_global),
        ]
        self._elsewhere: dict[str, dict[str, str]] = {}
        self._given: list[list[dict[str, str]]] = []
        self._taken: dict[str, None] = {}
        self._set: tuple[str, ...] = ()
        self._lines: list[str] = []
        self._helpers: list[str] = []
        self._functions: list[str] = []
        self._in_helper = False
        self._left = self._size.statements
        self._next = 1
        self._loops: list[str] = []
        self._writing: str | None = None
        self._used: set[str] = {*self._names}
        self._pairs: set[Pair] = set()

    def _new_ideas(self, *, staged: bool) -> list[str]:
        known = [name for name in IDEAS if name not in IN_PYTHON | WAYS.keys()]
        if not staged:
            known = [*known, *[name for name in IDEAS if name in IN_PYTHON] * len(known)]
        drawn = [self._pick(known) for _ in range(self._size.ideas)]
        ideas = drawn[: self._choices.below(self._size.ideas) + 1]
        if IN_PYTHON.isdisjoint(ideas):
            ways = min(self._choices.below(3), self._size.ways)
            ideas += [self._pick([*WAYS]) for _ in range(ways)]
        return [*dict.fromkeys(ideas)]

    def _new_places(self) -> Iterator[_Placed]:
        """Where variables may be, too: one of each kind."""
        for way, idea in self._ideas.items():
            for name, other in self._ideas.items():
                if idea.places and name not in {way, *IN_PYTHON}:
                    for kind, names in other.names.items():
                        drawn = self._pick(names)
                        yield from (_Placed(way, place, kind, drawn) for place in idea.places)

    def _known_kinds(self, takes_more: bool) -> list[str]:
        """What a statement may be, as often as it is to be taken."""
        allowed = [name for name in self._control if takes_more or CONTROL[name].simple]
        return ["idea"] * self._size.weight * bool(self._ideas) + [
            name for name in allowed for _ in range(CONTROL[name].weight)
        ]

    def program(self) -> Written:
        self._begin(1)
        self._line(1, "s, k = 0.0, 0")
        self._set_up()
        spot = _Spot(1, self._size.depth)
        self._block(spot, 2 * self._size.block - 1)
        while len(self._lines) < self._size.lines:
            self._left = self._size.statements
            self._block(spot, self._size.block)
        self._line(1, f"return {self._result()}")
        header = f"def program({', '.join(['x', 'n', 'v', *self._arguments(), *self._taken])}):"
        around = dict.fromkeys(each.around for name, each in CONSTRUCTS.items() if name in self._used)
        places = [each.written(each.place.around) for each in self._placed if each.place.around]
        module = [IMPORTS, *filter(None, around), *places, *self._functions]
        calls = [self._call(number) for number in range(3)]
        between = [*self._between()]
        if between:
            calls.insert(1 + self._choices.below(2), "between()")
        text = "\n".join([*module, *between, header, *self._lines, ""])
        return Written(text, tuple(calls), self._names, frozenset(self._pairs))

    # ── what there is before the first statement ──

    def _begin(self, indent: int) -> None:
        if self._globals:
            self._line(indent, f"global {', '.join(self._globals)}")

    def _set_up(self) -> None:
        is_given = any(idea.is_given for idea in self._ideas.values())
        for idea in self._ideas.values():
            for line in idea.setup:
                forms = (line,) if isinstance(line, str) else line
                if not (is_given and self._are_given(forms)):
                    self._write(_Spot(1, 2), self._pick(forms))
        for each in self._placed:
            self._write(_Spot(1, 2), each.written(self._pick(each.place.setup)))
            self._elsewhere.setdefault(each.kind, {})[each.form] = each.way
        self._set = tuple(name for name in bound(self._lines) if name not in self._globals)

    def _are_given(self, forms: Sequence[str]) -> bool:
        """Whether the caller makes what is set up: where that needs nothing of the function's own."""
        found = [None if HOLE.search(form) else assigned(form) for form in forms]
        own = {*bound(self._lines)} - {*self._taken} | {"s", "k"}
        if any(each is None or not own.isdisjoint(read(each.values())) for each in found):
            return False
        self._given.append([each for each in found if each is not None])
        self._taken |= dict.fromkeys(self._given[-1][0])
        return True

    def _arguments(self) -> dict[str, str]:
        return {name: value for idea in self._ideas.values() for name, value in idea.arguments.items()}

    def _call(self, number: int) -> str:
        x = self._pick(["[1.0, 2.0, 3.0, 4.0]", "[0.0, -1.0, 2.5, 0.5]", "[3.0, 1.0, 2.0, 0.0]"])
        n, v = self._pick([3, 0, 1, 2, 4]), self._pick([2.0, 0.0, 1.5, -1.0])
        given = {"x": f"np.array({x})", "n": f"np.int64({n})", "v": f"np.float64({v})", **self._arguments()}
        if not self._given:
            return f"program({', '.join(given.values())})"
        passed: list[str] = []
        for each in [*({name: value} for name, value in given.items()), *self._given]:
            made = self._pick(each) if isinstance(each, list) else each
            is_again = number > 0 and not made.keys() <= {"n", "v"} and self._one_in(2)
            passed += [name if is_again else f"{name} := {value}" for name, value in made.items()]
        return f"program({', '.join(passed)})"

    def _between(self) -> list[str]:
        """The function that changes the module between two calls."""
        forms = [form for idea in self._ideas.values() for form in idea.between]
        if not forms or not self._one_in(2):
            return []
        form = self._pick(forms)
        names = [name for name in bound([form]) if name in {"HELD", "KEPT"} or not name.islower()]
        lines = [f"global {', '.join(names)}"] if names else []
        return ["def between():", *(f"    {line}" for line in [*lines, form]), ""]

    def _result(self) -> str:
        if self._in_helper:
            return self._carried()
        results = [each for idea in self._ideas.values() for each in idea.results]
        results += [each.form for each in self._placed if each.place.is_local]
        return "s" if self._one_in(5) else ", ".join([*results, "s", "k"])

    # ── statements ──

    def _block(self, spot: _Spot, most: int) -> None:
        for _ in range(1 + self._choices.below(most)):
            with self._choices.stretch("statement"):
                spot = spot._replace(before=self._statement(spot))

    def _statement(self, spot: _Spot) -> str:
        self._left -= 1
        takes_more = spot.depth > 0 and self._left > 0
        kinds = [*self._kinds[takes_more], *self._jumps_in(spot)]
        kind = self._pick(kinds)
        name = self._pick(self._names) if kind == "idea" else kind
        forms = CONSTRUCTS[name].forms if takes_more else CONSTRUCTS[name].simple
        self._pairs.update(("in", outer, name) for outer in spot.around)
        if spot.before is not None:
            self._pairs.add(("then", spot.before, name))
        self._used.add(name)
        around, self._writing = self._writing, name
        self._write(spot._replace(around=(*spot.around, name), before=None), self._pick(forms))
        self._writing = around
        return name

    def _jumps_in(self, spot: _Spot) -> Iterator[str]:
        for name in self._jumps:
            if _may_stand(name, spot):
                yield from [name] * JUMPS[name].weight

    def _write(self, spot: _Spot, form: str) -> None:
        """Writes what a form says, with its holes filled."""
        drawn: dict[str, str] = {}
        known = len(self._loops)
        for line in form.split("\n"):
            text = line.lstrip(" ")
            inside = spot._replace(indent=spot.indent + (len(line) - len(text)) // 4)
            if text == "$helper":
                self._call_helper(inside, self._helper(inside))
            elif text == "$again" and self._helpers:
                self._call_helper(inside, self._pick(self._helpers))
            elif text == "$again":
                self._line(inside.indent, "k += 1")
            elif text in BLOCKS:
                self._inside(inside, text)
            elif text == "$shared":
                self._declare(inside.indent)
            else:
                self._line(inside.indent, self._filled(text, self._size.expressions, drawn))
        del self._loops[known:]

    def _inside(self, spot: _Spot, kind: str) -> None:
        """Writes the statements that a word stands for."""
        spot = spot._replace(depth=spot.depth - 1)
        match kind:
            case "$loop":
                spot = spot._replace(in_loop=True)
            case "$body" | "$generator":
                spot = spot._replace(in_loop=False, in_function=True, yields=kind == "$generator")
            case "$class":
                depth = min(spot.depth, 1)
                spot = spot._replace(in_loop=False, in_function=False, yields=False, depth=depth)
            case "$quiet":
                spot = spot._replace(in_loop=False, in_function=False, yields=False, depth=0)
        with self._fewer_loops(kind in {"$body", "$generator", "$class"}):
            self._block(spot, 1 if kind == "$quiet" else self._size.block)

    @contextmanager
    def _fewer_loops(self, hidden: bool) -> Iterator[None]:
        """What the loops around count is not read in a function within, which may be called after them."""
        loops = self._loops
        self._loops = [] if hidden else loops
        try:
            yield
        finally:
            self._loops = loops

    def _declare(self, indent: int) -> None:
        """Declares the variables of the program in a function within."""
        results = [each for idea in self._ideas.values() for each in idea.results]
        names = dict.fromkeys(name for each in results for name in variables(each))
        local = [each.form for each in self._placed if each.place.is_local]
        self._line(indent, f"nonlocal {', '.join(['s', 'k', *names, *local])}")
        self._begin(indent)

    # ── functions of the module ──

    def _helper(self, spot: _Spot) -> str:
        """Writes a function that has the variables of the program as parameters."""
        name = f"helper{self._next}"
        self._next += 1
        outer = self._lines, self._in_helper
        self._lines, self._in_helper = [], True
        self._line(0, f"def {name}({', '.join(self._parameters())}):")
        self._begin(1)
        self._inside(_Spot(1, spot.depth, spot.around), "$body")
        self._line(1, f"return {self._carried()}")
        self._functions += [*self._lines, ""]
        self._lines, self._in_helper = outer
        self._helpers.append(name)
        return name

    def _call_helper(self, spot: _Spot, name: str) -> None:
        kinds = self._kinds_of_variables()
        given = [
            self._hole(kinds[each], 0, {})
            if each in kinds
            else self._filled(self._pick(HANDED.get(each, (each,))), 1, {})
            for each in self._parameters()
        ]
        call = self._pick(CALLS).replace("RESULTS", self._carried())
        self._line(spot.indent, call.replace("HELPER", f"{name}({', '.join(given)})"))

    def _parameters(self) -> list[str]:
        """The variables that a program has as soon as its ideas are set up."""
        return [*dict.fromkeys(["x", "n", "v", "s", "k", *self._arguments(), *self._taken, *self._set])]

    def _carried(self) -> str:
        """What functions of the module return."""
        kinds = self._kinds_of_variables()
        return ", ".join([*(name for name in self._parameters() if name in kinds), "s", "k"])

    def _kinds_of_variables(self) -> dict[str, str]:
        known = [
            (name, kind)
            for idea in self._ideas.values()
            for kind, names in idea.names.items()
            for name in names
        ]
        local = [(each.form, each.kind) for each in self._placed if each.place.is_local]
        return dict([*known, *local])

    # ── holes ──

    def _filled(self, template: str, depth: int, drawn: dict[str, str]) -> str:
        def fill(match: re.Match[str]) -> str:
            with self._choices.stretch(match[1]):
                return self._hole(match[1], depth, drawn)

        return HOLE.sub(fill, template)

    def _hole(self, kind: str, depth: int, drawn: dict[str, str]) -> str:
        if kind == "result":
            return self._result()
        if kind in drawn:
            return drawn[kind]
        if kind.islower():
            drawn[kind] = f"{kind}{self._next}"
            self._next += 1
            if kind == "i":
                self._loops.append(drawn[kind])
            return drawn[kind]
        plain = kind.rstrip("12")
        found = self._variable(plain) or self._expression(plain, depth)
        if plain != kind:
            drawn[kind] = found
        return found

    def _variable(self, kind: str) -> str | None:
        if kind not in self._named:
            self._named[kind] = [name for idea in self._ideas.values() for name in idea.names.get(kind, ())]
        names = self._named[kind]
        if not names:
            return None
        elsewhere = self._elsewhere.get(kind, {})
        found: str = self._pick([*names, *elsewhere])
        if found in elsewhere and self._writing is not None:
            self._pairs.add(("with", elsewhere[found], self._writing))
        return found

    def _expression(self, kind: str, depth: int) -> str:
        if kind in ATOMS:
            loops = self._loops if kind == "Known" else [f"{name} % 3" for name in self._loops if kind == "J"]
            return self._pick([*ATOMS[kind], *loops])  # type: ignore[no-any-return]  # a str
        if kind not in self._own:
            self._own[kind] = [form for idea in self._ideas.values() for form in _expressions(idea, kind)]
        own = self._own[kind]
        basic = [*EXPRESSIONS.get(kind, own), *(self._loops if kind == "I" else ())]
        if depth <= 0:
            return self._filled(self._pick([form for form in basic if _is_short(form)]), 0, {})
        choice = self._choices.below(10) if kind in JOINED else 0
        forms = basic if choice < 5 or not own else own if choice < 8 else JOINED[kind]
        return self._filled(self._pick(forms), depth - 1, {})

    # ── choosing: the first is the simplest ──

    def _pick(self, choices: Sequence[Any]) -> Any:
        return choices[self._choices.below(len(choices))]

    def _one_in(self, count: int) -> bool:
        return self._choices.below(count) == count - 1

    def _line(self, indent: int, text: str) -> None:
        self._lines.append("    " * indent + text)


def _may_stand(name: str, spot: _Spot) -> bool:
    """Whether Python lets a jump stand in a spot; one that ends the function stands in another statement."""
    if name in {"break", "continue"}:
        return spot.in_loop
    if name == "yield":
        return spot.yields
    if name == "return" and (spot.yields or not spot.in_function):
        return False
    return spot.indent > 1


def _expressions(idea: Construct, kind: str) -> Sequence[str]:
    return {"F": idea.floats, "I": idea.ints, "T": idea.tests}.get(kind) or idea.more.get(kind, ())


def _is_short(form: str) -> bool:
    """Whether there are no other expressions in one."""
    return NESTED.isdisjoint(HOLE.findall(form))
