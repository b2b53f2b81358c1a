"""The calls of functions that make arrays, and of those that ask about dtypes."""

from hypothesis import strategies as st

from tests.standard.calls import calls, each, of
from tests.standard.inputs import KINDS, SEEDS, SHAPES, arrays, fill, promotable
from tests.standard.ways import DType

ALL = [DType(name) for name in KINDS["all"]]
NUMERIC = st.sampled_from([DType(name) for name in KINDS["numeric"]])
SHAPE = st.sampled_from([*SHAPES, 3])
MATRICES = [(2, 3), (3, 3), (0, 2), (2, 1, 3), (1, 1), (2, 3, 4, 2)]


@calls("arange")
@st.composite
def _arange(draw):
    whole = st.sampled_from([(5,), (2, 7), (7, 2, -2), (0,), (3, 1), (-3, 3, 2)])
    args = draw(whole | st.sampled_from([(0.5, 2.75), (1.0, 2.0, 0.25)]))
    dtypes = ["float32", "float64", *["int16"] * all(isinstance(arg, int) for arg in args)]
    return args, draw(st.fixed_dictionaries({}, optional={"dtype": st.sampled_from([*map(DType, dtypes)])}))


@calls("asarray")
@st.composite
def _asarray(draw):
    lists = st.sampled_from([1, 2.5, True, 1j, [1, 2], [[1.5], [2]], [], [[True, False]], [1 + 2j, 3]])
    keywords = st.sampled_from([{}, {"copy": True}, {"copy": None}, {"dtype": DType("complex128")}])
    return (draw(lists | arrays("all")),), draw(keywords)


@calls("astype")
@st.composite
def _astype(draw):
    x = draw(arrays("all", low=0, high=9))
    fitting = [name for name in ALL if x.dtype.kind != "c" or name.startswith("complex")]
    return (x, draw(st.sampled_from(fitting))), draw(st.sampled_from([{}, {"copy": False}]))


@calls("linspace")
@st.composite
def _linspace(draw):
    start, stop = draw(st.sampled_from([(0, 1), (-2.5, 7), (3, 3), (5, -5)]))
    dtypes = st.sampled_from([DType("float32"), DType("complex64"), None])
    keywords = st.fixed_dictionaries({}, optional={"endpoint": st.booleans(), "dtype": dtypes})
    return (start, stop, draw(st.integers(0, 6))), draw(keywords)


@calls("meshgrid")
@st.composite
def _meshgrid(draw):
    dtype = draw(NUMERIC)
    lengths = draw(st.lists(st.sampled_from([0, 1, 3]), min_size=1, max_size=3))
    vectors = tuple(fill(draw(SEEDS), dtype, (length,)) for length in lengths)
    return vectors, draw(st.sampled_from([{}, {"indexing": "ij"}, {"indexing": "xy"}]))


@calls("full")
@st.composite
def _full(draw):
    value = draw(st.sampled_from([2, 0.5, True, 1 - 1j]))
    return (draw(SHAPE), value), {}


def like(*more):
    """Calls that take the shape of an array, and its dtype unless they say another."""
    keywords = st.fixed_dictionaries({}, optional={"dtype": NUMERIC})
    return st.tuples(st.tuples(arrays("numeric"), *more), keywords)


PAIRS = st.sampled_from([tuple(map(DType, pair)) for pair in promotable("all")])
OF_ONE_KIND = st.sampled_from(
    [tuple(map(DType, pair)) for kind in ("integer", "floating-point") for pair in promotable(kind)]
)
KIND = st.sampled_from(["bool", "integral", "real floating", ("numeric", "bool")])

each("empty ones zeros", lambda: of(SHAPE, dtype=NUMERIC))
each("empty_like ones_like zeros_like", like)
each("full_like", lambda: like(st.sampled_from([1, 3])))
each("eye", lambda: of(st.integers(0, 3), st.none() | st.integers(0, 3), k=st.integers(-3, 3), dtype=NUMERIC))
each("tril triu", lambda: of(arrays("numeric", MATRICES), k=st.integers(-3, 3)))
each("can_cast", lambda: st.tuples(OF_ONE_KIND, st.just({})))
each("result_type", lambda: st.tuples(PAIRS, st.just({})))
each("isdtype", lambda: of(st.sampled_from(ALL), KIND))

ANY_VALUES = {"empty", "empty_like"}
"""Functions whose elements may be any."""
