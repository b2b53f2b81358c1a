"""gcc: the programs in C, called by ctypes."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.rivals.programs import Program

__all__ = ["VERSION", "compiled"]

_COMPILER = shutil.which("gcc")
if _COMPILER is None:
    raise ModuleNotFoundError("there is no gcc")
_SAID = subprocess.run([_COMPILER, "--version"], capture_output=True, text=True, check=True)  # noqa: S603  # the user's
VERSION = _SAID.stdout.split("\n")[0]
_KINDS: Mapping[type, Any] = {int: ctypes.c_int64, float: ctypes.c_double}


def _library() -> ctypes.CDLL:
    assert _COMPILER is not None
    with tempfile.TemporaryDirectory() as folder:
        objects = []
        for name, option in (("numbers.c", "-ffp-contract=off"), ("arrays.c", "-ffast-math")):
            objects.append(str(Path(folder) / f"{name}.o"))
            options = ["-O3", "-march=native", option, "-fPIC", "-c", "-o", objects[-1]]
            source = str(Path(__file__).with_name(name))
            subprocess.run([_COMPILER, *options, source], check=True)  # noqa: S603  # our own source
        target = str(
            Path(folder) / "rivals.so"
        )  # linked without -ffast-math, which would switch off small numbers
        linked = [_COMPILER, "-shared", "-o", target, *objects, "-lmvec", "-lm"]
        subprocess.run(linked, check=True)  # noqa: S603  # our own source
        return ctypes.CDLL(target)


_LIBRARY = _library()


def compiled(program: Program) -> Callable[[], Any] | None:
    """A call of the function of C: numbers as they are, an array by its address and its length."""
    if program.of:
        return _on_array(program)
    function = getattr(_LIBRARY, program.run.__name__, None)
    if function is None:
        return None
    function.restype = ctypes.c_double if program.gives_float else ctypes.c_int64
    fresh = program.arguments

    def run() -> Any:
        given: list[Any] = []
        arrays = fresh()
        for each in arrays:
            if isinstance(each, np.ndarray):
                given += [ctypes.c_void_p(each.ctypes.data), ctypes.c_int64(len(each))]
            else:
                given.append(_KINDS[type(each)](each))
        return function(*given)

    return run


def _on_array(program: Program) -> Callable[[], Any] | None:
    """Likewise of a function that fills an array."""
    x = program.arguments()[0]
    function = getattr(_LIBRARY, f"{program.run.__name__}_{x.dtype}", None)
    if function is None:
        return None
    function.restype = None
    lengths = [ctypes.c_int64(length) for length in x.shape]

    def run() -> Any:
        result = np.empty_like(x)
        function(ctypes.c_void_p(x.ctypes.data), *lengths, ctypes.c_void_p(result.ctypes.data))
        return result

    return run
