"""array-api-extra computes with tensors, and array-api-compat knows what they are."""

import array_api_compat
import array_api_extra
import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.consumers.kit import WAYS, check, rows

NAMES = {"array_api_extra": array_api_extra, "np": np}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("row", rows("array_api_extra"), ids=str)
def test_the_page_says_what_calls_give(row, way):
    check(row, way, NAMES)


def test_the_namespace_of_a_tensor_is_the_library():
    x = rt.asarray([1.0, 2.0])
    assert array_api_compat.is_array_api_obj(x)
    assert array_api_compat.array_namespace(x, 2.0, None) is rt
    assert array_api_compat.size(x) == 2
    assert not array_api_compat.is_lazy_array(x)


def test_devices_are_asked_for_and_kept():
    x = rt.asarray([1.0, 2.0])
    device = array_api_compat.device(x)
    moved = array_api_compat.to_device(x, device)
    assert (moved.tolist(), array_api_compat.device(moved)) == ([1.0, 2.0], device)


def test_arrays_of_two_libraries_have_no_common_namespace():
    with pytest.raises(TypeError, match="Multiple namespaces"):
        array_api_compat.array_namespace(rt.asarray([1.0]), np.ones(1))


def test_functions_of_arrays_and_no_others_find_their_namespace_in_a_graph():
    @ag.function(input_signature=[rt.TensorSpec((None, 3), rt.float64)])
    def centred(x):
        xp = array_api_compat.array_namespace(x)
        return xp.astype(x - xp.mean(x, axis=0), xp.float32, copy=False)

    assert centred(rt.asarray([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])).tolist() == [[-1, 0, 1], [1, 0, -1]]


def test_the_default_dtype_is_the_namespaces():
    assert array_api_extra.default_dtype(rt) == rt.float64
    assert array_api_extra.default_dtype(rt, "integral") == rt.int64
