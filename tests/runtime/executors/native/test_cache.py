"""Code on disk: it is used by other processes, and nothing that lies there can do harm."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from runtime.executors.native.llvm import cache, compiler
from runtime.executors.native.run import Native
from runtime.graph.module import Module
from runtime.graph.parser import from_text

ROOT = Path(__file__).parents[4]
PROGRAM = """
import sys
import runtime as rt
from runtime.executors.native.llvm import engine
from runtime.executors.native.run import Native
from runtime.graph.module import Module
from runtime.graph.parser import from_text

for n in range(4):
    text = f"x: i64[]\\na = Const({n}, dtype=i64)\\nb = AddV2(x, a)\\nreturn b"
    assert int(Native().compile(Module(from_text(text))).run([40])[0]) == 40 + n
"""


@pytest.fixture(autouse=True)
def better_code_from_the_start():
    """Here, code is as it is in other processes."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "code"))
    return tmp_path / "code"


def module(number=2):
    return Module(from_text(f"x: i64[]\na = Const({number}, dtype=i64)\nb = AddV2(x, a)\nreturn b"))


def added(number=2):
    return int(Native().compile(module(number)).run([40])[0])


def no_compiler(monkeypatch):
    def refused(self, text, effort):
        raise AssertionError("it compiles")

    monkeypatch.setattr(compiler.Compiler, "optimised", refused)


def test_code_that_is_there_is_not_compiled_again(folder, monkeypatch):
    assert added() == 42
    (file,) = folder.iterdir()
    assert folder.stat().st_mode & 0o077 == 0
    before = file.read_bytes()
    no_compiler(monkeypatch)
    assert added() == 42
    assert file.read_bytes() == before
    with pytest.raises(AssertionError, match="it compiles"):
        added(3)


@pytest.mark.parametrize(
    "harm",
    [
        lambda code: b"",
        lambda code: code[:20],
        lambda code: code[:-1],
        lambda code: code[:-1] + bytes([code[-1] ^ 1]),
        lambda code: b"something else entirely",
        lambda code: code.replace(b"code 1\n", b"code 0\n"),
        lambda code: code[:25] + bytes(32) + code[57:],
    ],
    ids=["empty", "cut", "one short", "one bit", "foreign", "of another form", "of another program"],
)
def test_a_file_that_is_not_whole_is_written_again(folder, harm):
    assert added() == 42
    (file,) = folder.iterdir()
    before = file.read_bytes()
    file.write_bytes(harm(before))
    assert added() == 42
    assert file.read_bytes() == before


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="there are no such permissions")
@pytest.mark.parametrize("place", ["folder", "file"])
def test_what_others_may_have_written_is_not_run(folder, place, monkeypatch):
    assert added() == 42
    (file,) = folder.iterdir()
    (folder if place == "folder" else file).chmod(0o777)
    no_compiler(monkeypatch)
    with pytest.raises(AssertionError, match="it compiles"):
        added()


def test_a_disk_that_is_full_is_no_reason_to_fail(folder, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert added() == 42
    assert list(folder.iterdir()) == []


LIMITED = """
import resource, signal, sys
from pathlib import Path
from runtime.executors.native.llvm.cache import Store

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = Store(Path(sys.argv[1]))
assert store.save(bytes([1]) * 32, b"x" * 1000)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
assert not store.save(bytes([2]) * 32, b"y" * 100_000)
assert store.load(bytes([2]) * 32) is None
assert store.load(bytes([1]) * 32) == b"x" * 1000
assert len(list(Path(sys.argv[1]).iterdir())) == 1
"""


@pytest.mark.skipif(os.name != "posix", reason="there are no such limits")
def test_what_the_disk_takes_only_in_part_is_no_file(folder):
    subprocess.run([sys.executable, "-c", LIMITED, folder], check=True, cwd=ROOT)


def test_a_place_that_is_no_folder_is_no_reason_to_fail(folder):
    folder.write_text("a file")
    assert added() == 42


def test_it_is_switched_off(folder, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, "off")
    assert added() == 42
    assert not folder.exists()


def test_what_was_not_used_for_long_makes_room(tmp_path):
    store = cache.Store(tmp_path, most=3000)
    for number in range(3):
        assert store.save(bytes([number]) * 32, b"x" * 1000)
        os.utime(store._path(bytes([number]) * 32), (number, number))
    assert store.load(bytes([0]) * 32) == b"x" * 1000  # it is used now
    assert cache.Store(tmp_path, most=2300).save(bytes([3]) * 32, b"y" * 1000)
    assert [path.name[:2] for path in store.files()] == ["00", "03"]
    (tmp_path / ".profile").touch()
    (tmp_path / "mine.code").touch()
    assert store.clear() == 2
    assert {path.name for path in tmp_path.iterdir()} == {".profile", "mine.code"}


def test_processes_fill_one_folder_at_once(folder):
    def begun():
        return subprocess.Popen([sys.executable, "-c", PROGRAM], env=dict(os.environ))

    for process in [begun(), begun()]:
        assert process.wait(60) == 0
    assert len(list(folder.iterdir())) == 4 + 1  # and the record of what they lowered first
    for records in (2, 3, 4, 4):  # of what each lowers first that has none
        assert begun().wait(60) == 0
        assert len(list(folder.iterdir())) == 4 + records
    assert added(3) == 43
    assert len(list(folder.iterdir())) == 4 + 4


def test_the_folder_is_looked_through_for_room_once_in_many_saves(folder, monkeypatch):
    looked = []
    monkeypatch.setattr(cache.Store, "_make_room", lambda self: looked.append(self.folder))
    for number in range(5):
        added(number)
    assert looked == [str(folder)]
