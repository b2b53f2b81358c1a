"""Our translation of trees gives what gast's own gives: gast is the oracle."""

import ast
import asyncio.base_events
import dataclasses
import sys
from pathlib import Path

import gast
import pytest

from autograph.source.translate import ast_to_gast, gast_into_ast, gast_to_ast

SNIPPETS = """
async def f(a, /, b: int = 1, *args: int, c=2, **kwargs) -> None:
    async with a as (x, y), b: pass
    async for i in a: await b
    return [i async for i in a if i]
def g(*, a): yield from a
class C(A, metaclass=B, **k): x: int = 3
try: pass
except* ValueError as e: raise
match p:
    case {"a": [1, *rest], **more}: pass
    case C(x=1) | D() as w if w: pass
    case None | -1 | "s" | _: pass
f"{a!r:>{width}} {b=}"
lambda *a, b=1, **k: (a, b, k)
del a[1:2, ::3], b.c
x[:, None] = y = *a, (n := 3)
"""
if sys.version_info >= (3, 12):
    SNIPPETS += "def h[T: int, *Ts, **P](x: T) -> T: pass\ntype A[T] = list[T]\n"

FILES = [module.__file__ for module in (dataclasses, asyncio.base_events)]
TEXTS = [SNIPPETS, *[Path(file).read_text(encoding="utf-8") for file in FILES]]


@pytest.mark.parametrize("text", TEXTS, ids=["snippets", *[Path(file).stem for file in FILES]])
def test_trees_go_to_gast_and_back_as_gast_takes_them(text):
    ours, theirs = ast_to_gast(ast.parse(text)), gast.ast_to_gast(ast.parse(text))
    assert gast.dump(ours, include_attributes=True) == gast.dump(theirs, include_attributes=True)
    back, expected = gast_to_ast(ours), gast.gast_to_ast(theirs)
    assert ast.dump(back, include_attributes=True) == ast.dump(expected, include_attributes=True)
    compile(back, "<text>", "exec")
    turned = gast_into_ast(ours)
    assert ast.dump(turned, include_attributes=True) == ast.dump(expected, include_attributes=True)
    compile(turned, "<text>", "exec")
