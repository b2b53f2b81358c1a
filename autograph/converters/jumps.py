"""Shared by `break`, `continue` and `return`: a jump becomes a flag, and what it would skip asks for it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from autograph.source.nodes import children, walk
from autograph.source.origin import stamp
from autograph.source.template import Expression, Statements

__all__ = ["Jumps", "add_loop_test", "guard", "has_jump", "jumps_out", "split_mark", "take_extra_test"]

Lower: TypeAlias = Callable[[Any], list[ast.stmt]]

LOOPS = ast.For | ast.While
FRAMES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

GUARD = Statements("""
    if not flag:
        rest
""")
RESET = Statements("flag = False")
CALLED_OFF = Statements("""
    try:
        body
    except:
        flag = False
        raise
""")
NOT = Expression("not flag")
NOT_AND = Expression("not flag and test")

EXTRA_TEST = Statements("ag__.extra_test(test)")
"""The mark that ends the body of a `for` on its way through the converters.

Where Python would have left the loop by a jump, the loop goes on only while the test holds. `ForStmt` takes
the mark out again.
"""


class Jumps:
    """Lowers one kind of jump in a block of statements.

    Parameters
    ----------
    kind : class of node
        `ast.Break`, `ast.Continue` or `ast.Return`.
    flag : str
        The variable that says that the jump was taken.
    lower : callable
        A jump → the statements that set the flag.
    guards : bool
        Whether what follows a jump has to ask the flag. Not so where a jump is lowered to another jump.
    enters_loops : bool
        Whether the jump leaves loops, too: each then also asks the flag before its next turn.
    """

    def __init__(
        self,
        kind: type[ast.stmt],
        flag: str,
        lower: Lower,
        *,
        guards: bool = True,
        enters_loops: bool = False,
    ) -> None:
        self._kind = kind
        self._flag = flag
        self._lower = lower
        self._guards = guards
        self._enters_loops = enters_loops

    def block(self, statements: Sequence[ast.stmt]) -> tuple[list[ast.stmt], bool]:
        """The block without the jumps, and whether it had any."""
        statements, mark = split_mark(statements)
        lowered: list[ast.stmt] = []
        jumped = False
        for index, statement in enumerate(statements):
            replaced, jumps = self._statement(statement)
            lowered += replaced
            jumped = jumped or jumps
            if jumps and self._guards:
                rest, _ = self.block(statements[index + 1 :])
                lowered += _placed(guard(self._flag, rest), statement)
                break
        return lowered + mark, jumped

    def _statement(self, statement: ast.stmt) -> tuple[list[ast.stmt], bool]:
        if isinstance(statement, self._kind):
            return _placed(self._lower(statement), statement), True
        if isinstance(statement, FRAMES):
            return [statement], False
        if isinstance(statement, LOOPS):
            return [statement], self._loop(statement)
        if isinstance(statement, ast.Try | ast.TryStar):
            return [statement], self._try(statement)
        if isinstance(statement, ast.With):
            return [statement], self._with(statement)
        jumped = False
        if isinstance(statement, ast.Match):
            for case in statement.cases:
                case.body, jumps = self.block(case.body)
                jumped = jumped or jumps
            return [statement], jumped
        for field in ("body", "orelse"):
            if getattr(statement, field, None):
                block, jumps = self.block(getattr(statement, field))
                setattr(statement, field, block)
                jumped = jumped or jumps
        return [statement], jumped

    def _loop(self, loop: ast.For | ast.While) -> bool:
        """A jump that leaves the loop skips its `else`, too."""
        jumped = False
        if self._enters_loops:
            loop.body, jumped = self.block(loop.body)
            if jumped:
                add_loop_test(loop, self._flag)
        orelse, jumps = self.block(loop.orelse)
        loop.orelse = _placed(guard(self._flag, orelse), loop) if jumped else orelse
        return jumped or jumps

    def _with(self, statement: ast.With) -> bool:
        """A manager may swallow what is raised on the way out of the body, which calls the jump off."""
        may_fail_on_the_way = any(
            isinstance(inner, ast.With | ast.Try | ast.TryStar) for inner in walk(statement.body)
        )
        statement.body, jumped = self.block(statement.body)
        if jumped and may_fail_on_the_way:
            statement.body = _placed(CALLED_OFF.fill(flag=self._flag, body=statement.body), statement)
        return jumped

    def _try(self, statement: ast.Try | ast.TryStar) -> bool:
        """A jump out of the body skips the `else`; an exception on the way out calls the jump off."""
        statement.body, jumped = self.block(statement.body)
        orelse, jumps = self.block(statement.orelse)
        if jumped and self._guards:
            orelse = _placed(guard(self._flag, orelse), statement)
        statement.orelse = orelse
        called_off = jumped
        jumped = jumped or jumps
        for handler in statement.handlers:
            handler.body, jumps = self.block(handler.body)
            if called_off:
                handler.body = [*_placed(RESET.fill(flag=self._flag), handler), *handler.body]
            jumped = jumped or jumps
        statement.finalbody, _ = self.block(statement.finalbody)
        return jumped


def jumps_out(block: Sequence[ast.stmt], *, in_loop: bool = False) -> set[type[ast.stmt]]:
    """The kinds of jumps that leave a block: `return`, and `break` and `continue` of a loop around.

    Parameters
    ----------
    block : sequence of statements
    in_loop : bool
        Whether the block is the body of a loop, which `break` and `continue` stay in.
    """
    found: set[type[ast.stmt]] = set()
    for statement in block:
        if isinstance(statement, ast.Return) or (
            isinstance(statement, ast.Break | ast.Continue) and not in_loop
        ):
            found.add(type(statement))
        if isinstance(statement, FRAMES):
            continue
        is_loop = isinstance(statement, LOOPS | ast.AsyncFor)
        found |= jumps_out(getattr(statement, "body", ()), in_loop=in_loop or is_loop)
        found |= jumps_out(getattr(statement, "orelse", ()), in_loop=in_loop)
        found |= jumps_out(getattr(statement, "finalbody", ()), in_loop=in_loop)
        for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            found |= jumps_out(part.body, in_loop=in_loop)
    return found


def has_jump(block: Sequence[ast.stmt], kind: type[ast.stmt]) -> bool:
    """Whether a block has such a jump, functions and classes in it aside.

    Walks go from the inside out, so the jumps of loops within are gone by the time their surroundings ask.
    """
    pending: list[ast.AST] = list(block)
    while pending:
        node = pending.pop()
        if isinstance(node, kind):
            return True
        if not isinstance(node, ast.expr | FRAMES):
            pending.extend(children(node))
    return False


def guard(flag: str, rest: Sequence[ast.stmt]) -> list[ast.stmt]:
    """`rest`, unless the flag is set."""
    return GUARD.fill(flag=flag, rest=list(rest)) if rest else []


def add_loop_test(loop: ast.For | ast.While, flag: str) -> None:
    """Makes a loop stop, before it evaluates its test or takes another item, when the flag is set."""
    new: Any
    if isinstance(loop, ast.While):
        new = loop.test = NOT_AND.fill(flag=flag, test=loop.test)
    else:
        loop.body, mark = split_mark(loop.body)
        inner = mark[0].value.args[0] if mark else None
        test = NOT.fill(flag=flag) if inner is None else NOT_AND.fill(flag=flag, test=inner)
        (new,) = EXTRA_TEST.fill(test=test)
        new.is_extra_test = True
        loop.body = [*loop.body, new]
    stamp([new], loop)


def take_extra_test(loop: ast.For) -> ast.expr | None:
    """The extra test of a `for`, taken out of its body."""
    loop.body, mark = split_mark(loop.body)
    return mark[0].value.args[0] if mark else None


def split_mark(block: Sequence[ast.stmt]) -> tuple[list[ast.stmt], list[Any]]:
    """A block without the mark at its end, and the mark."""
    if block and "is_extra_test" in vars(block[-1]):
        return list(block[:-1]), [block[-1]]
    return list(block), []


def _placed(statements: list[ast.stmt], origin: ast.AST) -> list[ast.stmt]:
    """The statements, those without a position at the place of the one they come from."""
    stamp(statements, origin)
    return statements
