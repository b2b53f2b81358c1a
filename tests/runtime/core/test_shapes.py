import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.core import shapes
from runtime.core.dims import UNKNOWN, named
from runtime.core.dtypes import float32, int32
from runtime.core.spec import ArraySpec, TensorSpec, as_shape
from runtime.errors import DTypeError, ShapeError

KNOWN = st.lists(st.integers(0, 3), max_size=3).map(tuple)
HIDDEN = st.lists(st.booleans(), min_size=3, max_size=3)


N, M = named("n"), named("m")


def hide(shape, hidden):
    return tuple(UNKNOWN if is_hidden else dim for dim, is_hidden in zip(shape, hidden, strict=False))


def name(shape, hidden):
    """As `hide`, with a name for each length: lengths of one number have one name."""
    return tuple(
        named(f"n{dim}") if is_hidden else dim for dim, is_hidden in zip(shape, hidden, strict=False)
    )


@given(KNOWN, KNOWN)
def test_known_shapes_broadcast_as_numpy_does(left, right):
    try:
        expected = np.broadcast_shapes(left, right)
    except ValueError:
        with pytest.raises(ShapeError, match="do not broadcast together"):
            shapes.broadcast(left, right)
    else:
        assert shapes.broadcast(left, right) == expected


@given(KNOWN, KNOWN, HIDDEN, HIDDEN)
def test_what_is_said_of_unknown_dims_holds_for_every_value_of_them(left, right, hidden_left, hidden_right):
    try:
        expected = np.broadcast_shapes(left, right)
    except ValueError:
        return
    result = shapes.broadcast(hide(left, hidden_left), hide(right, hidden_right))
    assert shapes.contains(result, expected)


@given(KNOWN, KNOWN, HIDDEN, HIDDEN)
def test_what_is_said_of_named_dims_holds_for_what_the_names_mean(left, right, named_left, named_right):
    try:
        expected = np.broadcast_shapes(left, right)
    except ValueError:
        return
    one, other = name(left, named_left), name(right, named_right)
    meanings = {f"n{length}": length for length in range(4)}
    assert shapes.substitute(shapes.broadcast(one, other), meanings) == expected
    assert shapes.match([one], [left]).items() <= meanings.items()
    if shapes.broadcasts_surely(one, other):
        for length in range(4):
            others = dict.fromkeys(meanings, length)
            shapes.broadcast(shapes.substitute(one, others), shapes.substitute(other, others))


def test_names_are_found_from_shapes_and_refused_where_they_would_mean_two_things():
    assert shapes.match([(N,), (N + M,)], [(2,), (5,)]) == {"n": 2, "m": 3}
    assert shapes.match([(N + M,), (N,)], [(5,), (2,)]) == {"n": 2, "m": 3}
    assert shapes.match([(N,), (N,)], [(2,), (5,)]) is None
    assert shapes.match([(N * M,)], [(N * M,)]) == {"n": N, "m": M}
    assert shapes.match([(N * M,)], [(6,)]) == {"n": UNKNOWN, "m": UNKNOWN}
    assert shapes.match([(N, 3)], [(4, 2)]) is None
    assert shapes.match([(N,)], [None]) is None
    assert shapes.match([None, (UNKNOWN,)], [(1,), (2,)]) == {}


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((3, N), (1, 4), (3, 4)),
        ((N,), (1,), (N,)),
        ((N,), (5,), (5,)),
        ((2, 3), None, None),
        ((), (N,), (N,)),
        ((N, 3), (N, 1), (N, 3)),
        ((N + 2,), (UNKNOWN,), (N + 2,)),
    ],
)
def test_unknown_dims_give_way_to_known_ones_above_one(one, other, expected):
    assert shapes.broadcast(one, other) == shapes.broadcast(other, one) == expected


@given(KNOWN, KNOWN)
def test_a_join_holds_both(left, right):
    joined = shapes.join(left, right)
    assert shapes.contains(joined, left)
    assert shapes.contains(joined, right)
    assert joined == shapes.join(right, left)


def test_sizes():
    assert shapes.size((2, 3)) == 6
    assert shapes.size(()) == 1
    assert shapes.size((N, 0)) == 0
    assert shapes.size((N, 2)) is None
    assert shapes.elements((N, 2)) == 2 * N
    assert shapes.size(None) is None
    assert not shapes.is_known((N,))


def test_axes_count_from_either_end():
    assert shapes.normalise_axes((-1, 0), 3) == (0, 2)
    assert shapes.normalise_axes(None, 2) == (0, 1)
    with pytest.raises(ShapeError, match="axis 2 is out of range for a tensor of rank 2"):
        shapes.normalise_axis(2, 2)
    with pytest.raises(ShapeError, match="named twice"):
        shapes.normalise_axes((0, -2), 2)


@pytest.mark.parametrize(
    ("given_shape", "expected"),
    [
        (None, None),
        (3, (3,)),
        ([2, None], (2, UNKNOWN)),
        (np.int64(2), (2,)),
        ((), ()),
        (np.array([1, 2]), (1, 2)),
    ],
)
def test_shapes_as_users_write_them(given_shape, expected):
    assert as_shape(given_shape) == expected


@pytest.mark.parametrize("given_shape", [-1, (2, -1), (1.5,), "ab", 2.5])
def test_what_is_no_shape_is_refused(given_shape):
    with pytest.raises(ShapeError):
        as_shape(given_shape)


def test_specs_hold_and_join_others():
    exact, general = ArraySpec((2, 3), float32), ArraySpec((UNKNOWN, 3), float32)
    assert general.contains(exact)
    assert not exact.contains(general)
    assert not general.contains(exact.with_dtype(int32))
    assert exact.join(ArraySpec((5, 3), float32)) == general
    assert exact.join(ArraySpec((3,), float32)).shape is None
    with pytest.raises(DTypeError, match="have no spec in common"):
        exact.join(exact.with_dtype(int32))
    assert [str(spec) for spec in (exact, general, ArraySpec(None, int32))] == [
        "f32[2,3]",
        "f32[?,3]",
        "i32[...]",
    ]


def test_tensor_specs():
    spec = TensorSpec([None, 3], "int32", name="x")
    assert repr(spec) == "TensorSpec(shape=(None, 3), dtype=int32, name='x')"
    assert spec.plain == ArraySpec((UNKNOWN, 3), int32)
    assert spec.is_compatible_with(TensorSpec((7, 3), np.int32))
    assert not spec.is_compatible_with(TensorSpec((7, 4), np.int32))
    assert TensorSpec.from_tensor(np.zeros((2, 3), np.int32)).plain == ArraySpec((2, 3), int32)
