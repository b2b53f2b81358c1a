"""Statements → text, laid out by astunparse: a module of its own, as most programs never show any."""

from __future__ import annotations

import ast
import io
from collections.abc import Sequence
from typing import Any

from astunparse.unparser import Unparser

__all__ = ["laid_out"]


def laid_out(nodes: Sequence[ast.AST]) -> str:
    """The source text of some nodes."""
    text = io.StringIO()
    _Unparser(nodes, text)
    return text.getvalue()


class _Unparser(Unparser):  # type: ignore[misc]  # astunparse has no types
    """astunparse's layout with today's grammar."""

    def dispatch(self, tree: Any) -> None:
        if isinstance(tree, ast.expr | ast.arguments | ast.keyword | ast.pattern):
            self.write(ast.unparse(tree))
        else:
            super().dispatch(tree)

    def _block(self, body: list[ast.stmt]) -> None:
        self.enter()
        self.dispatch(body)
        self.leave()

    def _documented(self, body: list[ast.stmt]) -> None:
        """A block that may start with a docstring, which keeps its lines."""
        self.enter()
        first = body[0]
        if (
            isinstance(first, ast.Expr)
            and isinstance(first.value, ast.Constant)
            and isinstance(first.value.value, str)
        ):
            self.fill(ast.unparse(ast.Module([first], [])))
            body = body[1:]
        self.dispatch(body)
        self.leave()

    def _FunctionDef(self, node: ast.FunctionDef, keyword: str = "def ") -> None:
        self.write("\n")
        for decorator in node.decorator_list:
            self.fill("@")
            self.dispatch(decorator)
        self.fill(keyword + node.name)
        self._type_params(node)
        self.write("(")
        self.dispatch(node.args)
        self.write(")")
        if node.returns:
            self.write(" -> ")
            self.dispatch(node.returns)
        self._documented(node.body)

    def _AsyncFunctionDef(self, node: ast.FunctionDef) -> None:
        self._FunctionDef(node, "async def ")

    def _ClassDef(self, node: ast.ClassDef) -> None:
        self.write("\n")
        for decorator in node.decorator_list:
            self.fill("@")
            self.dispatch(decorator)
        self.fill("class " + node.name)
        self._type_params(node)
        if node.bases or node.keywords:
            self.write("(" + ", ".join(ast.unparse(part) for part in [*node.bases, *node.keywords]) + ")")
        self._documented(node.body)

    def _type_params(self, node: ast.AST) -> None:
        parameters = getattr(node, "type_params", [])
        if parameters:
            self.write("[" + ", ".join(map(ast.unparse, parameters)) + "]")

    def _TypeAlias(self, node: Any) -> None:
        self.fill(f"type {node.name.id}")
        self._type_params(node)
        self.write(" = ")
        self.dispatch(node.value)

    def _Match(self, node: ast.Match) -> None:
        self.fill("match ")
        self.dispatch(node.subject)
        self._block(node.cases)  # type: ignore[arg-type]  # cases are laid out as statements are

    def _match_case(self, node: ast.match_case) -> None:
        self.fill("case ")
        self.dispatch(node.pattern)
        if node.guard:
            self.write(" if ")
            self.dispatch(node.guard)
        self._block(node.body)

    def _TryStar(self, node: ast.TryStar) -> None:
        self.fill("try")
        self._block(node.body)
        for handler in node.handlers:
            self._ExceptHandler(handler, "except*")
        for keyword, body in (("else", node.orelse), ("finally", node.finalbody)):
            if body:
                self.fill(keyword)
                self._block(body)

    def _ExceptHandler(self, node: ast.ExceptHandler, keyword: str = "except") -> None:
        self.fill(keyword)
        if node.type:
            self.write(" ")
            self.dispatch(node.type)
        if node.name:
            self.write(f" as {node.name}")
        self._block(node.body)

    def _withitem(self, node: ast.withitem) -> None:
        # `with (a, b):` means two items, so a lone tuple needs parentheses of its own.
        text = ast.unparse(node.context_expr)
        self.write(f"({text})" if isinstance(node.context_expr, ast.Tuple) else text)
        if node.optional_vars:
            self.write(" as ")
            self.dispatch(node.optional_vars)
