"""Applications that PyInstaller packs: shipped texts are found; the decorator says how to ship others."""

import subprocess
import sys

import pytest

from tests.autograph.source.terminal import ROOT, environment

pytestmark = pytest.mark.frozen

STEPS = """\
import itertools
import autograph as ag
import runtime as rt

@ag.function
def halves(x):
    steps = 0
    while x > 1:
        x = x / 2
        steps += 1
    return steps

@ag.function
def below(x, limit):
    return rt.sum(rt.stack(list(itertools.takewhile(lambda each: each < limit, [x, x * 2, x * 3]))))
"""
PROGRAM = """\
import autograph as ag
import runtime as rt
import {steps} as steps

print("steps:", int(steps.halves(rt.asarray(9.0))))
print("sum:", int(steps.below(rt.asarray(1), rt.asarray(3))))

@ag.function
def relu(x):
    if x > 0:
        return x
    return 0
"""
SPEC = """\
a = Analysis(["program.py"], pathex=[".", {root!r}], hookspath=[{hooks!r}],
             module_collection_mode={{"steps": "pyz+py"}}, excludes=["pytest", "IPython", "tkinter"])
exe = EXE(PYZ(a.pure), a.scripts, [], exclude_binaries=True, name="program")
COLLECT(exe, a.binaries, a.datas, name="program")
"""


@pytest.fixture(scope="module")
def application(tmp_path_factory):
    """A program whose module `steps` is shipped with its text, the script without."""
    folder = tmp_path_factory.mktemp("frozen")
    (folder / "steps.py").write_text(STEPS)
    (folder / "program.py").write_text(PROGRAM.format(steps="steps"))
    spec = SPEC.format(root=str(ROOT), hooks=str(ROOT / "autograph" / "frozen"))
    (folder / "program.spec").write_text(spec)
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR", "program.spec"]
    subprocess.run(command, check=True, cwd=folder, env=environment())
    return folder / "dist" / "program" / "program"


@pytest.fixture(scope="module")
def shown(application, tmp_path_factory):
    """What it prints, and complains of, far from its source."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    return subprocess.run(
        [application], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=elsewhere, check=False
    ).stdout


def test_functions_of_a_module_that_is_shipped_with_its_text_are_found(shown):
    assert "steps: 4\n" in shown


def test_itertools_is_converted_with_the_text_of_this_package(shown):
    assert "sum: 3\n" in shown


def test_functions_of_the_script_are_told_so_at_the_decorator(shown):
    assert 'File "program.py", line 8, in relu' in shown
    assert "this frozen application has no text of 'program.py'" in shown
    assert "Move the function from the script into a module, `steps.py` say." in shown
    assert "module_collection_mode={'steps': 'pyz+py'}" in shown
