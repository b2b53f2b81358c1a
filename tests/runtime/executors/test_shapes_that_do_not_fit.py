"""Shapes that only a run shows not to fit: both are named, in the words of a trace, with the user's line."""

import numpy as np
import pytest

import runtime as rt
from runtime.errors import IndexOutOfRange, ShapeError
from runtime.functions.polymorphic import PolymorphicFunction

MISFITS = {
    "broadcasting": (lambda x, y: x + y, (2, 3), (4,), r"\(2, 3\) and \(4,\) do not broadcast"),
    "what has no name": (lambda x, y: (x * 2 + 1) * y, (2, 3), (4,), r"\(2, 3\) and \(4,\) do not broadcast"),
    "three": (lambda x, y: rt.where(x > 0, x, y), (2, 3), (4,), r"\(2, 3\) and \(4,\) do not broadcast"),
    "products": (lambda x, y: x @ y, (2, 3), (4, 5), r"\(2, 3\) and \(4, 5\) do not multiply"),
    "a vector": (lambda x, y: x @ y, (2, 3), (4,), r"\(2, 3\) and \(4,\) do not multiply"),
    "einsum": (lambda x, y: rt.einsum("ij,jk->ik", x, y), (2, 3), (4, 5), "'j' .* is 3 .* and 4"),
    "a diagonal": (lambda x, y: rt.einsum("ii->", x), (2, 3), (), "'i' .* is 2 .* and 3"),
    "concat": (lambda x, y: rt.concat([x, y]), (2, 3), (2, 4), r"\(2, 3\) and \(2, 4\) cannot be joined"),
    "stack": (lambda x, y: rt.stack([x, y]), (2, 3), (2, 4), r"\(2, 3\) and \(2, 4\) cannot be joined"),
    "reshape": (lambda x, y: rt.reshape(x, (4, -1)), (2, 3), (), r"\(2, 3\) cannot be reshaped to \(4, -1\)"),
    "reshape by tensors": (
        lambda x, y: rt.reshape(x, (rt.shape(y)[0], -1)),
        (2, 3),
        (4,),
        r"\(2, 3\) cannot be reshaped to \(4, -1\)",
    ),
    "broadcast_to": (lambda x, y: rt.broadcast_to(x, (4, 3)), (2, 3), (), r"\(2, 3\) does not .* \(4, 3\)"),
    "broadcast_to tensors": (
        lambda x, y: rt.broadcast_to(x, rt.shape(y)),
        (2,),
        (3,),
        r"\(2,\) does not broadcast to \(3,\)",
    ),
    "squeeze": (lambda x, y: rt.squeeze(x, axis=0), (2, 3), (), r"axis 0 of shape \(2, 3\)"),
    "solve": (lambda x, y: rt.linalg.solve(x, y), (2, 2), (3,), r"\(2, 2\) cannot be solved for \(3,\)"),
    "inv": (lambda x, y: rt.linalg.inv(x), (2, 3), (), r"\(2, 3\) holds no square matrices"),
    "cholesky": (lambda x, y: rt.linalg.cholesky(x), (2, 3), (), r"\(2, 3\) holds no square matrices"),
    "lstsq": (lambda x, y: np.linalg.lstsq(x, y), (2, 3), (4,), r"\(2, 3\) cannot be solved for \(4,\)"),
    "max": (lambda x, y: rt.max(x, axis=0), (0, 3), (), r"of shape \(0, 3\) over axes \(0,\)"),
    "update": (lambda x, y: x.at[0].set(y), (2, 3), (4,), r"\(4,\) does not fit where .* \(3,\)"),
    "bincount": (lambda x, y: np.bincount(x.astype("int64"), y), (2,), (3,), r"\(2,\) with .* shape \(3,\)"),
    "interp": (lambda x, y: np.interp(1.0, x, y), (2,), (3,), r"\(2,\) and \(3,\)"),
}


def run(function, executor, *arrays):
    specs = [rt.TensorSpec((None,) * array.ndim, array.dtype) for array in arrays]
    staged = PolymorphicFunction(function, executor=executor, input_signature=specs)
    return staged(*[rt.asarray(array) for array in arrays])


@pytest.mark.parametrize("executor", ["numpy", "reference"])
@pytest.mark.parametrize("name", MISFITS)
def test_both_shapes_are_named(name, executor):
    function, left, right, message = MISFITS[name]
    with pytest.raises(ShapeError, match=message) as caught:
        run(function, executor, np.ones(left), np.ones(right))
    assert "while the graph ran this line:" in str(caught.value)
    assert "lambda x, y" in str(caught.value)


@pytest.mark.parametrize("name", MISFITS)
def test_a_trace_and_eager_code_say_the_same(name):
    function, left, right, message = MISFITS[name]
    arrays = [rt.asarray(np.ones(shape)) for shape in (left, right)]
    with pytest.raises(ShapeError, match=message):
        PolymorphicFunction(function)(*arrays)
    with pytest.raises(ShapeError, match=message):
        function(*arrays)


@pytest.mark.parametrize("executor", ["numpy", "reference"])
def test_masks_are_named_with_what_they_mask(executor):
    with pytest.raises(IndexOutOfRange, match=r"a mask of shape \(4,\) does not match"):
        run(lambda x, y: x[y > 0], executor, np.ones((3, 3)), np.ones(4))


@pytest.mark.parametrize("executor", ["numpy", "reference"])
def test_shapes_in_loops_and_branches_are_those_of_their_turn(executor):
    def grow(x, y):
        def longer(i, x):
            return i + 1, rt.concat([x, x])

        _, x = rt.while_loop(lambda i, x: i < 2, longer, (0, x), shape_invariants=None)
        return rt.cond(rt.sum(x) > 0, lambda: x + y, lambda: x)

    with pytest.raises(ShapeError, match=r"\(8,\) and \(3,\) do not broadcast"):
        run(grow, executor, np.ones(2), np.ones(3))


@pytest.mark.parametrize("executor", ["numpy", "reference"])
def test_what_has_nothing_to_do_with_shapes_stays_as_it_is(executor):
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        run(lambda x: rt.linalg.inv(x), executor, np.ones((2, 2)))
    with pytest.raises(IndexError, match="out of bounds"):
        run(lambda x: x[rt.astype(x[0], rt.int64)], executor, np.full(3, 9.0))
