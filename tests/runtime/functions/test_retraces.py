"""Why a function was traced again, and budgets of traces."""

import datetime as dt
import json
import warnings

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import InvalidValue, RetracingWarning, TooManyTraces
from runtime.functions.polymorphic import PolymorphicFunction


def first_difference(*calls, function=lambda x: x):
    """What tells the last of some calls from the nearest one before it."""
    f = PolymorphicFunction(function)
    for args in calls:
        f(*args)
    return f.explain_retraces().traces[-1].differences


def test_another_number_is_a_value_that_could_be_a_tensor():
    (found,) = first_difference((rt.asarray(1), 3), (rt.asarray(1), 4), function=lambda x, n: x * n)
    assert (found.argument, found.what, found.before, found.now) == ("n", "value", "3", "4")
    assert found.way_out == "pass a tensor where the number may change"
    assert str(found) == "argument `n` was 3 and then 4"


def test_another_shape_asks_for_reduce_retracing():
    (found,) = first_difference((rt.ones(3),), (rt.ones(4),))
    assert (found.what, found.before, found.now) == ("shape", "f64[3]", "f64[4]")
    assert "reduce_retracing=True" in found.way_out


def test_another_dtype_asks_for_a_cast():
    (found,) = first_difference((rt.ones(3),), (rt.ones(3, dtype=rt.float32),))
    assert (found.what, found.before, found.now) == ("dtype", "f64[3]", "f32[3]")


def test_another_type_of_number_is_another_signature():
    (found,) = first_difference((1,), (1.0,))
    assert (found.what, found.before, found.now) == ("type", "1", "1.0")
    (found,) = first_difference((1,), (rt.asarray(1),))
    assert (found.what, found.before, found.now) == ("type", "1", "a tensor i64[]")


def test_another_object_is_named_by_its_class_alone():
    class Config:
        def __repr__(self):
            raise AssertionError("a repr is the user's code")

    kept = Config(), Config()
    (found,) = first_difference((kept[0],), (kept[1],), function=lambda config: 1)
    assert (found.what, found.before, found.now) == ("object", "a Config", "a Config")


def test_a_longer_list_is_another_structure():
    (found,) = first_difference(
        ([rt.asarray(1)],), ([rt.asarray(1), rt.asarray(2)],), function=lambda xs: xs[0]
    )
    assert (found.argument, found.what, found.before, found.now) == ("xs", "structure", "[*]", "[*, *]")


def test_a_trace_is_compared_with_the_nearest_one_before_it():
    f = PolymorphicFunction(lambda x, n, mode: x)
    f(rt.ones(2), 1, "a")
    f(rt.ones(3), 2, "b")
    f(rt.ones(2), 1, "b")
    traces = f.explain_retraces().traces
    assert [each.nearest for each in traces] == [None, 1, 1]
    assert [len(each.differences) for each in traces] == [0, 3, 1]


def test_each_trace_says_which_call_asked_for_it():
    f = PolymorphicFunction(lambda x, *, scale=2: x * scale)
    f(rt.ones(2))
    traced = f.explain_retraces().traces[0]
    assert traced.filename == __file__
    assert traced.signature == "lambda(x: f64[2], scale=2)"
    assert traced.seconds > 0


def test_the_explanation_prints_and_is_data():
    @ag.function
    def scaled(x, n):
        return x * n

    for n in (3, 4):
        scaled(rt.ones(2), n)
    found = scaled.explain_retraces()
    assert len(found) == found.count == 2
    assert "scaled() was traced twice" not in str(found)
    lines = str(found).splitlines()
    assert lines[0] == "scaled() was traced 2 times"
    assert lines[-2:] == [
        "     unlike trace 1, argument `n` was 3 and then 4",
        "       → pass a tensor where the number may change",
    ]
    assert json.loads(json.dumps(found.to_dict()))["traces"][1]["differences"][0]["what"] == "value"


@pytest.mark.parametrize(
    ("calls", "refusal"),
    [
        (range(5), "NotForAll: no graph of f() serves all"),
        ([[0] * n for n in range(1, 6)], "NotForAll: no graph of f() serves all"),
    ],
    ids=["numbers", "lists"],
)
def test_why_no_graph_serves_all_values_is_told(calls, refusal):
    @ag.function
    def f(x, n):
        count = len(n) if isinstance(n, list) else n
        return x if count > 3 else [x, count][:count]

    *first, last = calls
    for n in first:
        f(rt.asarray(1.0), n)
    with pytest.warns(RetracingWarning, match="one graph may serve any `n`: a trace of it raised NotForAll"):
        f(rt.asarray(1.0), last)
    (found,) = f.explain_retraces().traces[-1].differences
    assert found.refused.startswith(refusal), found.refused


def test_a_trace_beyond_the_budget_is_refused():
    f = ag.function(lambda x, n: x * n, max_traces=2, on_max_traces="raise")
    f(rt.ones(2), 1)
    f(rt.ones(2), 2)
    with pytest.raises(TooManyTraces, match=r"`max_traces=2`: argument `n` was 2 and then 3") as caught:
        f(rt.ones(2), 3)
    assert [traced.number for traced in caught.value.retraces.traces] == [1, 2, 3]
    assert f(rt.ones(2), 2).numpy().tolist() == [2.0, 2.0]
    assert f.experimental_get_tracing_count() == 2
    with pytest.raises(TooManyTraces):
        f(rt.ones(2), 4)


def test_a_trace_beyond_the_budget_warns_once():
    f = ag.function(lambda x, n: x * n, max_traces=1)
    f(rt.ones(2), 1)
    with pytest.warns(RetracingWarning, match="pass a tensor where the number may change") as caught:
        f(rt.ones(2), 2)
    assert caught[0].message.retraces.count == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n in range(3, 20):
            f(rt.ones(2), n)


@pytest.mark.parametrize("options", [{"max_traces": 0}, {"on_max_traces": "ignore"}])
def test_a_budget_without_meaning_is_refused(options):
    with pytest.raises(InvalidValue):
        ag.function(lambda x: x, **options)


@pytest.mark.parametrize(
    "values", [("a", "b"), ({1}, {2}), (dt.date(2020, 1, 1), dt.date(2020, 1, 2)), (b"x", b"y")]
)
def test_another_text_date_or_set_is_no_number_that_a_tensor_may_be(values):
    @ag.function
    def kept(x, k):
        return x

    for value in values:
        kept(rt.ones(2), value)
    [found] = kept.explain_retraces().traces[1].differences
    assert found.what == "constant"
    assert "each has a graph of its own" in found.way_out
    assert str(found) == f"argument `k` was {values[0]!r} and then {values[1]!r}"
