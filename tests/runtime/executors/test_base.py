"""Executors are chosen by name, and new ones are added beside the two that are there."""

import numpy as np
import pytest

import runtime as rt
from runtime import ArraySpec, float32
from runtime.core.dims import UNKNOWN
from runtime.errors import InvalidValue
from runtime.executors.base import choose, register
from runtime.executors.program import Program
from runtime.graph.module import Module
from tests.runtime.executors.tracing import traced


def test_machine_code_or_a_numpy_plan_is_the_default():
    assert choose().name == "auto"
    program = choose().compile(Module(traced(lambda x: x, ArraySpec((2,), float32))))
    assert program.report().executor == "numpy"


def test_an_unknown_name_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"called .fast.(?s:.)*There are auto, native, numpy, reference"):
        choose("fast")


def test_another_executor_can_be_registered(monkeypatch):
    class Doubled(Program):
        def entry(self, array):
            return 2 * array

    class Doubling:
        name = "doubling"
        optimises = True
        is_complete = False

        def compile(self, graph):
            return Doubled()

    monkeypatch.setattr("runtime.executors.base._executors", {})
    register(Doubling())
    graph = traced(lambda x: x, ArraySpec((2,), float32))
    assert choose("doubling").compile(Module(graph)).run([np.ones(2)])[0].tolist() == [2.0, 2.0]


@pytest.mark.parametrize("executor", ["numpy", "reference"])
def test_the_entry_takes_arrays_one_by_one_and_gives_the_one_result_or_a_tuple(executor):
    vector = ArraySpec((2,), float32)
    x, y = np.ones(2, np.float32), np.full(2, 3, np.float32)
    one = choose(executor).compile(Module(traced(lambda x, y: x + y, vector, vector)))
    assert one.entry(x, y).tolist() == [4.0, 4.0]
    several = choose(executor).compile(Module(traced(lambda x, y: (x + y, x), vector, vector)))
    total, same = several.entry(x, y)
    assert (total.tolist(), same.tolist()) == ([4.0, 4.0], [1.0, 1.0])
    assert [each.tolist() for each in several.run([x, y])] == [[4.0, 4.0], [1.0, 1.0]]


@pytest.mark.parametrize("executor", ["numpy", "reference"])
def test_an_error_of_the_entry_is_explained_to_who_calls_it(executor):
    vector = ArraySpec((UNKNOWN,), float32)
    program = choose(executor).compile(Module(traced(lambda x, y: x + y, vector, vector)))
    with pytest.raises(ValueError, match="broadcast") as caught:
        program.entry(np.ones(2, np.float32), np.ones(3, np.float32))
    assert "lambda x, y: x + y" in str(program.explain(caught.value))


def test_a_report_says_what_runs_as_what_and_why():
    def f(x, n):
        y = rt.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y.at[i].set(i)), (0, x))[1]
        rt.print(n)
        return rt.split(y, [1, 1])[0] * 2

    report = (
        choose("numpy")
        .compile(Module(traced(f, ArraySpec((2,), rt.int64), ArraySpec((), rt.int64))))
        .report()
    )
    found = {step.op: (step.runs, step.depth) for step in report.steps}
    assert found["StatelessWhile"] == ("Python's while", 0)
    assert found["TensorStridedSliceUpdate"] == ("in place", 1)
    assert found["Mul"] == ("expression", 0)
    assert found["PrintV2"][0] == "kernel, called"
    assert report.counts["expression"] == 3
    (why,) = [step.why for step in report.steps if step.op == "PrintV2"]
    assert why
    assert "PrintV2" in str(report)
    assert "test_base.py:" in str(report)


def test_the_reference_executor_reports_every_node_and_its_source_is_the_graph():
    graph = traced(lambda x: rt.cond(x > 0, lambda: x + 1, lambda: -x), ArraySpec((), float32))
    program = choose("reference").compile(Module(graph))
    assert [step.op for step in program.report().steps] == ["Greater", "StatelessIf", "AddV2", "Neg"]
    assert program.source() == graph.text()


def test_the_source_of_a_numpy_program_runs_alone():
    def odd(x):
        return x * 2 + 1

    graph = traced(odd, ArraySpec((), rt.int64))
    namespace = {}
    exec(choose("numpy").compile(Module(graph)).source(), namespace)
    assert namespace["odd"](3) == 7


def test_what_is_not_an_executor_is_refused_before_it_runs_anything():
    class Unfinished:
        name = "unfinished"
        optimises = True

    with pytest.raises(InvalidValue, match=r"(.*\n)*It has no `compile` and no `is_complete`"):
        register(Unfinished())
    with pytest.raises(InvalidValue, match=r"It is a class"):
        register(type(choose("numpy")))
    with pytest.raises(InvalidValue, match="there is no executor called 'unfinished'"):
        choose("unfinished")
