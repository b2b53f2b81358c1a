"""Files that TensorBoard reads: `write_graph` for its page "Graphs".

A file is a row of records: the length of the data and its checksum, the data and its checksum. Each holds an
`Event`; the first says which version of the format this is, the second holds the graph.
"""

from __future__ import annotations

import os
import socket
import struct
import time
from functools import cache
from pathlib import Path
from typing import Any

from runtime.errors import ExportError
from runtime.functions.concrete import ConcreteFunction
from runtime.graph.graph import Graph
from runtime.interchange import messages
from runtime.interchange.graphdef.writer import graph_to_graphdef

__all__ = ["write_graph"]


def write_graph(concrete: ConcreteFunction | Graph, logdir: str | os.PathLike[str]) -> Path:
    """Writes a graph for TensorBoard: ``tensorboard --logdir LOGDIR`` shows it on the page "Graphs".

    Parameters
    ----------
    concrete : ConcreteFunction or Graph
        What `get_concrete_function` gives, or its `graph`.
    logdir : str or Path
        The folder, which is made where it is missing. Files that are in it stay.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    ExportError
        When it is not a graph, or has an op that TensorFlow has none for; nothing is written then.
    OSError
        When the folder cannot be written to.

    Examples
    --------
    >>> import tempfile
    >>> import autograph as ag
    >>> import runtime as rt
    >>> double = ag.function(lambda x: x + x).get_concrete_function(rt.TensorSpec((3,)))
    >>> ag.write_graph(double, tempfile.mkdtemp()).name.split(".")[:3]
    ['events', 'out', 'tfevents']
    """
    graph: Any = concrete.graph if isinstance(concrete, ConcreteFunction) else concrete
    if not isinstance(graph, Graph):
        raise ExportError(
            f"{graph!r} is not one graph",
            why="A function has a graph for each dtype and shape.",
            way_out="Give one of them: `f.get_concrete_function(…)`.",
        )
    now = time.time()
    events = [
        messages.Event(wall_time=now, file_version="brain.Event:2"),
        messages.Event(wall_time=now, graph_def=graph_to_graphdef(graph).SerializeToString()),
    ]
    content = b"".join([_record(event.SerializeToString()) for event in events])
    folder = Path(logdir)
    folder.mkdir(parents=True, exist_ok=True)
    name = f"events.out.tfevents.{int(now):010d}.{socket.gethostname()}.{os.getpid()}.{time.time_ns()}.v2"
    file = folder / name
    partial = folder / f".{name}"
    partial.write_bytes(content)
    return partial.replace(file)


def _record(data: bytes) -> bytes:
    """One record of a file."""
    length = struct.pack("<Q", len(data))
    return length + _checksum(length) + data + _checksum(data)


def _checksum(data: bytes) -> bytes:
    """The masked CRC-32C, which TensorBoard compares before it believes a record."""
    table = _table()
    crc = 0xFFFFFFFF
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF)


@cache
def _table() -> tuple[int, ...]:
    """What each byte adds to a CRC-32C."""
    found = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
        found.append(crc)
    return tuple(found)
