"""Numba: the programs as they stand, or by rows and elements where it does not know a function of NumPy's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

from benchmarks.rivals.programs import Program

__all__ = ["VERSION", "compiled"]

VERSION = f"Numba {numba.__version__}"
_LONGEST = 1_000
"""Operations one after the other; 5,000 take it minutes."""


def compiled(program: Program) -> Callable[[], Any] | None:
    """A call of what Numba makes of a program."""
    if program.length > _LONGEST:
        return None
    run = program.by_numba or program.run
    is_of_file = Path(run.__code__.co_filename).exists()
    graph = numba.njit(run, cache=is_of_file)
    return lambda: graph(*program.arguments())
