"""For each function of the standard, the calls that it is tested with: one table of strategies.

A call is a tuple of arguments and a dict of keywords; each namespace gets its arrays as arrays of its own.
"""

import numpy as np
from hypothesis import strategies as st

from tests.standard.inputs import (
    SEEDS,
    SHAPES,
    WITH_AXES,
    WITH_ELEMENTS,
    arrays,
    axes_of,
    axis_of,
    broadcastable,
    fill,
    pairs,
    promotable,
)
from tests.standard.ways import DType

CALLS = {}
"""The strategy of each function, by its name."""


def calls(*names):
    """Puts a strategy of calls into the table, under the names of functions."""

    def write(strategy):
        CALLS.update(dict.fromkeys(names, strategy()))
        return strategy

    return write


def of(*strategies, **keywords):
    """Calls with these arguments, and some of the keywords."""
    return st.tuples(st.tuples(*strategies), st.fixed_dictionaries({}, optional=keywords))


def each(names, make):
    """Puts what `make` gives into the table, for each of the names in a text."""
    CALLS.update({name: make() for name in names.split()})


# ── elementwise ──

each("abs negative positive square real conj", lambda: of(arrays("numeric")))
each("sign", lambda: of(arrays("real numeric") | arrays("complex", low=0.1, high=9)))
each("expm1", lambda: of(arrays("real floating-point") | arrays("complex", low=-3, high=3)))
each("isfinite isinf isnan", lambda: of(arrays("numeric")))
each("ceil floor trunc", lambda: of(arrays("real numeric")))
each("round", lambda: of(arrays("numeric")))
each("signbit", lambda: of(arrays("real floating-point")))
each("imag", lambda: of(arrays("complex")))
each("logical_not", lambda: of(arrays("boolean")))
each("bitwise_invert", lambda: of(arrays("integer or boolean")))
each("acos acosh asin asinh atan atanh cos cosh exp log log1p", lambda: of(arrays("floating-point")))
each("log2 log10 reciprocal sin sinh sqrt tan tanh", lambda: of(arrays("floating-point")))


def _within(x, limit):
    """A limit that the standard takes beside `x`: of its dtype, and no larger than it."""
    if not isinstance(limit, np.ndarray):
        return limit
    return (
        limit.astype(x.dtype)
        if np.broadcast_shapes(x.shape, limit.shape) == x.shape
        else limit.dtype.type(2).item()
    )


CALLS["clip"] = st.tuples(
    pairs("real numeric", -9, 9).filter(lambda pair: isinstance(pair[0], np.ndarray)),
    st.sampled_from(["min", "max", "both"]),
).map(
    lambda case: {
        "min": ((case[0][0],), {"min": _within(*case[0])}),
        "max": ((case[0][0],), {"max": _within(*case[0])}),
        "both": ((case[0][0], 0, 3), {}),
    }[case[1]]
)


def of_pair(kind, low=None, high=None):
    return st.tuples(pairs(kind, low, high), st.just({}))


each("add subtract multiply", lambda: of_pair("numeric"))
each("equal not_equal", lambda: of_pair("all"))
each("greater greater_equal less less_equal maximum minimum", lambda: of_pair("real numeric"))
each("divide", lambda: of_pair("floating-point"))
each("floor_divide remainder", lambda: of_pair("real floating-point") | of_pair("integer", 1, 9))
each("pow", lambda: of_pair("floating-point") | of_pair("integer", 0, 3))
each("atan2 copysign hypot logaddexp nextafter", lambda: of_pair("real floating-point"))
each("bitwise_and bitwise_or bitwise_xor", lambda: of_pair("integer or boolean"))
each("bitwise_left_shift bitwise_right_shift", lambda: of_pair("integer", 0, 7))
each("logical_and logical_or logical_xor", lambda: of_pair("boolean"))


# ── indexing ──


@calls("take")
@st.composite
def _take(draw):
    x = draw(arrays("all", WITH_AXES).filter(lambda x: x.size))
    axis = draw(axis_of(x.ndim))
    indices = fill(draw(SEEDS), "int64", (draw(st.integers(0, 4)),), -x.shape[axis], x.shape[axis] - 1)
    return (x, indices), {"axis": axis}


@calls("take_along_axis")
@st.composite
def _take_along_axis(draw):
    x = draw(arrays("all", WITH_AXES).filter(lambda x: x.size))
    axis = draw(axis_of(x.ndim))
    shape = list(x.shape)
    shape[axis] = draw(st.integers(0, 4))
    return (x, fill(draw(SEEDS), "int64", tuple(shape), -x.shape[axis], x.shape[axis] - 1)), {"axis": axis}


# ── linear algebra ──


@calls("matmul")
@st.composite
def _matmul(draw):
    one, other = draw(st.sampled_from(promotable("numeric")))
    n, k, m = (draw(st.integers(0, 3)) for _ in range(3))
    front, back = draw(broadcastable(2, [(), (2,), (1, 3), (0,)]))
    vectors = [((k,), (k,)), ((n, k), (k,)), ((k,), (k, m))] if not front and not back else []
    left, right = draw(st.sampled_from([((*front, n, k), (*back, k, m)), *vectors]))
    return (fill(draw(SEEDS), one, left, -3, 3), fill(draw(SEEDS), other, right, -3, 3)), {}


@calls("tensordot")
@st.composite
def _tensordot(draw):
    one, other = draw(st.sampled_from(promotable("numeric")))
    left, right, axes = draw(
        st.sampled_from(
            [
                ((2, 3, 2), (3, 2), {}),
                ((2, 3), (3, 4), {"axes": 1}),
                ((2,), (3, 1), {"axes": 0}),
                ((2, 3, 4), (4, 2, 2), {"axes": ((2, 0), (0, 1))}),
                ((0, 3), (3, 2), {"axes": ((-1,), (-2,))}),
                ((), (), {"axes": 0}),
            ]
        )
    )
    return (fill(draw(SEEDS), one, left, -3, 3), fill(draw(SEEDS), other, right, -3, 3)), axes


@calls("vecdot")
@st.composite
def _vecdot(draw):
    one, other = draw(st.sampled_from(promotable("numeric")))
    length = draw(st.integers(0, 3))
    left, right = draw(
        st.sampled_from([((length,), (length,)), ((2, length), (length,)), ((2, 1, length), (1, 3, length))])
    )
    return (fill(draw(SEEDS), one, left, -3, 3), fill(draw(SEEDS), other, right, -3, 3)), {}


each("matrix_transpose", lambda: of(arrays("all", [shape for shape in SHAPES if len(shape) > 1])))


# ── manipulation ──


@calls("broadcast_arrays")
@st.composite
def _broadcast_arrays(draw):
    shapes = draw(broadcastable(draw(st.integers(1, 3))))
    return tuple(draw(arrays("all", [shape])) for shape in shapes), {}


each("broadcast_shapes", lambda: st.tuples(st.integers(0, 3).flatmap(broadcastable).map(tuple), st.just({})))


@calls("broadcast_to")
@st.composite
def _broadcast_to(draw):
    x = draw(arrays("all", [(3,), (2, 1), (), (1, 1), (0,)]))
    shape = draw(broadcastable(1, [(2, 2, 3)])) and (4, *x.shape)
    return (x, draw(st.sampled_from([shape, x.shape, tuple(2 if dim == 1 else dim for dim in x.shape)]))), {}


@calls("concat")
@st.composite
def _concat(draw):
    one, other = draw(st.sampled_from(promotable("all")))
    shape = draw(st.sampled_from(WITH_AXES))
    axis = draw(st.none() | axis_of(len(shape)))
    longer = list(shape)
    longer[axis or 0] = draw(st.integers(0, 3))
    parts = [fill(draw(SEEDS), one, shape), fill(draw(SEEDS), other, tuple(longer))]
    return (draw(st.sampled_from([parts, parts[:1], [*parts, parts[0]]])),), {"axis": axis}


@calls("stack")
@st.composite
def _stack(draw):
    one, other = draw(st.sampled_from(promotable("all")))
    shape = draw(st.sampled_from(SHAPES))
    parts = [fill(draw(SEEDS), dtype, shape) for dtype in (one, other)]
    return (draw(st.sampled_from([parts, parts[:1], (*parts, parts[0])])),), {
        "axis": draw(axis_of(len(shape) + 1))
    }


def over_one_axis(kind, shapes=WITH_AXES, extra=0, **keywords):
    """Calls of one array and an axis of it, and some of the keywords."""
    return arrays(kind, shapes).flatmap(
        lambda x: st.tuples(
            st.tuples(st.just(x)),
            st.fixed_dictionaries({"axis": axis_of(x.ndim + extra)}, optional=keywords),
        )
    )


def over_axes(kind, shapes=SHAPES, low=None, high=None, **keywords):
    """Calls of one array, perhaps axes of it, and some of the keywords."""
    return arrays(kind, shapes, low, high).flatmap(
        lambda x: st.tuples(
            st.tuples(st.just(x)), st.fixed_dictionaries({}, optional={"axis": axes_of(x.ndim), **keywords})
        )
    )


each("expand_dims", lambda: over_one_axis("all", SHAPES, extra=1))
each("unstack", lambda: over_one_axis("all"))
each("flip", lambda: over_axes("all"))


@calls("moveaxis")
@st.composite
def _moveaxis(draw):
    x = draw(arrays("all", WITH_AXES))
    count = draw(st.integers(1, x.ndim))
    source, destination = (tuple(draw(st.permutations(range(x.ndim)))[:count]) for _ in range(2))
    return (x, *draw(st.sampled_from([(source, destination), (source[0] - x.ndim, destination[0])]))), {}


@calls("permute_dims")
@st.composite
def _permute_dims(draw):
    x = draw(arrays("all"))
    order = draw(st.permutations(range(x.ndim)))
    return (x, tuple(axis - x.ndim if draw(st.booleans()) else axis for axis in order)), {}


@calls("repeat")
@st.composite
def _repeat(draw):
    x = draw(arrays("all", WITH_AXES))
    axis = draw(st.none() | axis_of(x.ndim))
    length = x.size if axis is None else x.shape[axis]
    counts = st.sampled_from([(), (1,), (length,)]).flatmap(lambda shape: arrays("integer", [shape], 0, 3))
    return (x, draw(st.integers(0, 3) | counts)), {"axis": axis}


@calls("reshape")
@st.composite
def _reshape(draw):
    x = draw(arrays("all", [(2, 3), (6,), (), (3, 0), (2, 1, 3)]))
    shapes = {
        1: [(), (1,), (-1,), (1, 1)],
        6: [(6,), (3, 2), (-1, 2), (1, 6, 1)],
        0: [(0,), (2, 0), (-1, 3), (0, 5)],
    }
    return (x, draw(st.sampled_from(shapes[x.size]))), draw(
        st.sampled_from([{}, {"copy": True}, {"copy": None}])
    )


@calls("roll")
@st.composite
def _roll(draw):
    x = draw(arrays("all"))
    steps = st.integers(-7, 7)
    if not x.ndim or draw(st.booleans()):
        return (x, draw(steps)), {}
    axes = draw(axes_of(x.ndim).filter(bool))
    count = len(axes) if isinstance(axes, tuple) else 1
    several = draw(st.booleans()) and isinstance(axes, tuple)
    return (x, tuple(draw(steps) for _ in range(count)) if several else draw(steps)), {"axis": axes}


@calls("squeeze")
@st.composite
def _squeeze(draw):
    x = draw(arrays("all", [(1,), (2, 1, 3), (1, 1), (1, 0, 2, 1)]))
    ones = [axis for axis, dim in enumerate(x.shape) if dim == 1]
    axes = draw(st.sampled_from([ones[0], ones[-1] - x.ndim, tuple(ones), ()]))
    return (x, axes), {}


each("tile", lambda: of(arrays("all"), st.lists(st.integers(0, 3), max_size=4).map(tuple)))


# ── searching, sets and sorting ──


def over_perhaps_one_axis(kind, shapes, **keywords):
    """Calls of one array, perhaps one axis of it, and some of the keywords."""
    return arrays(kind, shapes).flatmap(
        lambda x: (
            st.tuples(
                st.tuples(st.just(x)),
                st.fixed_dictionaries({}, optional={"axis": st.none() | axis_of(x.ndim), **keywords}),
            )
            if x.ndim
            else st.tuples(st.tuples(st.just(x)), st.fixed_dictionaries({}, optional=keywords))
        )
    )


each("argmax argmin", lambda: over_perhaps_one_axis("real numeric", WITH_ELEMENTS, keepdims=st.booleans()))
each("count_nonzero", lambda: over_axes("all", keepdims=st.booleans()))
each("nonzero", lambda: of(arrays("all", WITH_AXES)))


@calls("searchsorted")
@st.composite
def _searchsorted(draw):
    one, other = draw(st.sampled_from(promotable("real numeric")))
    haystack = fill(draw(SEEDS), one, (draw(st.integers(0, 5)),), -4 * (one[0] != "u"), 4)
    needles = fill(draw(SEEDS), other, draw(st.sampled_from(SHAPES)), -4 * (other[0] != "u"), 4)
    keywords = draw(st.fixed_dictionaries({}, optional={"side": st.sampled_from(["left", "right"])}))
    if draw(st.booleans()):
        return (haystack, needles), {**keywords, "sorter": np.argsort(haystack)}
    return (np.sort(haystack), draw(st.sampled_from([needles, 2]))), keywords


@calls("where")
@st.composite
def _where(draw):
    shapes = draw(broadcastable(3))
    one, other = draw(st.sampled_from(promotable("all")))
    condition, x1, x2 = (
        fill(draw(SEEDS), dtype, shape) for dtype, shape in zip(("bool", one, other), shapes, strict=True)
    )
    return (
        condition,
        *draw(st.sampled_from([(x1, x2), (x1, x1.dtype.type(1).item()), (x2.dtype.type(0).item(), x2)])),
    ), {}


each("isin", lambda: st.tuples(pairs("integer", 0, 4), st.just({})))
each("unique_all unique_counts unique_inverse unique_values", lambda: of(arrays("all")))


def _last_axis(call):
    """A call without an axis where it had None, which sorting does not take."""
    args, kwargs = call
    return args, {name: value for name, value in kwargs.items() if value is not None}


each(
    "argsort sort",
    lambda: over_perhaps_one_axis("real numeric", WITH_AXES, descending=st.booleans()).map(_last_axis),
)


# ── statistical and utility ──

each("max min", lambda: over_axes("real numeric", WITH_ELEMENTS, keepdims=st.booleans()))
each("mean", lambda: over_axes("floating-point", keepdims=st.booleans()))
each(
    "std var",
    lambda: over_axes(
        "real floating-point", low=-9, high=9, keepdims=st.booleans(), correction=st.sampled_from([0, 1, 0.5])
    ),
)
each("all any", lambda: over_axes("all", keepdims=st.booleans()))


@calls("sum", "prod")
@st.composite
def _sum(draw):
    args, kwargs = draw(over_axes("numeric", keepdims=st.booleans()))
    return args, {**kwargs, **draw(result_dtype(args[0]))}


@calls("cumulative_sum", "cumulative_prod")
@st.composite
def _cumulative(draw):
    x = draw(arrays("numeric", WITH_AXES))
    keywords = draw(st.fixed_dictionaries({}, optional={"include_initial": st.booleans()}))
    axis = {} if x.ndim == 1 and draw(st.booleans()) else {"axis": draw(axis_of(x.ndim))}
    return (x,), {**keywords, **axis, **draw(result_dtype(x))}


def result_dtype(x):
    """Nothing, or a `dtype` of the kind of `x`."""
    wider = {"i": ["int16", "int64"], "u": ["uint64"], "f": ["float32", "float64"], "c": ["complex128"]}
    dtypes = st.sampled_from([None, *map(DType, wider[x.dtype.kind])])
    return st.fixed_dictionaries({}, optional={"dtype": dtypes})


@calls("diff")
@st.composite
def _diff(draw):
    x = draw(arrays("numeric", WITH_AXES))
    axis = draw(axis_of(x.ndim))
    keywords = {"axis": axis, "n": draw(st.integers(0, 3))}
    for name in ("prepend", "append"):
        if draw(st.booleans()):
            shape = list(x.shape)
            shape[axis] = draw(st.integers(0, 2))
            keywords[name] = fill(draw(SEEDS), x.dtype, tuple(shape))
    return (x,), keywords
