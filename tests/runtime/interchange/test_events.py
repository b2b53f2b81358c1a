"""Files for TensorBoard, which is asked itself what it reads in `tests/peers/test_tensorboard.py`."""

import struct

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.interchange import messages
from runtime.interchange.events import _checksum


@ag.function
def relu(x):
    if x > 0:
        return x
    return x * 0


def records(path):
    content = path.read_bytes()
    while content:
        (length,) = struct.unpack("<Q", content[:8])
        assert content[8:12] == _checksum(content[:8])
        data, content = content[12 : 12 + length], content[12 + length :]
        assert content[:4] == _checksum(data)
        yield messages.Event.FromString(data)
        content = content[4:]


def test_a_file_says_its_version_and_then_the_graph(tmp_path):
    concrete = relu.get_concrete_function(rt.TensorSpec(()))
    version, graph = records(ag.write_graph(concrete, tmp_path / "logs" / "run"))
    assert version.file_version == "brain.Event:2"
    assert graph.graph_def == concrete.graph.as_graph_def().SerializeToString()


def test_every_file_has_a_name_of_its_own_and_nothing_else_is_left(tmp_path):
    graph = relu.get_concrete_function(rt.TensorSpec(())).graph
    written = {ag.write_graph(graph, tmp_path) for _ in range(3)}
    assert len(written) == 3
    assert set(tmp_path.iterdir()) == written


def test_a_graph_that_tensorflow_has_no_ops_for_writes_nothing(tmp_path):
    function = ag.function(lambda x: np.median(x))
    with pytest.raises(rt.errors.ExportError):
        ag.write_graph(function.get_concrete_function(rt.TensorSpec((2, 2))), tmp_path / "logs")
    assert list(tmp_path.iterdir()) == []


def test_a_function_is_not_one_graph(tmp_path):
    with pytest.raises(rt.errors.ExportError, match=r"get_concrete_function"):
        ag.write_graph(relu, tmp_path / "logs")
    assert list(tmp_path.iterdir()) == []


def test_the_checksum_is_the_masked_crc_32c():
    crc = 0xE3069283  # of these digits, as RFC 3720 has it
    masked = ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
    assert _checksum(b"123456789") == struct.pack("<I", masked)
