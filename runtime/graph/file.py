"""A module as bytes, for files and other processes: its text, and beside that what a text leaves out.

=============  =============================================================================================
8 bytes        ``89 47 52 41 50 48 0D 0A``: says what it is, and shows where a transfer has changed line ends
2 bytes        the version of this format, 1; this and the following numbers are little-endian
8 bytes        the length of the header
32 bytes       SHA-256 of all that follows
the header     JSON in UTF-8, an object:
               ``text``, the graph as `runtime.graph.printer` writes it, with ``array(0)``, ``array(1)``, …
               for constants; ``arrays``, a dtype and a shape for each of these; ``names``, those of the
               graphs as they come in the text; ``labels``, those of the inputs; ``locations``, each one a
               list of file, function, first line of the function, line, last line, column and last column,
               and, where NumPy shall tell errors of floats in its own way there, the pairs of kind and mode;
               ``at``, the place in ``locations`` for each input and node
the arrays     the elements of each constant, in C order and little-endian, one after the other
=============  =============================================================================================

What lies outside of the graph is in the text by name, kind and spec, and is given to the reader by name.
Reading runs no code: ops are those of the registry, classes those that the program has loaded.
"""

from __future__ import annotations

import copyreg
import dataclasses
import json
import math
import struct
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from runtime.core.digests import sha256
from runtime.core.dtypes import as_dtype
from runtime.core.stack import with_room
from runtime.core.tensor import Array
from runtime.errors import Error, GraphError
from runtime.graph import parser
from runtime.graph import printer as printer_
from runtime.graph.graph import Graph
from runtime.graph.location import Location
from runtime.graph.module import Module
from runtime.graph.resources import Resource

__all__ = ["VERSION", "bytes_that_say_all", "digest", "from_bytes", "to_bytes"]

VERSION = 1
_MAGIC = b"\x89GRAPH\r\n"
_NUMBERS = struct.Struct("<HQ")
_DIGEST = sha256().digest_size
_HEAD = len(_MAGIC) + _NUMBERS.size + _DIGEST


def to_bytes(module: Module) -> bytes:
    """The module as bytes, which `from_bytes` reads back.

    Parameters
    ----------
    module : Module

    Returns
    -------
    bytes
        All that it is, locations and labels too. Of what lies outside, a name, a kind and a spec.
    """
    return _written(module)[0]


def bytes_that_say_all(module: Module) -> bytes | None:
    """As `to_bytes`; None where they leave out what lies outside, or how a constant lies in memory."""
    data, printer = _written(module)
    lie_in_order = all(array.flags.c_contiguous for array in printer.arrays)
    return data if lie_in_order and not printer.resources else None


@with_room
def _written(module: Module) -> tuple[bytes, printer_.Printer]:
    """The bytes, and who has written them, who knows what lies outside by its name in them."""
    printer = printer_.Printer(keeps_arrays=True)
    text = printer.text(module.entry, module.functions)
    found = [node.location for node in printer.nodes]
    places = {location: index for index, location in enumerate(dict.fromkeys(found))}
    header = {
        "text": text,
        "arrays": [[as_dtype(array.dtype).short, array.shape] for array in printer.arrays],
        "names": [each.name for each in printer.graphs],
        "labels": printer.labels,
        "locations": list(map(_row, places)),
        "at": [places[location] for location in found],
    }
    written = json.dumps(header, separators=(",", ":")).encode("ascii")
    rest = b"".join([written, *map(_elements, printer.arrays)])
    head = [_MAGIC, _NUMBERS.pack(VERSION, len(written)), sha256(rest).digest()]
    return b"".join([*head, rest]), printer


def _elements(array: Array) -> bytes:
    return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()


def from_bytes(data: bytes, *, objects: Mapping[str, Any] | None = None) -> Module:
    """The module that `to_bytes` wrote.

    Parameters
    ----------
    data : bytes
    objects : mapping of str to object
        What lies outside of the graph, as in `runtime.graph.parser.from_text`.

    Raises
    ------
    GraphError
        When the bytes are no graph, are cut short or damaged, or of a later version.
    """
    header, rest = _opened(memoryview(data).cast("B"))
    try:
        beside = parser.Beside(
            _arrays(header["arrays"], rest),
            [str(name) for name in header["names"]],
            [str(label) for label in header["labels"]],
            _placed(header["locations"], header["at"]),
        )
        return parser.read(str(header["text"]), "graph", objects or {}, beside)
    except Error:
        raise
    except Exception as error:
        raise GraphError(
            f"these bytes hold what is no graph: {type(error).__name__}: {error}",
            why="They are whole, as their checksum says, so they were not written by `to_bytes`.",
            way_out="Write the graph again.",
        ) from error


def _opened(data: memoryview) -> tuple[dict[str, Any], memoryview]:
    """The header, and the bytes of the arrays."""
    if bytes(data[: len(_MAGIC)]) != _MAGIC[: len(data)] or not data:
        _refuse("are no graph", "They do not begin as a graph does.", "Give what `to_bytes` has written.")
    if len(data) < _HEAD:
        _refuse_cut(len(data), "more")
    version, length = _NUMBERS.unpack_from(data, len(_MAGIC))
    if version != VERSION:
        _refuse(
            f"are a graph in version {version} of the format",
            f"This program reads version {VERSION}.",
            "Read them with the version of this library that wrote them.",
        )
    rest = data[_HEAD:]
    if len(rest) < length:
        _refuse_cut(len(data), f"{_HEAD + length} or more")
    if sha256(rest).digest() != bytes(data[_HEAD - _DIGEST : _HEAD]):
        _refuse("are a graph that was damaged or cut short", "Their checksum is another.", "Copy them again.")
    try:
        header = json.loads(bytes(rest[:length]))
    except ValueError as error:
        _refuse(f"have a header that is no JSON: {error}", "A graph has one.", "Write the graph again.")
    if not isinstance(header, dict):
        _refuse("have a header that is no object", "It has several parts.", "Write the graph again.")
    return header, rest[length:]


def _arrays(kinds: list[Any], rest: memoryview) -> list[Array]:
    """The constants, one after the other."""
    found: list[Array] = []
    start = 0
    for name, dims in kinds:
        dtype, shape = as_dtype(name).numpy, tuple([int(dim) for dim in dims])
        end = start + math.prod(shape) * dtype.itemsize
        if min(shape, default=0) < 0 or end > len(rest):
            raise ValueError(f"{name}{list(shape)} is more than there is")
        elements = np.frombuffer(rest[start:end], dtype.newbyteorder("<"))
        found.append(elements.astype(dtype).reshape(shape))
        start = end
    if start != len(rest):
        raise ValueError(f"{len(rest) - start} bytes are left over")
    return found


def _row(location: Location) -> list[Any]:
    """A location as `_placed` reads it."""
    *row, told = dataclasses.astuple(location)
    return [*row, told] if told else row


def _placed(table: list[Any], at: list[int]) -> list[Location]:
    """A location for each input and node."""
    locations = []
    for filename, function, first, line, *rest in table:
        end_line, column, end_column = [None if end is None else int(end) for end in rest[:3]]
        told = tuple([(str(kind), str(mode)) for pairs in rest[3:] for kind, mode in pairs])
        locations.append(
            Location(str(filename), str(function), int(first), int(line), end_line, column, end_column, told)
        )
    return [locations[index] for index in at]


def _refuse_cut(length: int, wanted: str) -> NoReturn:
    _refuse(
        "are a graph that was cut short",
        f"There are {length} bytes, and there should be {wanted}.",
        "Copy them again.",
    )


def _refuse(what: str, why: str, way_out: str) -> NoReturn:
    raise GraphError(f"these bytes {what}", why=why, way_out=way_out)


def digest(module: Module) -> str:
    """What two modules share that do the same, in every process: SHA-256 in hexadecimal.

    It depends on ops, their fields, constants, bit for bit, on effects and their order, and on the names of
    inputs and graphs; not on where the user wrote them, and not on what lies outside: a variable counts with
    its kind and its spec, and the place where it is first used.
    """
    printer = printer_.Printer(keeps_arrays=True, numbers_resources=True)
    found = sha256(printer.text(module.entry, module.functions).encode("utf-8", "surrogatepass"))
    for array in printer.arrays:
        found.update(f"\n{as_dtype(array.dtype).short}{array.shape}".encode())
        found.update(_elements(array))
    return found.hexdigest()


def _restored(data: bytes, resources: dict[str, Resource]) -> Module:
    return from_bytes(data, objects=resources)


def _entry(module: Module) -> Graph:
    return module.entry


def _reduced(module: Module) -> tuple[Any, ...]:
    """How a module is pickled: as its bytes, with what lies outside pickled beside them."""
    data, printer = _written(module)
    return _restored, (data, printer.resources)


def _reduced_graph(graph: Graph) -> tuple[Any, ...]:
    """A graph is pickled as a module of its own."""
    return _entry, (Module(graph),)


copyreg.pickle(Module, _reduced)
copyreg.pickle(Graph, _reduced_graph)
