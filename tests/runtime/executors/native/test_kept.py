"""Stores of what is new or of what is there already have no masks in vectors."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
from runtime.executors.native.llvm.kept import stores_of_choices
from runtime.executors.native.llvm.processors import VARIABLE
from runtime.executors.native.whole import lowered

ROOT = Path(__file__).parents[4]


def most_of_columns(d, row):
    return np.max(d, axis=0) + row[0]


def shortened(d, row):
    """A row of distances, by way of another one."""
    d = d.copy()
    for j in range(len(row)):
        if row[j] + 1.5 < d[0, j]:
            d[0, j] = row[j] + 1.5
    return d


def added(d, row):
    """What is there goes into what is new in all turns."""
    d = d.copy()
    for j in range(len(row)):
        d[0, j] += row[j]
    return d


def shared(d, row):
    """All turns have one element."""
    d = d.copy()
    for j in range(len(row)):
        if row[j] > d[0, 0]:
            d[0, 0] = row[j]
    return d


def elsewhere(d, row):
    """What is there was read of another element."""
    d = d.copy()
    for j in range(len(row)):
        if row[j] > d[1, j]:
            d[0, j] = row[j]
    return d


ARGUMENTS = np.arange(2400.0).reshape(60, 40) % 7, np.arange(40.0) % 5


@pytest.mark.parametrize(
    ("function", "expected"),
    [(most_of_columns, 1), (shortened, 1), (added, 0), (shared, 0), (elsewhere, 0)],
)
def test_stores_that_choose_between_what_is_there_and_another_number_are_found(function, expected):
    traced = ag.function(function, jit_compile=True)
    np.testing.assert_array_equal(traced(*ARGUMENTS), function(*ARGUMENTS))
    functions = lowered(traced.concrete_functions[0].optimised_module).functions
    assert sum(len(stores_of_choices(each)) for each in functions) == expected


PROGRAM = """
import numpy as np
import autograph as ag
from tests.runtime.executors.native.test_kept import ARGUMENTS, most_of_columns, shortened

for function in (most_of_columns, shortened):
    traced = ag.function(function, jit_compile=True)
    np.testing.assert_array_equal(traced(*ARGUMENTS), function(*ARGUMENTS))
    text = traced.concrete_functions[0].assembly()
    print("ymm" in text, "maskmov" in text)
"""


def test_vectors_of_avx2_store_them_without_masks(tmp_path):
    environment = {
        VARIABLE: "x86-64-v3",
        "AUTOGRAPH_CACHE": "off",
        "PYTHONPATH": str(ROOT),
        "HOME": str(tmp_path),
    }
    command = [sys.executable, "-c", PROGRAM]
    ran = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    if "cannot run code for x86-64-v3" in ran.stderr:
        pytest.skip("this processor has no AVX2")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == ["True", "False"] * 2
