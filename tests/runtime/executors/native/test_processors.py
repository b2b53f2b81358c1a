"""Code for other processors: the environment names one, and the bits are the same."""

import subprocess
import sys
from pathlib import Path

import pytest

import autograph as ag
import runtime as rt
from runtime.errors import CompileError, InvalidValue
from runtime.executors.native.llvm import engine
from runtime.executors.native.llvm.processors import CPUS, VARIABLE, chosen

ROOT = Path(__file__).parents[4]
PROGRAM = """
import numpy as np
import autograph as ag
import runtime as rt

def maps(x, k):
    return x * 2.0 + x / 3.0, np.sqrt(np.abs(x)), k * 7 // 3, (k % 5).astype(np.float64), x.max(), k.sum()

def walks(x, k):
    steps = np.zeros_like(k)
    for i in range(len(k)):
        n = k[i]
        while n > 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps[i] += 1
    return steps, k.reshape(10, 10) @ k.reshape(10, 10)

def functions(x):
    return np.exp(x), np.sin(x), np.tanh(x)

x, k = np.linspace(-3.0, 3.0, 100), np.arange(100)
text = ""
for function in (maps, walks):
    function = ag.function(function, jit_compile=True)
    print([result.numpy().tobytes().hex() for result in function(x, k)])
    text += function.concrete_functions[0].assembly()
ours = ag.function(functions, jit_compile=True)(x)
assert all(np.all(abs(a.numpy() - b) <= 4 * np.spacing(abs(b))) for a, b in zip(ours, functions(x)))
print("xmm" in text, "ymm" in text, "zmm" in text)
"""


def on(cpu, tmp_path):
    environment = {VARIABLE: cpu, "AUTOGRAPH_CACHE": "off", "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)


def those_that_run_here():
    found = []
    for cpu in CPUS:
        with pytest.MonkeyPatch.context() as patched:
            patched.setenv(VARIABLE, cpu)
            try:
                found.append(chosen(engine._engine().compiler.features))
            except InvalidValue:
                continue
    return found


def test_code_for_other_processors_gives_the_same_bits(tmp_path):
    told = {}
    for cpu in those_that_run_here():
        ran = on(cpu, tmp_path)
        assert ran.returncode == 0, ran.stderr
        *told[cpu], registers = ran.stdout.splitlines()
        if cpu in {"baseline", "x86-64-v2"}:
            assert registers in {"True False False", "False False False"}  # none of AVX, or of x86
    assert {"baseline", "native"} <= told.keys()
    assert all(each == told["native"] for each in told.values())


def test_a_processor_that_there_is_not_is_refused(tmp_path):
    ran = on("z80", tmp_path)
    assert ran.returncode == 1
    assert "there is no code for the processor 'z80', which AUTOGRAPH_CPU names" in ran.stderr
    assert "'baseline', 'native', 'x86-64-v2', 'x86-64-v3', 'x86-64-v4'" in ran.stderr


def test_what_a_processor_cannot_run_is_refused(monkeypatch):
    monkeypatch.setenv(VARIABLE, "x86-64-v2")
    with pytest.raises(InvalidValue, match=r"(?s)cannot run code for x86-64-v2.*no popcnt, sse4\.2\."):
        chosen({"cx16": True, "sahf": True, "sse3": True, "sse4.1": True, "ssse3": True})


@pytest.mark.parametrize("named", ["", "native"])
def test_code_is_for_the_processor_that_it_runs_on_where_none_is_named(named, monkeypatch):
    monkeypatch.setenv(VARIABLE, named)
    assert chosen({}) == "native"


def test_a_concrete_function_shows_its_code_whatever_runs_it():
    def double(x):
        return x * 2.0

    for compiled in (True, None, False):
        concrete = ag.function(double, jit_compile=compiled).get_concrete_function(
            rt.TensorSpec((3,), rt.float64)
        )
        assert "fmul" in concrete.llvm_ir()
        assert "ret" in concrete.assembly()


def test_what_has_no_machine_code_shows_none(monkeypatch):
    monkeypatch.setattr("runtime.executors.native.calls.passing.is_known", lambda: False)
    concrete = ag.function(rt.linalg.eig).get_concrete_function(rt.TensorSpec((3, 3), rt.float64))
    with pytest.raises(CompileError, match="cannot call Python here"):
        concrete.llvm_ir()
