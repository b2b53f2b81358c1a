"""Text of LLVM's code becomes machine code of this process: from the disk, where it is there."""

from __future__ import annotations

import ctypes
import importlib.util
import os
from collections.abc import Callable, Collection, Sequence
from functools import cache, cached_property
from threading import Lock
from typing import Any

from autograph_base.dataclass import dataclass
from runtime.core.digests import sha256
from runtime.executors.native.llvm import compiler, linking
from runtime.executors.native.llvm.cache import Store, store
from runtime.executors.native.llvm.code import Vectors
from runtime.executors.native.llvm.efforts import Effort, effort_of
from runtime.executors.native.llvm.processors import VARIABLE, seen_by_the_system

__all__ = [
    "AtOnce",
    "Kept",
    "Library",
    "compiled",
    "is_there",
    "kept",
    "name",
    "object_code",
    "recalled",
    "vectors",
]

_PASSES = 1
"""Another number where LLVM is asked for other code of the same text: what is on disk is then old."""


def is_there() -> bool:
    """Whether llvmlite is installed."""
    return importlib.util.find_spec("llvmlite") is not None


def is_loaded() -> bool:
    """Whether some code of this process has been compiled, so that more of it takes no time to speak of."""
    return _engine.cache_info().currsize > 0


@dataclass(frozen=True)
class Library:
    """Machine code, as long as this object lives.

    Attributes
    ----------
    addresses : dict of str to int
        Of the symbols that were asked for.
    llvm_ir, assembly : callable
        Give the code as text, after LLVM's own passes.
    is_made_at_once : bool
        Whether LLVM took no time to make it better.
    """

    addresses: dict[str, int]
    llvm_ir: Callable[[], str]
    assembly: Callable[[], str]
    tracker: Any
    is_made_at_once: bool = False


@dataclass(frozen=True)
class AtOnce:
    """A module of which code is made in as little time as can be.

    Attributes
    ----------
    text : str
    symbols : list of str
        Those whose addresses are wanted.
    shared : list of str
        Functions that it calls and does not have, and all that these call: programs of a process share them.
    shared_text : callable
        Gives a module that has some of them.
    """

    text: str
    symbols: list[str]
    shared: list[str]
    shared_text: Callable[[Collection[str]], str]


@dataclass(frozen=True)
class Kept:
    """Where code of a program is on disk.

    Attributes
    ----------
    whole : bytes
        The key of its code.
    first : bytes or None
        The key of the code that is made in as little time as can be, where there is such a one.
    shared : sequence of (bytes, sequence of str)
        The keys of what programs share of that, in their order, and the functions that are there.
    """

    whole: bytes
    first: bytes | None
    shared: Sequence[tuple[bytes, Sequence[str]]]


class _Engine:
    """The machine code of this process; made when the first graph has some."""

    def __init__(self) -> None:
        self.name = _known() or self.compiler.name
        """The compiler, the processor that it makes code for, and the one that it is on."""
        self._begins = repr((_PASSES, os.environ.get(VARIABLE), self.name)).encode()
        _keep_memory()
        self._shared: dict[str, int] = {}
        """Where functions are that programs share."""
        self._groups: list[tuple[bytes, tuple[str, ...]]] = []
        """The keys of their code, and those that came with it."""
        self._keeping: list[Any] = []
        """What these live as long as."""
        self._sharing = Lock()

    @cached_property
    def compiler(self) -> compiler.Compiler:
        """LLVM: nobody loads it where all code is on disk."""
        return compiler.Compiler()

    def library(self, text: str, symbols: list[str], at_once: AtOnce | None) -> Library:
        """The machine code of a module, or what is there `at_once`, as `compiled`."""
        code = None if at_once is None else self._kept(text, effort_of(text))
        is_made_at_once = at_once is not None and code is None
        if at_once is not None and is_made_at_once:
            addresses, tracker = self._made_at_once(at_once)
        else:
            addresses, tracker = self._linked(code or self._code(text, effort_of(text)), symbols)
        return self._library(addresses, tracker, lambda: text, is_made_at_once=is_made_at_once)

    def _library(
        self, addresses: dict[str, int], tracker: Any, text: Callable[[], str], *, is_made_at_once: bool
    ) -> Library:
        return Library(
            addresses,
            lambda: str(self.compiler.optimised(text(), effort_of(text()))),
            lambda: self.compiler.assembly(text()),
            tracker,
            is_made_at_once,
        )

    def kept(self, text: str, at_once: AtOnce | None) -> Kept:
        """Where the code of a module is when it has been made, and that of the module `at_once`."""
        first = None if at_once is None else self._key(at_once.text, Effort.NONE)
        with self._sharing:
            return Kept(self._key(text, effort_of(text)), first, [*self._groups])

    def recalled(
        self, kept: Kept, symbols: Sequence[str], first_symbols: Sequence[str], text: Callable[[], str]
    ) -> Library | None:
        """The machine code of a module that is on disk, as `recalled`."""
        disk = store()
        code = None if disk is None else disk.load(kept.whole)
        if code is not None:
            return self._library(*self._linked(code, symbols), text, is_made_at_once=False)
        code = None if disk is None or kept.first is None else disk.load(kept.first)
        if code is None or disk is None or not self._share(kept.shared, disk):
            return None
        shared = [name for _, names in kept.shared for name in names]
        return self._library(*self._linked(code, first_symbols, shared), text, is_made_at_once=True)

    def _share(self, groups: Sequence[tuple[bytes, Sequence[str]]], disk: Store) -> bool:
        """Takes what programs share from the disk; says whether all of it is there."""
        with self._sharing:
            for key, names in groups:
                if not self._shared.keys() >= {*names}:
                    code = disk.load(key)
                    if code is None:
                        return False
                    self._add_shared(key, code, names)
        return True

    def _add_shared(self, key: bytes, code: bytes, names: Sequence[str]) -> None:
        addresses, tracker = self._linked(code, names, list(self._shared))
        self._shared |= addresses
        self._groups.append((key, tuple(names)))
        self._keeping.append(tracker)

    def _made_at_once(self, module: AtOnce) -> tuple[dict[str, int], Any]:
        """The code of a module as it stands; what programs share is made where it is not there yet."""
        with self._sharing:
            missing = [name for name in module.shared if name not in self._shared]
            if missing:
                text = module.shared_text(missing)
                code = self._code(text, Effort.NONE)
                self._add_shared(self._key(text, Effort.NONE), code, missing)
        return self._linked(self._code(module.text, Effort.NONE), module.symbols, module.shared)

    def _linked(
        self, code: bytes, symbols: Sequence[str], shared: Sequence[str] = ()
    ) -> tuple[dict[str, int], Any]:
        """Code that can run: where its symbols are, and what it lives as long as."""
        given = {name: self._shared[name] for name in shared}
        found = linking.linked(code, symbols, given)
        return self.compiler.linked(code, symbols, given) if found is None else found

    def _code(self, text: str, effort: Effort) -> bytes:
        """The code of a module: from the disk, where it is there."""
        found = self._kept(text, effort)
        if found is None:
            found = self.compiler.code(text, effort)
            kept = store()
            if kept is not None:
                kept.save(self._key(text, effort), found)
        return found

    def _kept(self, text: str, effort: Effort) -> bytes | None:
        """The code of a module that is on disk."""
        kept = store()
        return None if kept is None else kept.load(self._key(text, effort))

    def _key(self, text: str, effort: Effort) -> bytes:
        return sha256(self._begins + effort.name.encode() + text.encode()).digest()


def _known() -> str | None:
    """The compiler and the processor as they are known without LLVM; None where they are not."""
    spec, processor = importlib.util.find_spec("llvmlite"), seen_by_the_system()
    if spec is None or processor is None:
        return None
    try:
        [folder] = spec.submodule_search_locations or [""]
        library = os.stat(os.path.join(folder, "binding", "libllvmlite.so"))  # noqa: PTH116, PTH118  # pathlib is slow
    except (OSError, ValueError):
        return None
    return repr((folder, library.st_size, library.st_mtime_ns, processor))


def _keep_memory() -> None:
    """Has the C library keep arrays that come and go, instead of asking the system for each anew.

    GNU's does so up to the size of the largest that was ever freed. Pages that are new cost more than what is
    computed in them.
    """
    allocate, free = ctypes.pythonapi.PyMem_RawMalloc, ctypes.pythonapi.PyMem_RawFree
    allocate.restype, allocate.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    free.restype, free.argtypes = None, [ctypes.c_void_p]
    free(allocate(_KEPT))


_KEPT = (32 << 20) - (1 << 16)
"""Bytes: a little less than where GNU's C library stops to keep."""


@cache
def _engine() -> _Engine:
    return _Engine()


def vectors(cpu: str | None = None) -> Vectors:
    """What a processor does with vectors: one of `CPUS`, or that of this process."""
    return _engine().compiler.vectors(cpu)


def compiled(text: str, symbols: list[str], at_once: AtOnce | None = None) -> Library:
    """The machine code of a module of LLVM's.

    Parameters
    ----------
    text : str
    symbols : list of str
        Those whose addresses are wanted.
    at_once : AtOnce, optional
        Another module, which serves where the code of that one is not on disk.
    """
    return _engine().library(text, symbols, at_once)


def name() -> str:
    """What code is made by, what for, and the processor of this process."""
    return _engine().name


def kept(text: str, at_once: AtOnce | None) -> Kept:
    """Where the code of what `compiled` takes is on disk, when it has been compiled."""
    return _engine().kept(text, at_once)


def recalled(
    kept: Kept, symbols: Sequence[str], first_symbols: Sequence[str], text: Callable[[], str]
) -> Library | None:
    """The machine code of a module, where it is on disk.

    Parameters
    ----------
    kept : Kept
    symbols, first_symbols : sequence of str
        Those whose addresses are wanted, of its code and of its first code.
    text : callable
        Gives the text of the module, for who asks for it.
    """
    return _engine().recalled(kept, symbols, first_symbols, text)


def object_code(text: str, cpu: str) -> compiler.ObjectCode:
    """The machine code of a module, for another process.

    Parameters
    ----------
    text : str
    cpu : str
        One of `processors.CPUS`.
    """
    return _engine().compiler.object_code(text, cpu)
