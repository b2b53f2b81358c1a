"""What `ag.explain` says of each statement, of calls, and of functions that are not converted."""

import json
import random

import numpy as np
import pytest

import autograph as ag
import runtime as rt

FLAG = True


def helper(x, n):
    if n > 2:
        return x * n
    return x - 1


def generated(n):
    try:
        yield from range(n)
    finally:
        print("closed")


def marks_of(function, *args, **kwargs):
    """The statements of a function by their text, as what became of them."""
    section = ag.explain(function, *args, **kwargs).sections[0]
    return {mark.text: mark for mark in section.marks}


def test_a_staged_branch_names_its_node_its_reason_and_its_state():
    def f(x):
        y = 0
        if x > 0:
            y = x
        return y

    mark = marks_of(f, rt.asarray(1.0))["if x > 0:"]
    assert (mark.how, mark.nodes) == ("staged", ("StatelessIf",))
    assert mark.reason == "`x > 0` is bool[] of the graph"
    [y] = mark.state
    assert (y.name, y.before, y.after) == ("y", "a Python int: 0", "f64[]")
    assert dict(y.paths) == {"if true": "f64[]", "otherwise": "a Python int: 0"}


def test_a_python_branch_says_which_value_decided():
    def f(x, flag):
        if flag:
            return x + 1
        return x - 1

    marks = marks_of(f, rt.asarray(1.0), True)
    assert marks["if flag:"].summary == "Python: `flag` is a Python bool: True"
    assert marks["return x + 1"].summary == "staged AddV2"
    assert marks["return x - 1"].how == "not reached"


def test_a_python_loop_that_fills_the_graph_is_unrolled():
    def f(x, n):
        for i in range(n):
            x = x * i
        return x

    marks = marks_of(f, rt.asarray(1.0), 3)
    assert marks["for i in range(n):"].turns == 3
    assert marks["for i in range(n):"].summary.startswith("unrolled 3 times: `range(n)` is a Python range")
    assert marks["x = x * i"].nodes == ("Mul ×3",)


def test_a_python_loop_that_leaves_nothing_is_python():
    def f(x, n):
        total = 0
        for i in range(n):
            total += i
        return x + total

    mark = marks_of(f, rt.asarray(1), 4)["for i in range(n):"]
    assert mark.how == "python"
    assert mark.reason.endswith("ran 4 turns")


def test_a_staged_loop_names_what_it_carries():
    def f(n):
        steps = 0
        while n > 1:
            n = n // 2
            steps += 1
        return steps

    mark = marks_of(f, rt.asarray(8))["while n > 1:"]
    assert mark.nodes == ("StatelessWhile",)
    assert {variable.name: variable.after for variable in mark.state} == {"n": "i64[]", "steps": "i64[]"}


def test_a_loop_that_meets_a_tensor_on_its_way_counts_the_turns_before():
    def f(x):
        n = 0
        while n < 3:
            n = n + 1 if n < 1 else x
        return n

    mark = marks_of(f, rt.asarray(2))["while n < 3:"]
    assert mark.how == "staged"
    assert "in Python before" in mark.reason


def test_a_variable_that_only_one_branch_assigns_may_have_no_value_after_it():
    def f(x):
        if x > 0:
            y = x * 2
        else:
            z = x
        return y

    [y] = marks_of(f, rt.asarray(1))["if x > 0:"].state
    assert (y.before, y.after) == ("no value", "i64[] or no value")


def test_a_list_that_grows_in_a_staged_loop_is_carried():
    def f(n):
        squares = []
        for i in rt.arange(n):
            squares.append(i * i)
        return squares[0]

    [squares] = marks_of(f, rt.asarray(3))["for i in rt.arange(n):"].state
    assert (squares.before, squares.after) == ("[]", "a list of the graph")


def test_a_statement_where_tracing_ends_is_named_as_what_it_would_have_been():
    def f(x):
        found = [x]
        if x > 0:
            found.insert(x, rt.asarray)
        return found

    mark = marks_of(f, rt.asarray(1))["if x > 0:"]
    assert mark.summary == "staged: `x > 0` is bool[] of the graph; tracing ended here"


def test_a_conditional_expression_is_marked_by_itself():
    def f(x, flag):
        a = 1 if flag else 2
        return x if x > a else -x

    explanation = ag.explain(f, rt.asarray(1.0), False)
    found = [mark for mark in explanation.sections[0].marks if mark.kind == "expression"]
    assert [(mark.how, mark.nodes) for mark in found] == [("python", ()), ("staged", ("StatelessIf",))]


def test_callees_have_sections_of_their_own():
    def f(x):
        return helper(helper(x, 3), 1)

    explanation = ag.explain(f, rt.asarray(1.0))
    assert [section.name.rpartition(".")[2] for section in explanation.sections] == ["f", "helper"]
    mark = next(mark for mark in explanation.sections[1].marks if mark.text == "if n > 2:")
    assert mark.times == 2


def test_a_call_says_why_the_callee_is_not_converted():
    def f(x):
        random.seed(3)
        for item in generated(2):
            x = x + item
        return x

    explanation = ag.explain(f, rt.asarray(1))
    calls = {mark.text: mark.reason for mark in explanation.sections[0].marks if mark.how == "not converted"}
    assert calls["generated(2)"] == "it is a generator function"


def test_a_function_with_graphs_of_its_own_is_pointed_out():
    inner = ag.function(lambda x: x + 1)

    def f(x):
        return inner(x)

    assert "a function with graphs of its own" in str(ag.explain(f, rt.asarray(1)))


def test_lambdas_and_methods_are_explained():
    class Scale:
        by = 3

        def times(self, x):
            return x * self.by if x > 0 else x

    assert "staged as StatelessIf" in str(ag.explain(Scale().times, rt.asarray(1)))
    assert "staged as StatelessIf" in str(ag.explain(lambda x: x if x > 0 else -x, rt.asarray(1)))


def test_a_polymorphic_function_keeps_its_traces():
    @ag.function
    def f(x):
        return x + 1

    f(rt.asarray(1))
    assert ag.explain(f, rt.asarray([1.0])).signature == "x: f64[1]"
    assert f.experimental_get_tracing_count() == 1


def test_specs_stand_for_arguments_and_an_input_signature_needs_none():
    @ag.function(input_signature=[rt.TensorSpec((None,), rt.float64)])
    def f(x):
        return x + 1

    assert ag.explain(f).signature == "x: f64[?]"
    assert ag.explain(lambda x: x, rt.TensorSpec((2,), rt.int64)).signature == "x: i64[2]"


def test_wrong_arguments_are_refused_as_in_a_call():
    with pytest.raises(TypeError):
        ag.explain(helper, 1)


def test_nothing_runs_at_graph_level(capsys):
    def f(x):
        rt.print(x)
        return x

    ag.explain(f, rt.asarray(1))
    assert capsys.readouterr() == ("", "")


def test_what_fails_is_explained_as_far_as_it_came():
    def f(x):
        y = x + 1
        if x > 0:
            y = y.numpy()
        return y

    explanation = ag.explain(f, rt.asarray(1.0))
    marks = {mark.text: mark for mark in explanation.sections[0].marks}
    assert marks["y = x + 1"].nodes == ("AddV2",)
    assert marks["if x > 0:"].reason.endswith("tracing ended here")
    assert "NoConcreteValue" in explanation.error
    assert "tracing ended with an error" in str(explanation)


def test_a_function_that_is_not_converted_says_why():
    f = ag.function(lambda x: x + 1, autograph=False)
    assert ag.explain(f, rt.asarray(1)).sections[0].reason == "`autograph=False`"
    namespace = {}
    exec("def unknown(x): return x", namespace)
    section = ag.explain(namespace["unknown"], rt.asarray(1)).sections[0]
    assert not section.converted
    assert "source" in section.reason


def test_the_explanation_is_data():
    explanation = ag.explain(helper, rt.asarray(1.0), 3)
    found = json.loads(json.dumps(explanation.to_dict()))
    assert found["signature"] == "x: f64[], n=3"
    assert found["nodes"] == [["Mul", 1]]
    assert found["sections"][0]["marks"][0]["reason"] == "`n > 2` is a Python bool: True"


def test_the_page_is_one_file_and_escapes_the_source(tmp_path):
    def f(x):
        text = "<script>"
        return x if x < 3 else -x

    explanation = ag.explain(f, rt.asarray(1))
    explanation.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "&lt;script&gt;" in page
    assert "<script" not in page
    assert "http" not in page
    assert explanation._repr_html_() in page


def test_the_text_is_plain_and_shown_in_colours_on_a_terminal(monkeypatch, capsys):
    explanation = ag.explain(helper, rt.asarray(1.0), 3)
    assert "\x1b" not in str(explanation)
    explanation.show()
    assert capsys.readouterr().out.rstrip() == str(explanation)
    monkeypatch.setenv("FORCE_COLOR", "1")
    explanation.show()
    assert "\x1b[" in capsys.readouterr().out


def upto(n):
    i = 0
    while i < n:
        yield i
        i += 1


def test_a_generator_that_hands_over_its_items():
    def f(n):
        total = 0
        for i in upto(n):
            total += i
        return total

    of_f, of_upto = ag.explain(f, rt.asarray(4)).sections
    loop, call = [mark for mark in of_f.marks if "upto" in mark.reason or mark.text == "upto(n)"]
    assert (loop.how, loop.reason) == ("staged", "`upto(n)` is a generator that hands over its items")
    assert call.reason == "a generator function, whose code takes turns with the loop over its items"
    assert of_upto.name.endswith("upto")
    assert [mark.how for mark in of_upto.marks if mark.text.startswith("while")] == ["staged"]


def test_what_a_function_does_is_not_explained_as_an_error():
    seen = []

    def marked(x):
        marks = np.zeros(3, int)
        if x[0] > 0:
            marks[0] = 1
            if x[1] > 1:
                marks[1] = 5
                seen.append(x[1])
        return marks

    for function in (marked, ag.function(marked)):
        assert not ag.explain(function, np.array([1, 2, 3])).error
    assert not seen
