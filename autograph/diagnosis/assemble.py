"""Groups the recorded decisions of a trace by the statements of the user's source."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from autograph.diagnosis.marks import How, Kind, Mark, Section, count
from autograph.diagnosis.watch import Decision, Watch, Watched, span
from autograph.errors import SourceNotFound
from autograph.source.nodes import children, walk
from autograph.source.origin import header_span
from autograph.source.parse import Parsed, filename_of, parse
from autograph.source.unparse import unparse
from autograph_base.named_tuple import NamedTuple
from runtime.graph.builder import Builder
from runtime.graph.graph import Graph
from runtime.graph.op import Const

__all__ = ["node_counts", "sections"]

LONGEST = 48
"""Characters of an expression that are worth repeating."""


class Made(NamedTuple):
    """A node of the graph, and where it was asked for."""

    name: str
    line: int
    column: int


def sections(watch: Watch, graphs: Sequence[Graph | Builder]) -> Iterator[Section]:
    """A section for every function that was met."""
    made: dict[str, list[Made]] = {}
    for graph in graphs:
        for node in graph.nodes:
            if not isinstance(node.op, Const):
                filename, line, column, *_ = span(node.location)
                made.setdefault(filename, []).append(Made(node.op.name, line, column))
    for watched in watch.functions.values():
        yield _section(watch, watched, made.get(filename_of(watched.function.__code__), []))


def node_counts(graphs: Sequence[Graph | Builder]) -> tuple[tuple[str, int], ...]:
    """The kinds of nodes, constants left out."""
    counts = Counter(
        node.op.name for graph in graphs for node in graph.nodes if not isinstance(node.op, Const)
    )
    return tuple(counts.items())


def _section(watch: Watch, watched: Watched, made: Sequence[Made]) -> Section:
    """What there is to say of one function."""
    function = watched.function
    code = function.__code__
    try:
        parsed = parse(function)
    except SourceNotFound:
        return Section(code.co_qualname, code.co_filename, code.co_firstlineno, (), False, watched.reason, ())
    first, last = code.co_firstlineno, parsed.tree.end_lineno
    source = tuple(line.rstrip() for line in parsed.lines[first - 1 : last])
    marks = () if watched.reason else tuple(_Marks(watch, parsed, made))
    return Section(
        code.co_qualname, parsed.filename, first, source, not watched.reason, watched.reason, marks
    )


class _Marks:
    """The marks of one function, in the order of its source."""

    def __init__(self, watch: Watch, parsed: Parsed, made: Sequence[Made]) -> None:
        self._watch = watch
        self._parsed = parsed
        self._statements = list(_statements(parsed.tree))
        self._made = self._by_statement(made)

    def __iter__(self) -> Iterator[Mark]:
        marks = [self._statement(node) for node in self._statements]
        for node in walk(self._parsed.tree):
            if isinstance(node, ast.Call):
                marks += self._call(node)
            elif isinstance(node, ast.IfExp):
                marks += self._choice(node)
        return iter(sorted(marks, key=lambda mark: (mark.line, mark.column, mark.kind != "statement")))

    def _by_statement(self, made: Sequence[Made]) -> dict[Any, list[str]]:
        """The nodes of the graph that each statement made itself."""
        found: dict[Any, list[str]] = {}
        for name, line, column in made:
            around = [node for node in self._statements if _covers(node, line, column)]
            if around:
                found.setdefault(around[-1], []).append(name)  # inner statements come after outer ones
        return found

    def _statement(self, node: Any) -> Mark:
        """What became of a statement, or of a lambda's body."""
        place = self._parsed.filename, node.lineno, node.col_offset
        times = self._watch.ran[place]
        nodes = tuple(_numbered(self._made.get(node, [])))
        decisions = self._watch.decisions.get(place, [])
        kinds = {ast.If: "if_stmt", ast.While: "while_stmt", ast.For: "for_stmt"}
        mine = [each for each in decisions if each.operator == kinds.get(type(node))]
        if mine:
            return self._decided(node, mine, max(times, len(mine)))
        if isinstance(node, ast.For | ast.While) and times:
            return self._left_loop(node, times, nodes)
        is_expression = isinstance(node, ast.expr)  # a lambda's body, in front of which nothing counts
        how: How = "staged" if nodes else "python" if times or is_expression else "not reached"
        return self._mark(node, how, nodes, "", times)

    def _decided(self, node: Any, decisions: Sequence[Decision], times: int) -> Mark:
        """A branch or a loop that an operator stands for."""
        staged = [each for each in decisions if each.nodes]
        shown = (staged or decisions)[-1]
        subject = node.iter if isinstance(node, ast.For) else node.test
        reason = f"`{_short(subject)}` is {shown.decider}" if shown.decider else ""
        if shown.failed:
            reason = f"{reason}; tracing ended here"
        turns = sum(each.turns for each in decisions)
        plain = len(decisions) - len(staged)
        if staged and plain:
            reason += f" ({count(plain)} a Python value decided)"
        unrolled = any(each.unrolled for each in decisions)
        pushed = any(each.pushed for each in decisions)
        ended = shown.failed and shown.of_the_graph  # it would have been
        how: How = "unrolled" if unrolled else "staged" if staged or ended or pushed else "python"
        rolling = [each.rolling for each in decisions if each.rolling is not None]
        if rolling and not rolling[-1]:
            return self._mark(node, "rolled", shown.nodes, reason, times, shown.turns, shown)
        if rolling:
            reason = f"{reason}; not rolled: {rolling[-1]}"
        if how == "python" and isinstance(node, ast.For | ast.While):
            reason = f"{reason}; ran {_turns(turns)}"
        elif turns and how == "staged":
            reason = f"{reason}; {_turns(turns)} in Python before"
        return self._mark(node, how, shown.nodes, reason, times, turns, shown)

    def _left_loop(self, node: ast.For | ast.While, times: int, nodes: tuple[str, ...]) -> Mark:
        """A loop that needs no operator, since no value of the graph can decide it."""
        body = node.body[0]
        turns = self._watch.ran[self._parsed.filename, body.lineno, body.col_offset]
        first, last = body.lineno, node.body[-1].end_lineno
        recorded = any(names and first <= made.lineno <= last for made, names in self._made.items())
        subject = node.iter if isinstance(node, ast.For) else node.test
        reason = f"`{_short(subject)}` is known when the function is converted"
        if recorded:
            return self._mark(node, "unrolled", nodes, reason, times, turns)
        return self._mark(node, "python", nodes, f"{reason}; ran {_turns(turns)}", times, turns)

    def _choice(self, node: ast.IfExp) -> Iterator[Mark]:
        place = self._parsed.filename, node.lineno, node.col_offset
        decisions = [each for each in self._watch.decisions.get(place, []) if each.operator == "if_exp"]
        if decisions:
            shown = next((each for each in decisions if each.nodes), decisions[-1])
            reason = f"`{_short(node.test)}` is {shown.decider}"
            how: How = "staged" if shown.nodes else "python"
            yield self._mark(node, how, shown.nodes, reason, len(decisions), kind="expression")

    def _call(self, node: ast.Call) -> Iterator[Mark]:
        where = header_span(node)
        place = self._parsed.filename, where.lineno, where.col_offset, where.end_lineno, where.end_col_offset
        for call in self._watch.calls.get(place, []):
            yield self._mark(node, call.how, (), call.reason, 1, kind="call")

    def _mark(
        self,
        node: Any,
        how: How,
        nodes: tuple[str, ...],
        reason: str,
        times: int,
        turns: int = 0,
        decision: Decision | None = None,
        kind: Kind = "statement",
    ) -> Mark:
        """What is said of a node, at its place in the source."""
        return Mark(
            kind=kind,
            how=how,
            line=node.lineno,
            column=node.col_offset,
            end_line=node.end_lineno,
            end_column=node.end_col_offset,
            text=_header(node),
            nodes=nodes,
            reason=reason,
            times=times,
            turns=turns,
            state=decision.state if decision else (),
        )


def _statements(tree: Any) -> Iterator[ast.AST]:
    """The statements of a function, outer ones before inner ones; of a lambda, its body."""
    if isinstance(tree, ast.Lambda):
        yield tree.body
        return
    pending = list(tree.body)
    while pending:
        node = pending.pop(0)
        if isinstance(node, ast.stmt):
            if not _is_text(node):
                yield node
            pending = [*(inner for inner in children(node) if _holds_statements(inner)), *pending]
        elif _holds_statements(node):
            pending = [*(inner for inner in children(node) if _holds_statements(inner)), *pending]


def _holds_statements(node: ast.AST) -> bool:
    return isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case)


def _is_text(node: ast.AST) -> bool:
    """Whether a statement is a docstring, or a declaration, which do nothing when they are reached."""
    if isinstance(node, ast.Global | ast.Nonlocal):
        return True
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _covers(node: Any, line: int, column: int) -> bool:
    start, end = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
    return bool(start <= (line, column) < end)


def _numbered(names: Iterable[str]) -> Iterator[str]:
    """Each name once, with the number of its nodes."""
    for name, number in Counter(names).items():
        yield name if number == 1 else f"{name} ×{number}"


def _header(node: ast.AST) -> str:
    """The source of a node without its blocks."""
    text = unparse(node).partition("\n")[0]
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _short(node: ast.AST) -> str:
    return _header(node)


def _turns(number: int) -> str:
    return f"{number} turn{'s' * (number != 1)}"
