import pytest

from autograph.source.compiled import compile_flags, nested_codes, same_code


def code(text):
    return compile(text, "<text>", "exec").co_consts[0]


def test_code_is_the_same_wherever_it_stands():
    assert same_code(
        code("def f(x): return x"), compile("\n\ndef f(x): return x", "else", "exec").co_consts[0]
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(): return 1", "def f(): return 1.0"),
        ("def f(): return 1", "def f(): return True"),
        ("def f(): return 0.0", "def f(): return -0.0"),
        ("def f(): return (1, 2)", "def f(): return (1, 2.0)"),
        ("def f(x): return x in {1, 2}", "def f(x): return x in {1, 3}"),
        ("def f(x): return x.a", "def f(x): return x.b"),
        ("def f(x): return lambda: x", "def f(x): return lambda: (x, x)"),
        ("def f(x): return x + 1", "def f(x): return x - 1"),
        ("def f(x): return x", "def f(x, /): return x"),
    ],
)
def test_code_that_does_something_else_is_told_apart(one, other):
    assert same_code(code(one), code(one))
    assert not same_code(code(one), code(other))


def test_the_header_alone_can_be_compared():
    assert same_code(code("def f(x): return x"), code("def f(x): return 1"), header_only=True)
    assert not same_code(code("def f(x): return x"), code("def f(y): return y"), header_only=True)


def test_nested_code_is_found_at_any_depth():
    names = [inner.co_name for inner in nested_codes(code("def f():\n def g():\n  return lambda: 1"))]
    assert names == ["g", "<lambda>"]


def test_future_features_are_remembered():
    text = "from __future__ import annotations\ndef f(x: y): pass"
    assert compile_flags(compile(text, "<text>", "exec")) != compile_flags(code("def f(): pass"))
