"""Programs give under TensorFlow's names what TensorFlow gives (`tests/golden/tensorflow/programs.py`)."""

import runpy
from pathlib import Path

import pytest

from autograph.compat import tf

FOLDER = Path(__file__).parents[2] / "golden" / "tensorflow"
PROGRAMS = runpy.run_path(str(FOLDER / "programs.py"))
EXPECTED = dict(line.split(": ", 1) for line in (FOLDER / "programs.out").read_text("utf-8").splitlines())


@pytest.mark.parametrize("name", EXPECTED)
def test_a_program_computes_what_it_does_in_tensorflow(name):
    assert PROGRAMS["shown"](tf, PROGRAMS[name](tf)) == EXPECTED[name]
