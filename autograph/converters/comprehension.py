"""Comprehensions and generator expressions: Python's own, over items and conditions that are handed over.

>>> from autograph.converters.picture import show
>>> show("y = [f(x) for x in t]", Comprehension)
y = ag__.list_comp(t, lambda items, keep: [f(x) for x in items])
>>> show("y = sum(x for x in t if p(x))", Comprehension)
y = sum(ag__.generator(t, lambda items, keep: (x for x in items if keep(lambda: p(x))), True))
>>> show("y = {k: v for k, v in t}", Comprehension)
y = ag__.dict_comp(t, lambda items, keep: [(k, v) for value_ in items for k, v in [ag__.unpack(value_, 2)]])

In plain Python, `items` are the items and `keep` calls the condition. A backend may hand over one item at a
time, and decide about the conditions itself. The elements of a set and the items of a dict come as a list: a
run may be the first to know which of them are equal. The second and every further `for` is a comprehension
within, whose items all go in:

>>> show("y = [x * z for x in a if p(x) for z in b]", Comprehension)  # doctest: +NORMALIZE_WHITESPACE
y = ag__.list_comp(a, lambda items, keep: [ag__.list_comp(b, lambda items, keep: [x * z for z in items])
    for x in items if keep(lambda: p(x))], True, True)

A comprehension that awaits is left to Python, and so is one in a lambda that binds a name with `:=`.
"""

from __future__ import annotations

import ast
from typing import Any, TypeAlias

from autograph.converters.base import Converter, Replacement, has_walrus
from autograph.converters.unpack import unpacked
from autograph.source.nodes import walk
from autograph.source.template import Expression
from autograph.staging.backend import Backend, Clauses, ComprehensionKind
from autograph.staging.context import staging
from autograph.staging.dispatch import Backends
from autograph.staging.iterators import growing_under, note_iterator
from autograph.staging.meeting import note_made
from autograph.staging.notes import listening
from autograph.staging.operators import operator
from autograph.staging.special_methods import given

__all__ = ["Comprehension", "dict_comp", "generator", "list_comp", "set_comp"]

Handled: TypeAlias = "ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp"

TEMPLATES = {
    ast.ListComp: Expression("ag__.list_comp(source, lambda items, keep: comprehension, flags)"),
    ast.SetComp: Expression("ag__.set_comp(source, lambda items, keep: comprehension, flags)"),
    ast.DictComp: Expression("ag__.dict_comp(source, lambda items, keep: comprehension, flags)"),
    ast.GeneratorExp: Expression("ag__.generator(source, lambda items, keep: comprehension, flags)"),
}


class Comprehension(Converter[Handled]):
    """The comprehension becomes a function of its items."""

    handles = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    condition = Expression("keep(lambda: test)")

    def convert(self, node: Handled) -> Replacement:
        """What binds names around it, or awaits, stays."""
        waits = any(isinstance(inner, ast.Await) for inner in walk([node]))
        if waits or has_walrus([node]) or any(clause.is_async for clause in node.generators):
            return node
        return self._converted(node, TEMPLATES[type(node)])

    def _converted(self, node: Any, template: Expression) -> ast.expr:
        """A comprehension of one loop; those behind it become a comprehension inside it."""
        first, *others = node.generators
        kind = ast.GeneratorExp if isinstance(node, ast.GeneratorExp) else ast.ListComp
        element = (
            ast.Tuple([node.key, node.value], ast.Load()) if isinstance(node, ast.DictComp) else node.elt
        )
        if others:
            element = self._converted(kind(element, others), TEMPLATES[kind])
        first.target, apart = self._named(first.target)
        node = kind(element, [first, *apart])
        items, keep = self.context.shared("items"), self.context.shared("keep")
        source, first.iter = first.iter, ast.Name(items, ast.Load())
        is_filtered, is_nested = bool(first.ifs), bool(others)
        tests, first.ifs = [self.condition.fill(keep=keep, test=test) for test in first.ifs], []
        node.generators[-1].ifs = tests
        flags = [ast.Constant(is_filtered), ast.Constant(is_nested)]
        return template.fill(
            source=source,
            items=items,
            keep=keep,
            comprehension=node,
            flags=flags if is_nested else flags[: int(is_filtered)],
        )

    def _named(self, target: ast.expr) -> tuple[ast.expr, list[ast.comprehension]]:
        """A variable for a group of targets, and the clauses that take it apart; another target as it is."""
        if not isinstance(target, ast.Tuple | ast.List):
            return target, []
        kept = self.context.variable("value_")
        value = unpacked(target, ast.Name(kept, ast.Load()))
        parts = [self._named(each) for each in target.elts]
        target.elts = [name for name, _ in parts]
        own = ast.comprehension(target, ast.List([value], ast.Load()), [], 0)
        return ast.Name(kept, ast.Store()), [own, *[each for _, inner in parts for each in inner]]


@operator
def list_comp(
    backends: Backends, items: Any, clauses: Clauses, is_filtered: bool = False, is_nested: bool = False
) -> Any:
    """`[…]`."""
    kind = ComprehensionKind(is_filtered, is_nested)
    items = given(backends, items)
    made = _backend(backends, items, is_filtered or is_nested).list_comp(items, clauses, kind)
    note_made(made)
    return made


@operator
def set_comp(
    backends: Backends, items: Any, clauses: Clauses, is_filtered: bool = False, is_nested: bool = False
) -> Any:
    """`{…}`."""
    kind = ComprehensionKind(is_filtered, is_nested)
    items = given(backends, items)
    made = _backend(backends, items, is_filtered=True).set_comp(items, clauses, kind)
    note_made(made)
    return made


@operator
def dict_comp(
    backends: Backends, items: Any, clauses: Clauses, is_filtered: bool = False, is_nested: bool = False
) -> Any:
    """`{…: …}`."""
    kind = ComprehensionKind(is_filtered, is_nested)
    items = given(backends, items)
    made = _backend(backends, items, is_filtered=True).dict_comp(items, clauses, kind)
    note_made(made)
    return made


@operator
def generator(
    backends: Backends, items: Any, clauses: Clauses, is_filtered: bool = False, is_nested: bool = False
) -> Any:
    """`(…)`."""
    kind = ComprehensionKind(is_filtered, is_nested)
    items = given(backends, items)
    made = _backend(backends, items, is_filtered=True).generator(items, clauses, kind)
    if listening():
        note_iterator(made)
    if staging.attempts:
        staging.attempts[-1].made(made)
    return made


def _backend(backends: Backends, items: Any, is_filtered: bool) -> Backend:
    """The backend of the items, or, where it has a say in conditions, keys and new items, one that stages."""
    if staging.attempts:
        staging.attempts[-1].require_own(items)
    backend = backends.of(items)
    may_stage = is_filtered or type(items) is range or growing_under(items) is not None
    if backend is backends.plain and may_stage:
        return backends.staging_now() if type(items) is str else backends.inside(items)
    return backend
