"""Atomic writes of files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["written_whole"]


@contextmanager
def written_whole(*paths: Path) -> Iterator[list[Path]]:
    """Empty files to be written in the place of others, which they become where nothing is raised.

    Parameters
    ----------
    *paths : Path

    Yields
    ------
    list of Path
        One for each, in its folder.
    """
    parts: list[Path] = []
    try:
        for path in paths:
            try:
                handle, name = tempfile.mkstemp(path.suffix, f".{path.stem}.", path.parent)
            except OSError as error:  # which names the part
                raise type(error)(error.errno, error.strerror, str(path)) from None
            os.close(handle)
            parts.append(Path(name))
        yield parts
        for part, path in zip(parts, paths, strict=True):
            part.chmod(0o666 & ~_umask())
            part.replace(path)
    finally:
        for part in parts:
            part.unlink(missing_ok=True)  # it has its place, or shall have none


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
