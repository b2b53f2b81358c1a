"""What functions say of arguments without a meaning for them: an error of ours, which names the argument."""

import re

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import DTypeError, Error, IntTooLarge, InvalidValue, ShapeError

X = rt.asarray([1.0, 2.0, 3.0])
M = rt.asarray([[2.0, 1.0], [1.0, 3.0]])
ODD = [object(), {}, slice(1)]
"""What no argument may be; of some the class has no hash."""

REFUSED = {
    "`num` is": [lambda odd: rt.linspace(0, 1, odd)],
    "`k` is": [lambda odd: rt.eye(2, k=odd)],
    "`n` is": [
        lambda odd: rt.fft.fft(X, n=odd),
        lambda odd: rt.fft.fftfreq(odd),
        lambda odd: rt.linalg.matrix_power(M, odd),
    ],
    "`d` is": [lambda odd: rt.fft.fftfreq(3, d=odd), lambda odd: rt.fft.rfftfreq(3, d=odd)],
    "`s` is": [lambda odd: rt.fft.fftn(X, s=[odd])],
    "`norm` is": [lambda odd: rt.fft.fft(X, norm=odd), lambda odd: rt.fft.fftn(X, norm=odd)],
    "`mode` is": [lambda odd: rt.linalg.qr(M, mode=odd)],
    "`pad` knows no mode": [lambda odd: rt.pad(X, [(1, 1)], mode=odd)],
    "`searchsorted` knows no side": [lambda odd: rt.searchsorted(X, X, side=odd)],
    "`meshgrid` knows no indexing": [lambda odd: rt.meshgrid(X, indexing=odd)],
    "is no norm of matrices": [lambda odd: rt.linalg.matrix_norm(M, ord=odd)],
    "`offset` is": [
        lambda odd: rt.linalg.diagonal(M, offset=odd),
        lambda odd: rt.linalg.trace(M, offset=odd),
    ],
    "an axis is": [
        lambda odd: rt.linalg.cross(X, X, axis=odd),
        lambda odd: rt.fft.fft(X, axis=odd),
        lambda odd: rt.fft.fftn(X, axes=[odd]),
    ],
    "`axes` is": [lambda odd: rt.tensordot(X, X, axes=odd), lambda odd: rt.tensordot(X, X, axes=(odd, 0))],
    "`sections` is": [lambda odd: rt.split(X, odd or object()), lambda odd: rt.split(X, [odd])],
    "`pad_width` is": [lambda odd: rt.pad(X, odd or object()), lambda odd: rt.pad(X, [(odd, 1)])],
    "`alpha` is": [lambda odd: rt.leaky_relu(X, alpha=odd)],
    "the equation of `einsum` is": [lambda odd: rt.einsum(odd, X)],
}


@pytest.mark.parametrize(
    ("said", "call"), [(said, call) for said, calls in REFUSED.items() for call in calls]
)
@pytest.mark.parametrize("is_traced", [False, True], ids=["eager", "traced"])
def test_what_has_no_meaning_is_refused_by_the_name_of_the_argument(said, call, is_traced):
    for odd in ODD:
        run = ag.function(lambda odd=odd: call(odd)) if is_traced else lambda odd=odd: call(odd)
        with pytest.raises(Error, match=re.escape(said)) as caught:
            run()
        assert isinstance(caught.value, DTypeError | InvalidValue | ShapeError)


def test_an_integer_of_numpys_is_one_and_so_is_a_tensor_of_one():
    for two in (2, np.int64(2), np.asarray(2), rt.asarray(2)):
        assert [each.shape for each in rt.split(rt.ones(4), two)] == [(2,), (2,)]
        assert rt.linspace(0, 1, two).shape == (2,)
    for sizes in ([1, 3], np.asarray([1, 3]), rt.asarray([1, 3])):
        assert [each.shape for each in rt.split(rt.ones(4), sizes)] == [(1,), (3,)]
    for axes in (1, np.int64(1), (0, 0), ([0], [0]), np.asarray([[0], [0]])):
        assert rt.tensordot(X, X, axes=axes) == 14.0


def test_a_fraction_chooses_no_diagonal():
    with pytest.raises(DTypeError, match=r"`k` is 1\.5"):
        rt.eye(3, k=1.5)


def test_lengths_are_integers_and_no_lists_of_them():
    for shape in ([[2], [3]], [[1], [2, 3]]):
        with pytest.raises(DTypeError, match="a dim of a shape is"):
            rt.zeros(shape)
    with pytest.raises(ShapeError, match="is no shape of a tensor"):
        rt.zeros(rt.asarray([[2, 3]]))


def test_padding_takes_pairs_of_lengths():
    for widths in ((1, 1), 1, [(1, -1)], [(1, 2, 3)]):
        with pytest.raises(InvalidValue, match="`pad_width` is"):
            rt.pad(X, widths)


def test_an_int_of_more_than_64_bits_has_no_dtype_to_be_cast_from():
    with pytest.raises(IntTooLarge):
        rt.astype(2**70, rt.float64)
