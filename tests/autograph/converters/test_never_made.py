"""Converters of classes that nobody makes are left out where the user's function has none of them."""

from __future__ import annotations

import ast

from autograph.converters import base
from autograph.converters.base import NEVER_MADE, Context, Walk
from autograph.converters.order import ORDER
from autograph.options import ConversionOptions
from autograph.source.nodes import walk
from autograph.source.unparse import unparse

PROGRAMS = [
    """
    def f(x, items):
        with x as y, y.lock:
            try:
                a, *b = x
                del a
            except KeyError as error:
                return error or (not x and 1 < a < 2)
            finally:
                b += [1 if x else 2]
        def g(*args, key=None, **rest):
            nonlocal b
            b = items.pop()
            items.append(x % f"{key!r}")
            return g(*args, **rest, other=[i for i in args if i])
        if (n := g()) is not None:
            x.y = n
        return super().f(x, g)
    """,
    """
    def f(self, x):
        match x:
            case [1, *rest] if rest:
                return self
            case {"a": a}:
                return a
            case _:
                raise ValueError(x)
    """,
    """
    def f(x):
        for i in x:
            if i:
                continue
            while i:
                assert i, i
                break
            else:
                x[i] = x[i][0] = 1
                x[i][1] += 2
        return lambda: x
    """,
]


def trees_between_walks(program: str):
    """The context of a program, before each group of converters."""
    lines = program.strip("\n").splitlines()
    context = Context(ast.parse("\n".join(line[4:] for line in lines)).body[0], ConversionOptions())
    for group in ORDER:
        yield group, context
        Walk(context, group).run()


def test_no_walk_meets_a_class_that_was_not_there_and_has_a_converter():
    for program in PROGRAMS:
        for group, context in trees_between_walks(program):
            handled = {kind for converter in group for kind in converter.handles}
            met = {type(node) for node in walk(context.tree)} & handled & NEVER_MADE
            assert met <= context.nodes.keys(), group


def test_leaving_converters_out_changes_nothing(monkeypatch):
    def converted(program: str) -> str:
        *_, (_, context) = trees_between_walks(program)
        return unparse(context.tree)

    lean = list(map(converted, PROGRAMS))
    monkeypatch.setattr(base, "NEVER_MADE", frozenset())
    assert list(map(converted, PROGRAMS)) == lean
