"""The text of a converted function, and what running that text instead of the tree changes: lines alone."""

import linecache
import traceback

import pytest

import autograph as ag
import runtime as rt
from autograph.backends.tensors import TENSORS
from autograph.source.listing import RUN_TEXT, runs_text
from autograph.transpiler import Transpiler
from runtime.errors import NoConcreteValue
from runtime.functions.polymorphic import PolymorphicFunction
from tests.autograph.backends import kit


@pytest.fixture
def run(monkeypatch):
    """`ag.function`, running text."""
    monkeypatch.setenv(RUN_TEXT, "1")
    transpiler = Transpiler([TENSORS])
    return lambda function: PolymorphicFunction(function, transpiler.convert)


@pytest.mark.parametrize(("value", "means"), [("1", True), ("0", False), ("", False)])
def test_the_switch_is_an_environment_variable(monkeypatch, value, means):
    monkeypatch.setenv(RUN_TEXT, value)
    assert runs_text() is means


@pytest.mark.parametrize("program", kit.PROGRAMS, ids=str)
def test_the_kit(program, run):
    program.check(run=run, lift=rt.asarray, lower=lambda tensor: tensor.numpy().tolist())


def test_tracebacks_show_the_generated_text(run):
    @run
    def f(x):
        if x > 0:
            x = x.numpy()
        return x

    with pytest.raises(NoConcreteValue) as caught:
        f(rt.asarray(1.0))
    frames = traceback.extract_tb(caught.value.__traceback__)
    inside = [frame for frame in frames if frame.filename.startswith("<autograph ")]
    assert "ag__.if_stmt(" in inside[0].line
    assert inside[-1].line == "x = ag__.converted_call(ag__.ld(x).numpy, (), None, fscope)"


def test_the_file_that_runs_holds_what_to_code_shows(run):
    def f(x):
        return x + 1

    function = run(f)
    function(rt.asarray(1.0))
    filename = function.get_concrete_function(rt.asarray(1.0)).graph.nodes[-1].location.filename
    assert "".join(linecache.getlines(filename)) == ag.to_code(f)


def test_lambdas_methods_and_closures_run_as_text(run):
    class Scale:
        def __init__(self, by):
            self.__by = by

        def times(self, x):
            scaled = lambda y: y * self.__by if y > 0 else -y
            return scaled(x)

    scale = Scale(3)
    method = run(lambda x: scale.times(x))
    assert method(rt.asarray(2.0)).numpy() == 6.0
    assert method(rt.asarray(-2.0)).numpy() == 2.0
