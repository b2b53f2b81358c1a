"""Arrays of NumPy come in whatever order of axes, step and byte order, and mean their elements."""

import numpy as np
import pytest

import runtime as rt
from tests.standard.inputs import fill
from tests.standard.ways import EXECUTORS, require_same, staged

LAYOUTS = {
    "transposed": lambda x: np.asfortranarray(x),
    "every other": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    "backwards": lambda x: x[::-1, ::-1].copy()[::-1, ::-1],
    "broadcast": lambda x: np.broadcast_to(x[:1], x.shape),
    "big-endian": lambda x: x.astype(x.dtype.newbyteorder(">")),
    "little-endian": lambda x: x.astype(x.dtype.newbyteorder("<")),
    "read-only": lambda x: np.frombuffer(x.tobytes(), x.dtype).reshape(x.shape),
}
FUNCTIONS = ("negative", "sum", "sort", "unique_values", "matrix_transpose", "nonzero")


@pytest.mark.parametrize("dtype", ["int16", "uint64", "float32", "complex128"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_layout_means_its_elements(layout, dtype):
    x = LAYOUTS[layout](fill(7, dtype, (3, 4), 0, 9))
    plain = np.ascontiguousarray(x, dtype)
    tensor = rt.asarray(x)
    assert (tensor.dtype, tensor.shape) == (rt.as_dtype(dtype), x.shape)
    np.testing.assert_array_equal(tensor.numpy(), plain, strict=True)
    for name in FUNCTIONS:
        if name == "sort" and dtype == "complex128":  # the standard has no order of complex numbers
            continue
        wanted = getattr(rt, name)(rt.asarray(plain))
        results = [
            getattr(rt, name)(x),
            *(staged(name, ((x,), {}), executor, known=True) for executor in EXECUTORS),
        ]
        for result in results:
            require_same(result, wanted, 1e-12 * (name == "sum"))  # which adds up in the order of memory


@pytest.mark.parametrize("layout", LAYOUTS)
def test_operands_of_any_layout_are_promoted(layout):
    x = LAYOUTS[layout](fill(7, "int16", (3, 4), 0, 9))
    for result in (rt.add(x, rt.asarray(0.5)), rt.asarray(0.5) + x, x + rt.asarray(0.5)):
        np.testing.assert_array_equal(result.numpy(), x + 0.5, strict=True)
