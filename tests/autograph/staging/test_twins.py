"""Functions of the standard library in Python: each has the text of its own file."""

import inspect

import pytest

from autograph.staging.twins import in_python

FUNCTIONS = [("in_order", "comparing"), ("rows_in_order", "shuffling"), ("printed", "spreading")]


@pytest.mark.parametrize(("name", "file"), FUNCTIONS)
def test_a_function_has_the_text_of_its_file_after_others_were_read(name, file):
    functions = {each: in_python(*each) for each in FUNCTIONS}
    assert inspect.getsource(functions[name, file]).startswith(f"def {name}(")
