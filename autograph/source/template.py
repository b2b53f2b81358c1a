"""Generated code as text with placeholders.

    >>> from autograph.source.unparse import unparse
    >>> keep = Statements('''
    ...     def body():
    ...         rebinds
    ...         statements
    ...     run(body)
    ... ''')
    >>> print(unparse(keep.fill(body="loop_body", statements=ast.parse("x = 1").body, rebinds=[], run="go")))
    def loop_body():
        x = 1
    go(loop_body)

A placeholder is a plain name of the text that `fill` is given a value for:

* a `str` is another identifier; it also renames definitions, parameters and entries of `nonlocal`,
* an expression takes the place of the name, its context (load, store, delete) set to fit,
* a list stands where the name stands alone as a statement, an argument, an element or an entry of `nonlocal`.

A name that the text reads and never binds must be given a value, `ag__` and Python's builtins excepted; so a
forgotten placeholder is an error here and not a NameError in the user's program.
"""

from __future__ import annotations

import ast
import builtins
import functools
import textwrap
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeAlias

from autograph.source.nodes import LOAD, WITHOUT_NODES, constant, copied, name, walk
from autograph.source.origin import clear

__all__ = ["OURS", "Expression", "Statements", "Value", "is_operator", "is_ours", "literal", "mark_ours"]

Value: TypeAlias = "ast.AST | str | Sequence[ast.AST] | Sequence[str]"

OURS = "ag__"

DECLARATIONS = (ast.Global, ast.Nonlocal)
ASSIGNABLE = (ast.Name, ast.Attribute, ast.Subscript, ast.Starred, ast.List, ast.Tuple)


class _Template:
    """What statements and expressions share: the parsed text and the check of the values."""

    def __init__(self, text: str) -> None:
        self.text = textwrap.dedent(text).strip()

    @functools.cached_property
    def _module(self) -> ast.Module:
        """The parsed text; not before it is used, for an import is to cost little."""
        module = ast.parse(self.text)
        clear(module)
        mark_ours(module)
        return module

    @functools.cached_property
    def _names(self) -> dict[str, bool]:
        return _names(self._module)

    @functools.cached_property
    def _required(self) -> set[str]:
        return {
            name
            for name, bound in self._names.items()
            if not bound and name != OURS and not hasattr(builtins, name)
        }

    def _filled(self, values: Mapping[str, Value]) -> Any:
        names = tuple(values)
        build = self._builders.get(names)
        if build is None:
            self._check(values)
            build = self._builders[names] = _builder(self._root, names)
        return build(*values.values())

    @property
    def _root(self) -> ast.AST:
        """What is copied."""
        return self._module

    @functools.cached_property
    def _builders(self) -> dict[tuple[str, ...], Build]:
        """What makes the tree, for each set of placeholders that was ever filled."""
        return {}

    def _check(self, values: Mapping[str, Value]) -> None:
        unknown = values.keys() - self._names.keys()
        if unknown:
            raise ValueError(f"the template has no placeholder {_listed(unknown)}:\n{self.text}")
        missing = self._required - values.keys()
        if missing:
            raise ValueError(f"the template needs a value for {_listed(missing)}:\n{self.text}")


class Statements(_Template):
    """A block of code with placeholders."""

    def fill(self, **values: Value) -> list[Any]:
        """The statements, with values in place of the placeholders.

        Returns
        -------
        list of ast.stmt
            New nodes without positions, but for the values, which are the caller's own nodes. A node that the
            text names twice is copied from the second time on.

        Raises
        ------
        ValueError
            When the text has no such placeholder, or one has no value.
        TypeError
            When a value cannot stand where its placeholder does.
        """
        statements: list[Any] = self._filled(values).body
        return statements


class Expression(_Template):
    """One expression with placeholders."""

    def fill(self, **values: Value) -> ast.expr:
        """The expression, with values in place of the placeholders.

        Returns
        -------
        ast.expr

        Raises
        ------
        ValueError
            When the text has no such placeholder, or one has no value.
        TypeError
            When a value cannot stand where its placeholder does.
        """
        expression: ast.expr = self._filled(values)
        return expression

    @property
    def _root(self) -> ast.AST:
        (statement,) = self._module.body
        assert isinstance(statement, ast.Expr), "it is one expression"
        return statement.value


def is_ours(node: ast.AST) -> bool:
    """Whether a call, or a function, comes from the text of a template, and not from the user's.

    >>> is_ours(Expression("ag__.ld(x)").fill(x="y")), is_ours(ast.parse("ag__.ld(y)").body[0].value)
    (True, False)
    """
    return "is_ours" in node.__dict__


def is_operator(function: ast.AST) -> bool:
    """Whether an expression names one of the operators that generated code calls: `ag__.…`."""
    return function.__class__ is ast.Attribute and "is_ours" in function.__dict__


def mark_ours(tree: ast.AST) -> None:
    """Marks all calls of a tree, its functions, and all names of operators (`ag__.…`), as ours."""
    for node in walk(tree):
        match node:
            case ast.Call() | ast.Lambda() | ast.FunctionDef() | ast.Attribute(value=ast.Name(id="ag__")):
                vars(node)["is_ours"] = True


def literal(value: object) -> ast.expr:
    """A constant as a tree; tuples and negative numbers are spelled as the parser would spell them.

    >>> from autograph.source.unparse import unparse
    >>> unparse(literal(("do_return", -1)))
    "('do_return', -1)"
    """
    if isinstance(value, tuple):
        return ast.Tuple([literal(item) for item in value], ast.Load())
    if isinstance(value, int | float) and not isinstance(value, bool) and value < 0:
        return ast.UnaryOp(ast.USub(), literal(-value))
    return constant(value)


Build: TypeAlias = Callable[..., Any]
"""Makes a tree from the values of placeholders, in their order."""


def _builder(root: ast.AST, names: Sequence[str]) -> Build:
    """The function that makes a template's tree: one line for each node, for there are many.

    `x + f(y)`, where `x` and `y` are placeholders, is made by

        def build(v_x, v_y):
            n1 = new(Add)  # and so on
            n2 = new(Call); n2.__dict__ = {"func": n1, "args": several(v_y, c0), "keywords": []}
            n3 = new(BinOp); n3.__dict__ = {"left": one(v_x, c0), "op": c1, "right": n2}
            return n3
    """
    writer = _Writer(names)
    result = writer.node(root)
    header = f"def build({', '.join(f'v_{name}' for name in names)}):"
    text = "\n    ".join([header, *writer.lines, f"return {result}"])
    scope: dict[str, Any] = {**_PARTS, **writer.constants}
    exec(text, scope)  # noqa: S102  # lines that were written above
    build: Build = scope["build"]
    return build


class _Writer:
    """Writes the lines of a builder.

    Parameters
    ----------
    names : collection of str
        The placeholders.
    """

    def __init__(self, names: Collection[str]) -> None:
        self._names = names
        self._met: set[str] = set()
        self.lines: list[str] = []
        self.constants: dict[str, Any] = {}

    def node(self, node: ast.AST) -> str:
        """The expression for a node, behind the lines that it needs."""
        if isinstance(node, ast.Name) and node.id in self._names:
            return f"one({self._value(node.id)}, {self._constant(node.ctx)})"
        parts = [f"{part!r}: {self._part(node, part, value)}" for part, value in vars(node).items()]
        name = f"n{len(self.lines)}"
        kind = self._constant(type(node))
        self.lines.append(f"{name} = new({kind}); {name}.__dict__ = {{{', '.join(parts)}}}")
        return name

    def _part(self, node: ast.AST, part: str, value: Any) -> str:
        if isinstance(value, list):
            match value:
                case [ast.Name(id=str(name), ctx=ctx)] if name in self._names:
                    return f"several({self._value(name)}, {self._constant(ctx)})"
            items = f"[{', '.join(map(self._item, value))}]"
            is_block = part == "body" and not isinstance(node, ast.Module)
            return f"{items} or [Pass()]" if is_block else items
        if isinstance(value, ast.AST) and part not in WITHOUT_NODES:
            return self.node(value)
        if (part == "name" or (part == "arg" and isinstance(node, ast.arg))) and value in self._names:
            return f"identifier({value!r}, {self._value(value)})"
        return self._constant(value)

    def _item(self, item: Any) -> str:
        """An item of a list: nodes, or the identifiers of a declaration."""
        name = _placeholder(item)
        if name is not None and name in self._names:
            if isinstance(item, str):
                return f"*identifiers({name!r}, {self._value(name)})"
            if isinstance(item, ast.Expr):
                return f"*statements({self._value(name)})"
            if isinstance(item, ast.arg):
                return f"*parameters({self._value(name)})"
            return f"*several({self._value(name)}, {self._constant(item.ctx)})"
        if not isinstance(item, ast.AST):
            return self._constant(item)
        made = self.node(item)
        return f"*declared({made})" if isinstance(item, DECLARATIONS) else made

    def _value(self, name: str) -> str:
        """The value of a placeholder; a copy of it, if its nodes are in the tree already."""
        again = name in self._met
        self._met.add(name)
        return f"again(v_{name})" if again else f"v_{name}"

    def _constant(self, value: Any) -> str:
        """What is the same in every tree."""
        if value is None or isinstance(value, str | bool):
            return repr(value)
        name = f"c{len(self.constants)}"
        self.constants[name] = value
        return name


def _one(value: Any, ctx: ast.expr_context) -> Any:
    """What stands in the place of a name: another name, or an expression."""
    kind = value.__class__
    if kind is str:
        return name(value, ctx)
    if kind is list:
        raise TypeError("the list given for a placeholder does not stand alone in the template")
    if ctx.__class__ is ast.Load and value.__dict__.get("ctx", ctx).__class__ is ast.Load:
        return value
    return _in_context(value, ctx)


def _several(value: Any, ctx: ast.expr_context) -> list[Any]:
    """What stands in a list in the place of a name."""
    return [_one(each, ctx) for each in value] if value.__class__ is list else [_one(value, ctx)]


def _statements(value: Any) -> list[Any]:
    """What stands in the place of a name that is alone in a statement."""
    if value.__class__ is list:
        return value
    return [value if isinstance(value, ast.stmt) else ast.Expr(_one(value, LOAD))]


def _parameters(value: Any) -> list[ast.arg]:
    """What stands in the place of a parameter."""
    values = value if value.__class__ is list else [value]
    return [ast.arg(each) if each.__class__ is str else each for each in values]


def _identifier(name: str, value: Any) -> str:
    """The identifier that a placeholder stands for."""
    if not isinstance(value, str):
        raise TypeError(f"{name!r} stands for an identifier: give a str, not {type(value).__name__}")
    return value


def _identifiers(name: str, value: Any) -> list[str]:
    """The identifiers of a declaration."""
    return value if isinstance(value, list) else [_identifier(name, value)]


def _declared(statement: ast.Global | ast.Nonlocal) -> list[ast.stmt]:
    """A declaration, unless it is one of nothing."""
    return [statement] if statement.names else []


_new: Any = ast.Name.__new__


def _again(value: Any) -> Any:
    """A value for the second place where it is wanted: a copy, where it has nodes."""
    items = value if value.__class__ is list else [value]
    if all(item.__class__ is str for item in items):
        return value
    return list(map(copied, items)) if items is value else copied(value)


_PARTS = {
    "Pass": ast.Pass,
    "again": _again,
    "declared": _declared,
    "identifier": _identifier,
    "identifiers": _identifiers,
    "new": _new,
    "one": _one,
    "parameters": _parameters,
    "several": _several,
    "statements": _statements,
}
"""What the lines of a builder name."""


def _placeholder(item: object) -> str | None:
    """The name that a list may replace: a bare identifier, a name, or a name alone in a statement."""
    if isinstance(item, ast.Expr):
        item = item.value
    if isinstance(item, ast.Name):
        return item.id
    if isinstance(item, ast.arg):
        return item.arg
    return item if isinstance(item, str) else None


def _in_context(node: ast.AST, ctx: ast.expr_context) -> ast.AST:
    """`node`, to be loaded, stored or deleted as its new place demands."""
    if not isinstance(node, ASSIGNABLE):
        if not isinstance(ctx, ast.Load):
            raise TypeError(f"{type(node).__name__} cannot be assigned to or deleted")
        return node
    if type(node.ctx) is not type(ctx):
        node.ctx = type(ctx)()
    if isinstance(node, ast.Starred):
        _in_context(node.value, ctx)
    if isinstance(node, (ast.List, ast.Tuple)):
        for element in node.elts:
            _in_context(element, ctx)
    return node


def _names(tree: ast.AST) -> dict[str, bool]:
    """Every plain name of a template; true for those that it binds itself."""
    names: dict[str, bool] = {}
    for node in walk(tree):
        if isinstance(node, ast.Name):
            names[node.id] = names.get(node.id, False) or not isinstance(node.ctx, ast.Load)
        elif isinstance(node, ast.arg):
            names[node.arg] = True
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.ExceptHandler):
            names[node.name or ""] = True
        elif isinstance(node, ast.Global | ast.Nonlocal):
            for name in node.names:
                names.setdefault(name, False)
    return names


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))
