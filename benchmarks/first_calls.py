"""From decorator to result: the first call of each of the programs in `tests/programs`, as people write them.

No machine code is on disk.

python -m benchmarks first_calls --rounds 20        # the slowest of them, as many
"""

from __future__ import annotations

import contextlib
import copy
import io
import os
import time
import warnings
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

import autograph as ag
from autograph.errors import AutoGraphError
from runtime.errors import Message
from runtime.executors.native.llvm import cache
from tests.programs.numbers import gcd
from tests.programs.test_programs import REFUSED, SAME, WIDER

__all__ = ["report"]

SLOW = 0.5
"""Seconds that no ordinary program of a hundred statements is to take."""


def report(rounds: int) -> str:
    """The table, as text."""
    os.environ[cache.VARIABLE] = "off"
    programs = [(program, calls[0]) for program, calls, *_ in (*SAME, *REFUSED, *WIDER)]
    _seconds(gcd, (9, 6))  # what is loaded when it is first needed
    taken = {program.__name__: _seconds(program, arguments) for program, arguments in programs}
    slow = [seconds for seconds in taken.values() if seconds > SLOW]
    slowest = sorted(taken.items(), key=lambda pair: -pair[1])[:rounds]
    times = (
        f"median {median(taken.values()):.3f} s, all {sum(taken.values()):.1f} s; over {SLOW} s: {len(slow)}"
    )
    lines = [f"  {seconds:7.3f} s  {name}" for name, seconds in slowest]
    return "\n".join([f"the first call of {len(taken)} programs: {times}", *lines])


def _seconds(program: Callable[..., Any], arguments: Sequence[Any]) -> float:
    """Of the processor; what the program raises is a result, and what is refused."""
    given = copy.deepcopy(arguments)
    start = time.process_time()
    with (
        warnings.catch_warnings(action="ignore"),
        contextlib.suppress(AutoGraphError, Message, ArithmeticError, LookupError, ValueError),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        ag.function(program)(*given)
    return time.process_time() - start
