"""A plugin of pytest: converts packages before their tests are collected, and writes down what the tests did.

Environment: `CORPUS_PACKAGES` names the packages to convert, `CORPUS_REPORT` the file that is written.
"""

import json
import os
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from benchmarks.packages import Always, converted_packages

opened = ExitStack()
counts = Counter()
outcomes = Counter()


def pytest_configure(config):
    """From here on the packages are converted as they are imported."""
    # Tests have callees without a source, and that is fine.
    config.addinivalue_line("filterwarnings", "ignore::autograph.errors.ConversionWarning")
    global counts
    counts = opened.enter_context(converted_packages(os.environ["CORPUS_PACKAGES"].split(), Always()))


def pytest_runtest_logreport(report):
    """One outcome per test and phase; subtests report on their own."""
    if report.when == "call" or report.outcome != "passed":
        outcomes[f"{report.nodeid} {report.when} {report.outcome}"] += 1


def pytest_sessionfinish():
    """What was converted, and the outcomes."""
    opened.close()
    report = {"counts": counts, "outcomes": outcomes}
    Path(os.environ["CORPUS_REPORT"]).write_text(json.dumps(report), encoding="utf-8")
