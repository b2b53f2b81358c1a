"""Expressions give under TensorFlow's names what TensorFlow gives, at once and as a graph.

They are in `tests/golden/tensorflow/expressions.cases`, and TensorFlow's own results in `expressions.out`.
"""

import json
import runpy
from pathlib import Path

import pytest

from autograph.compat import tf

FOLDER = Path(__file__).parents[2] / "golden" / "tensorflow"
EXPRESSIONS = runpy.run_path(str(FOLDER / "expressions.py"))
LINES = (FOLDER / "expressions.out").read_text("utf-8").splitlines()
EXPECTED = dict(line.split("\t") for line in LINES)


@pytest.mark.parametrize("case", EXPECTED)
def test_an_expression_gives_what_it_does_in_tensorflow(case):
    wanted = json.loads(EXPECTED[case])
    for found in EXPRESSIONS["calls"](tf, case):
        assert EXPRESSIONS["close"](found, wanted), f"{found} is not {wanted}"


def test_every_expression_has_a_result():
    assert list(EXPECTED) == EXPRESSIONS["CASES"]


def test_another_result_is_seen():
    close = EXPRESSIONS["close"]
    assert close([["float32", [1], [0.1]]], [["float32", [1], [0.1000001]]])
    assert not close([["float32", [1], [0.1]]], [["float32", [1], [0.11]]])
    assert not close([["float64", [1], [0.1]]], [["float32", [1], [0.1]]])
    assert not close([["int32", [1], [1]]], [["int32", [1], [1.0]]])
    assert not close([["int32", [0], []]], [["int32", [1], [1]]])
