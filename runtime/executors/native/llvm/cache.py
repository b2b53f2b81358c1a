"""On-disk cache of machine code, keyed by a digest of program, processor and compiler.

Each file is the code of one program for one processor and one compiler: a digest of all three is its name. It
begins with a mark, the digest, and a checksum of the code. A file that is not so is as good as none, and is
written again; so is one that somebody else may have written.
"""

# ruff: noqa: PTH111, PTH116, PTH118, PTH123
# pathlib is slow to import, and a process whose code is there saves none

from __future__ import annotations

import os
import stat
import time
from functools import cache
from typing import TYPE_CHECKING

from runtime.core.digests import sha256

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["VARIABLE", "Store", "store"]

VARIABLE = "AUTOGRAPH_CACHE"
"""The environment variable that says where the code is, or ``off``."""
_MARK = b"autograph machine code 1\n"
_HEAD = len(_MARK) + 2 * sha256().digest_size
_MOST = 256 * 1024 * 1024
_PART = ".autograph-part"
"""How files are called that are being written."""
_SAVES = 64
"""Saves after which old files make room."""
_AN_HOUR = 3600
_FOREIGN = stat.S_IWGRP | stat.S_IWOTH


class Store:
    """Code in a folder.

    Parameters
    ----------
    folder : str or Path
        It is made when something is saved.
    most : int
        Bytes that it may hold; those that were not used for the longest time go first.
    """

    def __init__(self, folder: str | Path, most: int = _MOST) -> None:
        self.folder = str(folder)
        self._most = most
        self._saves = 0

    def load(self, key: bytes) -> bytes | None:
        """The code of a digest, where it is there and whole."""
        path = self._path(key)
        try:
            if not _is_ours(os.stat(self.folder)):
                return None
            with open(path, "rb") as file:
                if not _is_ours(os.fstat(file.fileno())):
                    return None
                found = file.read()
            os.utime(path)
        except OSError:  # it is not there, or cannot be read
            return None
        code = found[_HEAD:]
        return code if found[:_HEAD] == _head(key, code) else None

    def save(self, key: bytes, code: bytes) -> bool:
        """Keeps code, whole or not at all; says whether it did. A full disk is no reason to fail."""
        import tempfile  # noqa: PLC0415  # slow to load, and a process whose code is there saves none
        from pathlib import Path  # noqa: PLC0415  # likewise

        try:
            folder = Path(self.folder)
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_ours(folder.stat()):
                return False
            handle, name = tempfile.mkstemp(_PART, dir=folder)
            part = Path(name)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_head(key, code) + code)
                part.replace(self._path(key))
            except OSError:
                part.unlink()
                raise
        except OSError:
            return False
        if self._saves % _SAVES == 0:
            self._make_room()
        self._saves += 1
        return True

    def files(self) -> list[Path]:
        """Those that it has written, the least recently used first."""
        from pathlib import Path  # noqa: PLC0415  # as in `save`

        try:
            found = [
                (path.stat().st_mtime, path) for path in Path(self.folder).glob(f"{'[0-9a-f]' * 64}.code")
            ]
        except OSError:  # another process has just removed one
            return []
        return [path for _, path in sorted(found)]

    def clear(self) -> int:
        """Removes all code; gives how many files there were."""
        files = [*self.files(), *self._parts()]
        for path in files:
            path.unlink(missing_ok=True)
        return len(files)

    def _path(self, key: bytes) -> str:
        return os.path.join(self.folder, f"{key.hex()}.code")

    def _parts(self) -> list[Path]:
        """What was not written whole."""
        from pathlib import Path  # noqa: PLC0415  # as in `save`

        return [*Path(self.folder).glob(f"*{_PART}")]

    def _make_room(self) -> None:
        files = self.files()
        try:
            for path in self._parts():  # of a process that was killed
                if path.stat().st_mtime < time.time() - _AN_HOUR:
                    path.unlink(missing_ok=True)
            sizes = [path.stat().st_size for path in files]
            excess = sum(sizes) - self._most
            for path, size in zip(files, sizes, strict=True):
                if excess <= 0:
                    return
                path.unlink(missing_ok=True)
                excess -= size
        except OSError:  # another process makes room, too
            return


def _head(key: bytes, code: bytes) -> bytes:
    return _MARK + key + sha256(code).digest()


def _is_ours(found: os.stat_result) -> bool:
    """Whether nobody else can have written something: code that is loaded is run."""
    if not hasattr(os, "getuid"):  # where there are no such owners, the folder of a user is the user's
        return True
    return found.st_uid == os.getuid() and not found.st_mode & _FOREIGN


def store() -> Store | None:
    """The code of this user; None where it is switched off."""
    wanted = os.environ.get(VARIABLE, "")
    if wanted == "off":
        return None
    if wanted:
        return _in(wanted)
    home = os.path.expanduser("~")
    around = os.environ.get("XDG_CACHE_HOME") or (None if home == "~" else os.path.join(home, ".cache"))
    return None if around is None else _in(os.path.join(around, "autograph"))  # there may be no home


@cache
def _in(folder: str) -> Store:
    """The one of a folder, which counts its saves: to make room takes longer than a save."""
    return Store(folder)
