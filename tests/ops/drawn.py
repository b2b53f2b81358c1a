"""Inputs that several test modules make, and how their results are compared."""

import numpy as np

__all__ = ["assert_close", "numbers"]


def numbers(shape, dtype, seed):
    drawn = np.random.default_rng(seed).uniform(-2, 2, (2, *shape))
    return (drawn[0] + 1j * drawn[1] if dtype.startswith("c") else drawn[0]).astype(dtype)


def assert_close(found, expected):
    """Equal dtypes and shapes, and numbers as near as the precision lets them be."""
    if isinstance(expected, tuple):
        assert type(found).__name__ == type(expected).__name__
        assert found._fields == expected._fields
        for one, other in zip(found, expected, strict=True):
            assert_close(one, other)
        return
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    limit = 2e-4 if np.finfo(np.result_type(found.dtype, np.float32)).bits == 32 else 1e-9
    np.testing.assert_allclose(found, expected, rtol=limit, atol=limit)
