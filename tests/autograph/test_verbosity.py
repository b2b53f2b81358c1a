"""What is said about conversion and tracing, at which level, and where."""

import logging
import subprocess
import sys

import pytest

import autograph as ag
import runtime as rt
from autograph.compat.tf import autograph as tf_autograph
from autograph.tracing import function


@pytest.fixture(autouse=True)
def quiet_again():
    yield
    ag.set_verbosity(0)


def said_by(level, caplog):
    """What the first call of a function logs."""
    function._transpiler.cache_clear()
    ag.set_verbosity(level)

    def helper(x):
        return x * 2

    @ag.function
    def step(x):
        return helper(x) + sum([1, 2])

    step(rt.ones(2))
    return "\n".join(f"{record.name}: {record.getMessage()}" for record in caplog.records)


def test_nothing_is_said_at_first(caplog):
    assert said_by(0, caplog) == ""


def test_level_1_tells_of_traces_and_their_time(caplog):
    said = said_by(1, caplog)
    assert said.startswith("autograph.tracing: traced in ")
    assert "step(x: f64[2])" in said
    assert f'File "{__file__}", line ' in said
    assert "is converted" not in said


def test_level_2_tells_of_each_function(caplog):
    said = said_by(2, caplog)
    assert "helper (File" in said
    assert "is converted, in " in said
    assert "becomes" not in said


def test_level_3_shows_the_code_and_what_the_optimiser_did(caplog):
    said = said_by(3, caplog)
    assert "def tf__helper(x):" in said
    assert "autograph.optimiser: step: " in said


def test_a_function_that_cannot_be_converted_is_named_at_level_1(caplog):
    ag.set_verbosity(1)
    namespace = {}
    exec("def unknown(x): return x", namespace)
    with pytest.warns(ag.ConversionWarning):
        ag.function(namespace["unknown"])(rt.ones(2))
    assert "cannot be converted" in caplog.text


def test_a_retrace_says_what_asked_for_it(caplog):
    @ag.function
    def f(x, n):
        return x * n

    f(rt.ones(2), 3)
    ag.set_verbosity(1)
    f(rt.ones(2), 4)
    assert "unlike trace 1, argument `n` was 3 and then 4" in caplog.text


def test_messages_can_go_to_the_standard_output_too(capsys):
    ag.set_verbosity(1, alsologtostdout=True)
    ag.function(lambda x: x + 1)(rt.ones(2))
    ag.set_verbosity(0)
    assert capsys.readouterr().out.startswith("autograph.tracing: traced in")


def test_a_program_without_logging_prints_to_the_standard_error():
    program = "import autograph as ag, runtime as rt; ag.function(abs)(rt.ones(2))"
    command = [sys.executable, "-c", program]
    run = subprocess.run(
        command, check=True, capture_output=True, encoding="utf-8", env={"AUTOGRAPH_VERBOSITY": "1"}
    )
    assert run.stderr.startswith("autograph.tracing: traced in")
    assert run.stdout == ""


def test_handlers_of_the_program_are_left_alone():
    logger = logging.getLogger("autograph")
    mine = logging.NullHandler()
    logger.addHandler(mine)
    ag.set_verbosity(2, alsologtostdout=True)
    ag.set_verbosity(0)
    assert logger.handlers == [mine]
    logger.removeHandler(mine)


def test_tensorflow_s_name_is_the_same_function():
    assert tf_autograph.set_verbosity is ag.set_verbosity
