"""What the Array API asks of the namespace as a whole: version, inspection, devices."""

import operator

import array_api_strict as strict
import numpy as np
import pytest

import runtime as rt
from runtime import namespace
from runtime.errors import InvalidValue
from runtime.functions.polymorphic import PolymorphicFunction

KINDS = [
    *("bool", "signed integer", "unsigned integer", "integral"),
    *("real floating", "complex floating", "numeric"),
    *((), ("bool", "real floating"), ("integral", "signed integer")),
]


def test_the_namespace_says_which_version_of_the_standard_it_is():
    assert rt.__array_api_version__ == "2025.12"
    assert strict.__array_api_version__ == rt.__array_api_version__


@pytest.mark.parametrize("version", [None, "2021.12", "2022.12", "2023.12", "2024.12", "2025.12"])
def test_tensors_variables_and_symbols_name_their_namespace(version):
    assert rt.asarray(1).__array_namespace__(api_version=version) is rt
    assert rt.Variable(1).__array_namespace__(api_version=version) is rt
    seen = []
    PolymorphicFunction(lambda x: seen.append(x.__array_namespace__(api_version=version)))(rt.asarray(1))
    assert seen == [rt]


@pytest.mark.parametrize("version", ["2020.12", "2026.12", "latest", 2025.12])
def test_a_version_that_is_not_known_is_refused(version):
    with pytest.raises(ValueError, match=r"no namespace for version .* of the Array API"):
        rt.asarray(1).__array_namespace__(api_version=version)


def test_capabilities_are_those_of_the_oracle():
    ours, theirs = rt.__array_namespace_info__(), strict.__array_namespace_info__()
    assert ours.capabilities() == theirs.capabilities()
    assert {kind: dtype.name for kind, dtype in ours.default_dtypes().items()} == {
        kind: np.dtype(str(dtype).rpartition(".")[2]).name for kind, dtype in theirs.default_dtypes().items()
    }


@pytest.mark.parametrize("kind", [None, *KINDS])
def test_dtypes_of_a_kind_are_those_of_the_oracle(kind):
    ours = rt.__array_namespace_info__().dtypes(kind=kind, device="cpu")
    assert set(ours) == set(strict.__array_namespace_info__().dtypes(kind=kind))
    assert all(dtype is getattr(rt, name) for name, dtype in ours.items())


@pytest.mark.parametrize("kind", ["float", "integers", ("bool", "text"), 3, (rt.bool,)])
def test_an_unknown_kind_is_refused(kind):
    with pytest.raises(InvalidValue, match="no kind of dtype"):
        rt.__array_namespace_info__().dtypes(kind=kind)


def test_there_is_one_device():
    info = rt.__array_namespace_info__()
    assert info.devices() == ("cpu",)
    assert info.default_device() == rt.asarray(1).device == rt.Variable(1).device == "cpu"
    x = rt.asarray([1, 2])
    assert x.to_device("cpu") is x
    assert PolymorphicFunction(lambda x: x.to_device(x.device) + 1)(x).tolist() == [2, 3]
    with pytest.raises(ValueError, match="`to_device` was given the stream 7"):
        x.to_device("cpu", stream=7)


CREATIONS = {
    "arange": lambda **options: rt.arange(3, **options),
    "asarray": lambda **options: rt.asarray([1.0], **options),
    "empty": lambda **options: rt.empty(3, **options),
    "empty_like": lambda **options: rt.empty_like(rt.asarray([1, 2]), **options),
    "eye": lambda **options: rt.eye(2, **options),
    "full": lambda **options: rt.full(2, 7, **options),
    "full_like": lambda **options: rt.full_like(rt.asarray([1, 2]), 7, **options),
    "linspace": lambda **options: rt.linspace(0, 1, 3, **options),
    "ones": lambda **options: rt.ones(2, **options),
    "ones_like": lambda **options: rt.ones_like(rt.asarray([1, 2]), **options),
    "zeros": lambda **options: rt.zeros(2, **options),
    "zeros_like": lambda **options: rt.zeros_like(rt.asarray([1, 2]), **options),
    "astype": lambda **options: rt.astype(rt.asarray([1, 2]), rt.float32, **options),
    "method": lambda **options: rt.asarray([1, 2]).astype(rt.float32, copy=True, **options),
}


@pytest.mark.parametrize("create", CREATIONS.values(), ids=CREATIONS)
def test_what_makes_tensors_takes_the_device_and_refuses_others(create):
    expected = create()
    for device in (None, "cpu", expected.device):
        made = create(device=device)
        np.testing.assert_array_equal(made, expected, strict=True)
    for device in ("gpu", "CPU", 0, object()):
        with pytest.raises(ValueError, match=r"there is no device .*\n\n(.*\n)*.*Available: 'cpu'"):
            create(device=device)


@pytest.mark.parametrize("dtype", [rt.float32, rt.float64, rt.complex64, rt.complex128])
def test_limits_of_floats_are_those_of_the_oracle(dtype):
    theirs = strict.finfo(getattr(strict, dtype.name))
    for asked in (dtype, rt.asarray([1], dtype=dtype), dtype.numpy, dtype.as_numpy_dtype, dtype.name):
        ours = rt.finfo(asked)
        for name in ("bits", "eps", "max", "min", "smallest_normal"):
            value = getattr(ours, name)
            assert value == getattr(theirs, name)
            assert type(value) is (int if name == "bits" else float)
        assert ours.dtype is rt.as_dtype(str(theirs.dtype).rpartition(".")[2])


@pytest.mark.parametrize("dtype", [rt.int8, rt.uint8, rt.int16, rt.uint32, rt.int64, rt.uint64])
def test_limits_of_integers_are_those_of_the_oracle(dtype):
    theirs = strict.iinfo(getattr(strict, dtype.name))
    for asked in (dtype, rt.asarray([1], dtype=dtype), dtype.numpy, dtype.as_numpy_dtype, dtype.name):
        ours = rt.iinfo(asked)
        assert (ours.bits, ours.max, ours.min) == (theirs.bits, theirs.max, theirs.min)
        assert {type(ours.bits), type(ours.max), type(ours.min)} == {int}
        assert ours.dtype is dtype


def test_limits_are_asked_of_dtypes_that_have_them():
    for function, wrong in [(rt.finfo, rt.int8), (rt.iinfo, rt.float32), (rt.iinfo, rt.bool), (rt.finfo, 5)]:
        with pytest.raises(TypeError, match="dtype"):
            function(wrong)


def test_casts_are_those_of_the_oracle():
    names = list(rt.__array_namespace_info__().dtypes())
    for source in names:
        for to in names:
            expected = np.can_cast(source, to)
            assert rt.can_cast(getattr(rt, source), getattr(rt, to)) is expected
            assert rt.can_cast(rt.zeros(0, dtype=source), to) is expected
    with pytest.raises(TypeError, match="is no dtype of a tensor"):
        rt.can_cast(5, rt.int8)


def test_result_type_needs_something_to_go_by():
    assert rt.result_type(rt.asarray([1], dtype=rt.int8), 2, rt.uint8) is rt.int16
    with pytest.raises(ValueError, match="of nothing"):
        rt.result_type()
    with pytest.raises(TypeError, match="cannot become a tensor"):
        rt.result_type(object())


def test_shapes_broadcast_without_tensors():
    for shapes in [(), ((),), ((3,), ()), ((2, 1), (3,)), ((5, 1, 4), (3, 1)), ((0,), (1,))]:
        assert rt.broadcast_shapes(*shapes) == np.broadcast_shapes(*shapes)
    assert rt.broadcast_shapes((None, 1), (2,)) == (None, 2)
    assert rt.broadcast_shapes((None,), (4, 1)) == (4, None)
    with pytest.raises(ValueError, match="do not broadcast together"):
        rt.broadcast_shapes((2,), (3,))
    with pytest.raises(ValueError, match="negative"):
        rt.broadcast_shapes((-1,), (3,))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("concatenate", "it is called `rt.concat` here"),
        ("array", "it is called `rt.asarray` here"),
        ("median", "NumPy's own take tensors: try `np.median`$"),
        ("seed", "`rt.random.Generator"),
        (
            "random.PRNGKey",
            "^module 'runtime.random' has no .*: it is called `rt.random.key`",
        ),
        ("linalg.lstsq", "try `np.linalg.lstsq`$"),
        ("fft.no_such_name", "^module 'runtime.fft' has no attribute 'no_such_name'$"),
        ("no_such_name", "has no attribute 'no_such_name'$"),
    ],
)
def test_names_of_other_libraries_say_where_to_go(name, told):
    with pytest.raises(AttributeError, match=told):
        operator.attrgetter(name)(rt)


def test_what_other_names_lead_to_is_there():
    assert all(hasattr(rt, name) for name in namespace._CALLED.values())
    assert not any(name in rt.__all__ for name in namespace._CALLED)
