"""Rivals answer lines in processes of their own; who is not installed is left out."""

import importlib
import sys

import numpy as np
import pytest

import autograph as ag
from benchmarks import rivals
from benchmarks.rivals.kernels import KERNELS

programs = importlib.import_module("benchmarks.rivals.programs")


def test_a_rival_computes_and_times_in_a_process_of_its_own(tmp_path):
    number = [each.run.__name__ for each in programs.programs()].index("softmax")
    with rivals.rival("Python on NumPy", [sys.executable], str(tmp_path)) as one:
        assert one.version == f"NumPy {np.__version__}"
        assert one.ask("softmax", "result", number, tmp_path / "result.npy") == "yes"
        assert 0 < float(one.ask("softmax", "run", number)) < 1
    program = programs.programs()[number]
    assert np.load(tmp_path / "result.npy") == program.run(*program.arguments())
    assert one.process.returncode == 0


def test_what_a_rival_cannot_do_is_said_with_its_reason(tmp_path):
    with rivals.rival("Python on NumPy", [sys.executable], str(tmp_path)) as one:
        assert one.ask("a program", "run", 10_000) is None
    assert one.cannot == ["a program: KeyError: 10000"]


def test_a_rival_that_is_not_installed_is_none(tmp_path, monkeypatch):
    monkeypatch.setitem(rivals.RIVALS, "missing", ("by_what_is_not_there", "compiled"))
    with rivals.rival("missing", [sys.executable], str(tmp_path)) as none:
        assert none is None


def test_each_list_of_first_calls_has_functions_that_no_other_has():
    texts = [[each.run.__code__.co_consts for each in programs.first_calls()] for _ in range(2)]
    assert all(one != other for one, other in zip(*texts, strict=True))


@pytest.mark.parametrize("settings", [{}, {"jit_compile": True}], ids=["unasked", "asked"])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__)
def test_kernels_are_machine_code_and_give_what_python_gives(kernel, settings):
    def given():
        return [each.copy() for each in KERNELS[kernel]]

    graph = ag.function(kernel, **settings)
    for _ in range(2):  # the first call of a large graph is NumPy's
        assert np.array_equal(graph(*given()), kernel(*given()))
    assert set(graph.concrete_functions[0].report().counts) == {"machine code"}
