"""What is known of values of every kind: tensors, lists, exceptions, text and cells."""

import copy
import itertools
import pickle

import numpy as np
import pytest

import runtime as rt
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import float32, float64, int32, int64
from runtime.core.lists import ListValue
from runtime.core.spec import ArraySpec, CellSpec, ErrorSpec, ListSpec, TensorSpec, TextSpec, as_array_spec
from runtime.errors import DTypeError, ShapeError
from runtime.graph.builder import Builder
from runtime.graph.op import Placeholder
from runtime.graph.parser import from_text

VECTOR = ArraySpec((3,), float32)
KINDS = {
    "f32[3]": VECTOR,
    "i64[...]": ArraySpec(None, int64),
    "list[?]": ListSpec(),
    "list[f32[3]]": ListSpec(VECTOR),
    "list[list[?]]": ListSpec(ListSpec()),
    "error": ErrorSpec(),
    "text": TextSpec(),
    "cell": CellSpec(),
}
OTHERS = [spec for spec in KINDS.values() if not isinstance(spec, ArraySpec)]


@pytest.mark.parametrize("text", KINDS)
def test_each_kind_prints_and_parses_as_itself(text):
    builder = Builder("graph")
    graph = builder.finish([builder.input(KINDS[text], "x")])
    assert graph.text() == f"x: {text}\nreturn x"
    assert from_text(graph.text()).input_specs == (KINDS[text],)


@pytest.mark.parametrize("text", KINDS)
def test_each_kind_is_a_field_that_parses_as_itself(text):
    graph = from_text(f"a = Placeholder(label='x', spec={text})\nreturn a")
    assert graph.nodes[0].op == Placeholder("x", KINDS[text])


@pytest.mark.parametrize("text", KINDS)
def test_each_kind_holds_and_joins_itself(text):
    spec = KINDS[text]
    assert spec.contains(spec)
    assert spec.join(spec) == spec
    assert pickle.loads(pickle.dumps(spec)) == copy.deepcopy(spec) == spec  # written here


@pytest.mark.parametrize(
    ("left", "right"), [pair for pair in itertools.permutations(KINDS, 2) if "list" not in pair[0]], ids=str
)
def test_different_kinds_have_nothing_in_common(left, right):
    assert not KINDS[left].contains(KINDS[right])
    with pytest.raises(DTypeError, match="have no spec in common"):
        KINDS[left].join(KINDS[right])


def test_a_list_that_has_no_elements_yet_is_a_list_of_any():
    some, none = ListSpec(VECTOR), ListSpec()
    assert some.contains(none)
    assert not none.contains(some)
    assert some.join(none) == none.join(some) == some


def test_elements_of_lists_are_promoted_where_lists_meet():
    assert ListSpec(ArraySpec((3,), int32)).join(ListSpec(ArraySpec((2,), float64))) == ListSpec(
        ArraySpec((UNKNOWN,), float64)
    )
    with pytest.raises(DTypeError, match="have no spec in common"):
        ListSpec(VECTOR).join(ListSpec(ListSpec(VECTOR)))


def test_a_spec_inside_has_no_none_for_a_length():
    with pytest.raises(ShapeError, match=r"None is a dim in the shape \(None, 3\)"):
        ArraySpec((None, 3), float64)
    with pytest.raises(ShapeError, match="None is a dim"):
        ArraySpec((2,), float64).with_shape((2, None))
    assert TensorSpec((None, 3), float64).plain == ArraySpec((UNKNOWN, 3), float64)
    assert ArraySpec(None, float64).rank is None


@pytest.mark.parametrize("spec", OTHERS, ids=str)
def test_what_is_no_tensor_has_no_shape_and_no_dtype(spec):
    value = Builder("graph").input(spec)
    for ask in (
        lambda: as_array_spec(spec),
        lambda: spec.shape,
        lambda: spec.dtype,
        lambda: spec.rank,
        lambda: value.shape,
        lambda: value.dtype,
        lambda: value.array_spec,
    ):
        with pytest.raises(DTypeError, match=f"{spec.noun} was used as a tensor"):
            ask()
    assert not spec.is_scalar


def test_the_handle_of_a_list_is_no_tensor_in_eager_code():
    handle = rt.TensorArray(rt.float32, size=2, element_shape=(3,)).handle
    assert handle.spec == ListSpec(VECTOR)
    assert repr(handle) == str(handle) == "<Tensor: list[f32[3]]>"
    for ask in (
        lambda: handle.static_shape,
        lambda: handle.shape,
        lambda: handle.dtype,
        lambda: handle.ndim,
        lambda: handle.numpy(),
        lambda: np.asarray(handle),
        lambda: handle + 1,
        lambda: rt.sum(handle),
        lambda: rt.astype(handle, rt.int32),
    ):
        with pytest.raises(DTypeError, match="a list of tensors was used as a tensor"):
            ask()


def test_a_tensor_is_no_list():
    with pytest.raises(DTypeError, match="a tensor was used as a list of tensors"):
        from_text("x: f32[3]\na = TensorListLength(x, dtype=i64)\nreturn a")


def test_lists_hold_tensors_and_lists_alone():
    with pytest.raises(DTypeError, match="an exception was used as a tensor"):
        from_text("x: list[?]\nerror: error\na = TensorListPushBack(x, error)\nreturn a")


def test_lists_are_made_of_lists():
    inner = ListValue.of([np.zeros(3, np.float32)])
    outer = ListValue.of([inner, inner])
    assert outer.spec == ListSpec(ListSpec(VECTOR))
    assert outer.items[1] is inner
