"""What the tests and the examples in docstrings share.

The packages are loaded before pytest collects examples from their modules. Pytest would otherwise run a
module a second time, beside the copy that its package imported, and every op in it would be registered twice.
"""

import gc
from collections.abc import Generator, Mapping
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

import runtime


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected lives to the end: the garbage collector is not to look it over again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """No examples are looked for among tests that have none: each object of each file would be asked."""
    found = yield
    if not file_path.is_relative_to(TESTS) or ">>>" in file_path.read_text(encoding="utf-8"):
        return found
    return [each for each in found if not isinstance(each, DoctestModule)]


TESTS = Path(__file__).parent / "tests"


class _Survivors:
    """What collections of garbage leave: the graphs of a test stay as long as its functions do."""

    def __init__(self) -> None:
        self.are_found = False
        gc.callbacks.append(self.found)

    def found(self, phase: str, info: Mapping[str, int]) -> None:
        """Takes in that everything was looked over."""
        self.are_found |= phase == "stop" and info["generation"] == 2

    def put_aside(self) -> None:
        """What has outlived a test is not looked over in the next ones."""
        if self.are_found:
            gc.freeze()
            self.are_found = False


_survivors = _Survivors()


def pytest_runtest_logfinish() -> None:
    """No test pays for what the others have made: a collection looks at the objects of some tests alone."""
    _survivors.put_aside()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Tensors print as TensorFlow's where its names are under test, and as our own everywhere else."""
    as_tensorflow = not {"compat", "guide"}.isdisjoint(item.path.parts)
    runtime.set_print_options(prefix="tf." if as_tensorflow else "")
