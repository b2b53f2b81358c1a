"""`docs/house.md` is complete: it names every room, and every file of the one where the packages meet."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOUSE = (ROOT / "docs" / "house.md").read_text(encoding="utf-8")
PACKAGES = ("autograph", "autograph_base", "runtime")
SHARED = "autograph/backends/tensors/"
NATIVE = "runtime/executors/native/"


def plan_of(room):
    """The listing of a room in the page, from its name to the end of its block, or to the next room."""
    return re.search(rf"^{re.escape(room)}\n((?:[ ].*\n|\n)+)", HOUSE, re.MULTILINE).group(1)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_room_is_on_the_floor_plan(package):
    plan = plan_of(f"{package}/")
    rooms = [
        each
        for each in (ROOT / package).iterdir()
        if (each.suffix == ".py" and each.name != "__init__.py") or (each / "__init__.py").is_file()
    ]
    assert [each.name for each in rooms if each.name not in plan] == []


def test_every_file_of_the_room_where_the_packages_meet_is_named_where_it_is():
    named, room = set(), ""
    for line in plan_of(SHARED).splitlines():
        room = (re.match(r" (\w+/)", line) or [None, room])[1]
        named |= {room + each for each in re.findall(r"\w+\.py", line)}
    files = {each.relative_to(ROOT / SHARED).as_posix() for each in (ROOT / SHARED).rglob("*.py")}
    assert named == {each for each in files if not each.endswith("__init__.py")}


def test_every_room_of_machine_code_is_named():
    plan = plan_of(NATIVE)
    rooms = [each.name for each in (ROOT / NATIVE).iterdir() if (each / "__init__.py").is_file()]
    assert [each for each in rooms if f"{each}/" not in plan] == []


def test_every_folder_of_tests_is_named():
    repeated = {*PACKAGES, "__pycache__"}
    folders = {each.name for each in (ROOT / "tests").iterdir() if each.is_dir()} - repeated
    assert [each for each in folders if f"`{each}/`" not in HOUSE] == []


def test_every_file_that_is_named_is_there():
    there = {each.name for package in (*PACKAGES, "tests") for each in (ROOT / package).rglob("*.py")}
    assert set(re.findall(r"\b[a-z]\w*\.py\b", HOUSE)) <= there
