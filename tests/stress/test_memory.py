"""Functions that come and go leave nothing behind: neither objects of Python's, nor memory of LLVM's."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="it is not known how much memory there is"
)
ROOT = Path(__file__).parents[2]

MEASURED = """
import gc, os, sys


def size():
    gc.collect()
    pages = int(open("/proc/self/statm").read().split()[1])
    return len(gc.get_objects()), pages * os.sysconf("SC_PAGE_SIZE")


warm, count = int(sys.argv[1]), int(sys.argv[2])
for k in range(warm):
    turn(k)
objects, memory = size()
for k in range(warm, warm + count):
    turn(k)
more_objects, more_memory = size()
print(more_objects - objects, (more_memory - memory) // count)
"""

FUNCTIONS = """
import autograph as ag
import runtime as rt


def turn(k):
    def inner(x, n):
        total = 0.0
        for i in range(n):
            total = total + x[i % 3] * k  # another constant: another code
        return total

    ag.function(inner, executor="EXECUTOR")(rt.ones((3,)), rt.asarray(3))
"""

CODE = """
from runtime.executors.native.llvm import engine


def turn(k):
    engine.compiled(f"define i32 @given() {{ ret i32 {k} }}", ["given"])
"""


def growth(program, warm, count):
    """By how many objects a process grows, and by how many bytes for each turn of a program."""
    command = [sys.executable, "-c", program + MEASURED, str(warm), str(count)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return map(int, done.stdout.split())


@pytest.fixture(autouse=True)
def _without_cache(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_CACHE", "off")


@pytest.mark.parametrize(("executor", "warm", "count"), [("numpy", 25, 50), ("native", 12, 25)])
def test_functions_that_come_and_go_leave_no_objects(executor, warm, count):
    objects, _ = growth(FUNCTIONS.replace("EXECUTOR", executor), warm, count)
    assert objects < 40


def test_code_that_comes_and_goes_leaves_no_memory():
    _, bytes_each = growth(CODE, 130, 256)  # a linker has 64
    assert bytes_each < 8_000  # it was 50,000 while LLVM's passes were not freed
