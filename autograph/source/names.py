"""Names: what the user's code calls things, and what generated code may call its own."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from autograph.source.nodes import FIELDS, name, walk

__all__ = ["Attribute", "Item", "Namer", "QualName", "identifiers", "indexed"]


@dataclass(frozen=True, slots=True)
class Attribute:
    """The step `.name`."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"


@dataclass(frozen=True, slots=True)
class Item:
    """The step `[index]`: a constant, or another qualified name."""

    index: Index

    def __str__(self) -> str:
        return f"[{self.index}]" if isinstance(self.index, QualName) else f"[{self.index!r}]"


Step: TypeAlias = Attribute | Item


class QualName(NamedTuple):
    """A name, or a path from a name through attributes and items: `a`, `a.b`, `a[0].c`, `a[i]`.

    A tuple, because analyses do little but compare and hash names, which tuples do without running Python.

    Examples
    --------
    >>> name = QualName.from_node(ast.parse("self.weights[0]").body[0].value)
    >>> str(name), str(name.owner), str(name.root), name.is_simple
    ('self.weights[0]', 'self.weights', 'self', False)
    """

    name: str
    path: tuple[Step, ...] = ()

    @classmethod
    def from_node(cls, node: ast.AST) -> QualName | None:
        """The qualified name that an expression spells; None when it is anything else."""
        if isinstance(node, ast.Name):
            return cls(node.id)
        if not isinstance(node, ast.Attribute | ast.Subscript):
            return None
        owner = cls.from_node(node.value)
        step = Attribute(node.attr) if isinstance(node, ast.Attribute) else _item(node.slice)
        if owner is None or step is None:
            return None
        return cls(owner.name, (*owner.path, step))

    @property
    def is_simple(self) -> bool:
        """Whether it is a plain name."""
        return not self.path

    @property
    def owner(self) -> QualName | None:
        """The name of the object that the last step looks into; None for a plain name."""
        return QualName(self.name, self.path[:-1]) if self.path else None

    @property
    def root(self) -> QualName:
        """The plain name that the path starts from."""
        return QualName(self.name) if self.path else self

    def parts(self) -> Iterator[QualName]:
        """Every plain name that evaluating this one reads: `a` and `i` of `a[i].b`."""
        yield self.root
        for step in self.path:
            if isinstance(step, Item) and isinstance(step.index, QualName):
                yield from step.index.parts()

    def ast(self) -> ast.expr:
        """The name as a new tree, to be read."""
        node: ast.expr = name(self.name)
        for step in self.path:
            if isinstance(step, Attribute):
                node = ast.Attribute(node, step.name, ast.Load())
            else:
                node = ast.Subscript(node, _index_tree(step.index), ast.Load())
        return node

    def __str__(self) -> str:
        return self.name + "".join(map(str, self.path))

    def __repr__(self) -> str:
        return f"<{self}>"


Index: TypeAlias = "QualName | int | str | bytes | bool | None"


def _item(index: ast.AST) -> Item | None:
    """The step of a subscript; None for slices and computed indices."""
    if isinstance(index, ast.Constant):
        return Item(index.value) if isinstance(index.value, int | str | bytes | None) else None
    if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub):
        number = getattr(index.operand, "value", None)
        return Item(-number) if type(number) is int else None
    name = QualName.from_node(index)
    return None if name is None else Item(name)


def _index_tree(index: Index) -> ast.expr:
    if isinstance(index, QualName):
        return index.ast()
    if isinstance(index, int) and index < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-index))
    return ast.Constant(index)


class Namer:
    """Gives out names that nothing else uses: `if_body`, then `if_body_1`, `if_body_2` and so on.

    Parameters
    ----------
    reserved : iterable of str
        Names never to be given out: those of the function (see `identifiers`) and its globals.

    Examples
    --------
    >>> namer = Namer({"get_state"})
    >>> namer.fresh("if_body"), namer.fresh("if_body"), namer.fresh("get_state")
    ('if_body', 'if_body_1', 'get_state_1')
    """

    def __init__(self, reserved: Iterable[str]) -> None:
        self._taken = set(reserved)
        self._given: dict[str, int] = {}

    def fresh(self, root: str) -> str:
        """A name that starts with `root` and is not taken; it is from now on."""
        count = self._given.get(root, 0)
        name = f"{root}_{count}" if count else root
        while name in self._taken:
            count += 1
            name = f"{root}_{count}"
        self._given[root] = count + 1
        self._taken.add(name)
        return name


NodesByClass: TypeAlias = "Mapping[type[ast.AST], Sequence[Any]]"


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
