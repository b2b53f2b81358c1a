"""What is inferred of lengths that only a run knows is true for every length."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

import runtime as rt
from runtime.core.dims import UNKNOWN, named, substitute
from runtime.core.shapes import elements
from runtime.core.shapes import substitute as substitute_shape
from runtime.ops.arranging import PadV2, Repeat, Tile
from runtime.ops.joining import ConcatV2
from runtime.ops.shaping import Reshape
from runtime.ops.slicing import slice_length

ENDS = st.one_of(st.none(), st.integers(-5, 5))
STEPS = st.one_of(st.none(), st.sampled_from([-3, -2, -1, 1, 2, 3]))
N = named("n")


@given(st.integers(0, 6), ENDS, ENDS, STEPS)
@example(0, -1, None, -1)
@example(2, -5, -1, 2)
def test_a_slice_leaves_what_python_leaves(length, start, stop, step):
    found = slice_length(N, slice(start, stop, step))
    assert substitute(found, {"n": length}) == len(range(length)[start:stop:step])


@given(st.integers(0, 6), st.integers(-2, 3), st.integers(0, 3))
def test_an_end_that_is_a_length_too_means_what_python_means(length, more, start):
    found = slice_length(N, (start, N + more, None))
    if found is not UNKNOWN:
        assert substitute(found, {"n": length}) == len(range(length)[start : length + more])


@given(
    st.lists(st.sampled_from(["n", "m", 1, 2]), min_size=2, max_size=2), st.integers(0, 4), st.integers(0, 4)
)
def test_ops_that_lay_out_elements_infer_the_shapes_that_their_kernels_give(dims, n, m):
    meanings = {"n": n, "m": m}
    symbolic = tuple(dim if isinstance(dim, int) else named(dim) for dim in dims)
    x = np.zeros(substitute_shape(symbolic, meanings))
    spec = rt.ArraySpec(symbolic, rt.float64)
    for op, count in (
        (Tile((2, 3)), 1),
        (Repeat(3, 0), 1),
        (ConcatV2(0), 2),
        (PadV2(((1, 0), (0, 2))), 1),
        (Reshape((-1,)), 1),
    ):
        extra = [np.array(0.0)] if isinstance(op, PadV2) else []
        specs = [spec] * count + [rt.ArraySpec((), rt.float64)] * len(extra)
        found = op.infer(*specs).shape
        assert substitute_shape(found, meanings) == op.kernel(*[x] * count, *extra).shape
    assert substitute(elements(symbolic), meanings) == x.size
