import ast
import textwrap

import pytest

from autograph.analysis.activity import Activity
from autograph.analysis.manager import Analyses
from autograph.source.template import mark_ours


class Named:
    """A scope whose sets of names are sets of names."""

    def __init__(self, activity, scope):
        self.activity, self.scope = activity, scope

    def __getattr__(self, part):
        return self.activity.named(getattr(self.scope, part))


def scope(text):
    """The activity of one statement."""
    tree = ast.parse(textwrap.dedent(text))
    mark_ours(tree)
    activity = Analyses(tree).get(Activity)
    return Named(activity, activity.of(tree.body[0]))


def inside(text):
    """The activity of the body of the one definition."""
    tree = ast.parse(textwrap.dedent(text))
    activity = Analyses(tree).get(Activity)
    return Named(activity, activity.inside(tree.body[0]))


def words(names):
    return " ".join(sorted(map(str, names)))


@pytest.mark.parametrize(
    ("text", "read", "bound"),
    [
        ("x = y", "y", "x"),
        ("x = y = z", "z", "x y"),
        ("a, (b, *c) = d", "d", "a b c"),
        ("x += y", "x y", "x"),
        ("x: t = y", "t y", "x"),
        ("x: t", "t", ""),
        ("f(x, *y, k=z)", "f x y z", ""),
        ("if a: b = c\nelse: d = e", "a c e", "b d"),
        ("while a: b = c\nelse: d = e", "a c e", "b d"),
        ("for a in b: c = d\nelse: e = f", "b d f", "a c e"),
        ("with a as b, c as (d, e): f = g", "a c g", "b d e f"),
        ("try: a = b\nexcept c as d: e = f\nelse: g = h\nfinally: i = j", "b c f h j", "a d e g i"),
        (
            "match a:\n    case [b, *c] | {'k': b, **c} if d: e = f\n    case g.h as i: pass",
            "a d f g",
            "b c e i",
        ),
        ("import a.b, c as d, e.f as g", "", "a d g"),
        ("from a import b, c as d", "", "b d"),
        ("if (a := b): pass", "b", "a"),
        ("assert a, (b := c)", "a c", "b"),
        ("def f(a: b = c) -> d: pass", "b c d", "f"),
        ("@a\nclass C(b, k=c): d = e; f = d", "a b c e", "C"),
        ("raise a from b", "a b", ""),
        ("return a", "a", ""),
        ("global a, b", "", ""),
    ],
)
def test_a_statement_reads_and_binds(text, read, bound):
    found = scope(text)
    assert (words(found.read), words(found.bound)) == (read, bound)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a.b = c", "a c"),
        ("a[0].b[i] = c", "a c i"),
        ("a.b += c", "a c"),
        ("a[f(b)].c = d", "a b d f"),
        ("del a.b, a[0]", "a"),
        ("for a.b in c: pass", "a c"),
        ("x = a[i].f()", "a i"),
        ("a[1:2] = b", "a b"),
    ],
)
def test_attributes_and_items_read_their_owners(text, read):
    found = scope(text)
    assert (words(found.read), words(found.bound - {"x"})) == (read, "")


def test_deletion_is_neither_reading_nor_binding():
    found = scope("del a, (b, c)")
    assert (words(found.deleted), words(found.read), words(found.bound)) == ("a b c", "", "")


def test_the_name_of_a_handler_goes_when_it_ends():
    assert words(scope("try: a\nexcept b as c: d").deleted) == "c"


@pytest.mark.parametrize(
    ("text", "read", "bound"),
    [
        ("x = [a for b in c for d in e if f]", "a c e f", "x"),
        ("x = {b: d for b, d in b.items()}", "b", "x"),
        ("x = [(y := a) for a in b]", "b", "x y"),
        ("x = [[a + b for a in c] for c in d]", "b d", "x"),
        ("x = (a.b[c] for a in d)", "c d", "x"),
        ("x = [lambda: a + b for a in c]", "b c", "x"),
        ("x = lambda a, b=c: a + d + (e := a)", "c d", "x"),
    ],
)
def test_comprehensions_and_lambdas_have_names_of_their_own(text, read, bound):
    found = scope(text)
    assert (words(found.read), words(found.bound)) == (read, bound)


def test_a_nested_function_reads_and_binds_later():
    found = scope("""
        def f(a, b=c):
            nonlocal d
            global e
            d = a + g + e
            e = h = 1
            return h, lambda: i + a
    """)
    assert words(found.read_now) == "c"
    assert words(found.read_later) == "g i"
    assert words(found.bound_now) == "f"
    assert words(found.bound_later) == "d"


def test_names_pass_through_functions_that_do_not_own_them():
    found = scope("""
        def f():
            a = 1
            def g():
                nonlocal a, b
                a = b = c
            class C:
                c = 2
                def h(self):
                    nonlocal d
                    d = c
    """)
    assert words(found.read) == "c"
    assert words(found.bound) == "b d f"


def test_a_class_body_sees_its_own_names_and_its_functions_do_not():
    found = scope("""
        class C:
            a = b
            d = e = h = a
            def f(self): return e, C
            g = [h for _ in d]
    """)
    assert words(found.read_now) == "b h"
    assert words(found.read_later) == "C e"


def test_lambdas_may_be_called_at_once_and_ever_after():
    found = scope("x = sorted(y, key=lambda v: v + k)")
    assert words(found.read_now) == "k sorted y"
    assert words(found.read_later) == "k"


def test_functions_handed_to_our_operators_are_called_at_once():
    found = scope("x = ag__.if_exp(t, lambda: a, lambda: b, 't')")
    assert words(found.read_now) == "a ag__ b t"
    assert words(found.read_later) == ""


def test_other_arguments_of_our_operators_are_read():
    found = scope("ag__.while_stmt(test, body, opts={'maximum': n})")
    assert words(found.read_now) == "ag__ body n test"


@pytest.mark.parametrize(
    ("text", "surely", "maybe"),
    [
        ("a = b and (c := d)", "a", "c"),
        ("a = (b := c) and d", "a b", ""),
        ("a = (b := 1) if c else (d := 2)", "a", "b d"),
        ("a = b < (c := d) < (e := f)", "a c", "e"),
        ("a = [(b := c) for d in e]", "a", "b"),
        ("if a: b = 1", "", "b"),
        ("for a in b: pass", "", "a"),
        ("with a as b: c = 1", "b", "c"),
        ("assert a, (b := c)", "", "b"),
        ("def f(): nonlocal a; a = 1", "f", "a"),
    ],
)
def test_what_is_surely_bound_is_told_from_what_may_be(text, surely, maybe):
    found = scope(text)
    assert words(found.surely_bound) == surely
    assert words(found.bound - found.surely_bound) == maybe


def test_the_inside_of_a_function_has_its_parameters_and_declarations():
    found = inside("""
        def f(a, /, b, *c, d, **e):
            global g
            nonlocal h
            i: int
            del j
            g = h = k = a
    """)
    assert words(found.params) == "a b c d e"
    assert words(found.globals) == "g"
    assert words(found.nonlocals) == "h"
    assert words(found.declared) == "i"
    assert words(found.locals) == "a b c d e i j k"


def test_a_block_is_the_sum_of_its_statements():
    tree = ast.parse("x = a\ny = x")
    activity = Analyses(tree).get(Activity)
    found = Named(activity, activity.of_block(tree.body))
    assert (words(found.read), words(found.surely_bound)) == ("a x", "x y")
