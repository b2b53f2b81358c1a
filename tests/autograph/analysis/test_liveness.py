import ast
import textwrap

import pytest

from autograph.analysis.activity import Activity
from autograph.analysis.liveness import Liveness
from autograph.analysis.manager import Analyses
from autograph.source.template import mark_ours


def named(analyses, names):
    return analyses.get(Activity).named(names)


def live_out(tree, statement):
    analyses = Analyses(tree)
    return named(analyses, analyses.get(Liveness).live_out(statement))


def live(text, *, parameters=""):
    """The names live before and after each statement of a function's body, as two lists of words."""
    function = ast.parse(f"def f({parameters}):\n" + textwrap.indent(textwrap.dedent(text), "    ")).body[0]
    mark_ours(function)
    analyses = Analyses(function)
    liveness = analyses.get(Liveness)
    return (
        [" ".join(sorted(named(analyses, liveness.live_in(statement)))) for statement in function.body],
        [" ".join(sorted(named(analyses, liveness.live_out(statement)))) for statement in function.body],
    )


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("x = a\nreturn x", ["a", "x"], ["x", ""]),
        ("x = a\nx = b\nreturn x", ["a b", "b", "x"], ["b", "x", ""]),
        ("if t: x = a\nreturn x", ["a t x", "x"], ["x", ""]),
        ("if t: x = a\nelse: x = b\nreturn x", ["a b t", "x"], ["x", ""]),
        ("while t: x = x + y\nreturn x", ["t x y", "x"], ["x", ""]),
        ("for i in s: x = i\nreturn x", ["s x", "x"], ["x", ""]),
        ("for i in s: t = i; x = t\nreturn x", ["s x", "x"], ["x", ""]),
        ("if t: return a\nx = b\nreturn x", ["a b t", "b", "x"], ["b", "x", ""]),
        ("x += 1\nreturn x", ["x", "x"], ["x", ""]),
        ("del x", ["x"], [""]),
        ("raise x\ny", ["x", "y"], ["", ""]),
        ("t and (x := a)\nreturn x", ["a t x", "x"], ["x", ""]),
        ("while (x := a): pass\nreturn x", ["a", "x"], ["x", ""]),
        ("match s:\n    case [x, y]: return x\nreturn x", ["s x", "x"], ["x", ""]),
        ("with c as x: y = x\nreturn y", ["c y", "y"], ["y", ""]),
        ("x = [a for a in b if x]", ["b x"], [""]),
    ],
)
def test_what_is_read_later_is_live(text, before, after):
    assert live(text) == (before, after)


def test_names_needed_where_a_break_leads_are_live_after_the_statement_that_holds_it():
    function = ast.parse("""
def f(t, x):
    while t:
        if x:
            y = 1
            break
        z = 1
    return y
""").body[0]
    loop = function.body[0]
    choice = loop.body[0]
    assert live_out(function, choice) == {"t", "x", "y"}
    assert live_out(function, loop.body[1]) == {"t", "x", "y"}


def test_names_needed_by_handlers_are_live_in_all_of_the_try():
    before, after = live("x = 1\ntry:\n    x = f()\n    x = g()\nexcept E:\n    return x\nreturn 0")
    assert after[0] == "E f g x"
    assert before[1] == "E f g x"


def test_a_finally_block_reads_on_every_way():
    before, _ = live("try:\n    return a\nfinally:\n    b")
    assert before == ["a b"]


def test_globals_and_nonlocals_are_live_at_the_end():
    assert live("global g\nnonlocal n\ng = n = l = 1")[1][-1] == "g n"


def test_what_a_stored_lambda_reads_is_live_ever_after():
    before, after = live("k = 1\ng = lambda: k\nkeep(g)\nk = 2\nreturn 0")
    assert after[1:] == ["g k keep", "k", "k", "k"]
    assert before[0] == "keep"


def test_what_a_function_that_is_only_called_reads_is_live_while_it_is_called():
    before, after = live("def g(): return k\nx = g()\nk = x\nreturn k")
    assert before == ["k", "g k", "x", "k"]
    assert after[2] == "k"
    assert live("k = 0\ndef g(): return k\ng()\nk = 1")[1] == ["k", "g k", "", ""]


def test_what_a_function_that_is_passed_on_reads_is_live_ever_after():
    assert live("def g(): return k\nkeep(g)\nk = 1\nreturn 0")[1] == ["g k keep", "k", "k", "k"]


def test_what_an_outer_call_needs_through_another_function_is_live():
    before, _ = live("def g(): return k\ndef h(): return g()\nx = h()")
    assert before == ["k", "g k", "g h k"]


@pytest.mark.parametrize(
    "definition",
    ["def g(): yield k", "async def g(): return k", "@later\ndef g(): return k"],
)
def test_what_a_function_that_runs_later_than_it_is_called_reads_is_live_ever_after(definition):
    assert live(f"{definition}\nx = g()\nk = 1\nreturn 0")[1][1:] == ["k", "k", "k"]


def test_a_default_that_is_a_function_keeps_what_it_reads():
    assert live("def g(h=lambda: k): return h\nx = g()\nk = 1")[1][1:] == ["k", "k"]


def test_functions_in_a_class_body_may_be_called_by_anyone():
    tree = ast.parse("class C:\n    def g(self): return k\n    x = g(0)\n    k = 1").body[0]
    assert "k" in live_out(tree, tree.body[1])


def test_a_called_function_that_returns_a_closure_keeps_what_it_reads():
    assert live("def g(): return lambda: k\nx = g()\nk = 1\nreturn 0")[1][1:] == ["k", "k", "k"]


def test_generated_bodies_keep_nothing_alive_after_their_statement():
    text = """
        x = 0
        def if_body():
            nonlocal x
            x = y
        def else_body():
            nonlocal x
            x = z
        ag__.if_stmt(ag__.ld(t), if_body, else_body)
        y = 1
        return x
    """
    _, after = live(text)
    assert after[3:] == ["x", "x", ""]


def test_a_variable_of_a_frame_around_that_a_function_within_binds_is_always_live():
    """The function between need not say `nonlocal`."""
    assert live("def g():\n    nonlocal k\n    k = 1\ng()")[1] == ["g k", "k"]


def test_calls_through_our_operators_are_calls():
    _, after = live("def g(): return k\nag__.converted_call(ag__.ld(g), (1,), None, fscope)\nk = 1")
    assert after[1:] == ["", ""]
    _, after = live("def g(): return k\nag__.converted_call(h, (g,), None, fscope)\nk = 1")
    assert after[1:] == ["k", "k"]


def test_names_in_a_class_body_stay_visible():
    tree = ast.parse("class C:\n    if t:\n        x = 1\n    y = 2").body[0]
    assert live_out(tree, tree.body[0]) == {"x", "y"}


def test_nested_functions_have_liveness_of_their_own():
    tree = ast.parse("def f():\n    def g(a):\n        b = a\n        return b\n    return g").body[0]
    inner = tree.body[0]
    assert live_out(tree, inner.body[0]) == {"b"}
