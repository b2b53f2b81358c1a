"""Tracebacks through converted code show the user's lines and nothing between them."""

import logging
import traceback
import warnings
from pathlib import Path

import pytest

import autograph as ag
import runtime as rt
from autograph.frames import STATEMENTS, hide, is_ours


def inner(x):
    if x > 0:
        return 1 / (x - 1)
    return x


def outer(x):
    for _ in range(2):
        if x:
            while True:
                x = inner(x)
    return x


def shown(error):
    """Function and line of each frame below the test's own."""
    return [(frame.name, frame.line) for frame in traceback.extract_tb(error.__traceback__)][1:]


def test_the_traceback_shows_the_users_lines(convert):
    with pytest.raises(ZeroDivisionError) as caught:
        convert(outer)(1)
    assert shown(caught.value) == [("outer", "x = inner(x)"), ("inner", "return 1 / (x - 1)")]


def test_the_carets_are_under_what_failed(convert):
    with pytest.raises(ZeroDivisionError) as caught:
        convert(outer)(1)
    assert "".join(traceback.format_exception(caught.value)).endswith(
        "    return 1 / (x - 1)\n           ~~^~~~~~~~~\nZeroDivisionError: division by zero\n"
    )


def test_the_exception_stays_the_same_object(convert):
    error = KeyError("mine")
    error.add_note("a note")

    def f():
        try:
            1 / 0
        except ZeroDivisionError as cause:
            if cause:
                raise error from cause

    with pytest.raises(KeyError) as caught:
        convert(f)()
    assert caught.value is error
    assert isinstance(error.__cause__, ZeroDivisionError)
    assert error.__notes__ == ["a note"]


def test_an_environment_variable_shows_everything(convert, monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_SHOW_FRAMES", "1")
    with pytest.raises(ZeroDivisionError) as caught:
        convert(outer)(1)
    assert any(is_ours(frame.filename) for frame in traceback.extract_tb(caught.value.__traceback__))


def test_hiding_keeps_a_traceback_that_is_ours_alone():
    error = ValueError()
    hide(error)
    assert error.__traceback__ is None


def test_a_message_about_a_call_shows_the_line_of_the_call():
    class Model:
        @ag.function
        def double(self, x):
            return x + x

    with pytest.raises(TypeError, match="takes 2 positional arguments but 3 were given") as caught:
        Model().double(1, 2)
    assert shown(caught.value) == []


@pytest.mark.parametrize("tool", [ag.check, ag.explain], ids=lambda tool: tool.__name__)
def test_a_tool_that_is_not_given_the_arguments_says_so_as_python_does(tool):
    def double(x):
        return x + x

    with pytest.raises(TypeError, match=r"double\(\) missing 1 required positional argument: 'x'") as caught:
        tool(double)
    assert shown(caught.value) == []


def test_no_frame_of_numpys_stands_between_a_call_and_the_line_that_raised():
    @ag.function
    def collatz(n):
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + "1"
        return n

    with pytest.raises(TypeError) as caught:
        collatz(rt.asarray(27))
    assert shown(caught.value) == [("collatz", 'n = n // 2 if n % 2 == 0 else 3 * n + "1"')]


def test_failures_within_our_operators_blame_the_user(convert):
    def f(x):
        return x.missing(1)

    with pytest.raises(AttributeError) as caught:
        convert(f)(3)
    assert [line for _, line in shown(caught.value)] == ["return x.missing(1)"]


def test_warnings_blame_the_users_line(convert):
    def warns(x):
        if x:
            warnings.warn("here", UserWarning)
            warnings.warn("there", UserWarning, stacklevel=2)
            warnings.warn("there, too", UserWarning, 2)

    def f(x):
        for _ in range(x):
            warns(x)

    def lines(function):
        with pytest.warns(UserWarning, match="here") as caught:
            function(1)
        return [(warning.filename, warning.lineno) for warning in caught]

    assert lines(convert(f)) == lines(f)


def test_log_records_name_the_users_line(convert, caplog):
    logger = logging.getLogger("test")

    def f(x):
        if x:
            logger.warning("method")
            logging.error("function")  # noqa: LOG015

    convert(f)(1)
    f(1)
    ours, plain = caplog.records[:2], caplog.records[2:]
    assert [(r.pathname, r.lineno, r.funcName) for r in ours] == [
        (r.pathname, r.lineno, r.funcName) for r in plain
    ]


def test_what_runs_in_the_place_of_statements_is_where_it_is_said_to_be():
    assert [each for each in STATEMENTS if not Path(each).exists()] == []
