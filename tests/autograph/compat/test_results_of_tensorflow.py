"""What TensorFlow's functions give, by TensorFlow itself (`tests/golden/tensorflow`), is what ours print.

The files are examples as in a docstring; `pytest -m peers --golden=update` lets TensorFlow write them anew.
"""

import doctest
from pathlib import Path

import numpy as np
import pytest

from autograph.compat import tf

FOLDER = Path(__file__).parents[2] / "golden" / "tensorflow"
EXAMPLES = [
    pytest.param(example, id=f"{file.stem}:{example.source.strip()}")
    for file in sorted(FOLDER.glob("*.txt"))
    for example in doctest.DocTestParser().get_examples(file.read_text(encoding="utf-8"))
]


@pytest.mark.filterwarnings("ignore::autograph.ConversionWarning")  # the examples have no file of their own
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_expression_prints_as_in_tensorflow(example):
    result = eval(example.source, {"tf": tf, "np": np})
    shown = "" if result is None else repr(result)
    assert shown.replace("\n\n", "\n<BLANKLINE>\n") == example.want.strip()
