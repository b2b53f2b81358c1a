"""f-strings: each value is formatted by an operator, so that a backend's text may take its place.

>>> from autograph.converters.picture import show
>>> show("y = f'{x} of {total!r:>8}'", JoinedStr)
y = ag__.f_string(ag__.formatted(x), ' of ', ag__.formatted(total, 'r', '>8'))
"""

from __future__ import annotations

import ast
from typing import Any

from autograph.converters.base import Converter, Replacement
from autograph.source.template import Expression, literal
from autograph.staging.dispatch import ATOMS, Backends
from autograph.staging.operators import operator
from autograph.staging.plain import CONVERSIONS

__all__ = ["JoinedStr", "f_string", "formatted"]


class JoinedStr(Converter[ast.JoinedStr]):
    """Values in the order in which they stand; an f-string without any is left alone."""

    handles = (ast.JoinedStr,)
    template = Expression("ag__.f_string(parts)")
    field = Expression("ag__.formatted(arguments)")

    def convert(self, node: ast.JoinedStr) -> Replacement:
        """A format specification is an f-string itself, and converted by now."""
        if not any(isinstance(part, ast.FormattedValue) for part in node.values):
            return node
        return self.template.fill(parts=[self._part(part) for part in node.values])

    def _part(self, part: ast.expr) -> ast.AST:
        """A part of an f-string: text, or a value with its conversion and format."""
        if not isinstance(part, ast.FormattedValue):
            return part
        arguments: list[ast.AST] = [part.value]
        if part.conversion != -1 or part.format_spec is not None:
            arguments.append(literal("" if part.conversion == -1 else chr(part.conversion)))
        match part.format_spec:
            case ast.JoinedStr(values=[ast.Constant() as text]):
                arguments.append(text)
            case ast.AST() as text:
                arguments.append(text)
        return self.field.fill(arguments=arguments)


@operator
def f_string(backends: Backends, *parts: Any) -> Any:
    """The parts of an f-string together."""
    if all(type(part) is str for part in parts):
        return "".join(parts)
    return backends.of(*parts).f_string(parts)


@operator
def formatted(backends: Backends, value: Any, conversion: str = "", spec: Any = "") -> Any:
    """`{value!conversion:spec}` in an f-string."""
    if type(value) not in ATOMS or type(spec) is not str:
        backend = backends.of(value, spec)
        if backend is backends.plain:
            backend = backends.inside(value)
        return backend.formatted(value, conversion, spec)
    return format(CONVERSIONS[conversion](value) if conversion else value, spec)
