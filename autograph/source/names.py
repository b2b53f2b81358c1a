"""Names: what the user's code calls things, and what generated code may call its own."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from autograph.source.nodes import FIELDS, walk

__all__ = ["Namer", "NodesByClass", "identifiers", "indexed", "is_private"]


class Namer:
    """Gives out names that nothing else uses: `if_body`, then `if_body_1`, `if_body_2` and so on.

    Parameters
    ----------
    reserved : iterable of str
        Names never to be given out: those of the function (see `identifiers`).
    outside : container of str, optional
        More of them: those of its module, which are only asked about.

    Examples
    --------
    >>> namer = Namer({"get_state"})
    >>> namer.fresh("if_body"), namer.fresh("if_body"), namer.fresh("get_state")
    ('if_body', 'if_body_1', 'get_state_1')
    """

    def __init__(self, reserved: Iterable[str], outside: Container[str] = ()) -> None:
        self._taken = set(reserved)
        self._outside = outside
        self._given: dict[str, int] = {}

    def fresh(self, root: str) -> str:
        """A name that starts with `root` and is not taken; it is from now on."""
        count = self._given.get(root, 0)
        name = f"{root}_{count}" if count else root
        while name in self._taken or name in self._outside:
            count += 1
            name = f"{root}_{count}"
        self._given[root] = count + 1
        self._taken.add(name)
        return name


NodesByClass: TypeAlias = "Mapping[type[ast.AST], Sequence[Any]]"


def is_private(attribute: str) -> bool:
    """Whether an attribute is called otherwise outside of its class.

    >>> is_private("__rows"), is_private("__len__")
    (True, False)
    """
    return attribute.startswith("__") and not attribute.endswith("__")


def indexed(tree: ast.AST) -> defaultdict[type[ast.AST], list[Any]]:
    """The nodes of a tree, by their class."""
    nodes: defaultdict[type[ast.AST], list[Any]] = defaultdict(list)
    for node in walk(tree):
        nodes[node.__class__].append(node)
    return nodes


def identifiers(nodes: NodesByClass) -> set[str]:
    """Every name that a tree reads, binds or declares, in all of its scopes.

    >>> sorted(identifiers(indexed(ast.parse("def f(x): import a.b as c; return x.y(z=1)"))))
    ['a', 'c', 'f', 'x']
    """
    found = {node.id for node in nodes.get(ast.Name, ())}
    found.update([node.arg for node in nodes.get(ast.arg, ())])
    for kind in NAMED:
        found.update([node.name for node in nodes.get(kind, ()) if isinstance(node.name, str)])
    for kind in (ast.Global, ast.Nonlocal):
        for node in nodes.get(kind, ()):
            found.update(node.names)
    for node in nodes.get(ast.alias, ()):
        found.add(node.name.partition(".")[0])
        found.update({node.asname} - {None})
    for node in nodes.get(ast.MatchMapping, ()):
        found.update({node.rest} - {None})
    return found


NAMED = [kind for kind in FIELDS if "name" in kind._fields and kind is not ast.alias]
"""Classes of nodes that give something a name."""
