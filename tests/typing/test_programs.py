"""What type checkers know: programs of users under `mypy --strict`, with what has to be refused in them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))


def test_programs_of_users_have_the_types_that_they_say():
    """One run over all: lines to be refused say so, and an ignored error that is none is one itself."""
    command = [sys.executable, "-m", "mypy", "--strict", *map(str, PROGRAMS)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.stdout == f"Success: no issues found in {len(PROGRAMS)} source files\n", done.stdout


@pytest.mark.pyright
def test_pyright_says_the_same(tmp_path):
    """Likewise: an error that is ignored and is none is one itself."""
    (tmp_path / "programs").symlink_to(PROGRAMS[0].parent)
    options = {
        "include": ["programs"],
        "extraPaths": [str(ROOT)],
        "reportUnnecessaryTypeIgnoreComment": "error",
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(options))
    command = [sys.executable, "-m", "pyright", "--project", str(tmp_path), "--pythonpath", sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.stdout == "0 errors, 0 warnings, 0 informations\n", done.stdout + done.stderr


def test_both_packages_say_that_they_have_types():
    for package in ("autograph", "runtime"):
        assert (ROOT / package / "py.typed").exists()
