"""What makes tensors, compared with NumPy: at once and in graphs, from lists, arrays, numbers and tensors."""

import array
import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runtime as rt
from runtime.errors import DTypeError, InvalidValue, ShapeError
from runtime.functions.polymorphic import PolymorphicFunction

EXECUTORS = ("numpy", "reference")
DTYPES = ["int8", "uint8", "int64", "float32", "complex64", "bool"]


def traced(make, *arguments):
    """What a graph gives on every executor; arrays come in with unknown dims."""
    specs = [rt.TensorSpec((None,) * np.ndim(each), np.asarray(each).dtype) for each in arguments]
    results = []
    function = PolymorphicFunction(make, input_signature=specs)
    function.get_concrete_function()
    for executor in EXECUTORS:
        results.append(function.on_executor(executor)(*[rt.asarray(each) for each in arguments]))
    np.testing.assert_array_equal(results[0], results[1], strict=True)
    return results[0]


def same(found, expected):
    np.testing.assert_array_equal(np.asarray(found), expected, strict=True)


# ── asarray ───────────────────────────────────────────────────────────────────────────────────────────


class Arrayed:
    """An object that makes itself an array."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype)


class Exchanged:
    """An object that shows its memory through DLPack alone."""

    def __init__(self, values):
        self.values = values

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


BASE = np.arange(12.0).reshape(3, 4)
SOURCES = {
    "int": 3,
    "bool": True,
    "float": 2.5,
    "complex": 1 + 2j,
    "NumPy number": np.float32(1.5),
    "list": [1, 2, 3],
    "nested list": [[1, 2.5], [True, 4]],
    "tuple": ((1, 2), [3, 4]),
    "range": range(2, 9, 3),
    "empty list": [],
    "empty rows": [[], []],
    "list of arrays": [np.array([1, 2]), np.array([3.5, 4])],
    "list of NumPy numbers": [np.int8(1), np.int16(2)],
    "large integers": [2**63, 1],
    "array": BASE,
    "array without elements": np.zeros((2, 0, 3), np.int16),
    "columns": BASE.T,
    "backwards": BASE[::-1, ::-2],
    "broadcast": np.broadcast_to(np.float32(3), (2, 3)),
    "read-only": np.frombuffer(b"abcdefgh", np.int16),
    "of the other byte order": np.array([1.5, 2.5], ">f8"),
    "of both": np.arange(12, dtype=">i4").reshape(3, 4)[:, ::2].T,
    "array.array": array.array("i", [1, 2]),
    "bytearray": bytearray(b"abc"),
    "memoryview": memoryview(np.arange(4.0).reshape(2, 2)),
    "__array__": Arrayed([[1, 2], [3, 4]]),
    "__dlpack__": Exchanged(np.arange(3)),
}


def as_numpy(source):
    found = source.values if isinstance(source, Exchanged) else np.asarray(source)
    return found.astype(found.dtype.newbyteorder("="))


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("copy", [None, True])
def test_asarray_takes_what_numpy_takes(source, copy):
    expected = as_numpy(source)
    same(rt.asarray(source, copy=copy), expected)
    same(traced(lambda: rt.asarray(source, copy=copy)), expected)
    assert rt.asarray(source).dtype == expected.dtype


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("name", DTYPES)
def test_asarray_gives_the_dtype_that_is_asked_for(source, name):
    values = source.values if isinstance(source, Exchanged) else source
    if np.asarray(values).dtype.kind == "c" and np.dtype(name).kind not in "cb":
        with pytest.raises(DTypeError, match="drop the imaginary part"):
            rt.asarray(source, dtype=name)
        return
    try:
        expected = np.asarray(values, name)
    except OverflowError:
        with pytest.raises(OverflowError):
            rt.asarray(source, dtype=name)
        return
    same(rt.asarray(source, dtype=name), expected)
    same(traced(lambda: rt.asarray(source, dtype=name)), expected)


MUTABLE = {
    "array": (np.arange(3), lambda source: source.fill(9)),
    "array.array": (array.array("q", [0, 1, 2]), lambda source: source.__setitem__(0, 9)),
    "memoryview": (memoryview(np.arange(3)), lambda source: source.__setitem__(0, 9)),
    "bytearray": (bytearray([0, 1, 2]), lambda source: source.__setitem__(0, 9)),
    "__dlpack__": (Exchanged(np.arange(3)), lambda source: source.values.fill(9)),
}


@pytest.mark.parametrize(("source", "change"), MUTABLE.values(), ids=MUTABLE)
def test_a_tensor_does_not_follow_what_it_was_made_from(source, change):
    shared = rt.asarray(source, copy=False)
    made = [rt.asarray(source), rt.asarray(source, copy=True), rt.asarray(source, dtype=rt.int64)]
    change(source)
    assert [each.tolist() for each in made] == [[0, 1, 2]] * 3
    assert shared.tolist()[0] == 9


def test_a_tensor_is_its_own_tensor_unless_a_copy_is_asked_for():
    x = rt.asarray([1, 2])
    assert rt.asarray(x) is x
    assert rt.asarray(x, copy=False) is x
    copied = rt.asarray(x, copy=True)
    assert not np.shares_memory(copied.numpy(), x.numpy())
    same(traced(lambda x: rt.asarray(x, copy=True) + rt.asarray(x, copy=False), [1, 2]), np.array([2, 4]))


ONLY_COPIES = {
    "number": (1, None),
    "list": ([1, 2], None),
    "array of another dtype": (np.array([1, 2]), rt.float32),
    "array of the other byte order": (np.array([1], ">i4"), None),
    "tensor of another dtype": (rt.asarray([1, 2]), rt.float32),
    "variable of another dtype": (rt.Variable([1, 2]), rt.int8),
}


@pytest.mark.parametrize(("source", "dtype"), ONLY_COPIES.values(), ids=ONLY_COPIES)
def test_what_only_a_copy_can_be_is_refused_without_one(source, dtype):
    with pytest.raises(ValueError, match="without a copy"):
        rt.asarray(source, dtype=dtype, copy=False)
    with pytest.raises(ValueError, match="without a copy"):
        traced(lambda: rt.asarray(source, dtype=dtype, copy=False))


class Thing:
    """An object that is nothing to a tensor."""

    def __repr__(self):
        return "a thing"


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        ([[1, 2], [3]], ValueError, r"\[\[1, 2\], \[3\]\] has no one shape"),
        ([np.zeros(2), np.zeros(3)], ValueError, "has no one shape"),
        ("text", TypeError, "'text' cannot become a tensor"),
        (["1", "2"], TypeError, "elements are text"),
        (b"bytes", TypeError, "elements are text"),
        (None, TypeError, "None cannot become a tensor"),
        ([None, 1], TypeError, "elements are objects"),
        ({1: 2}, TypeError, "of type dict"),
        (Thing(), TypeError, "of type Thing"),
        (np.array(["a"]), TypeError, "cannot become a tensor"),
        (np.array([Thing()]), TypeError, "elements are objects"),
        (np.array([1, 2], object), TypeError, "elements are objects"),
        (np.array([1, 2**70], object), OverflowError, "fits no dtype"),
        (np.array(["2020"], "M8[D]"), TypeError, "cannot become a tensor"),
        (np.zeros(1, [("x", int)]), TypeError, "cannot become a tensor"),
        (2**64, OverflowError, "does not fit any integer dtype"),
        ([2**64], OverflowError, "fits no dtype"),
    ],
    ids=repr,
)
def test_what_no_tensor_holds_is_refused(source, error, message):
    with pytest.raises(error, match=message):
        rt.asarray(source)
    with pytest.raises(error, match=message):
        traced(lambda: rt.asarray(source))


# ── ranges ────────────────────────────────────────────────────────────────────────────────────────────

RANGES = [
    *((5,), (0,), (-3,), (1, 5), (5, 1), (1, 5, 2), (5, 1, -1), (10, 0, -3), (0, 5, -1)),
    *((5.0,), (1.5, 4), (1, 2, 0.3), (0, 1, 0.1), (1, 0, -0.25), (0, 10, 2.5), (2**40, 2**40 + 3)),
]


@pytest.mark.parametrize("ends", RANGES, ids=str)
@pytest.mark.parametrize("name", [None, "int8", "int64", "float32", "float64", "complex64"])
def test_arange_counts_as_numpy_counts(ends, name):
    try:
        expected = np.arange(*ends, dtype=name)
    except OverflowError:
        with pytest.raises(OverflowError):
            rt.arange(*ends, dtype=name)
        return
    same(rt.arange(*ends, dtype=name), expected)
    same(traced(lambda: rt.arange(*ends, dtype=name)), expected)
    same(
        traced(lambda *ends: rt.arange(*ends, dtype=name), *ends),
        np.arange(*map(np.asarray, ends), dtype=name),
    )


def test_ranges_that_are_none_are_refused():
    for step in (0, 0.0):
        with pytest.raises(ValueError, match="the step of a range is 0"):
            rt.arange(0, 3, step)
    with np.errstate(divide="ignore"), pytest.raises(ValueError, match="size exceeded"):
        traced(lambda step: rt.arange(0, 3, step), 0)
    for end in (np.nan, np.inf):
        with pytest.raises(ValueError, match=r"arange|size exceeded"):
            rt.arange(0, end)
    for end in ("a", None, 1j):
        with pytest.raises(TypeError):
            rt.arange(end)
    with pytest.raises(ShapeError, match=r"an end or the step of `arange` is i64\[2\]"):
        rt.arange([1, 2])


ENDS = [
    (0, 1),
    (1, 0),
    (0, 10),
    (-1, 1),
    (5, 5),
    (0.5, 2),
    (np.float32(0), np.float32(1)),
    (0, 1j),
]


@pytest.mark.parametrize("ends", ENDS, ids=str)
@pytest.mark.parametrize("name", [None, "float32", "int32", "complex64"])
def test_linspace_gives_the_numbers_of_numpy(ends, name):
    if any(isinstance(end, complex) for end in ends) and name in {"float32", "int32"}:
        with pytest.raises(TypeError, match="drop the imaginary part"):
            rt.linspace(*ends, 3, dtype=name)
        return
    for num, endpoint in product((0, 1, 2, 3, 7), (True, False)):
        expected = np.linspace(*ends, num, dtype=name, endpoint=endpoint)
        options = {"dtype": name, "endpoint": endpoint}
        same(rt.linspace(*ends, num, **options), expected)
        same(traced(lambda *ends: rt.linspace(*ends, num, **options), *ends), expected)


def test_linspace_says_what_is_wrong():
    with pytest.raises(ValueError, match="`linspace` of -1 numbers"):
        rt.linspace(0, 1, -1)
    for num in (2.5, "3", None):
        with pytest.raises(TypeError, match="integer"):
            rt.linspace(0, 1, num)
    for make in (lambda: rt.linspace([0, 1], 2, 3), lambda: traced(lambda x: rt.linspace(x, 2, 3), [0, 1])):
        with pytest.raises(ValueError, match="an end or the step of `linspace`"):
            make()
    with pytest.raises(TypeError, match="'a' cannot become a tensor"):
        rt.linspace("a", 1, 3)


# ── one value, and matrices ───────────────────────────────────────────────────────────────────────────

SHAPES = [(), 2, 0, (2, 3), [2, 3], (0, 2), np.int8(2), np.array([2, 3]), (np.int64(2), 3), (1, 1, 1, 1)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", [None, *DTYPES])
def test_zeros_ones_and_full_have_the_shape_and_dtype_of_numpys(shape, name):
    for make, oracle in ((rt.zeros, np.zeros), (rt.ones, np.ones)):
        expected = oracle(shape, dtype=name or float)
        same(make(shape, dtype=name), expected)
        same(traced(lambda: make(shape, dtype=name)), expected)
    assert rt.empty(shape, dtype=name).shape == np.empty(shape).shape
    expected = np.full(shape, 7, dtype=name)
    same(rt.full(shape, 7, dtype=name), expected)
    same(traced(lambda x: rt.full(rt.asarray(shape, dtype=rt.int64), x, dtype=name), 7), expected)


@pytest.mark.parametrize("value", [True, 3, 2.5, 1j, 2**40, 2**63, np.float32(2), np.int8(5)], ids=repr)
def test_full_takes_the_dtype_of_its_value(value):
    expected = np.full((2, 2), value)
    same(rt.full((2, 2), value), expected)
    same(traced(lambda: rt.full((2, 2), value)), expected)
    for name in ("float64", "bool", "complex128"):
        if not (isinstance(value, complex) and name == "float64"):
            same(rt.full((2, 2), value, dtype=name), np.full((2, 2), value).astype(name))


def test_full_refuses_values_that_its_dtype_cannot_hold():
    for value, name, error in [
        *((300, "int8", OverflowError), (-1, "uint8", OverflowError), (2**64, None, OverflowError)),
        *((1j, "float32", TypeError), (1j, "int8", TypeError), (np.nan, "int8", ValueError)),
        *(("a", None, TypeError), (None, None, TypeError)),
    ]:
        with pytest.raises(error):
            rt.full(2, value, dtype=name)
        with pytest.raises(error):
            traced(lambda: rt.full(2, value, dtype=name))


LIKE = {"zeros_like": (), "ones_like": (), "full_like": (7,)}


@pytest.mark.parametrize("name", LIKE)
@pytest.mark.parametrize("dtype", [None, "float32", "bool"])
def test_what_is_like_a_tensor_has_its_shape_and_dtype(name, dtype):
    ours, theirs, value = getattr(rt, name), getattr(np, name), LIKE[name]
    for like in (np.zeros((2, 3), np.int8), np.zeros((0, 2)), np.array(True), np.zeros((2, 3)).T):
        expected = theirs(like, *value, dtype=dtype)
        same(ours(rt.asarray(like), *value, dtype=dtype), expected)
        same(traced(lambda x: ours(x, *value, dtype=dtype), like), expected)
    assert rt.empty_like(rt.zeros((2, 3), dtype=rt.int8)).shape == (2, 3)


MAKERS = {
    "zeros": rt.zeros,
    "ones": rt.ones,
    "empty": rt.empty,
    "full": lambda shape: rt.full(shape, 1),
    "eye": lambda shape: rt.eye(*shape) if isinstance(shape, tuple) else rt.eye(shape),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize(
    ("shape", "error", "message"),
    [
        (-1, ValueError, r"shape \(-1"),
        ((2, -1), ValueError, r"a tensor of shape \(2, -1\) was asked for"),
        (2.5, TypeError, r"a dim of a shape is 2\.5"),
        ((2, 2.0), TypeError, r"a dim of a shape is 2\.0"),
        (True, TypeError, "a dim of a shape is True"),
        ("ab", TypeError, "'ab' cannot become a tensor"),
        (rt.asarray(2.0), TypeError, "a dim of a shape is float64"),
    ],
    ids=str,
)
def test_shapes_that_are_none_are_refused(make, shape, error, message):
    with pytest.raises(error, match=message):
        make(shape)
    with pytest.raises(error, match=message):
        traced(lambda: make(shape))


def test_a_negative_length_is_refused_in_the_run_where_it_is_a_tensor():
    for make in (rt.zeros, lambda n: rt.full((n, 2), 1)):
        with pytest.raises(ValueError, match="negative dimensions"):
            traced(make, -1)


@pytest.mark.parametrize("dtype", ["O", "U3", "datetime64[s]", "nonsense", object, 3, 2.5, [1]], ids=str)
def test_what_is_no_dtype_is_refused(dtype):
    for make in (lambda: rt.zeros(2, dtype=dtype), lambda: rt.asarray([1], dtype=dtype)):
        with pytest.raises(TypeError, match="is no dtype of a tensor"):
            make()


@settings(max_examples=30)
@given(st.integers(0, 4), st.none() | st.integers(0, 4), st.integers(-5, 5), st.sampled_from(DTYPES))
def test_eye_puts_ones_on_a_diagonal(rows, columns, k, name):
    expected = np.eye(rows, columns, k=k, dtype=name)
    same(rt.eye(rows, columns, k=k, dtype=name), expected)
    wide = rows if columns is None else columns
    same(traced(lambda n, m: rt.eye(n, m, k=k, dtype=name), rows, wide), expected)


@settings(max_examples=30)
@given(
    st.lists(st.integers(0, 3), min_size=2, max_size=4).map(tuple),
    st.integers(-4, 4),
    st.sampled_from(DTYPES),
)
def test_triangles_of_matrices(shape, k, name):
    x = np.arange(1, 1 + np.prod(shape, dtype=int)).reshape(shape).astype(name)
    for ours, theirs in ((rt.tril, np.tril), (rt.triu, np.triu)):
        expected = theirs(x, k=k)
        same(ours(rt.asarray(x), k=k), expected)
        same(traced(lambda x: ours(x, k=k), x), expected)


def test_only_matrices_have_triangles():
    for shape in ((), (3,)):
        for make in (rt.tril, rt.triu):
            with pytest.raises(ValueError, match="holds no matrix"):
                make(rt.zeros(shape))


@pytest.mark.parametrize("indexing", ["xy", "ij"])
@pytest.mark.parametrize("lengths", [(3,), (2, 3), (2, 3, 4), (0, 2), (1, 1)], ids=str)
def test_meshgrid_has_the_grids_of_numpy(indexing, lengths):
    axes = [np.arange(length, dtype=np.float32 if place else np.int8) for place, length in enumerate(lengths)]
    expected = np.meshgrid(*axes, indexing=indexing)
    found = rt.meshgrid(*map(rt.asarray, axes), indexing=indexing)
    for ours, theirs in zip(found, expected, strict=True):
        same(ours, theirs)
    with pytest.raises(InvalidValue, match="no indexing 'yx'"):
        rt.meshgrid(*axes, indexing="yx")


def test_warnings_are_those_of_numpy():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rt.asarray(Arrayed([1, 2]), copy=True)
        rt.asarray([1.5, 2.5], dtype=rt.int8)


@pytest.mark.parametrize(
    ("given", "elements", "way_out"),
    [
        (np.array(["a", "b"]), "text", r"`x.tolist\(\)`"),
        (np.array([(1, 2.5)], [("id", int), ("weight", float)]), "records", r"`x\['id'\]`"),
        (np.array(["2020-01-01"], "datetime64[D]"), "dates or times", r"`x.astype\(np.int64\)`"),
        (np.array(["a", None]), "objects", r"`x.tolist\(\)`"),
    ],
)
def test_an_array_of_no_numbers_is_refused_with_what_to_give_in_its_place(given, elements, way_out):
    with pytest.raises(DTypeError, match=f"(?s)cannot become a tensor.*are {elements}.*{way_out}"):
        PolymorphicFunction(lambda x: x)(given)
