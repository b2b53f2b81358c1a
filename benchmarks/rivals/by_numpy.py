"""Python on NumPy: the programs as they stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.rivals.programs import Program

__all__ = ["VERSION", "as_written"]

VERSION = f"NumPy {np.__version__}"


def as_written(program: Program) -> Callable[[], Any]:
    """A call with arguments of its own: some programs write into them."""
    return lambda: program.run(*program.arguments())
