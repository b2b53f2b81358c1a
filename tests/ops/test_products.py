"""Products of tensors: `matmul`, `vecdot`, `tensordot`, `einsum`, `cross`, `outer`."""

import array_api_strict
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runtime as rt
from runtime.errors import InvalidValue, ShapeError
from runtime.functions.polymorphic import PolymorphicFunction
from tests.ops.drawn import assert_close, numbers

linalg = rt.linalg

PRODUCTS = {
    "vectors": lambda xp, x, y: xp.vecdot(x, y),
    "vectors along another axis": lambda xp, x, y: xp.vecdot(x, y, axis=-2),
    "tensordot": lambda xp, x, y: xp.tensordot(x, y, axes=((2, 0), (2, 0))),
    "tensordot of all": lambda xp, x, y: xp.tensordot(x, y, axes=3),
    "tensordot of none": lambda xp, x, y: xp.tensordot(x, y, axes=0),
    "cross": lambda xp, x, y: xp.linalg.cross(x, y),
    "cross along another axis": lambda xp, x, y: xp.linalg.cross(x, y, axis=-2),
    "matmul": lambda xp, x, y: xp.matmul(x, y),
    "outer": lambda xp, x, y: xp.linalg.outer(x[0, 0, :], y[1, :, 0]),
}


@pytest.mark.parametrize("dtypes", [("int8", "int16"), ("float32", "float32"), ("complex64", "float64")])
@pytest.mark.parametrize("compute", PRODUCTS.values(), ids=PRODUCTS)
def test_products(everywhere, compute, dtypes):
    x, y = [numbers((2, 3, 3), dtype, seed) for seed, dtype in enumerate(dtypes)]
    expected = compute(array_api_strict, array_api_strict.asarray(x), array_api_strict.asarray(y))
    for found in everywhere(lambda a, b: compute(rt, a, b), x, y):
        assert_close(found, expected)


def test_products_of_bools_are_as_numpys(everywhere):
    x, y = np.array([[True, False], [False, False]]), np.array([[True, True], [False, True]])
    for name in ("vecdot", "tensordot", "matmul"):
        for found in everywhere(getattr(rt, name), x, y):
            assert_close(found, getattr(np, name)(x, y))
    for found in everywhere(lambda a, b: rt.einsum("ij,jk->k", a, b), x, y):
        assert_close(found, np.einsum("ij,jk->k", x, y))


@pytest.mark.parametrize(
    ("equation", "shapes"),
    [
        ("ij,jk", [(2, 3), (3, 4)]),
        ("ba", [(2, 3)]),
        ("i...->...", [(2, 3, 4)]),
        ("...ij,...jk->...ik", [(5, 1, 2, 3), (4, 3, 2)]),
        ("ij,j->i", [(2, 1), (3,)]),
        ("ii->i", [(3, 3)]),
        (" i , i -> ", [(0,), (0,)]),
        (",i", [(), (3,)]),
        ("ij,jk,kl", [(2, 3), (3, 4), (4, 2)]),
        ("i...,i...->i...", [(2, 3), (2, 1)]),
    ],
)
def test_sums_of_products_by_letters(everywhere, equation, shapes):
    arrays = [numbers(shape, "float64", seed) for seed, shape in enumerate(shapes)]
    expected = np.asarray(np.einsum(equation, *arrays))
    for found in everywhere(lambda *operands: rt.einsum(equation, *operands), *arrays):
        assert_close(found, expected)


@st.composite
def equations(draw):
    """An equation of up to three operands, and shapes: letters repeat, dots broadcast, axes may be empty."""
    lengths = dict(zip("abcZ", draw(st.tuples(*[st.integers(0, 3)] * 4)), strict=True))
    inputs, shapes = [], []
    for _ in range(draw(st.integers(1, 3))):
        letters = draw(st.lists(st.sampled_from("abcZ"), max_size=3))
        dots = draw(st.sampled_from(["", "..."]))
        place = draw(st.integers(0, len(letters)))
        covered = draw(st.sampled_from([(), (1,), (2,), (3, 1), (3, 2)])) if dots else ()
        before, after = letters[:place], letters[place:]
        inputs.append("".join([*before, dots, *after]))
        shapes.append((*[lengths[each] for each in before], *covered, *[lengths[each] for each in after]))
    used = sorted(set("".join(inputs)) - {"."})
    kept = draw(st.lists(st.sampled_from(used), unique=True)) if used else []
    arrow = draw(st.sampled_from(["", f"->...{''.join(kept)}", f"->{''.join(kept)}..."]))
    return ",".join(inputs) + arrow, shapes


@given(equations(), st.sampled_from(["int8", "float64", "complex64"]))
@settings(max_examples=60)
def test_any_equation_gives_what_numpy_gives(staged, equation_and_shapes, dtype):
    equation, shapes = equation_and_shapes
    arrays = [numbers(shape, dtype, seed) for seed, shape in enumerate(shapes)]
    expected = np.asarray(np.einsum(equation, *arrays))
    for found in (
        rt.einsum(equation, *arrays),
        staged(lambda *operands: rt.einsum(equation, *operands), *arrays),
        staged(lambda *operands: rt.einsum(equation, *operands), *arrays, known=True),
    ):
        assert_close(found, expected)


# ── what is refused ───────────────────────────────────────────────────────────────────────────────────

X, V = np.ones((2, 3)), np.ones(3)


@pytest.mark.parametrize(
    ("compute", "error", "message"),
    [
        (lambda: linalg.outer(X, V), ShapeError, "two vectors"),
        (lambda: linalg.vecdot(np.ones(1), V), ShapeError, "vectors of length 1 and 3"),
        (lambda: linalg.vecdot(1.0, V), ShapeError, "without axes"),
        (lambda: linalg.tensordot(X, X, axes=1), ShapeError, "differ"),
        (lambda: linalg.tensordot(X, X, axes=3), ShapeError, "out of range"),
        (lambda: linalg.tensordot(X, X, axes=-1), ShapeError, "`axes` is -1"),
        (lambda: linalg.tensordot(X, X, axes=((0, 1), (0,))), ShapeError, "as many of one"),
        (lambda: linalg.tensordot(X, X, axes=((1, 1), (1, 1))), ShapeError, "named twice"),
        (lambda: linalg.matmul(1.0, X), ShapeError, "without axes"),
        (lambda: rt.einsum("i1->i", X), InvalidValue, "'i1' in 'i1->i' names no axes"),
        (lambda: rt.einsum("i..j", X), InvalidValue, "names no axes"),
        (lambda: rt.einsum("ij->ii", X), InvalidValue, "named twice"),
        (lambda: rt.einsum("...i->i", X), ShapeError, "no place for the axes"),
        (lambda: rt.einsum("ii", X), ShapeError, "is 2 in one place and 3 in another"),
    ],
)
def test_what_never_fits_is_refused_at_once_and_while_tracing(compute, error, message):
    with pytest.raises(error, match=message):
        compute()
    with pytest.raises(error, match=message):
        PolymorphicFunction(compute).get_concrete_function()


@pytest.mark.parametrize("executor", ["reference", "numpy"])
@pytest.mark.parametrize(
    "compute",
    [
        lambda x: linalg.matmul(x, x),
        lambda x: linalg.vecdot(x, x[:, :1]),
        lambda x: linalg.tensordot(x, x, axes=1),
        lambda x: rt.einsum("ii", x),
    ],
)
def test_shapes_that_only_the_run_knows_are_refused_there(executor, compute):
    signature = [rt.TensorSpec((None, None), rt.float64)]
    traced = PolymorphicFunction(compute, input_signature=signature, executor=executor)
    with pytest.raises(ValueError, match=r".") as caught:
        traced(rt.ones((3, 2)))
    assert __file__ in "".join([str(caught.value), *getattr(caught.value, "__notes__", ())])
