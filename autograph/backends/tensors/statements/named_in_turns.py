"""What the turns of a loop change, as its text says: `a[i] = x`, `self.a.append(x)`, `heappush(a, x)`.

It is a guess that saves a trace of the turn: methods of these names may belong to other classes, and a branch
may never be taken. The loop sees whether a turn changes what was expected. A name that turns bind may mean
something else by then.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any

from autograph.source.nodes import walk
from autograph.source.parse import Loop, loop_at
from autograph.staging import regions
from runtime.graph.location import statement_globals, statement_location

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

    What an object has is named as there: `self.items`. There are none where there is no text. What is handed
    to a function is changed where that is one of Python's own of which this is known.
    """
    loop = statement_location()
    changed, handed = _changed(loop.filename, loop.line, loop.column)
    if not handed:
        return changed
    known = statement_globals()
    more = [name for function, name in handed if regions.changes_first(_called(function, known))]
    return list(dict.fromkeys([*changed, *more]))


def _called(name: str, known: Mapping[str, Any]) -> Any:
    """What a name, or the name of something in a module, stands for; None where nobody knows."""
    first, *rest = name.split(".")
    found = known.get(first)
    for each in rest:
        found = vars(found).get(each) if isinstance(found, ModuleType) else None
    return found


@lru_cache(maxsize=_REMEMBERED)
def _changed(filename: str, line: int, column: int | None) -> tuple[Sequence[str], Sequence[tuple[str, str]]]:
    """The names of what turns change, and of functions and what these are given first."""
    loop = loop_at(filename, line, column)
    if loop is None:
        return (), ()
    nodes = [node for part in _parts(loop) for node in walk(part)]
    bound = {
        _name(node)
        for node in nodes
        if isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load)
    }

    def is_the_same(name: str) -> bool:
        return bound.isdisjoint(_leading_to(name))

    changed = tuple(filter(is_the_same, dict.fromkeys(_changed_in(nodes))))
    return changed, tuple([each for each in _handed_in(nodes) if all(map(is_the_same, each))])


def _leading_to(name: str) -> Iterator[str]:
    """A name, and those of the objects that have it."""
    parts = name.split(".")
    return (".".join(parts[:count]) for count in range(1, len(parts) + 1))


def _name(node: ast.expr) -> str | None:
    """What a variable is called, or an attribute of an attribute of one; None for all else."""
    match node:
        case ast.Name(name):
            return name
        case ast.Attribute(value, attribute):
            owner = _name(value)
            return None if owner is None else f"{owner}.{attribute}"
    return None


def _parts(loop: Loop) -> Sequence[ast.AST]:
    """What each turn runs."""
    return [loop.target, *loop.body] if isinstance(loop, ast.For) else loop.body


def _changed_in(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Subscript(container, ctx=ast.Store() | ast.Del()):
                name = _name(container)
            case ast.Call(ast.Attribute(container, method)) if method in _CHANGING:
                name = _name(container)
            case _:
                continue
        if name is not None:
            yield name


def _handed_in(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        match node:
            case ast.Call(function, [first, *_]):
                called, name = _name(function), _name(first)
                if called is not None and name is not None:
                    yield called, name
