"""What is tested here is machine code: what LLVM makes at once, or what it makes better, by turns."""

import hashlib

import pytest

from runtime.executors.native import whole


@pytest.fixture(autouse=True)
def better_code_from_the_start(monkeypatch, request):
    """Half of the tests have no first code; a file about one of the codes has a fixture of this name.

    LLVM takes thirty times as long for the better one. Of a function that is tested with many programs,
    dtypes or lengths, each is in some test of each code.
    """
    if is_of_better_code(request.node):
        monkeypatch.setattr(whole, "patience_with", lambda _program, _text, **_: None)


@pytest.fixture
def better_code_alone(monkeypatch):
    """For tests of what the first code has not, such as calls that pass Python by."""
    monkeypatch.setattr(whole, "patience_with", lambda _program, _text, **_: None)


def is_of_better_code(test):
    """Whether a test runs better code: those without parameters do, and each second of the others."""
    has_parameters = hasattr(test, "callspec")
    return not has_parameters or hashlib.sha256(test.nodeid.encode()).digest()[0] % 2 == 0
