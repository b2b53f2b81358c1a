"""`return` becomes a flag and a value; the function returns in one place, at its end.

>>> from autograph.converters.function_def import FunctionDef
>>> from autograph.converters.picture import show
>>> show('''
... def f(x):
...     if x:
...         return a
...     b()
...     return c
... ''', FunctionDef, ReturnStmt)
def f(x):
    with ag__.FunctionScope('f', 'fscope', ag__.ConversionOptions(...)) as fscope:
        do_return = False
        retval_ = ag__.UndefinedReturnValue()
        if x:
            try:
                do_return = True
                retval_ = a
            except:
                do_return = False
                raise
        else:
            b()
            try:
                do_return = True
                retval_ = c
            except:
                do_return = False
                raise
        return fscope.ret(retval_, do_return)

What follows an `if` that returns moves into its `else`, so that both branches give the value. Elsewhere it
asks the flag, and so does every loop that the `return` leaves.
"""

from __future__ import annotations

import ast

from autograph.converters.base import Context, Converter, Replacement, Walk
from autograph.converters.jumps import Jumps, has_jump, split_mark
from autograph.source.edit import blocks_of
from autograph.source.origin import stamp
from autograph.source.template import Statements
from autograph.staging.state import Role

__all__ = ["ReturnStmt"]


class ReturnStmt(Converter[ast.FunctionDef]):
    """Gathers all `return`s of a function at its end."""

    handles = (ast.FunctionDef,)
    start = Statements("""
        flag = False
        value = ag__.UndefinedReturnValue()
    """)
    template = Statements("""
        try:
            flag = True
            value = returned
        except:
            flag = False
            raise
    """)
    end = Statements("return scope.ret(value, flag)")

    def __init__(self, context: Context, walk: Walk) -> None:
        super().__init__(context, walk)
        self._names: dict[ast.AST, tuple[str, str]] = {}

    def enter(self, node: ast.FunctionDef) -> None:
        """Names the variables, the outer function's first."""
        if has_jump(node.body, ast.Return):
            flag, value = self.context.variable("do_return"), self.context.variable("retval_", Role.RETURNED)
            self._names[node] = flag, value

    def convert(self, node: ast.FunctionDef) -> Replacement:
        """A function without a `return` needs none of this."""
        if node not in self._names:
            return node
        flag, value = self._names[node]
        scope = node.body[-1]
        assert isinstance(scope, ast.With), "FunctionDef has been here"

        def lower(jump: ast.Return) -> list[ast.stmt]:
            returned = ast.Constant(None) if jump.value is None else jump.value
            (attempt,) = self.template.fill(flag=flag, value=value, returned=returned)
            self.context.kept.add(attempt)  # Python is to raise what the value raises
            return [attempt]

        jumps = Jumps(ast.Return, flag, lower, enters_loops=True)
        body, _ = jumps.block(_joined(_with_last_return(scope.body)))
        start = self.start.fill(flag=flag, value=value)
        end = self.end.fill(scope=self.context.scope_names[node], flag=flag, value=value)
        stamp([*start, *end], node)
        scope.body = [*start, *body, *end]
        return node


def _with_last_return(body: list[ast.stmt]) -> list[ast.stmt]:
    """The body with a `return None` at its end, where it can get there and another `return` gives a value.

    A backend that records every path has to see that this one gives None.
    """
    block, mark = split_mark(body)
    if _never_reaches_end(block) or not has_jump(block, ast.Return):
        return body
    last = ast.Return(None)
    stamp([last], block[-1])
    return [*block, last, *mark]


def _joined(block: list[ast.stmt]) -> list[ast.stmt]:
    """The block with what follows an `if` moved into the branch that does not return, at every level."""
    block, mark = split_mark(block)
    for index, statement in enumerate(block):
        if isinstance(statement, ast.If):
            rest = block[index + 1 :]
            if _always_returns(statement.body):
                statement.orelse = statement.orelse + rest
            elif _always_returns(statement.orelse):
                statement.body = statement.body + rest
            else:
                _join_inside(statement)
                continue
            _join_inside(statement)
            return [*block[: index + 1], *mark]
        _join_inside(statement)
    return block + mark


def _join_inside(statement: ast.stmt) -> None:
    """The same for the blocks of one statement."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    for part, field, block in blocks_of(statement):
        setattr(part, field, _joined(block))


def _always_returns(block: list[ast.stmt]) -> bool:
    """Whether a block that runs to its end has met a `return` there."""
    return any(
        isinstance(statement, ast.Return)
        or _is_endless(statement)
        or (
            isinstance(statement, ast.If)
            and _always_returns(statement.body)
            and _always_returns(statement.orelse)
        )
        for statement in block
    )


def _never_reaches_end(block: list[ast.stmt]) -> bool:
    """Whether a function whose last statements these are gives a value wherever it ends by a `return`.

    A `with` may swallow what its body raises and go on; the function then returns None, for `value` has none.
    """
    return any(map(_is_left, block))


def _is_left(statement: ast.stmt) -> bool:
    match statement:
        case ast.Return() | ast.Raise():
            return True
        case ast.If(body=body, orelse=orelse):
            return _never_reaches_end(body) and _never_reaches_end(orelse)
        case ast.With(body=body):
            return _never_reaches_end(body)
        case ast.Match(cases=cases):
            return _takes_all(cases[-1]) and all(_never_reaches_end(case.body) for case in cases)
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=finalbody):
            handled = all(_never_reaches_end(handler.body) for handler in handlers)
            return _never_reaches_end(finalbody) or (_never_reaches_end([*body, *orelse]) and handled)
    return _is_endless(statement)


def _is_endless(statement: ast.stmt) -> bool:
    """Whether this is a `while True:`; one that had a `break` asks for its flag by now."""
    match statement:
        case ast.While(test=ast.Constant(value=value)):
            return bool(value)
    return False


def _takes_all(case: ast.match_case) -> bool:
    """Whether this is `case _:` or `case name:`."""
    return case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
