"""Which containers the turns of a loop change, as its text says: `a[i] = x`, `del a[i]`, `a.append(x)`.

It is a guess that saves a trace of the turn: methods of these names may belong to other classes, and a branch
may never be taken. The loop sees whether a turn changes what was expected. A name that turns bind may mean
something else by then.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from autograph.source.nodes import walk
from autograph.source.parse import Loop, loop_at
from runtime.graph.location import statement_location

__all__ = ["changed_by_name"]

_CHANGING = frozenset(
    {
        *("add", "append", "appendleft", "clear", "discard", "extend", "extendleft", "insert", "pop"),
        *("popitem", "popleft", "remove", "reverse", "rotate", "setdefault", "sort", "update"),
    }
)
"""Methods of Python's containers that change them."""
_REMEMBERED = 1024


def changed_by_name() -> Sequence[str]:
    """The names of what turns of the loop that begins here change in place, as they come in its text.

    There are none where there is no text.
    """
    loop = statement_location()
    return _changed(loop.filename, loop.line, loop.column)


@lru_cache(maxsize=_REMEMBERED)
def _changed(filename: str, line: int, column: int | None) -> Sequence[str]:
    loop = loop_at(filename, line, column)
    if loop is None:
        return ()
    nodes = [node for part in _parts(loop) for node in walk(part)]
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    return tuple([name for name in dict.fromkeys(_changed_in(nodes)) if name not in bound])


def _parts(loop: Loop) -> Sequence[ast.AST]:
    """What each turn runs."""
    return [loop.target, *loop.body] if isinstance(loop, ast.For) else loop.body


def _changed_in(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Subscript(ast.Name(name), ctx=ast.Store() | ast.Del()):
                yield name
            case ast.Call(ast.Attribute(ast.Name(name), method)) if method in _CHANGING:
                yield name
