"""Processors that machine code is made for: this one, any of its kind, or those of an agreed level."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from runtime.errors import InvalidValue

__all__ = ["BASELINE", "CPUS", "LEVELS", "NATIVE", "VARIABLE", "chosen", "seen_by_the_system"]

VARIABLE = "AUTOGRAPH_CPU"
"""The environment variable that says what processor the graphs of a process are compiled for."""

BASELINE, NATIVE = "baseline", "native"
_SECOND = ("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3")
_THIRD = (*_SECOND, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave")
_FOURTH = (*_THIRD, "avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl")
LEVELS = {"x86-64-v2": _SECOND, "x86-64-v3": _THIRD, "x86-64-v4": _FOURTH}
"""What a processor of each level has, by LLVM's names.

The levels are those of the System V ABI for x86-64, section 3.1.1.
"""
CPUS = (BASELINE, NATIVE, *LEVELS)
"""What code can be made for."""


def chosen(has: Mapping[str, bool]) -> str:
    """The processor that the graphs of this process are compiled for, one of `CPUS`.

    Parameters
    ----------
    has : mapping of str to bool
        What this processor has, by LLVM's names.

    Raises
    ------
    InvalidValue
        When the environment names none, or one that has what this processor has not.
    """
    cpu = os.environ.get(VARIABLE) or NATIVE
    if cpu not in CPUS:
        raise InvalidValue(
            f"there is no code for the processor {cpu!r}, which {VARIABLE} names",
            why=f"It is made for one of {', '.join(map(repr, CPUS))}.",
            way_out=f"Set {VARIABLE} to one of them, or leave it out: code is for this processor then.",
        )
    missing = [each for each in LEVELS.get(cpu, ()) if not has.get(each)]
    if missing:
        raise InvalidValue(
            f"this processor cannot run code for {cpu}, which {VARIABLE} names",
            why=f"It has no {', '.join(missing)}.",
            way_out=f"Leave {VARIABLE} out: code is for this processor then.",
        )
    return cpu


_TOLD = ("vendor_id", "cpu family", "model", "model name", "stepping", "flags")
"""What Linux says of a processor that decides which code runs on it."""


def seen_by_the_system() -> str | None:
    """What Linux says of this processor, which differs where what they can do may differ; None elsewhere."""
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        return None
    try:
        with open("/proc/cpuinfo", encoding="ascii") as file:  # noqa: PTH123  # pathlib is slow to import
            lines = file.read(_FIRST).partition("\n\n")[0].splitlines()
    except (OSError, UnicodeError):
        return None
    told = [line for line in lines if line.partition(":")[0].strip() in _TOLD]
    return "\n".join(told) if len(told) == len(_TOLD) else None


_FIRST = 1 << 14
"""Bytes in which all is that is said of one processor, of those that there are."""
