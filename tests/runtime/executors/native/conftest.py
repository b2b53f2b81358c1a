"""What is tested here is the code that LLVM makes better, but where the first code is what is tested."""

import pytest

from runtime.executors.native import run


@pytest.fixture(autouse=True)
def better_code_from_the_start(monkeypatch):
    """No program has a first code; a file about the first code has a fixture of this name."""
    monkeypatch.setattr(run, "patience_with", lambda _program, _text: None)
