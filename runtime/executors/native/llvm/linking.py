"""Gives code a place in this process: a linker for what LLVM writes for x86-64 on Linux.

LLVM has one, too. But to load LLVM takes a new process longer than all that it does with code on disk. What
LLVM is asked for has few kinds of sections and relocations; a file with anything else is LLVM's to link.

The format is that of the System V ABI, and of its supplement for AMD64.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import struct
import sys
import weakref
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from autograph_base.named_tuple import NamedTuple

__all__ = ["Place", "linked"]

_MAGIC = b"\x7fELF\x02\x01\x01"
_RELOCATABLE, _AMD64 = 1, 62
_DATA, _TABLE, _RELOCATIONS, _ZEROS, _UNWINDING = 1, 2, 4, 8, 0x70000001
"""Kinds of sections. Nothing unwinds a stack through such code, so what says how is left out."""
_NAMES = (".text", ".rodata", ".data", ".bss")
"""How the names of sections begin that mean what they say: others may be what has to be run first."""
_WRITTEN, _HELD, _OF_THREADS = 0x1, 0x2, 0x400
"""Whether a section is written to, whether it is in memory at all, and whether each thread has its own."""
_OUTSIDE, _LEAST_RESERVED = 0, 0xFF00
"""Sections of symbols: that of those which others have, and the least number that stands for no section."""
_ADDRESS, _NEAR, _CALL, _ENTRIES = 1, 2, 4, frozenset({9, 41, 42})
"""Kinds of relocations: where a symbol is; how far away; how far to go for a call; and how far away the place
is that says where it is."""
_JUMP = b"\xff\x25\x00\x00\x00\x00"
"""Goes to where the next eight bytes say: a call reaches as far as 2 GB, and functions are further away."""
_JUMP_SIZE, _ENTRY_SIZE = 16, 8


class _Unknown(Exception):
    """There is something in a file that this linker does not know."""


class _Section(NamedTuple):
    """A section, as the format has it."""

    name: int
    kind: int
    flags: int
    address: int
    start: int
    size: int
    link: int
    info: int
    align: int
    entry: int


class _Symbol(NamedTuple):
    name: str
    section: int
    value: int


class _Relocation(NamedTuple):
    """What is to be written into a section."""

    section: int
    offset: int
    kind: int
    symbol: int
    plus: int


class Place:
    """Memory that code is in, as long as this object lives."""

    def __init__(self, size: int, runs: int) -> None:
        system = _system()
        at = system.mmap(
            None, size, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0
        )
        if at in {None, ctypes.c_void_p(-1).value}:
            raise _Unknown("there is no room")
        self.at: int = at
        self._runs = runs
        weakref.finalize(self, system.munmap, at, size).atexit = False

    def fill(self, image: bytes) -> None:
        """Writes what is to be there, and lets the first bytes be run, which are not written from then on."""
        ctypes.memmove(self.at, image, len(image))
        if _system().mprotect(self.at, self._runs, mmap.PROT_READ | mmap.PROT_EXEC):
            raise _Unknown("memory cannot be run")


@cache
def _system() -> Any:
    found: Any = ctypes.CDLL(None)
    place, size, number = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    found.mmap.restype = place
    found.mmap.argtypes = [place, size, number, number, number, ctypes.c_long]
    found.munmap.argtypes, found.mprotect.argtypes = [place, size], [place, size, number]
    return found


@cache
def _address(name: str) -> int:
    """Where a function of this process is."""
    function = getattr(_system(), name, None)
    if function is None:
        raise _Unknown(name)
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)


def linked(
    code: bytes, symbols: Sequence[str], shared: Mapping[str, int]
) -> tuple[dict[str, int], Place] | None:
    """Code that can run.

    Parameters
    ----------
    code : bytes
        A file that LLVM has written.
    symbols : sequence of str
        Those whose addresses are wanted.
    shared : mapping of str to int
        Where functions are that it calls and does not have; the process has the others.

    Returns
    -------
    (dict of str to int, Place) or None
        The addresses, and what the code lives as long as; None where LLVM has to link it.
    """
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        return None
    try:
        return _File(code, shared).linked(symbols)
    except (_Unknown, LookupError, ValueError, struct.error):
        return None


class _File:
    """A file, and where its parts will lie: what is run or read, jumps and entries, and what is written."""

    def __init__(self, code: bytes, shared: Mapping[str, int]) -> None:
        head = struct.unpack_from("<7s9xHH", code)
        start, entry, count, names = struct.unpack_from("<40xQ10xHHH", code)
        if head != (_MAGIC, _RELOCATABLE, _AMD64) or entry != struct.calcsize("<IIQQQQIIQQ"):
            raise _Unknown("the format")
        self._code = code
        self._shared = shared
        fields = struct.iter_unpack("<IIQQQQIIQQ", code[start : start + count * entry])
        self._sections = [_Section(*each) for each in fields]
        self._names = self._sections[names].start
        self._symbols = [*self._symbols_of()]
        self._relocations = [*self._relocations_of()]
        pointed = [each.symbol for each in self._relocations if each.kind in _ENTRIES]
        called = [each.symbol for each in self._relocations if each.kind == _CALL]
        outside = [each for each in called if self._symbols[each].section == _OUTSIDE]
        self._places: dict[int, int] = {}
        size = self._placed(0, is_written=False)
        self._jumps, size = _in_turn(outside, size, _JUMP_SIZE)
        self._entries, size = _in_turn(pointed, size, _ENTRY_SIZE)
        self._runs = -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
        self._size = self._placed(self._runs, is_written=True)

    def _symbols_of(self) -> Iterator[_Symbol]:
        [table] = [each for each in self._sections if each.kind == _TABLE]
        names = self._sections[table.link].start
        for name, _, _, section, value, _ in struct.iter_unpack("<IBBHQQ", self._bytes(table)):
            yield _Symbol(self._text(names + name), section, value)

    def _relocations_of(self) -> Iterator[_Relocation]:
        for section in self._sections:
            if section.kind == _RELOCATIONS and self._is_placed(self._sections[section.info]):
                for offset, info, plus in struct.iter_unpack("<QQq", self._bytes(section)):
                    yield _Relocation(section.info, offset, info & 0xFFFFFFFF, info >> 32, plus)

    def _text(self, start: int) -> str:
        return self._code[start : self._code.index(0, start)].decode()

    def _bytes(self, section: _Section) -> bytes:
        found = self._code[section.start : section.start + section.size]
        if len(found) < section.size:
            raise _Unknown("it is cut")
        return found

    def _is_placed(self, section: _Section) -> bool:
        """Whether a section has a place in memory."""
        if not section.flags & _HELD or section.kind == _UNWINDING:
            return False
        is_named = self._text(self._names + section.name).startswith(_NAMES)
        if not is_named or section.kind not in {_DATA, _ZEROS} or section.flags & _OF_THREADS:
            raise _Unknown("a section")
        return True

    def _placed(self, size: int, *, is_written: bool) -> int:
        """Where sections are to lie, behind others that take some bytes; how many all take then."""
        for number, section in enumerate(self._sections):
            if self._is_placed(section) and bool(section.flags & _WRITTEN) is is_written:
                self._places[number] = -(-size // max(1, section.align)) * max(1, section.align)
                size = self._places[number] + section.size
        return size

    def linked(self, symbols: Sequence[str]) -> tuple[dict[str, int], Place]:
        """The addresses of symbols, and the place of all code."""
        place = Place(self._size, self._runs)
        image = bytearray(self._size)
        for number, at in self._places.items():
            section = self._sections[number]
            if section.kind != _ZEROS:
                image[at : at + section.size] = self._bytes(section)
        for symbol, at in self._jumps.items():
            image[at : at + _JUMP_SIZE - 2] = _JUMP + struct.pack("<Q", self._address(symbol, place))
        for symbol, at in self._entries.items():
            struct.pack_into("<Q", image, at, self._address(symbol, place))
        for each in self._relocations:
            self._write(each, image, place)
        place.fill(bytes(image))
        own = {each.name: each for each in self._symbols if each.section != _OUTSIDE}
        return {name: self._inside(own[name], place) for name in symbols}, place

    def _write(self, relocation: _Relocation, image: bytearray, place: Place) -> None:
        section, offset, kind, symbol, plus = relocation
        at = self._places[section] + offset
        if offset + 4 > self._sections[section].size:
            raise _Unknown("a place in no section")
        if kind == _ADDRESS:
            struct.pack_into("<Q", image, at, self._address(symbol, place) + plus)
            return
        if kind in _ENTRIES:
            to = place.at + self._entries[symbol]
        elif kind == _CALL and symbol in self._jumps:
            to = place.at + self._jumps[symbol]
        elif kind in {_NEAR, _CALL}:
            to = self._address(symbol, place)
        else:
            raise _Unknown("a relocation")
        struct.pack_into("<i", image, at, to + plus - (place.at + at))

    def _address(self, symbol: int, place: Place) -> int:
        found = self._symbols[symbol]
        if found.section != _OUTSIDE:
            return self._inside(found, place)
        return self._shared.get(found.name) or _address(found.name)

    def _inside(self, symbol: _Symbol, place: Place) -> int:
        if symbol.section >= _LEAST_RESERVED:
            raise _Unknown("a symbol")
        return place.at + self._places[symbol.section] + symbol.value


def _in_turn(symbols: Sequence[int], start: int, size: int) -> tuple[dict[int, int], int]:
    """Where what symbols have lies, each behind another; and where all of it ends."""
    start = -(-start // size) * size
    places = {symbol: start + size * at for at, symbol in enumerate(dict.fromkeys(symbols))}
    return places, start + size * len(places)
