"""Whose a line of the program is: the user's, ours, or an installed library's."""

import json

import numpy as np
import pytest

import runtime
from runtime.graph.location import is_ours, is_users_file


@pytest.mark.parametrize(
    "filename",
    [
        json.__file__,
        np.__file__,
        "/home/me/.local/lib/python3.11/site-packages/mine/util.py",
        "/opt/somewhere/lib/python3/dist-packages/mine/util.py",
        runtime.__file__,
        "<frozen importlib._bootstrap>",
    ],
)
def test_a_library_is_not_the_users_wherever_it_is_installed(filename):
    assert not is_users_file(filename)


@pytest.mark.parametrize("filename", [__file__, "<stdin>", "/home/me/site-packages.py", "<ipython-input-3>"])
def test_a_file_of_the_users_is(filename):
    assert is_users_file(filename)
    assert not is_ours(filename)
