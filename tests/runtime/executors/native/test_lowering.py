"""`lower/lowering.py`: which room says how an op is lowered, and when it is loaded."""

import subprocess
import sys

from autograph_base.waiting import loaded
from runtime.executors.native.lower import lowering
from tests.architecture.trees import files_of

HERE = lowering.__package__


def test_a_room_that_waits_is_known_by_its_ops():
    for room in lowering._WAITING:
        loaded(f"{HERE}.{room}")
    found = {room: [] for room in lowering._WAITING}
    for kind, lower in lowering._LOWERS.items():
        room = lower.__module__.rpartition(".")[2]
        if room in found:
            found[room].append(kind.__name__)
    assert {room: tuple(sorted(names)) for room, names in found.items()} == lowering._WAITING


def test_what_else_waits_says_of_no_op_how_it_is_lowered():
    program = (
        "import sys; from autograph_base.waiting import is_waiting, loaded; "
        f"loaded('{HERE.rpartition('.')[0]}.whole'); print(*[\
        name for name in sys.modules if name.startswith('{HERE}.') and is_waiting(name)])"
    )
    run = subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.PIPE, text=True)
    waiting = {name.rpartition(".")[2] for name in run.stdout.split()}
    assert waiting >= set(lowering._WAITING)
    saying = {path.stem for path, text in files_of("runtime/executors/native/lower", r"^@lowers")}
    assert waiting & saying == set(lowering._WAITING)


def test_a_room_is_loaded_when_an_op_of_it_is_met():
    program = (
        "import runtime as rt, autograph as ag; from autograph_base.waiting import is_waiting\n"
        f"rooms = ['{HERE}.sorting', '{HERE}.searching']\n"
        "ag.function(rt.sort, autograph=False, jit_compile=True)(rt.asarray([2.0, 1.0]))\n"
        "print(*map(is_waiting, rooms))"
    )
    run = subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.PIPE, text=True)
    assert run.stdout.split() == ["False", "True"]
