"""What all tests share: golden files, and graphs that are verified after every pass."""

import os

import pytest
from hypothesis import settings

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


def pytest_terminal_summary(terminalreporter, config):
    """The pairs that random programs covered, where that is asked for."""
    if config.getoption("--covered"):
        terminalreporter.section("how often a construct (row) stood in, and after, another (column)")
        terminalreporter.write_line(table())


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
