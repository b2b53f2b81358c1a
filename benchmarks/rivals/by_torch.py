"""torch.compile, which takes NumPy's functions.

It takes the programs on arrays that have no long loop: it would unroll that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from benchmarks.rivals.programs import Program

__all__ = ["VERSION", "compiled"]

VERSION = f"PyTorch {torch.__version__}"
_UNROLLED = frozenset({"escapes", "escaping", "heat", "life", "spreading", "recurrent"})
_LONGEST = 1_000
"""Operations one after the other; 5,000 take it minutes."""


def compiled(program: Program) -> Callable[[], Any] | None:
    """A call of what it makes of a program on arrays."""
    if not program.of or program.run.__name__ in _UNROLLED or program.length > _LONGEST:
        return None
    torch.set_num_threads(1)
    run = torch.compile(program.run)
    given = program.arguments()
    return lambda: run(*given)
