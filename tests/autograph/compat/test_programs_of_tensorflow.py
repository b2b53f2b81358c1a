"""Programs give under TensorFlow's names what TensorFlow gives (`tests/golden/tensorflow/programs/`)."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from autograph.compat import tf

FOLDER = Path(__file__).parents[2] / "golden" / "tensorflow"
RUNNER = runpy.run_path(str(FOLDER / "programs.py"))
PROGRAMS = {file.stem: RUNNER["programs"](file) for file in RUNNER["FILES"]}
EXPECTED = [
    (file.stem, *line.split(": ", 1))
    for file in RUNNER["FILES"]
    for line in file.with_suffix(".out").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize(
    ("file", "name", "wanted"), EXPECTED, ids=[f"{file}:{name}" for file, name, _ in EXPECTED]
)
def test_a_program_computes_what_it_does_in_tensorflow(file, name, wanted):
    assert RUNNER["shown"](tf, PROGRAMS[file][name](tf)) == wanted


def test_a_process_sets_what_it_does_in_tensorflow():
    program = (
        "import runpy, sys\n"
        "from autograph.compat import tf\n"
        "outcomes = runpy.run_path(sys.argv[1])['outcomes'](tf)\n"
        "for name, shown in outcomes.items(): print(f'{name}: {shown}')\n"
    )
    command = [sys.executable, "-c", program, str(FOLDER / "process.py")]
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parents[2])}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8", env=environment)
    assert done.stdout == (FOLDER / "process.out").read_text("utf-8")


def test_every_program_has_a_result():
    assert {(file, name) for file, name, _ in EXPECTED} == {
        (file, name) for file, programs in PROGRAMS.items() for name in programs
    }
