import ast
import inspect
import sys
import textwrap

import pytest

from autograph.source.unparse import unparse

SNIPPETS = """
x[:, None]
x[1:2, ..., ::3], x[a:], x[()], x[(1, 2)], x[*y], x[lambda: 1]
---
f"a{x!r:>{width}}b{{}}{f'{y}'}" 'c' f'''{d["k"]}'''
---
f"{x}\\n\\t'\\"{y:\\n}"
---
f'{x=}', f"{ {1: 2}[1]}", f"{(lambda: 1)()}"
---
match x:
    case 0 | -1 | 1 - 2j | "a" | None | True:
        pass
    case [a, *b, _] | (a, *b, 1) if a > b:
        pass
    case {"k": v, **rest} | Point(1, y=v) as rest:
        match y:
            case a.b:
                pass
            case [*_]:
                pass
    case (a, b), *_:
        pass
    case _:
        pass
---
try:
    f()
except* (A, B) as e:
    g()
except* C:
    pass
else:
    h()
finally:
    i()
---
try:
    f()
except (A, B):
    g()
except C as e:
    raise D from e
except:
    raise
---
while (y := f(x)) and not (z := (a, b)):
    print(y := 1, (y := 2))
else:
    pass
---
def f(a, /, b: int = 1, *c: int, d, e=2, **g) -> int: pass
---
def f(*, a): return (yield)
def g(): x = yield from y; await_ = yield 1, 2; return *a, b
---
async def f(x):
    async with a as b, c:
        async for i in x:
            await (yield i)
        else:
            return [j async for j in x if await j]
---
lambda: (yield)
---
lambda x, /, y=1, *z, k=(lambda: 2), **w: (x, lambda: y)
---
class A(B, metaclass=C, *d, **e):
    x: int
    y: int = 1
    (z): int = 2
    a.b: int
    a[0]: int = 3
---
class A:
    '''One line.'''
    def f(self):
        '''Two

            lines "quoted" \\\\ and more.
        '''
        "not a docstring"
        def g():
            '''Inner
            docstring'''
---
@a
@b.c(d)
class E:
    @property
    def f(self): pass
---
for i, (j, *k) in *x, y:
    pass
for i in (yield): pass
for a.b in c: pass
---
with a, b as (c, d): pass
with (a as b, c): pass
with (a, b): pass
with (a, b) as c: pass
with ((a, b)): pass
with (yield): pass
---
del a, (b, c), d[0], e.f
del (a, b)
---
import a.b.c as d, e
from . import f
from ..g import h as i, j
from k import *
---
assert (a, b), (c, d)
global a, b
---
x = y = (z, *w) = [a, *b] = {1, *c}
x = yield_ = ()
x, = y
x += 1, 2
x @= y // 2 ** -z
---
a if b else c if d else e, (a if b else c) if d else e
not a in b, a not in b, a is not b, a < b <= c, (a < b) < c
-a ** -b, (-a) ** b, (a ** b) ** c, a ** b ** c, ~-+a, not (not a), -(1), (-1) ** 2
(a and b) or not c and (d or e)
1 .real, 1.0.real, 1j.imag, 1e400, -1e400j, 0xFFFF, 10 ** 20, b'a', u'b', 'a' 'b', '\\ud800', "'\\"\\n"
{**a, 'b': c}, {}, {1: 2}, set(), {x: y for x, y in z if a if b for c in d}, {x for x in y}, [x for x in y]
f(*a, b, *c, d=e, **g), f(x for x in y), f((x for x in y), z), f(**{}, a=1), (await_)(1)
a.b.c[d](e).f
---
if a: pass
elif b: pass
elif c:
    pass
else: pass
---
if a: pass
else:
    if b: pass
    c
---
x: tuple[int, ...] = 1, 2
type_ = 1; match = 2; case = match; print(match[case], type_)
""".split("---\n")

NEW_IN_312 = """
type A = int
type B[T: int, *Ts, **P] = dict[T, P]
---
def f[T: (int, str), *Ts, **P](x: T, *y: *Ts) -> T:
    class A[U](B[U], metaclass=C): pass
async def g[T](): pass
---
f"{f"{x}" + "a"}\\n{"\\n".join(y)}"
""".split("---\n")

NEW_IN_313 = """
type A[T = int, *Ts = *tuple[int], **P = [int]] = T
---
def f[T = int](): pass
class A[T: str = str]: pass
""".split("---\n")

SYNTAX = (
    SNIPPETS
    + (NEW_IN_312 if sys.version_info >= (3, 12) else [])
    + (NEW_IN_313 if sys.version_info >= (3, 13) else [])
)


@pytest.mark.parametrize("text", SYNTAX)
def test_parsing_the_text_gives_the_tree_back(text):
    tree = ast.parse(text)
    assert ast.dump(ast.parse(unparse(tree))) == ast.dump(tree)


@pytest.mark.parametrize("module", [textwrap, ast, inspect], ids=lambda module: module.__name__)
def test_whole_modules_of_the_standard_library_come_back(module):
    tree = ast.parse(inspect.getsource(module))
    assert ast.dump(ast.parse(unparse(tree))) == ast.dump(tree)


def test_the_layout_is_that_of_generated_code():
    text = textwrap.dedent("""\
        def tf__f(x):
            with ag__.FunctionScope('f', 'fscope', ag__.ConversionOptions(recursive=True)) as fscope:
                do_return = False

                def get_state():
                    return (do_return, retval_)

                def set_state(vars_):
                    nonlocal retval_, do_return
                    (do_return, retval_) = vars_

                def if_body():
                    nonlocal retval_, do_return
                    try:
                        do_return = True
                        retval_ = ag__.ld(x)
                    except:
                        do_return = False
                        raise
                ag__.if_stmt(ag__.ld(x) > 0, if_body, else_body, get_state, set_state, ('do_return',), 2)
                return fscope.ret(retval_, do_return)""")
    assert unparse(ast.parse(text)) == text


def test_several_statements_or_one_expression_can_be_given():
    tree = ast.parse("x = 1\ny = (2, 3)")
    assert unparse(tree.body) == "x = 1\ny = (2, 3)"
    assert unparse(tree.body[1].value) == "(2, 3)"


def test_nested_definitions_have_a_blank_line_before_them():
    text = "def f():\n    x = 1\n    @d\n    def g(): pass\n    class C: pass"
    assert unparse(ast.parse(text)) == (
        "def f():\n    x = 1\n\n    @d\n    def g():\n        pass\n\n    class C:\n        pass"
    )
