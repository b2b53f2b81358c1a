"""Flags of floats: NumPy's warnings are there, and nothing is said of what LLVM computes beyond a program."""

import warnings

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.run import _InPlace


def nearest(x, out):
    for i in range(len(x)):
        best = 1e30
        if x[i] > 0.0:
            t = x[i] - np.sqrt(x[i])
            if t > 0.0 and t < best:
                best = t
        out[i] = best


def of_what_is_not_zero(x, out):
    for i in range(len(x)):
        least = 1.0
        if x[i] != 0.0:
            quotient = 1.0 / x[i] - x[i] * 1e100
            if quotient < least and quotient * 1e100 > -1e300:
                least = quotient
        out[i] = least


def by_a_number(x, out):
    for i in range(len(x)):
        found = 0.0
        if x[0] > 0.0:
            found = x[i] / x[0] + np.sqrt(x[0])
        out[i] = found


X = np.random.default_rng(0).normal(size=1000)
X[::7] = 0.0
Y = X.copy()
Y[0] = -1.0


@pytest.mark.parametrize(
    ("function", "x"), [(nearest, X), (of_what_is_not_zero, X), (by_a_number, X), (by_a_number, Y)]
)
def test_branches_that_are_not_taken_raise_nothing(function, x):
    staged, out, expected = ag.function(function), np.zeros(1000), np.zeros(1000)
    function(x, expected)
    for _ in range(40):
        staged(x, out)
        assert out.tobytes() == expected.tobytes()
    called = staged.concrete_functions[0].ways.quicker((x, out))
    assert called(x, out) is not None, "no run is done again on NumPy"


def test_what_a_branch_raises_is_told_each_time():
    staged, out = ag.function(nearest), np.zeros(1000)
    for _ in range(20):
        staged(X, out)
    inf = X.copy()
    inf[3] = np.inf
    for x in (inf, X, inf, X, inf, inf, inf, X):
        with np.errstate(invalid="raise"):
            if x is inf:
                with pytest.raises(FloatingPointError):
                    staged(x, out)
            else:
                staged(x, out)
    again, expected = np.zeros(1000), np.zeros(1000)
    staged(X, again)
    nearest(X, expected)
    assert again.tobytes() == expected.tobytes()


def by_turns(x, out):
    for i in range(4):
        out[i] = x[i] / np.float64(i)


def by_truths(x, out):
    for i in range(len(x)):
        out[i] = np.float32(1.0) / np.float32(x[i] > 0.0)


@pytest.mark.parametrize(("function", "x"), [(by_turns, np.ones(4)), (by_truths, X)])
def test_quotients_by_whole_numbers_that_llvm_could_know_warn_each_time(function, x):
    staged, out = ag.function(function), np.zeros(len(x))
    with np.errstate(divide="ignore", invalid="ignore"):
        function(x, expected := np.zeros(len(x)))
    for _ in range(40):
        with pytest.warns(RuntimeWarning, match="divide by zero"):
            staged(x, out)
        assert out.tobytes() == expected.tobytes()


def sharpened(picture, out):
    for i in range(1, len(picture) - 1):
        slope = 2.0 * picture[i + 1] - 2.0 * picture[i - 1] + 0.5 * picture[i]
        out[i] = np.sqrt(slope * slope)


def test_loops_that_make_floats_of_whole_numbers_are_vectors():
    picture, out, expected = np.arange(500, dtype=np.uint8), np.zeros(500), np.zeros(500)
    staged = ag.function(sharpened)
    staged(picture, out)
    sharpened(picture, expected)
    assert out.tobytes() == expected.tobytes()
    assert "x double> @llvm.sqrt" in staged.concrete_functions[0].program.llvm_ir()


def grown(x, turns):
    for _ in range(turns):
        x = x * x
    return x


def test_what_numpy_warns_of_each_time_is_computed_by_numpy_alone_and_tried_again_now_and_then(monkeypatch):
    graph, x = ag.function(grown), np.full(5000, 1e200)
    with np.errstate(over="ignore"):
        wanted = graph(x, rt.asarray(3)).numpy()
    tried = []
    monkeypatch.setattr(_InPlace, "_give_up", _noting(_InPlace._give_up, tried))
    for _ in range(80):
        with pytest.warns(RuntimeWarning, match="overflow encountered in multiply"):
            assert np.array_equal(graph(x, rt.asarray(3)).numpy(), wanted)
    assert len(tried) <= 4 + 80 // 32
    with np.errstate(over="ignore"):
        assert np.array_equal(graph(x, rt.asarray(3)).numpy(), wanted)
    small = np.full(5000, 1.5)
    for _ in range(80):
        assert np.array_equal(graph(small, rt.asarray(3)).numpy(), grown(small, 3))
    assert len(tried) <= 4 + 80 // 32


def _noting(method, calls):
    def noted(self):
        calls.append(self)
        return method(self)

    return noted


def settled(rates, out, turns):
    for i in range(len(rates)):
        x = 0.5
        for _ in range(turns):
            x = rates[i] * x * (1.0 - x)
        out[i] = x
    return out[0]


RATES = np.linspace(2.5, 4.5, 500)
SILENT = {
    "all": [("ignore", Warning)],
    "of this kind": [("error", UserWarning), ("ignore", RuntimeWarning)],
    "a later one": [("error", RuntimeWarning), ("ignore", RuntimeWarning)],
}


@pytest.mark.parametrize("filters", SILENT.values(), ids=SILENT)
def test_what_no_filter_lets_through_is_not_computed_again_to_be_said(filters, monkeypatch):
    graph, turns = ag.function(settled), rt.asarray(60)
    again = []
    monkeypatch.setattr(_InPlace, "_give_up", _noting(_InPlace._give_up, again))
    wanted = np.zeros(500)
    with warnings.catch_warnings():
        for action, category in filters:
            warnings.simplefilter(action, category)
        settled(RATES, wanted, 60)
        for _ in range(40):
            out = np.zeros(500)
            assert float(graph(RATES, out, turns)) == wanted[0]
            assert out.tobytes() == wanted.tobytes()
    assert not again


def test_a_filter_of_some_warnings_lets_others_through():
    graph, turns = ag.function(settled), rt.asarray(60)
    for _ in range(8):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            warnings.filterwarnings("ignore", message="invalid")
            graph(RATES, np.zeros(500), turns)
        assert {str(each.message) for each in found} == {"overflow encountered in scalar multiply"}


def test_an_error_that_is_asked_for_comes_where_warnings_are_ignored():
    graph, turns = ag.function(settled), rt.asarray(60)
    with warnings.catch_warnings(), np.errstate(over="raise"):
        warnings.simplefilter("ignore")
        for _ in range(3):
            with pytest.raises(FloatingPointError, match="overflow"):
                graph(RATES, np.zeros(500), turns)


def test_rows_that_all_do_the_same_stay_in_vectors_when_some_overflow():
    def looks(function):
        """How often a group asks which flags it has raised."""
        concrete = ag.function(function).get_concrete_function(np.zeros(500), np.zeros(500), rt.asarray(60))
        return concrete.program._text().count("and i64 %_") - concrete.program._text().count("and i64 %flags")

    def some_earlier(rates, out, turns):
        for i in range(len(rates)):
            x, k = 0.5, 0
            while k < turns and x < 3.0:
                x = rates[i] * x * (1.0 - x)
                k += 1
            out[i] = x
        return out[0]

    assert looks(settled) == 0
    assert looks(some_earlier) > 0


def exponentials(x, out):
    for i in range(len(x)):
        out[i] = np.exp(x[i])


@pytest.mark.parametrize(("number", "flag"), [(200.0, "overflow"), (-200.0, "underflow")])
def test_what_numpy_raises_by_the_c_library_is_told(number, flag):
    x = np.full(40, number, np.float32)
    graph = ag.function(exponentials)
    assert graph.get_concrete_function(np.ones_like(x), x).report().executor == "native"
    for _ in range(2):
        with np.errstate(all="raise"), pytest.raises(FloatingPointError, match=f"{flag} encountered in exp"):
            graph(x, np.zeros(40, np.float32))
