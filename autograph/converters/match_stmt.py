"""`match`: each pattern becomes a function, and the cases become a chain of `if`s.

>>> from autograph.converters.picture import show
>>> show('''
... match point:
...     case [0, y] if y > 0:
...         up(y)
...     case _:
...         other()
... ''', MatchStmt)
subject_ = point
def pattern(subject__1):
    match subject__1:
        case [0, y]:
            return (y,)
    return None
(matched_, captured_) = ag__.match_case(subject_, pattern,
    lambda: ag__.patterns.Sequence((ag__.patterns.Equal(0), ag__.patterns.Capture('y'))), ('y',))
taken_ = False
if matched_:
    (y,) = captured_
    taken_ = y > 0
if taken_:
    up(y)
else:
    other()

Python's own `match` decides, in the function, unless a value of a backend is in the subject: then the pattern
is looked at piece by piece, and its test may be a value of the backend.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Sequence
from typing import Any

from autograph.converters.base import Converter, Replacement
from autograph.source.template import Expression, Statements, literal
from autograph.staging import patterns as patterns_
from autograph.staging.dispatch import Backends
from autograph.staging.operators import operator

__all__ = ["MatchStmt", "match_case"]


class MatchStmt(Converter[ast.Match]):
    """The subject, and one `if` for each case."""

    handles = (ast.Match,)
    start = Statements("variable = subject")
    test = Statements("""
        def pattern(subject):
            match subject:
                case 0:
                    return values
            return None
        matched, captured = ag__.match_case(variable, pattern, lambda: description, names)
    """)
    guarded = Statements("""
        taken = False
        if matched:
            captures
            taken = guard
    """)
    bind = Statements("targets = captured")
    take = Statements("target = variable")
    branch = Statements("""
        if test:
            body
        else:
            orelse
    """)

    def convert(self, node: ast.Match) -> Replacement:
        """From the last case to the first, each in the `else` of the one before it."""
        subject = self.context.variable("subject_")
        rest: list[ast.stmt] = []
        for case in reversed(node.cases):
            rest = self._case(case, subject, rest)
        return [*self.start.fill(variable=subject, subject=node.subject), *rest]

    def _case(self, case: ast.match_case, subject: str, rest: list[ast.stmt]) -> list[ast.stmt]:
        """One case, with the statements of the cases after it as its `else`."""
        pattern, variable = case.pattern, self.context.variable
        if isinstance(pattern, ast.MatchAs) and pattern.pattern is None and case.guard is None:
            taken = self.take.fill(target=pattern.name, variable=subject) if pattern.name else []
            return [*taken, *case.body]
        names = _captures(pattern)
        matched, values = variable("matched_"), variable("captured_")
        statements = self._test(pattern, names, subject, matched, values)
        bind = self.bind.fill(targets=_tuple(names, ast.Store()), captured=values) if names else []
        if case.guard is None:
            branch = self.branch.fill(test=matched, body=[*bind, *case.body], orelse=rest or [ast.Pass()])
            return [*statements, *branch]
        taken_ = variable("taken_")
        return [
            *statements,
            *self.guarded.fill(
                taken=taken_, matched=matched, captures=bind or [ast.Pass()], guard=case.guard
            ),
            *self.branch.fill(test=taken_, body=case.body, orelse=rest or [ast.Pass()]),
        ]

    def _test(
        self, pattern: ast.pattern, names: list[str], subject: str, matched: str, values: str
    ) -> list[ast.stmt]:
        """The statements that try a pattern, and keep what it captures."""
        statements = self.test.fill(
            pattern=self.context.helper("pattern"),
            subject=self.context.variable("subject_"),
            values=_tuple(names, ast.Load()),
            matched=matched,
            captured=values,
            variable=subject,
            description=_description(pattern),
            names=literal(tuple(names)),
        )
        function = statements[0]
        function.body[0].cases[0].pattern = pattern
        self.context.finished.add(function)
        return statements


def _tuple(names: Sequence[str], context: ast.expr_context) -> ast.Tuple:
    return ast.Tuple([ast.Name(name, context) for name in names], context)


def _captures(pattern: ast.AST) -> list[str]:
    """The names that a pattern binds, in order, each once."""
    names: dict[str, None] = {}
    pending = [pattern]
    while pending:
        node = pending.pop(0)
        match node:
            case ast.MatchAs(pattern=inner, name=name):
                pending[:0] = [] if inner is None else [inner]
                names |= {name: None} if name else {}
            case ast.MatchStar(name=name):
                names |= {name: None} if name else {}
            case ast.MatchMapping(patterns=inner, rest=rest):
                pending[:0] = inner
                names |= {rest: None} if rest else {}
            case ast.MatchSequence(patterns=inner) | ast.MatchOr(patterns=inner):
                pending[:0] = inner
            case ast.MatchClass(patterns=inner, kwd_patterns=by_name):
                pending[:0] = [*inner, *by_name]
    return list(names)


def _made(kind: str, *arguments: ast.AST) -> ast.expr:
    """The expression that makes a pattern."""
    return Expression(f"ag__.patterns.{kind}(arguments)").fill(arguments=list(arguments))


def _several(patterns: Sequence[ast.AST]) -> ast.expr:
    return ast.Tuple([_description(each) for each in patterns], ast.Load())


def _description(pattern: ast.AST) -> ast.expr:
    """The expression that makes the object for a pattern."""
    match pattern:
        case ast.MatchValue(value=value):
            return _made("Equal", copy.deepcopy(value))
        case ast.MatchSingleton(value=value):
            return _made("Singleton", literal(value))
        case ast.MatchAs(pattern=None, name=None):
            return _made("Capture")
        case ast.MatchAs(pattern=inner, name=name):
            parts = [] if inner is None else [_description(inner)]
            return _made("Capture", literal(name), *parts)
        case ast.MatchStar(name=name):
            return _made("Capture", *([literal(name)] if name else []))
        case ast.MatchOr(patterns=inner):
            return _made("Or", _several(inner))
        case ast.MatchSequence(patterns=inner):
            star = next((i for i, each in enumerate(inner) if isinstance(each, ast.MatchStar)), None)
            if star is None:
                return _made("Sequence", _several(inner))
            return _made(
                "Sequence", _several(inner[:star]), _description(inner[star]), _several(inner[star + 1 :])
            )
        case ast.MatchMapping(keys=keys, patterns=inner, rest=rest):
            known = ast.Tuple([copy.deepcopy(key) for key in keys], ast.Load())
            return _made("Mapping", known, _several(inner), *([literal(rest)] if rest else []))
        case ast.MatchClass(cls=kind, patterns=inner, kwd_attrs=names, kwd_patterns=by_name):
            keywords: list[ast.expr] = [
                ast.Tuple([literal(name), _description(each)], ast.Load())
                for name, each in zip(names, by_name, strict=True)
            ]
            return _made("Class", copy.deepcopy(kind), _several(inner), ast.Tuple(keywords, ast.Load()))
    raise AssertionError(f"no pattern of Python: {pattern}")


@operator
def match_case(
    backends: Backends,
    subject: Any,
    pattern: Callable[[Any], tuple[Any, ...] | None],
    describe: Callable[[], patterns_.Pattern],
    names: tuple[str, ...],
) -> tuple[Any, Any]:
    """Whether the subject matches, and what is captured."""
    if not patterns_.holds_backend_value(backends, subject):
        values = pattern(subject)
        return values is not None, values
    found: dict[str, Any] = {}
    matched = describe().match(backends, subject, found)
    return matched, patterns_.captured(names, found)
