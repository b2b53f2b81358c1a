"""Expressions in TensorFlow's names, of the tensors in `GIVEN`: what they give is the same, at once and as a graph.

What TensorFlow gives is in `expressions.out`; `pytest -m peers --golden=update` lets it write that anew.
"""

import json
from pathlib import Path

import numpy as np

GIVEN = {
    "x": np.array([[1.0, -2.0, 3.0], [0.5, 0.0, -1.0]], np.float32),
    "v": np.array([0.5, 1.0, 2.0, 4.0], np.float32),
    "w": np.array([-1.0, 0.0, 2.5, 3.0], np.float32),
    "d": np.array([0.25, -3.0, 8.0], np.float64),
    "n": np.array([3, 1, 2, 1, 0], np.int32),
    "ids": np.array([0, 0, 1, 3], np.int32),
    "order": np.array([2, 0, 3, 1], np.int32),
    "rows": np.array([[1, 2], [3, 4], [5, 6], [7, 8]], np.int32),
    "truth": np.array([True, False, True, True], np.bool_),
    "m": np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]], np.float32),
    "c": np.array([1.0 + 2.0j, -3.0j, 0.5], np.complex64),
    "picture": np.arange(32, dtype=np.float32).reshape(1, 4, 4, 2) % 7,
    "kernel": np.linspace(-1, 1, 2 * 2 * 2 * 3, dtype=np.float32).reshape(2, 2, 2, 3),
    "wave": np.sin(np.arange(16, dtype=np.float32)),
    "k": np.array(2, np.int32),
    "few": np.array([[1, 0, 2], [0, 0, 3]], np.int32),
    "some": np.array([[0, 5, 1], [0, 0, 9]], np.int32),
    "logits": np.array([[1.0, 0.0, 2.0], [0.0, 0.5, 0.0]], np.float32),
    "first": np.arange(32, dtype=np.float32).reshape(1, 2, 4, 4) % 7,
}
FILE = Path(__file__).with_name("expressions.cases")
CASES = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


def calls(tf, case):
    """What an expression gives at once, and as a graph."""
    call, values = function(tf, case)
    return [plain(tf, each(*values)) for each in (call, tf.function(call, autograph=False))]


def function(tf, case):
    """An expression as a function, and the values that it is called with."""
    used = set(_names(compile(case, case, "eval")))
    given = [name for name in GIVEN if name in used]
    call = eval(f"lambda {', '.join(given)}: {case}", {"tf": tf, "np": np})
    return call, [tf.constant(GIVEN[name]) for name in given]


def _names(code):
    yield from code.co_names
    for constant in code.co_consts:
        if hasattr(constant, "co_names"):
            yield from _names(constant)


def plain(tf, value):
    """A result as JSON has it: dtype, shape and elements of each tensor."""
    if isinstance(value, dict):
        return {key: plain(tf, each) for key, each in value.items()}
    if isinstance(value, tf.TensorShape):
        return str(value)
    if isinstance(value, tf.SparseTensor):
        return [plain(tf, each) for each in (value.indices, value.values, value.dense_shape)]
    if isinstance(value, tf.RaggedTensor):
        return [plain(tf, value.values), plain(tf, value.row_splits)]
    if isinstance(value, (list, tuple)):
        return [plain(tf, each) for each in value]
    if not tf.is_tensor(value):
        return value
    array = value.numpy()
    numbers = array.view(array.real.dtype) if np.iscomplexobj(array) and array.ndim else array
    numbers = np.stack([array.real, array.imag]) if np.iscomplexobj(array) and not array.ndim else numbers
    flat = [float(f"{each:.8g}") if isinstance(each, float) else each for each in np.ravel(numbers).tolist()]
    return [value.dtype.name, list(array.shape), flat]


def outcomes(tf):
    """What every expression gives, in the order of the file; at once and as a graph must be the same."""
    found = {}
    for case in CASES:
        eager, staged = calls(tf, case)
        assert close(eager, staged), case
        found[case] = json.dumps(eager)
    return found


def close(found, wanted):
    """Whether two results are the same, but for the last digits of floats."""
    if isinstance(wanted, list):
        same = isinstance(found, list) and len(found) == len(wanted)
        return same and all(close(*pair) for pair in zip(found, wanted, strict=True))
    if isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(close(found[key], wanted[key]) for key in wanted)
    if isinstance(wanted, float):
        return isinstance(found, float) and bool(np.isclose(found, wanted, rtol=2e-5, atol=2e-6, equal_nan=True))
    return type(found) is type(wanted) and found == wanted
