"""Liveness and definitions against what really happens on the paths of small random programs.

A program is walked along every path that a list of choices can take (an exception strikes or not, a loop goes
on or not). What the walk sees must be among what the analyses said; for programs without loops and
exceptions, whose paths are all walked, it must be exactly that.
"""

import ast
import itertools
import textwrap

from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.analysis.activity import Activity
from autograph.analysis.definitions import Definitions
from autograph.analysis.liveness import Liveness
from autograph.analysis.manager import Analyses

NAMES = "abc"
PATHS = 200
ROUNDS = 3

names = st.sampled_from(NAMES)


def lines(template, **parts):
    """A strategy for one statement from a template; blocks are indented where their name stands alone."""
    return st.fixed_dictionaries(parts).map(lambda filled: _fill(template, filled))


def _fill(template, parts):
    filled = []
    for line in template.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        if line.strip() in parts:
            filled.append(textwrap.indent(parts[line.strip()], indent))
        else:
            filled.append(line.format(**{name: part for name, part in parts.items() if "\n" not in part}))
    return "\n".join(filled)


simple = st.one_of(
    lines("{x} = {y}", x=names, y=names),
    lines("{x} = {y} + {z}", x=names, y=names, z=names),
    lines("{x} += {y}", x=names, y=names),
    lines("{x}, {y} = {y}, {x}", x=names, y=names),
    lines("del {x}", x=names),
    lines("{x} = {y} and ({z} := 1)", x=names, y=names, z=names),
    st.just("pass"),
)
leaving = st.one_of(lines("return {x}", x=names), lines("raise {x}", x=names))
jumps = st.sampled_from(["break", "continue"])


def blocks(inner):
    return st.lists(inner, min_size=1, max_size=3).map("\n".join)


def compound(inner, *, wild):
    """Statements that hold blocks; the wild ones loop or deal with exceptions."""
    block, tame = blocks(inner), []
    tame += [
        lines("if {x}:\n    then", x=names, then=block),
        lines("if ({x} := {y}):\n    then\nelse:\n    other", x=names, y=names, then=block, other=block),
        lines("match {x}:\n    case [{y}] if {z}:\n        one\n    case {y}:\n        two",
              x=names, y=names, z=names, one=block, two=block),
    ]  # fmt: skip
    if not wild:
        return st.one_of(tame)
    body = blocks(st.one_of(inner, jumps))
    return st.one_of(
        *tame,
        lines("while {x}:\n    body", x=names, body=body),
        lines("while True:\n    body\n    {x}\n    break", x=names, body=body),
        lines("for {x} in {y}:\n    body\nelse:\n    other", x=names, y=names, body=body, other=block),
        lines("try:\n    body\nexcept {x} as {y}:\n    then\nelse:\n    other",
              x=names, y=names, body=block, then=block, other=block),
        lines("try:\n    body\nexcept {x}:\n    then\nfinally:\n    last",
              x=names, body=block, then=block, last=block),
        lines("with {x} as {y}:\n    body", x=names, y=names, body=block),
    )  # fmt: skip


def programs(*, wild):
    statement = st.recursive(
        st.one_of(simple, simple, leaving) if wild else simple,
        lambda inner: compound(inner, wild=wild),
        max_leaves=8,
    )
    return blocks(statement).map(lambda text: f"def f(a):\n{textwrap.indent(text, '    ')}\n    return b, c")


class Leave(Exception):
    """Control leaves the current statement: by "break", "continue", "return" or "raise"."""

    def __init__(self, way):
        super().__init__(way)
        self.way = way


class Enough(Exception):
    """A loop went round often enough; what would come is not looked at."""


class Walk:
    """One path through a function; `choices` says what happens, and grows as questions come up."""

    def __init__(self, function, choices):
        self.choices, self.asked = choices, 0
        self.waiting = {name: set() for name in NAMES}  # statements left since the name was last bound
        self.protected = 0  # how many blocks we are in that exceptions may leave for somewhere else
        self.visited, self.live_in, self.live_out, self.unsure = set(), set(), set(), set()
        self.have_values = {"a"}
        try:
            self.block(function.body)
        except (Leave, Enough):
            pass

    def choose(self):
        if self.asked == len(self.choices):
            self.choices.append(False)
        self.asked += 1
        return self.choices[self.asked - 1]

    def read(self, name):
        for statement, before in self.waiting[name]:
            (self.live_in if before else self.live_out).add((statement, name))

    def bind(self, name):
        self.waiting[name].clear()
        self.have_values.add(name)

    def unbind(self, name):
        self.waiting[name].clear()
        self.have_values.discard(name)

    def risk(self):
        """Anything may raise, if we say so."""
        if self.protected and self.choose():
            raise Leave("raise")

    def evaluate(self, node):
        """Reads and bindings of an expression or target, in order."""
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                self.read(node.id)
            else:
                self.bind(node.id)
        elif isinstance(node, ast.NamedExpr):
            self.evaluate(node.value)
            self.evaluate(node.target)
        elif isinstance(node, ast.BoolOp):
            self.evaluate(node.values[0])
            if self.choose():
                self.evaluate(node.values[1])
        else:
            for child in ast.iter_child_nodes(node):
                self.evaluate(child)

    def block(self, statements):
        for statement in statements:
            self.statement(statement)

    def statement(self, node):
        self.visited.add(node)
        for name in NAMES:
            self.waiting[name].add((node, True))
            if name not in self.have_values:
                self.unsure.add((node, name))
        try:
            getattr(self, type(node).__name__)(node)
        finally:
            for name in NAMES:
                self.waiting[name].add((node, False))

    def Pass(self, node):
        self.risk()

    def Expr(self, node):
        self.evaluate(node.value)

    def Assign(self, node):
        self.evaluate(node.value)
        self.risk()
        self.evaluate(node.targets[0])
        self.risk()

    def AugAssign(self, node):
        self.read(node.target.id)
        self.evaluate(node.value)
        self.risk()
        self.bind(node.target.id)

    def Delete(self, node):
        self.read(node.targets[0].id)
        self.unbind(node.targets[0].id)

    def Return(self, node):
        self.evaluate(node.value)
        raise Leave("return")

    def Raise(self, node):
        self.evaluate(node.exc)
        raise Leave("raise")

    def Break(self, node):
        raise Leave("break")

    def Continue(self, node):
        raise Leave("continue")

    def If(self, node):
        self.evaluate(node.test)
        self.block(node.body if self.choose() else node.orelse)

    def Match(self, node):
        self.evaluate(node.subject)
        for case in node.cases:
            always = isinstance(case.pattern, ast.MatchAs)
            if always or self.choose():
                self.bind(case.pattern.name if always else case.pattern.patterns[0].name)
                if case.guard is not None:
                    self.evaluate(case.guard)
                    if not self.choose():
                        continue
                self.block(case.body)
                return

    def While(self, node):
        def goes_on():
            self.evaluate(node.test)
            return isinstance(node.test, ast.Constant) or self.choose()

        self.loop(node, goes_on)

    def For(self, node):
        def goes_on():
            if not self.choose():
                return False
            self.bind(node.target.id)
            return True

        self.evaluate(node.iter)
        self.loop(node, goes_on)

    def loop(self, node, goes_on):
        for rounds in itertools.count():
            if not goes_on():
                return self.block(node.orelse)
            if rounds == ROUNDS:
                raise Enough
            try:
                self.block(node.body)
            except Leave as leave:
                if leave.way == "break":
                    return None
                if leave.way != "continue":
                    raise

    def With(self, node):
        (item,) = node.items
        self.evaluate(item.context_expr)
        self.bind(item.optional_vars.id)
        self.guarded(node.body, self.swallow)

    def swallow(self):
        if self.choose():
            raise Leave("raise")

    def guarded(self, block, handle):
        """Run a block; what it raises goes to `handle`. Returns whether it ran to its end."""
        self.protected += 1
        try:
            self.block(block)
        except Leave as leave:
            self.protected -= 1
            if leave.way != "raise":
                raise
            handle()
            return False
        self.protected -= 1
        return True

    def Try(self, node):
        try:
            if self.guarded(node.body, lambda: self.handler(node.handlers[0])):
                self.block(node.orelse)
        except Leave as leave:
            self.block(node.finalbody)
            raise leave from None
        else:
            self.block(node.finalbody)

    def handler(self, handler):
        self.evaluate(handler.type)
        if not self.choose():
            raise Leave("raise")
        if handler.name is not None:
            self.bind(handler.name)
        try:
            self.block(handler.body)
        finally:
            if handler.name is not None:
                self.unbind(handler.name)


def walks(function):
    """The paths of a function, and whether these are all of them."""
    found, choices = [], []
    while len(found) < PATHS:
        walk = Walk(function, choices)
        found.append(walk)
        choices = walk.choices[: walk.asked]
        while choices and choices[-1]:
            choices.pop()
        if not choices:
            return found, True
        choices = [*choices[:-1], True]
    return found, False


def said(function, found):
    """What the analyses say of the statements that walks came by, in the form that a walk gathers."""
    analyses = Analyses(function)
    activity, liveness, definitions = map(analyses.get, (Activity, Liveness, Definitions))
    variables = activity.inside(function).locals
    statements = set().union(*(walk.visited for walk in found))
    each = [(node, name, activity.names.bit(name)) for node, name in itertools.product(statements, NAMES)]
    return (
        {(node, name) for node, name, bit in each if bit & liveness.live_in(node)},
        {(node, name) for node, name, bit in each if bit & liveness.live_out(node)},
        {(node, name) for node, name, bit in each if bit & variables & ~definitions.defined_in(node)},
    )


def seen(function, found):
    """What the walks saw; a name that the function never binds is none of its variables."""
    live_in, live_out, unsure = (
        set().union(*(getattr(walk, kind) for walk in found)) for kind in ("live_in", "live_out", "unsure")
    )
    variables = {*compile(ast.Module([function], []), "", "exec").co_consts[0].co_varnames}
    return live_in, live_out, {(node, name) for node, name in unsure if name in variables}


@settings(max_examples=80, deadline=None)
@given(programs(wild=True))
def test_nothing_happens_that_the_analyses_did_not_say(text):
    function = ast.parse(text).body[0]
    found, _ = walks(function)
    for happened, expected in zip(seen(function, found), said(function, found), strict=True):
        assert happened <= expected, text


@settings(max_examples=60, deadline=None)
@given(programs(wild=False))
def test_of_programs_without_loops_and_exceptions_the_analyses_say_no_more_than_happens(text):
    function = ast.parse(text).body[0]
    found, complete = walks(function)
    if complete:
        assert seen(function, found) == said(function, found), text
