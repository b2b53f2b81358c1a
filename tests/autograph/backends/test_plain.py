"""The kit of programs on plain Python, and on a backend that owns values and leaves everything to Python."""

import sys
from pathlib import Path

import pytest

from autograph.staging.plain import Plain
from autograph.transpiler import Transpiler

sys.path.insert(0, str(Path(__file__).parent))
import kit


@pytest.mark.parametrize("program", kit.PROGRAMS, ids=str)
def test_converted_programs_run_as_plain_python(program):
    program.check(run=Transpiler().convert, lift=lambda value: value, lower=lambda value: value)


class Owner(Plain):
    """A backend that is asked about everything and does nothing of its own."""

    name = "owner"
    owns = (int, float, list, bool, range)


@pytest.mark.parametrize("program", kit.PROGRAMS, ids=str)
def test_a_backend_inherits_plain_python(program):
    program.check(run=Transpiler([Owner()]).convert, lift=lambda value: value, lower=lambda value: value)
