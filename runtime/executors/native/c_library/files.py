"""The files of a library: an object, or what the system's own tools make of it, and the header beside it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from runtime.core.files import written_whole
from runtime.errors import CompileError, InvalidValue

__all__ = ["KINDS", "kind_of", "write"]

KINDS = {".o": None, ".so": ("CC", "cc"), ".a": ("AR", "ar")}
"""Endings, with the environment variable and the name of the tool that makes such a file of an object."""


def kind_of(path: Path) -> str:
    """The ending of a library's file, which says what it is.

    Raises
    ------
    ValueError
        When there is no library of that ending.
    CompileError
        When the tool is missing that makes one.
    """
    if path.suffix not in KINDS:
        raise InvalidValue(
            f"{path.name!r} has no ending that says what it shall be",
            why="A library is an object (.o), an archive (.a) or a shared library (.so).",
            way_out=f"Call it {path.stem + '.so'!r}, for example.",
        )
    if path.suffix != ".o":
        _tool(path)
    return path.suffix


def write(path: Path, code: bytes, header: str | None, *, needs_libm: bool) -> tuple[Path, ...]:
    """Writes a library, and its header beside it: whole or not at all.

    Parameters
    ----------
    path : Path
    code : bytes
        An object.
    header : str or None
    needs_libm : bool

    Returns
    -------
    tuple of Path
        The files.
    """
    paths = (path,) if header is None else (path, path.with_suffix(".h"))
    with written_whole(*paths) as parts, tempfile.TemporaryDirectory() as folder:
        if header is not None:
            parts[1].write_text(header, encoding="utf-8")
        if kind_of(path) == ".o":
            parts[0].write_bytes(code)
        else:
            item = Path(folder) / f"{path.stem}.o"
            item.write_bytes(code)
            made = Path(folder) / path.name
            _run([*_tool(path), *_arguments(path, made, item, needs_libm=needs_libm)])
            shutil.copyfile(made, parts[0])
    return paths


def _arguments(path: Path, made: Path, item: Path, *, needs_libm: bool) -> list[str]:
    if path.suffix == ".a":
        return ["rcs", str(made), str(item)]
    libraries = ["-lm"] if needs_libm else []
    return ["-shared", f"-Wl,-soname,{path.name}", "-o", str(made), str(item), *libraries]


def _tool(path: Path) -> list[str]:
    """The command that makes such a file."""
    named = KINDS[path.suffix]
    assert named is not None, "an object needs none"
    variable, usual = named
    command = shlex.split(os.environ.get(variable) or usual)
    if shutil.which(command[0]) is None:
        raise CompileError(
            f"{path.name!r} is made by `{command[0]}`, which is not there",
            why="A shared library needs a linker, and an archive an archiver.",
            way_out=f"Install a C compiler (gcc or clang), or write {path.stem + '.o'!r}, which needs none.",
        )
    return command


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # the user's own tools
    if done.returncode:
        raise CompileError(
            f"`{command[0]}` could not make the library",
            details=done.stderr.strip().splitlines(),
            why="It is the system's own tool.",
            way_out="See to it that it works, or write an object: it ends in .o.",
        )
