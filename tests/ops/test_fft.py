"""`rt.fft`: the standard's extension, against NumPy, at once and in graphs."""

import inspect

import array_api_strict
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runtime as rt
from runtime.errors import DTypeError, InvalidValue, ShapeError
from runtime.functions.polymorphic import PolymorphicFunction
from tests.ops.drawn import assert_close, numbers

REAL, COMPLEX = ("float32", "float64"), ("complex64", "complex128")
NORMS = ("backward", "ortho", "forward")


def dtypes_of(name):
    """What a transform takes."""
    return REAL if name in {"rfft", "rfftn", "ihfft"} else (*REAL, *COMPLEX)


def parameters(function):
    return [(each.name, each.kind, each.default) for each in inspect.signature(function).parameters.values()]


def test_the_functions_are_those_of_the_standard():
    assert set(rt.fft.__all__) == set(array_api_strict.fft.__all__)


@pytest.mark.parametrize("name", rt.fft.__all__)
def test_every_function_has_the_signature_of_the_standard(name):
    theirs = inspect.unwrap(getattr(array_api_strict.fft, name))
    assert parameters(getattr(rt.fft, name)) == parameters(theirs)


# ── transforms ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
@given(st.data())
@settings(max_examples=8)
def test_transforms_along_an_axis(everywhere, name, data):
    rank = data.draw(st.integers(1, 3))
    axis = data.draw(st.integers(-rank, rank - 1))
    shape = [data.draw(st.integers(0, 3)) for _ in range(rank)]
    shape[axis] = data.draw(st.integers(2, 7))
    x = numbers(shape, data.draw(st.sampled_from(dtypes_of(name))), 0)
    n, norm = data.draw(st.none() | st.integers(1, 9)), data.draw(st.sampled_from(NORMS))
    expected = getattr(np.fft, name)(x, n=n, axis=axis, norm=norm)
    for found in everywhere(lambda t: getattr(rt.fft, name)(t, n=n, axis=axis, norm=norm), x):
        assert_close(found, expected)


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn"])
@given(st.data())
@settings(max_examples=8)
def test_transforms_along_several_axes(everywhere, name, data):
    rank = data.draw(st.integers(1, 3))
    shape = [data.draw(st.integers(2, 5)) for _ in range(rank)]
    axes = data.draw(st.none() | st.lists(st.integers(0, rank - 1), min_size=1, max_size=rank, unique=True))
    s = None if axes is None else data.draw(st.none() | st.tuples(*[st.integers(1, 6)] * len(axes)))
    x = numbers(shape, data.draw(st.sampled_from(dtypes_of(name))), 0)
    norm = data.draw(st.sampled_from(NORMS))
    expected = getattr(np.fft, name)(x, s=s, axes=axes, norm=norm)
    for found in everywhere(lambda t: getattr(rt.fft, name)(t, s=s, axes=axes, norm=norm), x):
        assert_close(found, expected)


@pytest.mark.parametrize("forth", ["fft", "rfft", "ihfft", "fftn", "rfftn"])
@pytest.mark.parametrize("norm", NORMS)
def test_the_inverse_gives_the_samples_back(everywhere, forth, norm):
    back = {"fft": "ifft", "rfft": "irfft", "ihfft": "hfft", "fftn": "ifftn", "rfftn": "irfftn"}[forth]
    x = numbers((3, 4, 5), dtypes_of(forth)[-1], 0)
    lengths = {"s": x.shape, "axes": (0, 1, 2)} if forth.endswith("n") else {"n": x.shape[-1]}

    def there_and_back(t):
        return getattr(rt.fft, back)(getattr(rt.fft, forth)(t, norm=norm), norm=norm, **lengths)

    for found in everywhere(there_and_back, x):
        assert_close(found, x)


def test_no_samples_are_filled_with_zeros(everywhere):
    for name in ("fft", "ifft", "rfft", "ihfft"):
        for found in everywhere(lambda t: getattr(rt.fft, name)(t, n=3), np.ones((2, 0))):
            assert_close(found, getattr(np.fft, name)(np.zeros((2, 3))))


def test_lengths_without_axes_are_those_of_the_last_ones(everywhere):
    x = numbers((2, 3, 4), "float64", 0)
    for found in everywhere(lambda t: rt.fft.fftn(t, s=(5, -1)), x):
        assert_close(found, np.fft.fftn(x, s=(5, -1), axes=(-2, -1)))


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "uint16", "float16"])
def test_other_numbers_are_transformed_as_numpy_does(everywhere, dtype):
    x = np.array([1, 0, 3, 4]).astype(dtype)
    for name in ("fft", "rfft", "irfft", "hfft", "fftn", "rfftn"):
        for found in everywhere(getattr(rt.fft, name), x):
            assert_close(found, getattr(np.fft, name)(x))


def test_the_rank_may_be_unknown_where_the_axes_are_given():
    x = numbers((2, 3, 4), "float64", 0)
    for compute in (
        rt.fft.fft,
        lambda t: rt.fft.fftn(t, axes=(0, 1)),
        lambda t: rt.fft.irfftn(t, s=(2, 2)),
        rt.fft.fftshift,
    ):
        traced = PolymorphicFunction(compute, input_signature=[rt.TensorSpec(None, rt.float64)])
        np.testing.assert_array_equal(traced(x), compute(rt.asarray(x)))


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
@pytest.mark.parametrize("norm", NORMS)
def test_the_number_of_samples_may_be_a_tensor(everywhere, name, norm):
    x = numbers((2, 5), dtypes_of(name)[-1], 0)
    for found in everywhere(
        lambda t, n: getattr(rt.fft, name)(t, n=n, axis=0, norm=norm), x, np.array(3, np.int32)
    ):
        assert_close(found, getattr(np.fft, name)(x, n=3, axis=0, norm=norm))


def test_signals_whose_lengths_only_the_run_knows_are_convolved_by_their_transforms(everywhere):
    def convolve(x, y):
        n = rt.shape(x)[0] + rt.shape(y)[0] - 1
        return np.fft.irfft(np.fft.rfft(x, n) * np.fft.rfft(y, n), n)

    x, y = numbers((5,), "float64", 0), numbers((3,), "float64", 1)
    for found in everywhere(convolve, x, y):
        assert_close(found, np.convolve(x, y))


def test_some_lengths_may_be_tensors(everywhere):
    x = numbers((2, 3, 4), "float64", 0)
    for found in everywhere(lambda t, n: rt.fft.rfftn(t, s=(5, n, -1)), x, np.array(2)):
        assert_close(found, np.fft.rfftn(x, s=(5, 2, -1), axes=(0, 1, 2)))


# ── frequencies ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_frequencies(everywhere, name, n):
    function, numpys = getattr(rt.fft, name), getattr(np.fft, name)
    for found in (function(n), *everywhere(lambda count: function(count), np.array(n))):
        np.testing.assert_array_equal(found, numpys(n), strict=True)
    np.testing.assert_array_equal(
        function(n, d=0.3, dtype=rt.float32, device="cpu"), numpys(n, 0.3).astype(np.float32), strict=True
    )


@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
@given(st.data())
@settings(max_examples=8)
def test_shifts(everywhere, name, data):
    shape = data.draw(st.lists(st.integers(0, 4), max_size=3))
    every = st.lists(st.integers(0, len(shape) - 1), unique=True) if shape else st.just([])
    axes = data.draw(st.none() | every | (st.integers(-len(shape), len(shape) - 1) if shape else every))
    x = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    expected = x if axes == [] or not shape else getattr(np.fft, name)(x, axes)  # NumPy's needs an axis
    for found in everywhere(lambda t: getattr(rt.fft, name)(t, axes=axes), x):
        np.testing.assert_array_equal(found, expected, strict=True)


# ── what is refused ───────────────────────────────────────────────────────────────────────────────────

X, C = np.ones((2, 3)), np.ones(3, complex)


@pytest.mark.parametrize(
    ("compute", "error", "message"),
    [
        (lambda: rt.fft.fft(X, axis=2), ShapeError, "axis 2 is out of range"),
        (lambda: rt.fft.fft(1.0), ShapeError, "out of range for a tensor of rank 0"),
        (lambda: rt.fft.fft(X, n=0), InvalidValue, "`n` is 0"),
        (lambda: rt.fft.fft(X, n=2.5), TypeError, "'float' object cannot be interpreted"),
        (lambda: rt.fft.fft(X, norm="none"), InvalidValue, "`norm` is 'none'"),
        (lambda: rt.fft.fft(np.ones((3, 0))), ShapeError, "of an axis of length 0 transforms 0 samples"),
        (lambda: rt.fft.irfft(np.ones(1)), ShapeError, "of an axis of length 1 transforms 0 samples"),
        (lambda: rt.fft.irfft(np.ones(0), n=3), ShapeError, "of an axis of length 0 transforms 0 samples"),
        (lambda: rt.fft.irfftn(np.ones((0, 2)), s=(2, 3), axes=(1, 0)), ShapeError, "of an axis of length 0"),
        (lambda: rt.fft.rfft(C), DTypeError, "`rfft` is not defined for complex128"),
        (lambda: rt.fft.ihfft(C), DTypeError, "`ihfft` is not defined for complex128"),
        (lambda: rt.fft.rfftn(C), DTypeError, "`rfft` is not defined for complex128"),
        (lambda: rt.fft.fftn(X, s=(2,), axes=(0, 1)), ShapeError, "1 lengths for 2 axes"),
        (lambda: rt.fft.fftn(X, axes=()), ShapeError, "along no axes"),
        (lambda: rt.fft.fftn(1.0), ShapeError, "along no axes"),
        (lambda: rt.fft.fftn(X, axes=(0, 2)), ShapeError, "axis 2 is out of range"),
        (lambda: rt.fft.fftn(X, s=(0, 1)), InvalidValue, "`s` is 0"),
        (lambda: rt.fft.fftfreq(0), InvalidValue, "`n` is 0"),
        (lambda: rt.fft.rfftfreq(-1), InvalidValue, "`n` is -1"),
        (lambda: rt.fft.fftfreq(2.5), TypeError, "float"),
        (lambda: rt.fft.fftfreq(3, dtype=rt.int32), DTypeError, "frequencies cannot be int32"),
        (lambda: rt.fft.fftfreq(3, device="gpu"), InvalidValue, "no device 'gpu'"),
        (lambda: rt.fft.fftfreq(rt.asarray(2.5)), DTypeError, r"`n` is f64\[\]"),
        (lambda: rt.fft.fft(X, n=rt.asarray([1, 2])), DTypeError, r"`n` is i64\[2\]"),
        (lambda: rt.fft.fftn(X, s=(rt.asarray(0.5), 2)), DTypeError, r"`s` is f64\[\]"),
        (lambda: rt.fft.fftshift(X, axes=2), ShapeError, "axis 2 is out of range"),
        (lambda: rt.fft.ifftshift(X, axes=(0, 0)), ShapeError, "named twice"),
    ],
)
def test_what_never_fits_is_refused_at_once_and_while_tracing(compute, error, message):
    with pytest.raises(error, match=message):
        compute()
    with pytest.raises(error, match=message):
        PolymorphicFunction(compute).get_concrete_function()


@pytest.mark.parametrize("executor", ["reference", "numpy"])
def test_an_axis_that_turns_out_empty_is_refused_in_the_run(executor):
    signature = [rt.TensorSpec((None,), rt.float64)]
    traced = PolymorphicFunction(rt.fft.fft, input_signature=signature, executor=executor)
    with pytest.raises(ValueError, match="of an axis of length 0 transforms 0 samples") as caught:
        traced(rt.ones((0,)))
    assert __file__ in "".join([str(caught.value), *getattr(caught.value, "__notes__", ())])
