"""Static use analysis of a function's source: which attributes and variables it reads, and how."""

from __future__ import annotations

import ast
import re
import weakref
from collections.abc import Iterator, Sequence
from types import CodeType, FunctionType

from autograph.errors import SourceNotFound
from autograph.source.compiled import nested_codes
from autograph.source.nodes import walk
from autograph.source.parse import Definition, find, standing_at
from autograph.staging.operators import holds_operators
from autograph.staging.reach import OPEN_NAMES
from autograph_base.named_tuple import NamedTuple
from runtime.functions.reads import texts_in

__all__ = ["Uses", "uses"]

_DYNAMIC = frozenset(
    {
        "getattr",
        "hasattr",
        "vars",
        "__dict__",
        "dir",
        "attrgetter",
        "asdict",
        "astuple",
        "replace",
        "copy",
        "deepcopy",
    }
)
"""Names in code that reads attributes which it does not name."""
_OPEN = OPEN_NAMES | {
    *(
        "__import__",
        "compile",
        "dir",
        "eval",
        "exec",
        "gc",
        "globals",
        "importlib",
        "inspect",
        "locals",
        "sys",
    ),
}
"""Names in code that reads variables which it does not name."""
_BY_TEXT = frozenset({"compile", "eval", "exec", "globals"})
"""Names in code that reads variables of the module which stand in it as text."""
_ADDING = frozenset({"append", "extend"})
"""Methods of a list that do not look at what is in it."""


class Uses(NamedTuple):
    """What code reads.

    Attributes
    ----------
    attributes : frozenset of str
        The attributes that it may name; ``*`` where it may read any.
    by_position : bool
        Whether a pattern takes attributes that it does not name: those in the `__match_args__` of a class.
    read : frozenset of str
        Names and attributes of whose value it does more than add to it.
    escaping : frozenset of str
        Those of whose value it does more than take an attribute.
    globals : frozenset of str
        Variables of the module, or builtins, that it reads.
    is_open : bool
        Whether it may reach what it does not name.
    taken : frozenset of (str, str)
        Names and attributes, each with an attribute that is read of its value; with ``*``, what stands as
        text in code that reads attributes which it does not name.
    words : frozenset of str
        Words of texts in code that may read variables of the module by text: ``globals()["scale"]``.
    begun : frozenset of str
        Those of `attributes` that an `__init__` gives to its object, and that it does nothing else with.
    """

    attributes: frozenset[str]
    by_position: bool
    read: frozenset[str]
    escaping: frozenset[str]
    globals: frozenset[str]
    is_open: bool
    taken: frozenset[tuple[str, str]]
    words: frozenset[str]
    begun: frozenset[str] = frozenset()


def uses(function: FunctionType) -> Uses:
    """What a function reads, with all that is defined in it; any name of its code, where it has no text."""
    code = function.__code__
    known = _known.get(code)
    if known is None:
        known = _known[code] = _uses(code, _definitions(function))
    return known


_known: weakref.WeakKeyDictionary[CodeType, Uses] = weakref.WeakKeyDictionary()


def _definitions(function: FunctionType) -> Sequence[Definition]:
    """What a function was made from; that of a converted one stands on the same line."""
    try:
        return [find(function).definition]
    except SourceNotFound:
        return standing_at(function) if holds_operators(function) else ()


def _uses(code: CodeType, definitions: Sequence[Definition]) -> Uses:
    codes = [code, *nested_codes(code)]
    outside = frozenset(name for each in codes for name in each.co_names)
    variables = {name for each in codes for name in (*each.co_varnames, *each.co_freevars, *each.co_cellvars)}
    attributes = outside | ({"*"} if outside & _DYNAMIC else set())
    is_open = bool(outside & (_DYNAMIC | _OPEN))
    words = frozenset(_words_in(codes)) if outside & _BY_TEXT else frozenset[str]()
    if not definitions:
        every = outside | variables
        has_patterns = not code.co_name.startswith("__")  # which Python has made, for a dataclass
        return Uses(attributes, has_patterns, every, every, outside, is_open, frozenset(), words)
    nodes = [node for each in definitions for part in _body(each) for node in walk(part)]
    patterns = [node for node in nodes if isinstance(node, ast.MatchClass)]
    matched = {name for pattern in patterns for name in pattern.kwd_attrs}
    read, escaping = set(matched), set(matched)
    taken = {("*", text) for text in texts_in(code)} if outside & _DYNAMIC else set()
    for name, attribute in _taken(nodes):
        names = {each for each in outside if each.endswith(name)} if name.startswith("__") else {name}
        if attribute is None or attribute not in _ADDING:
            read |= names
        if attribute is None:
            escaping |= names
        else:
            taken.add((name, attribute))
    around = outside.union(*[each.co_freevars for each in codes])
    for name in _bound(nodes) if code.co_name != "__init__" else ():  # on another path, it is what it was
        read |= {each for each in around if each.endswith(name)} if name.startswith("__") else {name} & around
    return Uses(
        attributes | matched,
        any(pattern.patterns for pattern in patterns),
        frozenset(read),
        frozenset(escaping),
        frozenset(node.id for node in nodes if isinstance(node, ast.Name)) & outside,
        is_open,
        frozenset(taken),
        words,
        _begun(code, nodes) & outside if code.co_name == "__init__" else frozenset(),
    )


def _begun(code: CodeType, nodes: Sequence[ast.AST]) -> frozenset[str]:
    """The attributes that an `__init__` only gives to its object."""
    changed = {id(node.target) for node in nodes if isinstance(node, ast.AugAssign)}
    begun, named = set[str](), set[str]()
    for node in nodes:
        if isinstance(node, ast.Name) and node.id not in code.co_varnames:
            named.add(node.id)
        elif isinstance(node, ast.Attribute):
            is_own = isinstance(node.value, ast.Name) and node.value.id == code.co_varnames[0]
            is_given = isinstance(node.ctx, ast.Store) and id(node) not in changed
            (begun if is_own and is_given else named).add(node.attr)
    return frozenset(begun - named)


def _words_in(codes: Sequence[CodeType]) -> Iterator[str]:
    """What stands in the texts of code, and may be the name of a variable there."""
    for constant in (each for code in codes for each in code.co_consts):
        if isinstance(constant, str):
            yield from re.findall(r"[^\W\d]\w*", constant)


def _body(definition: Definition) -> Sequence[ast.AST]:
    """What runs when it is called."""
    return [definition.body] if isinstance(definition, ast.Lambda) else definition.body


def _taken(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, str | None]]:
    """Each name and attribute whose value is read, with the attribute that is all that is taken of it."""
    owners = {id(node.value): node for node in nodes if isinstance(node, ast.Attribute)}
    changed = {id(node.target) for node in nodes if isinstance(node, ast.AugAssign)}
    for node in nodes:
        if isinstance(node, ast.alias):
            yield from ((each, None) for each in (*node.name.split("."), node.asname or ""))
        elif isinstance(node, ast.Name | ast.Attribute) and (
            isinstance(node.ctx, ast.Load) or id(node) in changed
        ):
            owner = owners.get(id(node))
            yield _name(node), None if owner is None else _name(owner)


def _bound(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Each name and attribute that is given another value, or none."""
    for node in nodes:
        if isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            yield _name(node)


def _name(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr
