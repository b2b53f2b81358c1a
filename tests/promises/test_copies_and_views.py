"""What shows the memory of an array, and what is an array of its own, is what it is in NumPy."""

import copy

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.promises.kit import function_of

MADE = [
    "np.array(x)",
    "np.array(x, copy=True)",
    "np.asarray(x)",
    "np.copy(x)",
    "x.copy()",
    "copy.copy(x)",
    "copy.deepcopy(x)",
    "x+0",
    "+x",
    "x*1",
    "np.positive(x)",
    "x.astype(x.dtype)",
    "x.astype(float, copy=False)",
    "np.abs(x)",
    "np.broadcast_to(x, (4, )).copy()",
    "np.concatenate([x])",
    "np.where(True, x, x)",
    "np.stack([x])[0]",
    "np.nan_to_num(x)",
    "np.sort(x)",
    "np.flip(np.flip(x))",
    "np.roll(x, 0)",
    "np.tile(x, 1)",
    "np.repeat(x, 1)",
    "np.pad(x, 0)",
    "np.real(x)",
    "x.real",
    "np.conj(x)",
    "np.ravel(x)",
    "x.flatten()",
    "np.squeeze(x)",
    "np.atleast_1d(x)",
    "np.asarray(x, dtype=x.dtype)",
    "np.array(x, copy=False)",
    "np.array(x, copy=None)",
    "x[:]",
    "x[...]",
    "x[[0, 1, 2, 3]]",
    "x[x==x]",
    "np.take(x, [0, 1, 2, 3])",
    "x.T",
    "np.transpose(x)",
    "x.reshape(4)",
    "x.view()",
    "np.round(x)",
    "np.floor(x)",
    "np.maximum(x, x)",
    "np.expand_dims(x, 0)[0]",
    "np.diag(np.diag(x))",
    "np.triu(x[None])[0]",
    "np.split(x, 1)[0]",
    "np.hsplit(x, 1)[0]",
    "np.insert(x, 0, [])",
    "np.delete(x, [])",
    "np.append(x, [])",
    "np.ascontiguousarray(x)",
    "np.vstack([x])[0]",
    "np.einsum('i->i', x)",
    "x.squeeze()",
    "x.ravel()",
    "np.unique(x)",
    "np.trim_zeros(x)",
    "np.moveaxis(x[None], 0, 1)[:, 0]",
    "np.rollaxis(x[None], 1)[:, 0]",
    "np.swapaxes(x[None], 0, 1)[:, 0]",
    "np.rot90(x[None], 4)[0]",
    "np.fliplr(np.fliplr(x[None]))[0]",
    "np.array_split(x, 1)[0]",
    "np.broadcast_arrays(x, x)[0]",
    "np.meshgrid(x, x)[0][0]",
    "np.compress([1, 1, 1, 1], x)",
    "np.extract([1, 1, 1, 1], x)",
    "np.choose([0, 0, 0, 0], [x])",
    "np.select([x==x], [x])",
    "np.piecewise(x, [x==x], [lambda v:v])",
    "np.clip(x, -9, 9)",
    "np.einsum('ij->ji', x.reshape(2, 2)).ravel()",
    "np.array([x])[0]",
    "copy.deepcopy([x])[0]",
    "copy.copy([x])[0]",
]


@pytest.mark.parametrize("made", MADE)
def test_a_write_is_seen_where_numpy_shows_it(made):
    program = (
        f"def f(x):\n    y = {made}\n    y[0] = 50\n    z = x * 1\n    x[1] = 7\n    return x, y, z, y is x\n"
    )
    ag.check(function_of(program, copy=copy), np.arange(4.0))


def test_a_view_of_all_of_an_array_of_numpy_s_is_another_array():
    def program(v):
        x = np.zeros(4)
        whole, again, turned = x[:], x.reshape(2, 2).ravel(), x.T
        x[0] = v
        return x is whole, x is again, x is turned, whole is again, whole, again

    ag.check(program, np.float64(2.0))


def test_a_copy_that_is_asked_for_is_one_in_a_graph():
    @ag.function
    def f(x):
        y = rt.asarray(x, copy=True)
        y[0] = 50
        return x, y

    x, y = f(rt.arange(3))
    assert x.tolist() == [0, 1, 2]
    assert y.tolist() == [50, 1, 2]


def written_into(x):
    shown = np.broadcast_to(x, (2, 3))
    try:
        shown[0, 0] = 1.0
    except ValueError as error:
        print(error)
    try:
        np.diag(np.outer(x, x))[0] += 2.0
    except ValueError as error:
        print(error)
    return shown


def test_a_handler_catches_that_elements_are_not_there_to_be_written_to():
    ag.check(written_into, np.ones(3))


def test_elements_within_limits_that_are_none_are_another_array():
    def f(x):
        made = [x.clip(), x.clip(None, None), np.clip(x, None, None), x.clip(-(10**30), 10**30)]
        for number, each in enumerate(made):
            each[0] = number + 7
        return x, made

    ag.check(f, np.arange(3), then=[(np.ones(2, int),)])
