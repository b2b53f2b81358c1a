"""A call that raises before there is a graph runs as plain Python the next time."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import Error

LIMITS = {"most": 3}


def parsed(text, x):
    for place, letter in enumerate(text):
        if letter not in "+-":
            raise SyntaxError(f"bad character {letter!r} at {place}")
        x = x + 1.0 if letter == "+" else x - 1.0
    return x


def count_of(graph):
    return graph.experimental_get_tracing_count()


def test_such_a_call_is_not_traced_again():
    graph = ag.function(parsed)
    for _ in range(5):
        with pytest.raises(SyntaxError, match=r"bad character 'a' at 1"):
            graph("+a", np.float64(1.0))
    assert count_of(graph) <= 1
    assert graph("+", np.float64(1.0)).numpy() == 2.0
    with pytest.raises(SyntaxError, match=r"bad character 'b' at 0"):
        graph("b", np.float64(1.0))


def limited(values):
    if len(values) > LIMITS["most"]:
        raise ValueError(f"{len(values)} values, not {LIMITS['most']}")
    return sum(values)


def test_it_is_traced_again_where_what_it_read_outside_has_changed(monkeypatch):
    graph = ag.function(limited)
    for _ in range(3):
        with pytest.raises(ValueError, match="4 values, not 3"):
            graph([1.0, 2.0, 3.0, 4.0])
    monkeypatch.setitem(LIMITS, "most", 4)
    assert isinstance(graph([1.0, 2.0, 3.0, 4.0]), rt.Tensor)
    monkeypatch.setitem(LIMITS, "most", 3)
    with pytest.raises(ValueError, match="4 values, not 3"):
        graph([1.0, 2.0, 3.0, 4.0])


class Account:
    def __init__(self):
        self.limit = 3


def taken(account, x):
    if account.limit < 5:
        raise ValueError(f"the limit is {account.limit}")
    return x * 2.0


def test_it_is_traced_again_where_an_argument_has_changed():
    graph, account = ag.function(taken), Account()
    for _ in range(3):
        with pytest.raises(ValueError, match="the limit is 3"):
            graph(account, np.float64(1.0))
    account.limit = 4
    with pytest.raises(ValueError, match="the limit is 4"):
        graph(account, np.float64(1.0))
    account.limit = 5
    assert isinstance(graph(account, np.float64(1.0)), rt.Tensor)


def marked(x, count):
    x[0] = -1.0
    if count > 2:
        raise ValueError("too many")
    return x


def test_an_array_holds_what_plain_python_leaves_each_time():
    graph = ag.function(marked)
    for _ in range(3):
        x, expected = np.zeros(2), np.zeros(2)
        with pytest.raises(ValueError, match="too many"):
            marked(expected, 3)
        with pytest.raises(ValueError, match="too many"):
            graph(x, 3)
        assert x.tolist() == expected.tolist()


def told(x, count):
    print("counting", count)
    if count > 2:
        raise ValueError("too many")
    return x


def test_what_is_printed_is_printed_each_time(capsys):
    graph = ag.function(told)
    for _ in range(3):
        with pytest.raises(ValueError, match="too many"):
            graph(np.float64(1.0), 3)
        assert capsys.readouterr().out == "counting 3\n"


def wrong(x):
    return np.ones((2, 3)) @ x


def test_what_a_graph_refuses_is_said_in_our_words_each_time():
    graph = ag.function(wrong)
    said = []
    for _ in range(3):
        with pytest.raises(ValueError, match=r"matmul|shape") as caught:
            graph(np.ones(2))
        said.append((type(caught.value), str(caught.value)))
    assert issubclass(said[0][0], Error)
    assert said[0] == said[1] == said[2]


def test_in_a_graph_it_is_what_the_graph_raises():
    inner = ag.function(parsed)

    @ag.function
    def outer(x):
        try:
            return inner("a", x)
        except SyntaxError:
            return x * 3.0

    with pytest.raises(SyntaxError):
        inner("a", np.float64(1.0))
    assert outer(np.float64(2.0)).numpy() == 6.0
