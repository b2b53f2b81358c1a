"""Programs as people write them for TensorFlow; each takes the namespace and returns what it computed.

They are in `programs/`, and run on TensorFlow and on our names for it: values, dtypes, shapes and structure must be
the same. What TensorFlow gives stands beside each file; `pytest -m peers --golden=update` lets it write that anew.
"""

import inspect
import runpy
from pathlib import Path

import numpy as np

FILES = sorted(Path(__file__).with_name("programs").glob("*.py"))


def shown(tf, value):
    """A result as text: dtype, shape and elements of each tensor."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {shown(tf, each)}" for key, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        start, end = "[]" if isinstance(value, list) else "()"
        return start + ", ".join(shown(tf, each) for each in value) + end
    if not tf.is_tensor(value):
        return repr(value)
    array = np.asarray(value.numpy())
    return f"{value.dtype.name}{list(array.shape)} {array.tolist()}"


def programs(file):
    """The programs of a file by name: the functions of one parameter, `tf`."""
    found = {name: value for name, value in runpy.run_path(str(file)).items() if inspect.isfunction(value)}
    return {name: each for name, each in found.items() if [*inspect.signature(each).parameters] == ["tf"]}


def outcomes(tf):
    """What every program gives, by file and name."""
    return {
        file.stem: {name: shown(tf, program(tf)) for name, program in programs(file).items()} for file in FILES
    }
