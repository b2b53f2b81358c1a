"""Other people's packages, converted function by function, pass and fail their own tests as before.

The packages are source distributions, unpacked where `AUTOGRAPH_CORPORA` says: `.ci/corpora` fetches them.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.corpora

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SOURCES = Path(os.environ.get("AUTOGRAPH_CORPORA", ROOT / ".corpora"))
ARGUMENTS = ("-q", "-c", os.devnull, "-p", "no:cacheprovider", "-p", "plugin", "--doctest-modules")

PACKAGES = {
    "boltons": ("", "tests"),
    "cachetools": ("src", "tests"),
    "more_itertools": ("", "tests"),
    "sortedcontainers": ("", "sortedcontainers"),
    "toolz": ("", "toolz"),
}
"""package → where it is in its distribution, and where its tests are; docstrings with examples count."""


def run(package, converted, folder):
    """What the tests of a package do: how many functions were converted, and every outcome."""
    (distribution,) = SOURCES.glob(f"{package}-*[0-9]")
    place, tests = (distribution / part for part in PACKAGES[package])
    report = folder / "report.json"
    environment = os.environ | {
        "CORPUS_PACKAGES": package if converted else "",
        "CORPUS_REPORT": str(report),
        "PYTHONPATH": os.pathsep.join(map(str, [HERE, ROOT, place])),
    }
    command = [sys.executable, "-m", "pytest", *ARGUMENTS, f"--rootdir={tests}", str(tests)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert report.exists(), done.stdout[-3000:] + done.stderr[-3000:]
    return json.loads(report.read_text(encoding="utf-8"))


@pytest.mark.parametrize("package", PACKAGES)
def test_its_own_tests_do_what_they_did(package, tmp_path):
    before, after = run(package, False, tmp_path), run(package, True, tmp_path)
    assert after["outcomes"] == before["outcomes"]
    assert len(before["outcomes"]) > 50
    print(package, len(before["outcomes"]), "outcomes;", after["counts"])
