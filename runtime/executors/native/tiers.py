"""Two tiers: code that LLVM makes at once, and code that it takes its time for where a program runs for long.

LLVM's passes take ten times as long as all else that it does, and longer than most programs run. So a program
begins with code as it stands, which counts its calls and its looks at the clock. When it has run for about as
long as better code takes to make, it gets that; a run that goes on for longer is thrown away, and done again
by the better code. Nothing has happened until then: such a program changes nothing outside of itself, and
what it has printed is not printed again.

Both give the same bits. Where LLVM may compute a number in another way, there is better code from the start.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from runtime.executors.native.c_functions import LIBRARY
from runtime.executors.native.language.loops import For, Number, Program, Share, Statement
from runtime.executors.native.llvm.polling import BUDGET, work_of
from runtime.executors.native.lower.parts import RANGE
from runtime.executors.native.patience import CALL, Patience

__all__ = ["patience_with"]

_LONGEST = 100_000
"""Lines of LLVM's code. Its variables lie on the stack until passes make registers of them: 50 kilobytes for
74,000 lines."""
_LINES = 6
"""Lines for which LLVM's passes take about as long as a look at the clock comes after another."""
_LEAST = 8 * CALL

_DIFFERS = re.compile(rf" call \w+ @(?:pow|exp2|(?:{'|'.join(LIBRARY.values())})f)\(.*\)$", re.MULTILINE)
"""Calls of the C library that LLVM's passes replace, or compute beforehand in another precision. Of others it
is told to know nothing."""


def patience_with(program: Program, text: str, *, is_repeated: bool) -> Patience | None:
    """How long a program goes on with its first code; None where that is no good.

    Parameters
    ----------
    program : Program
    text : str
        What LLVM is given.
    is_repeated : bool
        Whether a run can be done again of which Python has seen something.
    """
    lines = text.count("\n")
    if (program.hosts and not is_repeated) or program.lines is not None or lines > _LONGEST:
        return None
    if " reassoc " in text or " nsz " in text or _DIFFERS.search(text):
        return None
    left = max(_LEAST, lines // _LINES)
    if _least_work(program.functions[-1].body) > left * BUDGET:
        return None
    return Patience(left)


def _least_work(statements: Sequence[Statement]) -> int:
    """Units of work that statements surely are, where loops say how many turns they have."""
    return sum(map(_least_work_of, statements))


def _least_work_of(statement: Statement) -> int:
    match statement:
        case For(_, Number(count), body):
            return int(count) * max(1, _least_work(body))
        case Share(count=Number(count), size=Number(size)):
            return int(count) * RANGE // int(size)
    return work_of([statement])
