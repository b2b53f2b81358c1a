"""What all tests share: golden files, and graphs verified after every pass."""

import os

import pytest

os.environ["RUNTIME_VERIFY"] = "1"


def pytest_addoption(parser):
    parser.addoption(
        "--golden",
        choices=["check", "update"],
        default="check",
        help="compare with the files in tests/golden, or write them anew: then review the diff",
    )


class Golden:
    """Compares texts with golden files."""

    def __init__(self, update):
        self._update = update

    def check(self, path, text):
        """Requires that `path` holds `text`; writes it there under ``--golden=update``."""
        if self._update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text, (
            f"{path} differs: run `pytest --golden=update` and review it"
        )


@pytest.fixture
def golden(request):
    return Golden(request.config.getoption("--golden") == "update")
