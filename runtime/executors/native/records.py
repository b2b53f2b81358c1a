"""What is to be known of programs whose code is on disk: a new process need not lower their graphs.

Code is on disk under a digest of its text, for which a graph has to be lowered. All that has to be loaded for
that takes a new process more time than to trace a small function. So the first program that a process lowers
leaves a record: the keys of its code, and the few facts that a run needs. Its name is a digest of all that
lowering reads: of the graph, bit for bit and with the user's lines, of what is asked of it, and of the
surroundings. What lowering reads beside that has no record: Python's objects, and ops that are not ours.
Where code is asked for that is not there, or for the loops themselves, they are lowered.

A process that has lowered a graph has loaded what it takes, and goes on as if there were no records.
"""

from __future__ import annotations

import importlib
import json
import os
import platform
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache
from typing import Any

import numpy as np

from autograph_base.dataclass import dataclass
from autograph_base.packages import FOLDERS
from autograph_base.waiting import is_waiting
from runtime.core.digests import sha256
from runtime.errors import Error
from runtime.executors.native.beyond import Beyond
from runtime.executors.native.calls.calling import SYMBOLS
from runtime.executors.native.language.loops import Program
from runtime.executors.native.llvm import engine
from runtime.executors.native.llvm.cache import store
from runtime.executors.native.llvm.flags import FLAGS
from runtime.executors.native.patience import Patience
from runtime.graph import file
from runtime.graph.module import Module
from runtime.graph.op import Effects

__all__ = ["Facts", "Record", "record_of"]

_LOWERING = "runtime.executors.native.whole"
_BEGUN = time.time_ns()
"""When this process has loaded our own text, but for what waits."""
_READ = ("AUTOGRAPH_", "BLIS_", "GLIBC_", "LD_", "MKL_", "NPY_", "OMP_", "OPENBLAS_")
"""How environment variables begin on which it depends how NumPy and the C library compute."""


@dataclass(frozen=True)
class Facts:
    """What is to be known of a program to run its code.

    Attributes
    ----------
    loops : Program
        The program; of one that was not lowered, what it has beside its functions and its sites.
    symbols : list of str
        Those whose addresses are wanted.
    patience : Patience or None
        How long it goes on with its first code, where it has such a one.
    has_branches : bool
        Whether there are branches in its loops.
    calls : dict of str to str
        The functions in C that its ways to draw call, by the symbols that say where they are.
    """

    loops: Program
    symbols: list[str]
    patience: Patience | None
    has_branches: bool
    calls: Mapping[str, str] = field(default_factory=dict)

    @property
    def first_symbols(self) -> list[str]:
        """Those that the first code has, too."""
        return [each for each in self.symbols if each not in SYMBOLS]


class Record:
    """What a graph has, or gets, on disk."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def load(self) -> tuple[Facts, engine.Kept] | None:
        """What is there, where it is there and whole."""
        disk = store()
        found = None if disk is None else disk.load(self._key)
        if found is None:
            return None
        told = json.loads(found)
        return _read(told) if told["made_by"] == engine.name() else None

    def save(self, facts: Facts, kept: engine.Kept) -> None:
        """Keeps what a program needs that has its code on disk; not where Python's objects belong to that."""
        loops, disk = facts.loops, store()
        has_more = any((loops.constants, loops.objects, loops.hosts, loops.streams, loops.draws, loops.lines))
        calls_numpy = any(each.endswith(".loop") for each in facts.symbols)
        if disk is not None and not has_more and not calls_numpy:
            disk.save(self._key, json.dumps(_written(facts, kept)).encode())


def _written(facts: Facts, kept: engine.Kept) -> dict[str, Any]:
    loops = facts.loops
    return {
        "made_by": engine.name(),
        "symbols": facts.symbols,
        "patience": None if facts.patience is None else facts.patience.left,
        "has_branches": facts.has_branches,
        "lent": [*loops.lent.items()],
        "is_in_order": loops.is_in_order,
        "is_flagless": loops.is_flagless,
        "has_nested": loops.has_nested,
        "whole": kept.whole.hex(),
        "first": None if kept.first is None else kept.first.hex(),
        "shared": [(key.hex(), names) for key, names in kept.shared],
    }


def _read(found: Mapping[str, Any]) -> tuple[Facts, engine.Kept]:
    loops = Program(
        lent={int(output): int(index) for output, index in found["lent"]},
        is_in_order=bool(found["is_in_order"]),
        is_flagless=bool(found["is_flagless"]),
        has_nested=bool(found["has_nested"]),
    )
    left, first = found["patience"], found["first"]
    patience = None if left is None else Patience(int(left))
    facts = Facts(loops, [*found["symbols"]], patience, has_branches=bool(found["has_branches"]))
    shared = [(bytes.fromhex(key), tuple(names)) for key, names in found["shared"]]
    kept = engine.Kept(bytes.fromhex(found["whole"]), first and bytes.fromhex(first), shared)
    return facts, kept


def record_of(module: Module, beyond: Beyond, written: Sequence[int] = ()) -> Record | None:
    """What a module has on disk; None where a process has lowered a graph, and of one that has no record.

    Parameters
    ----------
    module : Module
    beyond : Beyond
        Who computes what is beyond machine code.
    written : sequence of int
        The inputs of which the last outputs say what they hold.
    """
    if not is_waiting(_LOWERING) or store() is None:
        return None
    found = _bytes_of(module)
    around = None if found is None else _surroundings()
    if found is None or around is None:
        return None
    asked = repr((around, beyond.name, tuple(written))).encode()
    return Record(sha256(b"record " + sha256(asked).digest() + found).digest())


def _bytes_of(module: Module) -> bytes | None:
    """A module, bit for bit; None of one whose lowering may read what bytes do not say."""
    allowed = Effects.CHECKS | Effects.MARKS
    for graph in module.graphs():
        for inner in graph.walk():
            for node in inner.nodes:
                is_ours = type(node.op).__module__.startswith("runtime.")
                has_graphs = node.op.regions or node.op.callee is not None  # which are asked themselves
                if not is_ours or (node.op.effects & ~allowed and not has_graphs):
                    return None
    try:
        return file.bytes_that_say_all(module)
    except Error:  # it cannot be written
        return None


def _surroundings() -> tuple[Any, ...] | None:
    """All that lowering reads beside a module; None where it is not known which code of ours that is."""
    sources = _sources()
    if sources is None:
        return None
    environment = sorted(each for each in os.environ.items() if each[0].startswith(_READ))
    return (*sources, environment)


@cache
def _sources() -> tuple[Any, ...] | None:
    """What stays as it is in a process: our own text, Python, NumPy and the C library."""
    try:
        own = sorted([*_stamps(FOLDERS["runtime"]), *_stamps(FOLDERS["autograph_base"])])
        core: Any = importlib.import_module("numpy._core._multiarray_umath")  # where its loops are
        numpys = (np.__version__, core.__file__, _stamp(os.stat(core.__file__)), core.__cpu_features__)  # noqa: PTH116  # pathlib is slow
        libraries = os.confstr("CS_GNU_LIBC_VERSION") if hasattr(os, "confstr") else platform.release()
    except (AttributeError, ImportError, OSError, ValueError):
        return None
    python = (sys.version, getattr(sys, "abiflags", ""), sys.implementation.cache_tag, sys.flags)
    if max((written for _, _, written in own), default=_BEGUN) >= _BEGUN:  # what is loaded may be older
        return None
    return own, numpys, libraries, python, platform.machine(), repr(FLAGS)


def _stamps(folder: str) -> Iterator[tuple[str, int, int]]:
    """The files of Python's in a folder, each with its size and when it was written."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry.path, *_stamp(entry.stat())
            elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                yield from _stamps(entry.path)


def _stamp(found: os.stat_result) -> tuple[int, int]:
    return found.st_size, found.st_mtime_ns
