"""A function opens a scope that carries the options, and the conversion of what it calls.

>>> from autograph.converters.picture import show
>>> show('''
... def f(x):
...     return x
... ''', FunctionDef)
def f(x):
    with ag__.FunctionScope('f', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=False,
                            optional_features=(), internal_convert_user_code=True)) as fscope:
        return x

What comes in as `*args` may stand for as many arguments as a run knows: ``args = ag__.spread(args)``.
"""

from __future__ import annotations

import ast
import functools
from typing import Any

from autograph.converters.base import Context, Converter, FunctionNode, Kinds, Replacement
from autograph.options import ConversionOptions
from autograph.source.edit import blocks_of
from autograph.source.origin import stamp
from autograph.source.template import Expression, Statements, literal
from autograph.staging.dispatch import Backends
from autograph.staging.operators import operator

__all__ = ["FunctionDef", "spread"]

LAMBDA_SCOPE = "lscope"


class FunctionDef(Converter[FunctionNode]):
    """Opens the scope: for the function itself and each one defined in it."""

    handles = (ast.FunctionDef, ast.Lambda)
    template = Statements("""
        with ag__.FunctionScope(name, scope_name, options) as scope:
            body
    """)
    spread_template = Statements("name = ag__.spread(name)")
    standard_options = Expression("ag__.STD")
    lambda_template = Expression("ag__.with_function_scope(lambda scope: body, scope_name, options)")

    @classmethod
    def wanted(cls, context: Context) -> Kinds:
        """A lambda within a function shares its scope."""
        return cls.handles if isinstance(context.tree, ast.Lambda) else (ast.FunctionDef,)

    def enter(self, node: FunctionNode) -> None:
        """Names the scopes, the outer function's first."""
        if isinstance(node, ast.FunctionDef):
            self.context.scope_names[node] = self.context.variable("fscope")
        elif node is self.context.tree:
            self.context.scope_names[node] = self.context.variable(LAMBDA_SCOPE)

    def convert(self, node: FunctionNode) -> Replacement:
        """The docstring and the declarations stay in front of the scope, where Python looks for them."""
        scope = self.context.scope_names.get(node)
        if scope is None:  # a lambda within a function shares its scope
            return node
        if isinstance(node, ast.Lambda):
            node.body = self.lambda_template.fill(
                scope=scope, body=node.body, scope_name=literal(scope), options=self._options(node)
            )
            return node
        documentation, body = _split_docstring(node.body)
        declarations: list[ast.stmt] = []
        if ast.Global in self.context.nodes or ast.Nonlocal in self.context.nodes:
            body, declarations = _without_declarations(body)
        if node.args.vararg is not None:
            body = [*self.spread_template.fill(name=node.args.vararg.arg), *body]
        (opened,) = self.template.fill(
            name=literal(node.name),
            scope_name=literal(scope),
            options=self._options(node),
            scope=scope,
            body=body or [ast.Pass()],
        )
        (item,) = opened.items  # or they would take the place of the whole function, to its last line
        stamp([item.context_expr, item.optional_vars], node)
        node.body = [*documentation, *declarations, opened]
        return node

    def _options(self, node: FunctionNode) -> ast.expr:
        """The options spelled out for the function itself; those within have the standard ones."""
        options = self.context.options
        if node is not self.context.tree and options.converts_callees:
            return self.standard_options.fill()
        shown = options if node is self.context.tree else ConversionOptions(recursive=False)
        return _spelled(shown).fill()


@operator
def spread(backends: Backends, arguments: tuple[Any, ...]) -> Any:
    """What a function gets as its `*arguments`."""
    if not arguments or not backends.owned[type(arguments[-1])]:
        return arguments
    return backends.of(arguments[-1]).spread(arguments)


@functools.cache
def _spelled(options: ConversionOptions) -> Expression:
    """The expression that makes the options."""
    return Expression(f"ag__.{options!r}")


def _split_docstring(body: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *rest]:
            return body[:1], rest
    return [], body


def _without_declarations(body: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """A function's statements without `global` and `nonlocal`, and those.

    A declaration holds for the whole function wherever it stands; a block that becomes a function would
    keep it for itself.
    """
    declarations: list[ast.stmt] = []
    return _stripped(body, declarations), declarations


def _stripped(block: list[ast.stmt], declarations: list[ast.stmt]) -> list[ast.stmt]:
    """A block without its declarations, which go to the end of `declarations`."""
    kept = []
    for statement in block:
        if isinstance(statement, ast.Global | ast.Nonlocal):
            declarations.append(statement)
            continue
        kept.append(statement)
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for part, field, inner in blocks_of(statement):
            stripped = _stripped(inner, declarations)
            if not stripped and field == "body":
                stripped = [ast.copy_location(ast.Pass(), inner[0])]
            setattr(part, field, stripped)
    return kept
