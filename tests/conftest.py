"""What all tests share: golden files, graphs that are verified after every pass, and LLVM's work."""

import gc
import hashlib
import os
from collections import OrderedDict
from pathlib import Path

import pytest
from hypothesis import settings

from runtime.executors.native.llvm import cache, compiler, efforts, engine
from tests.properties.grammar import table

os.environ["RUNTIME_VERIFY"] = "1"
os.environ["AUTOGRAPH_CACHE"] = "off"  # what is tested is compiled, and nothing is left behind

settings.register_profile("fixed", derandomize=True, deadline=None)  # a busy machine is no failure
settings.register_profile("search", derandomize=False, deadline=None)
settings.load_profile("fixed")  # the same examples in every run; `--hypothesis-profile=search` makes new ones


def pytest_addoption(parser):
    parser.addoption(
        "--golden",
        choices=["check", "update"],
        default="check",
        help="compare with the files in tests/golden, or write them anew: then review the diff",
    )
    parser.addoption(
        "--covered",
        action="store_true",
        help="print which pairs of constructs the programs of tests/properties had (in one process)",
    )


def pytest_collection_finish():
    """Has no collection of garbage look through all tests, which are a million objects."""
    gc.freeze()


def pytest_terminal_summary(terminalreporter, config):
    """The pairs that random programs covered, where that is asked for."""
    if config.getoption("--covered"):
        terminalreporter.section("how often a construct (row) stood in, and after, another (column)")
        terminalreporter.write_line(table())


class MachineCode(OrderedDict):
    """What LLVM has made of texts in this process, those that were asked for last.

    Attributes
    ----------
    disk : Store or None
        What it has made in other processes, and in earlier runs.
    """

    def __init__(self, disk):
        super().__init__()
        self.disk = disk

    def of(self, made, key):
        """The code that has a key, or what is `made`."""
        found = self.pop(key, None) or (self.disk and self.disk.load(key))
        if not found:
            found = made()
            if self.disk:
                self.disk.save(key, found)
        self[key] = found
        if len(self) > MOST_CODE:
            self.popitem(last=False)
        return found


@pytest.fixture(scope="session", autouse=True)
def llvm_is_asked_once(pytestconfig):
    """Of the same text LLVM makes the same code: a test that runs a program on other data makes none anew.

    Nor does another process of the run, or the next run, as long as nothing is asked of LLVM in another way.
    Which code a program begins with does not depend on that, as it does on what a user has on disk. It gives
    what is kept: a test that times LLVM clears it, and looks at no disk.
    """
    folder = getattr(pytestconfig, "cache", None) and pytestconfig.cache.mkdir("machine_code")
    kept = MachineCode(cache.Store(folder) if folder else None)
    files = (compiler, efforts)
    asked = hashlib.sha256(b"".join([Path(each.__file__).read_bytes() for each in files])).hexdigest()
    make = engine._Engine._code

    def code(self, text, effort):
        if cache.store() is not None:  # the disk is what is tested
            return make(self, text, effort)
        key = hashlib.sha256(self._key(text, effort) + asked.encode()).digest()
        return kept.of(lambda: make(self, text, effort), key)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine._Engine, "_code", code)
        yield kept


MOST_CODE = 1000
"""Programs of which the machine code is kept, those that were asked for last."""


@pytest.fixture
def golden(request):
    """`golden(path, text)` requires that the file holds the text; under ``--golden=update`` it writes it."""

    def check(path, text):
        if request.config.getoption("--golden") == "update":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        expected = path.read_text(encoding="utf-8")
        assert text == expected, f"{path} differs: run `pytest --golden=update`, and review the diff"

    return check
