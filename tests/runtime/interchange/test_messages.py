import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from google.protobuf import descriptor_pool, text_format

from runtime.interchange import messages

ROOM = Path(messages.__file__).parent


def test_a_message_keeps_its_content_in_bytes_and_in_text():
    node = messages.NodeDef(name="sum", op="AddV2", input=["x", "y"])
    node.attr["T"].type = messages.data_type("DT_FLOAT")
    assert messages.NodeDef.FromString(node.SerializeToString()) == node
    assert text_format.Parse(str(node), messages.NodeDef()) == node


def test_text_lists_attributes_by_name():
    node = messages.NodeDef()
    for name in ("shape", "T", "dtype", "_output"):
        node.attr[name].i = 1
    keys = [line.split('"')[1] for line in str(node).splitlines() if "key" in line]
    assert keys == sorted(keys)


def test_an_unknown_message_is_no_attribute():
    with pytest.raises(AttributeError, match=r"tensorflow\.proto has no message SavedGoose"):
        messages.SavedGoose()


def test_the_messages_leave_the_common_pool_to_tensorflow():
    messages.GraphDef()
    with pytest.raises(KeyError):
        descriptor_pool.Default().FindMessageTypeByName("tensorflow.GraphDef")


def test_protobuf_is_imported_with_the_first_message_only():
    program = """
import sys
from runtime.interchange import messages
from runtime.interchange.graphdef.writer import graph_to_graphdef
assert "google.protobuf" not in sys.modules
messages.GraphDef()
assert "google.protobuf" in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOM.parents[1])


if find_spec("grpc_tools"):

    def test_the_compiled_messages_are_those_of_the_proto(tmp_path):
        fresh = tmp_path / "fresh.binpb"
        command = ["-m", "grpc_tools.protoc", "-I", ROOM, f"--descriptor_set_out={fresh}", "tensorflow.proto"]
        subprocess.run([sys.executable, *command], check=True)
        assert fresh.read_bytes() == (ROOM / "tensorflow.binpb").read_bytes()
