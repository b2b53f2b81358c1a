"""Parts of comprehensions that bind a name with `:=`, as functions that say whose variable it is.

    all((bad := x) < 2 for x in xs)    ⇒    bad: None
                                            def part_(x):
                                                nonlocal bad
                                                return (bad := x) < 2
                                            all(part_(x) for x in xs)

What a comprehension binds so is a variable of the function around it. In the lambdas that comprehensions are
converted to it would be one of the lambda.
"""

from __future__ import annotations

import ast
from typing import Any, TypeAlias

from autograph.source.edit import COMPREHENSIONS
from autograph.source.fence import own_nodes
from autograph.source.names import Namer, identifiers, indexed
from autograph.source.nodes import parameters, walk
from autograph.source.template import Statements

__all__ = ["without_walruses"]

Comprehension: TypeAlias = "ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp"

_KEPT = (ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda)
"""What a comprehension may hold that is not moved into a function of its own."""

_PART = Statements("""
    def name():
        body
""")

_BLOCKS = ("body", "orelse", "finalbody")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def without_walruses(tree: ast.FunctionDef) -> None:
    """Rewrites the comprehensions of a function that bind a name with `:=`; the tree is edited in place.

    Parameters
    ----------
    tree : ast.FunctionDef
        As the user wrote it.
    """
    if any(isinstance(node, COMPREHENSIONS) and _binds(node) for node in walk([tree])):
        _Function(tree, Namer(identifiers(indexed(tree)))).rewrite()


def _binds(node: ast.AST) -> bool:
    inner = [*walk([node])]
    is_plain = not any(isinstance(each, _KEPT) or getattr(each, "is_async", 0) for each in inner)
    return is_plain and any(isinstance(each, ast.NamedExpr) for each in inner)


class _Function:
    """One function: each statement gets the functions of its comprehensions in front of it."""

    def __init__(self, function: ast.FunctionDef, names: Namer) -> None:
        self._function = function
        self._names = names
        self._made: list[ast.stmt] = []
        self._bound: dict[str, None] = {}
        own = [*own_nodes(function)]
        self._global = {name for node in own if isinstance(node, ast.Global) for name in node.names}
        arguments = [each.arg for each in parameters(function.args)]
        outer = [name for node in own if isinstance(node, ast.Nonlocal) for name in node.names]
        self._declared = {*arguments, *outer, *self._global}

    def rewrite(self) -> None:
        """Goes through the body."""
        function = self._function
        function.body = self._block(function.body)
        declared = [_declaration(name, function) for name in self._bound if name not in self._declared]
        first = function.body[0]
        is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        function.body[int(is_text) : int(is_text)] = declared

    def _block(self, block: list[ast.stmt]) -> list[ast.stmt]:
        rewritten: list[ast.stmt] = []
        for statement in block:
            if isinstance(statement, ast.FunctionDef):
                _Function(statement, self._names).rewrite()
            elif not isinstance(statement, _SCOPES):
                around, self._made = self._made, []
                self._visit(statement)
                rewritten += self._made
                self._made = around
            rewritten.append(statement)
        return rewritten

    def _visit(self, node: Any) -> Any:
        """The expressions of a statement, and the statements in it, block by block."""
        if isinstance(node, ast.Lambda):
            return node  # whose names are its own
        if isinstance(node, COMPREHENSIONS) and _binds(node):
            return self._rewritten(node)
        for name, value in ast.iter_fields(node):
            if name in _BLOCKS and isinstance(value, list):
                setattr(node, name, self._block(value))
            elif isinstance(value, list):
                value[:] = [self._visit(each) if isinstance(each, ast.AST) else each for each in value]
            elif isinstance(value, ast.AST):
                setattr(node, name, self._visit(value))
        return node

    def _rewritten(self, node: Comprehension) -> Comprehension:
        """A comprehension that calls a function for each part that binds a name."""
        variables: list[str] = []
        for clause in node.generators:
            clause.iter = self._visit(clause.iter)
            targets = [each.id for each in walk([clause.target]) if isinstance(each, ast.Name)]
            variables += [name for name in targets if name not in variables]
            clause.ifs = [self._part(test, variables) for test in clause.ifs]
        if isinstance(node, ast.DictComp):
            node.key, node.value = self._part(node.key, variables), self._part(node.value, variables)
        else:
            node.elt = self._part(node.elt, variables)
        return node

    def _part(self, part: ast.expr, variables: list[str]) -> ast.expr:
        """A call of a function that computes a part, given the variables of the comprehension."""
        named = dict.fromkeys(each.target.id for each in walk([part]) if isinstance(each, ast.NamedExpr))
        if not named:
            return part
        self._bound |= named
        name = self._names.fresh("part_")
        outer = [each for each in named if each not in self._global]
        module = [each for each in named if each in self._global]
        body: list[ast.stmt] = [ast.Nonlocal(outer)] if outer else []
        body += [ast.Global(module)] if module else []
        body.append(ast.Return(part))
        (made,) = _PART.fill(name=name, body=body)
        assert isinstance(made, ast.FunctionDef), "the template is one"
        made.args.args = [ast.arg(each) for each in variables]
        given: list[ast.expr] = [ast.Name(each, ast.Load()) for each in variables]
        call = ast.Call(ast.Name(name, ast.Load()), given, [])
        for each in (made, *made.body, *made.args.args, call, call.func, *given):
            ast.copy_location(each, part)
        _Function(made, self._names).rewrite()
        self._made.append(made)
        return call


def _declaration(name: str, function: ast.FunctionDef) -> ast.stmt:
    """Makes a name a variable of the function: it has no value yet."""
    target, nothing = ast.Name(name, ast.Store()), ast.Constant(None)
    declared = ast.AnnAssign(target, nothing, None, 1)
    for each in (declared, target, nothing):
        ast.copy_location(each, function)
    return declared
