"""Memory shared with other libraries, by DLPack, in both directions."""

import array_api_strict as strict
import numpy as np
import pytest

import runtime as rt
from runtime.errors import CannotShare, InvalidValue
from runtime.functions.polymorphic import PolymorphicFunction

NAMES = sorted([*rt.__array_namespace_info__().dtypes(), "float16"])
LAYOUTS = {
    "contiguous": lambda array: array,
    "turned": lambda array: array.T,
    "backwards": lambda array: array[::-1, ::-2],
    "strided": lambda array: array[:, 1::2],
    "without elements": lambda array: array[:0],
    "without axes": lambda array: array[1, 2],
}


class Exporter:
    """An array that shows its memory through DLPack alone, as those of other devices do."""

    def __init__(self, array, device=(1, 0)):
        self.array, self.device, self.asked = array, device, {}

    def __dlpack__(self, **options):
        self.asked = options
        if self.device[0] != 1 and options.get("dl_device") is None:
            raise BufferError("this memory is on another device")
        return self.array.__dlpack__(max_version=options.get("max_version"))

    def __dlpack_device__(self):
        return self.device


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_numpy_reads_the_memory_of_a_tensor_and_a_tensor_that_of_numpy(name, layout):
    array = np.asarray(layout(np.arange(12).reshape(3, 4).astype(name)))
    tensor = rt.from_dlpack(array)
    np.testing.assert_array_equal(tensor, array, strict=True)
    back = np.from_dlpack(tensor)
    np.testing.assert_array_equal(back, array, strict=True)
    assert np.shares_memory(back, array) == bool(array.size)
    assert not back.flags.writeable
    assert tensor.__dlpack_device__() == array.__dlpack_device__()


def test_what_is_taken_over_is_shared_unless_a_copy_is_asked_for():
    source = np.array([1, 2])
    shared, unshared, copied = [rt.from_dlpack(source, copy=copy) for copy in (None, False, True)]
    assert np.shares_memory(shared.numpy(), source)
    assert np.shares_memory(unshared.numpy(), source)
    assert not np.shares_memory(copied.numpy(), source)
    assert not np.shares_memory(rt.asarray(source).numpy(), source)
    assert rt.from_dlpack(shared) is shared
    assert not np.shares_memory(rt.from_dlpack(shared, copy=True).numpy(), source)


def test_memory_stays_while_a_tensor_has_it():
    def made_and_gone():
        return rt.from_dlpack(np.arange(1000))

    assert made_and_gone().numpy().tolist() == list(range(1000))


def test_a_copy_that_is_given_away_may_be_written_to():
    tensor = rt.asarray([1, 2])
    copied = np.from_dlpack(tensor, copy=True)
    copied[0] = 9
    assert tensor.tolist() == [1, 2]


def test_other_libraries_take_tensors_and_give_them():
    tensor = rt.asarray([[1.5, 2.5]])
    theirs = strict.from_dlpack(tensor)
    assert theirs.shape == (1, 2)
    np.testing.assert_array_equal(rt.from_dlpack(theirs), tensor, strict=True)
    np.testing.assert_array_equal(rt.asarray(Exporter(np.arange(3))), np.arange(3), strict=True)


def test_an_exporter_is_asked_for_what_the_caller_asks_for():
    exporter = Exporter(np.arange(3), device=(2, 0))
    with pytest.raises(BufferError, match="another device"):
        rt.from_dlpack(exporter)
    assert rt.from_dlpack(exporter, device="cpu").tolist() == [0, 1, 2]
    assert exporter.asked["dl_device"] == (1, 0)
    rt.from_dlpack(exporter, device="cpu", copy=True)
    assert exporter.asked["copy"] is True


def test_a_consumer_that_is_too_old_for_read_only_memory_gets_a_copy():
    tensor = rt.asarray([1, 2])
    assert "dltensor" in repr(tensor.__dlpack__())
    assert "dltensor_versioned" in repr(tensor.__dlpack__(max_version=(1, 0), copy=False))
    for version in (None, (0, 8)):
        with pytest.raises(BufferError, match="read-only"):
            tensor.__dlpack__(max_version=version, copy=False)


def test_what_cannot_be_shared_says_so():
    tensor = rt.asarray([1, 2])
    with pytest.raises(CannotShare, match=r"on the device \(2, 0\)"):
        tensor.__dlpack__(dl_device=(2, 0))
    with pytest.raises(InvalidValue, match="the stream 1"):
        tensor.__dlpack__(stream=1)
    with pytest.raises(TypeError, match="shares no memory"):
        rt.from_dlpack([1, 2])
    with pytest.raises(ValueError, match="no device 'gpu'"):
        rt.from_dlpack(np.arange(2), device="gpu")
    with pytest.raises(BufferError, match="only supports IEEE"):
        rt.from_dlpack(np.array([1, 2], np.longdouble))


def test_a_tensor_of_a_graph_has_no_memory():
    for ask in (np.from_dlpack, lambda x: x.__dlpack__(), lambda x: x.__dlpack_device__()):
        with pytest.raises(BufferError, match="only exists when the graph runs"):
            PolymorphicFunction(ask)(rt.asarray([1, 2]))


def test_a_graph_has_its_own_copy_of_what_it_takes_over():
    source = np.array([1, 2])
    function = PolymorphicFunction(lambda x: x + rt.from_dlpack(source) + rt.from_dlpack(x))
    assert function(rt.asarray([10, 20])).tolist() == [21, 42]
    source[:] = 0
    assert function(rt.asarray([10, 20])).tolist() == [21, 42]


def test_a_variable_shares_the_value_that_it_has_now():
    variable = rt.Variable([1, 2])
    before = np.from_dlpack(variable)
    variable.assign_add([1, 1])
    assert (before.tolist(), np.from_dlpack(variable).tolist()) == ([1, 2], [2, 3])
