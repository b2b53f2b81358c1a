"""Whether two graphs do the same: results to the last bit on difficult numbers, and effects in order."""

import io
from contextlib import redirect_stdout

import numpy as np

from runtime.core.dims import names_in, substitute
from runtime.executors.reference import Reference
from runtime.graph.module import Module

__all__ = ["arguments", "assert_same", "outcome"]

_FLOATS = [0.0, -0.0, 1.0, -1.5, np.nan, np.inf, -np.inf, 3e-45, 2.0, 1e30]
_INTEGERS = [0, 1, -1, 2, 3, 7]


def arguments(graph, seed=0):
    """Arrays for the inputs of a graph: signed zeros, NaN, infinities, and the ends of integers' ranges."""
    random = np.random.default_rng(seed)
    return [_array(spec, random) for spec in graph.input_specs]


def _array(spec, random):
    shape = tuple(substitute(dim, dict.fromkeys(names_in(dim), 2)) for dim in spec.shape or ())
    dtype = spec.dtype
    if dtype.is_bool:
        return random.integers(0, 2, shape).astype(bool)
    if dtype.is_integer:
        numbers = [dtype.min, dtype.max, *(n for n in _INTEGERS if n >= dtype.min)]
        return np.array(random.choice(np.array(numbers, object), shape), dtype.numpy)
    drawn = np.empty(shape, np.complex128)
    drawn.real, drawn.imag = random.choice(_FLOATS, shape), random.choice(_FLOATS, shape)
    with np.errstate(over="ignore"):
        return (drawn if dtype.is_complex else drawn.real).astype(dtype.numpy)


def outcome(graph, arrays):
    """What a run gives and prints: NaN is NaN whatever its bits, everything else counts to the bit."""
    printed = io.StringIO()
    with redirect_stdout(printed), np.errstate(all="ignore"):
        results = Reference().compile(Module(graph)).run(arrays)
    return [_bits(np.asarray(result)) for result in results], printed.getvalue()


def _bits(array):
    if array.dtype.kind == "c":
        return _bits(np.real(array)), _bits(np.imag(array))
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), np.asarray(np.nan, array.dtype), array)
    return str(array.dtype), array.shape, array.tobytes()


def assert_same(before, after, seeds=range(5)):
    """Requires that `after` does what `before` does; it may leave out errors of what nobody needs."""
    assert [spec.dtype for spec in before.output_specs] == [spec.dtype for spec in after.output_specs]
    for seed in seeds:
        arrays = arguments(before, seed)
        try:
            expected = outcome(before, arrays)
        except Exception:  # noqa: BLE001  # whatever it raises, the other one need not
            continue
        assert outcome(after, arrays) == expected
