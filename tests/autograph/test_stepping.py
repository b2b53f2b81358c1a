"""Debuggers in functions that are traced: they stop where one expects, and show the user's frames alone."""

import re

import pytest

from tests.autograph.source.terminal import run

PROGRAM = """\
import autograph as ag
import runtime as rt


@ag.function
def total(n):
    found = 0
    while n > 0:
        found = found + n
        n = n - 1
    return found


print("total:", int(total(rt.asarray(3))))
"""


@pytest.fixture
def program(tmp_path):
    def written(text=PROGRAM):
        (tmp_path / "program.py").write_text(text)
        return str(tmp_path / "program.py")

    return written


STOPS = re.compile(r"^(?:\(Pdb\) )*> \S*program\.py\((\d+)\)", re.M)
FRAMES = re.compile(r"^(?:\(Pdb\) )*[> ] *(\S+\.py)\(\d+\)", re.M)


def places(shown):
    """The lines of the program at which a debugger stood, and the files of all the frames that it listed."""
    files = {file.rpartition("/")[2] for file in FRAMES.findall(shown)}
    return [int(line) for line in STOPS.findall(shown)], files


def test_a_breakpoint_in_a_loop_stops_there_and_steps_along_the_users_lines(program):
    shown = run("-m", "pdb", program(), input="b 9\nc\nwhere\np found\nn\nn\nn\nn\nn\nn\nq\n")
    stood, files = places(shown)
    assert files <= {"program.py", "bdb.py"}
    assert stood[:5] == [1, 9, 9, 10, 8]
    assert set(stood[5:]) <= {8, 9, 11}
    assert "in graph `while_body`" in shown
    assert "--Return--" not in shown


def test_up_leads_from_a_loop_to_the_caller(program):
    shown = run("-m", "pdb", program(), input="b 9\nc\nup\nq\n")
    assert places(shown)[0][-1] == 14


def test_breakpoint_in_a_function_stops_behind_it(program):
    text = PROGRAM.replace("        n = n - 1", "        breakpoint()\n        n = n - 1")
    shown = run(program(text), input="where\nn\nc\nc\nc\nc\n")
    stood, files = places(shown)
    assert files == {"program.py"}
    assert stood[0] in {10, 11}
    assert "total: 6" in shown


def test_other_debuggers_are_asked_for_as_ever(program):
    text = PROGRAM.replace("        n = n - 1", "        breakpoint()\n        n = n - 1")
    text = "import os\nos.environ['PYTHONBREAKPOINT'] = 'builtins.id'\n" + text.replace(
        "breakpoint()", "breakpoint(1)"
    )
    assert run(program(text)) == "total: 6\n"
