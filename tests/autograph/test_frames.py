"""Tracebacks through converted code show the user's lines and nothing between them."""

import ast
import builtins
import inspect
import logging
import traceback
import warnings
from pathlib import Path

import pytest

import autograph as ag
import runtime as rt
from autograph.backends.tensors import TENSORS
from autograph.frames import STATEMENTS, hide, is_ours
from autograph_base.packages import FOLDERS


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


NOT_FOR_THE_PROGRAM = {
    "containers/lists.py": "looking for a protocol of a library's",
    "containers/watching.py": "an iterator of ours, which loops of ours run over",
    "effects/host.py": "looking for a protocol of a library's",
    "iteration/produced.py": "an iterator of ours, which loops of ours run over",
    "statements/undecided.py": "looking for a protocol of a library's",
}
"""Files with a `raise` that no `except` of a program is to hear of, and what it ends."""

OF_OURS = {AssertionError, NotImplementedError}
"""What says that the code of ours is wrong."""


def raises_for_python(file):
    """Whether a file raises exceptions of Python's by their names."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Raise):
            raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            kind = getattr(builtins, raised.id, None) if isinstance(raised, ast.Name) else None
            if isinstance(kind, type) and kind not in OF_OURS:
                return True
    return False


def test_who_raises_what_python_raises_runs_in_the_place_of_statements_or_has_refuse_do_it():
    room = Path(FOLDERS["autograph"]) / "backends" / "tensors"
    raising = {file for file in room.rglob("*.py") if raises_for_python(file)}
    others = {file for file in raising if not str(file).startswith(STATEMENTS)}
    assert {file.relative_to(room).as_posix() for file in others} == set(NOT_FOR_THE_PROGRAM)


HAND_ON = {"Tensors", "Choosing", "ChosenCalls", "Classes", "Formatting", "TakenApart"}
"""Classes of the backend that leave plain values to `Plain`, or to what they call."""


def test_a_class_of_the_backend_runs_in_the_place_of_statements_or_hands_plain_values_on():
    files = {kind.__name__: inspect.getfile(kind) for kind in type(TENSORS).__mro__[:-1]}
    assert {name for name, file in files.items() if not file.startswith(STATEMENTS)} == HAND_ON
