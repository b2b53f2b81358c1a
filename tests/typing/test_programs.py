"""What type checkers know: programs of users under `mypy --strict`, with what has to be refused in them."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))


def test_programs_of_users_have_the_types_that_they_say():
    """One run over all: lines to be refused say so, and an ignored error that is none is one itself."""
    command = [sys.executable, "-m", "mypy", "--strict", *map(str, PROGRAMS)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.stdout == f"Success: no issues found in {len(PROGRAMS)} source files\n", done.stdout


def test_both_packages_say_that_they_have_types():
    for package in ("autograph", "runtime"):
        assert (ROOT / package / "py.typed").exists()
