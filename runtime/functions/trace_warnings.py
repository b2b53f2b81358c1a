"""What a trace is warned of: unrolled loops, large constants, and tensors left outside.

Each warning is given once per place. A trace pays for one walk over its nodes, and one over the variables
outside that the function can reach by name.
"""

from __future__ import annotations

import ast
import linecache
import sys
import warnings
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from types import FunctionType, ModuleType
from typing import Any

from autograph_base.named_tuple import NamedTuple
from autograph_base.packages import OURS
from runtime.core.instances import dict_of
from runtime.errors import LargeConstantWarning, LeakWarning, LostChangesWarning, Notice, UnrollingWarning
from runtime.functions.reads import Name
from runtime.functions.trace import Trace, trace
from runtime.graph.build import watch_growth
from runtime.graph.builder import Builder
from runtime.graph.graph import Graph, Value
from runtime.graph.location import UNKNOWN, Location, caller_location, caller_locations
from runtime.graph.op import Const
from runtime.graph.symbol import Symbol

__all__ = ["check_leaks", "check_nodes", "give_notices", "give_once", "warn_of_lost_changes"]

MANY_COPIES = 300
"""Nodes from one instruction that are too many for a person to have meant."""
LARGE = 1 << 20
"""Bytes of a constant that should have been an argument."""
MOST_LOOKED_AT = 1000
"""Objects that are looked into for tensors left behind."""
DEEPEST = 3
"""Containers in containers that are looked into."""
_MOST_TOLD = 4096

_told: dict[tuple[type[Notice], str, int, str], None] = {}
"""The places that were warned of."""


def give_once(notice: Notice, filename: str, line: int, what: str = "") -> None:
    """Gives a warning, unless it was given for this line (and this thing in it) before."""
    key = type(notice), filename, line, what
    if key not in _told:
        if len(_told) >= _MOST_TOLD:
            _told.clear()
        _told[key] = None
        warnings.warn_explicit(notice, type(notice), filename, line)


def check_nodes(graph: Graph, became: Mapping[Location, str]) -> None:
    """Warns of large constants in a traced graph, and of loops that were unrolled into it.

    Parameters
    ----------
    graph : Graph
    became : mapping of Location to str
        Why long loops of Python were unrolled, where that is known.
    """
    call = caller_location()
    for inner in graph.walk():
        for node in inner.nodes:
            if isinstance(node.op, Const) and node.op.value.nbytes > LARGE:
                _warn_of_constant(node.op.value.nbytes, node.location, graph.name)
        if len(inner.nodes) >= MANY_COPIES:
            _check_copies(inner, [], became, call)


def give_notices(notices: Iterable[Notice]) -> None:
    """Gives the warnings that were noted where the trace has them, each once for its line."""
    for notice in notices:
        assert isinstance(notice.where, Location), "it was noted with a line of the program's"
        give_once(notice, notice.where.filename, notice.where.line, notice.happened)


def _warn_of_constant(size: int, where: Location, graph: str) -> None:
    notice = LargeConstantWarning(
        f"an array of {size / LARGE:.1f} MB became a constant of the graph `{graph}`", where=where
    )
    give_once(notice, where.filename, where.line)


# ── unrolled loops ──


class Loop(NamedTuple):
    """A loop in a file: its first line, its last line, and where its body starts."""

    line: int
    body: int
    end: int


def _check_copies(
    graph: Graph | Builder,
    running: Iterable[Location],
    became: Mapping[Location, str],
    call: Location = UNKNOWN,
) -> None:
    """Warns when one instruction made very many nodes, and a loop of Python stands around it.

    Nodes of the line `call` are what it returned, of which nobody has written a loop.
    """
    counted = Counter([node.location for node in graph.nodes if node.location != call])
    location, copies = max(counted.items(), key=itemgetter(1), default=(UNKNOWN, 0))
    if copies < MANY_COPIES:
        return
    for where in (location, *running):
        loops = _loops_around(where)
        if loops:
            lines = [(where.filename, loop.line) for loop in loops]
            lines.append((location.filename, location.line))
            notice = UnrollingWarning(
                f"a Python loop is unrolled: the graph `{graph.name}` has {copies} copies of one operation",
                details=[*_shown(lines), *_reasons(loops, became)],
            )
            give_once(notice, where.filename, loops[-1].line)
            return


def _shown(lines: Iterable[tuple[str, int]]) -> list[str]:
    """The text of some lines, each once."""
    return [
        f"line {number}: {linecache.getline(name, number).strip()}" for name, number in dict.fromkeys(lines)
    ]


def _reasons(loops: Sequence[Loop], became: Mapping[Location, str]) -> Iterator[str]:
    """Why loops are not rolled, where that has been tried."""
    reasons = {at.line: why for at, why in became.items() if why}
    for loop in loops:
        if loop.line in reasons:
            which = "it" if len(loops) == 1 else f"line {loop.line}"
            yield f"{which} is not rolled into one loop of the graph: {reasons[loop.line]}"


def _check_while_tracing(builder: Builder) -> None:
    _check_copies(builder, caller_locations(until=trace.__code__), builder.context.loops)


watch_growth(_check_while_tracing)


def _loops_around(where: Location) -> list[Loop]:
    """The loops in whose bodies a line is, of the function that it is in; the innermost one is the last."""
    line = where.line
    functions = [start for start, end in _functions(where.filename) if start <= line <= end]
    innermost = max(functions, default=0)
    around = {loop.line: loop for loop in _loops(where.filename) if loop.body <= line <= loop.end}
    return [loop for start, loop in sorted(around.items()) if start >= innermost]


@lru_cache(maxsize=64)
def _loops(filename: str) -> tuple[Loop, ...]:
    """The loops and comprehensions of a file."""
    found = []
    for node in ast.walk(_tree(filename)):
        if isinstance(node, ast.For | ast.While):
            found.append(Loop(node.lineno, node.body[0].lineno, node.end_lineno or node.lineno))
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            found.append(Loop(node.lineno, node.lineno, node.end_lineno or node.lineno))
    return tuple(found)


@lru_cache(maxsize=64)
def _functions(filename: str) -> tuple[tuple[int, int], ...]:
    """The first and last lines of the functions of a file."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return tuple(
        [
            (node.lineno, node.end_lineno or node.lineno)
            for node in ast.walk(_tree(filename))
            if isinstance(node, kinds)
        ]
    )


def _tree(filename: str) -> ast.Module:
    try:
        return ast.parse("".join(linecache.getlines(filename)))
    except SyntaxError:  # text that Python never ran: a template, say
        return ast.Module([], [])


# ── what is left outside ──


def check_leaks(traced: Trace, names: Iterable[Name], objects: Sequence[tuple[str, Any]]) -> None:
    """Warns of tensors of a traced graph that variables outside, or given objects, hold after the trace.

    Parameters
    ----------
    traced : Trace
        Of a function that no graph is around.
    names : iterable of Name
        The outside variables that the function reaches.
    objects : sequence of (str, object)
        The arguments that are no tensors, and what the user calls them.
    """
    roots = [(name.name, name.value()) for name in names]
    for path, value in _tensors_within([*roots, *objects]):
        if value.node.graph in traced.begun:
            notice = LeakWarning(
                f"`{path}` holds a tensor of the graph `{traced.graph.name}`, which is traced by now",
                origin=value.origin(),
            )
            made = value.node.location
            where = caller_location() if made is UNKNOWN else made
            give_once(notice, where.filename, where.line, path)


def _tensors_within(roots: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Value]]:
    """The tensors of graphs in some objects, with the path to each."""
    pending = deque([(path, value, 0) for path, value in roots])
    seen: set[int] = set()
    while pending and len(seen) < MOST_LOOKED_AT:
        path, value, depth = pending.popleft()
        if isinstance(value, Symbol):
            yield path, value.value
        elif isinstance(value, Value):
            yield path, value
        elif depth < DEEPEST and id(value) not in seen:
            seen.add(id(value))
            pending += [(inner, item, depth + 1) for inner, item in _inside(path, value)]


def _inside(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """What an object holds: the items of a container, the attributes of a user's object."""
    if type(value) in (list, tuple, deque):
        yield from ((f"{path}[{index}]", item) for index, item in enumerate(value))
    elif type(value) is dict:
        yield from ((f"{path}[{key!r}]", item) for key, item in value.items())
    elif type(value) in (set, frozenset):
        yield from ((f"{path}", item) for item in value)
    elif not isinstance(value, _CLOSED) and _is_users(type(value)):
        own = dict_of(value)
        if type(own) is dict:
            yield from ((f"{path}.{name}", item) for name, item in own.items())


def _is_users(kind: type) -> bool:
    """Whether a class is one of the program's own."""
    package = str(kind.__module__).partition(".")[0]  # of C, it may be a descriptor
    return package not in _NOT_USERS


_CLOSED = (type, ModuleType, FunctionType)
"""Objects that are not looked into: what they hold is another function's affair."""
_NOT_USERS = (sys.stdlib_module_names - {"__main__"}) | OURS | {"numpy"}


# ── what did not happen ──


def warn_of_lost_changes(function: str, error: Exception) -> None:
    """Warns that a graph has raised, and what the function changed outside before that has not happened."""
    where = caller_location()
    notice = LostChangesWarning(
        f"{function}() raised {type(error).__name__}, and what it changed outside before that is lost"
    )
    give_once(notice, where.filename, where.line)
