"""What a graph makes of a small program: the same, a refusal with its cause, or a defect.

outcome_of(SmallProgram.from_seed(7))     # Outcome(became="same", text="")
smallest(3472)                            # the smallest program found with the same defect, and what it shows
"""

from __future__ import annotations

import re
import time
import traceback
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

import autograph as ag
from autograph.errors import AutoGraphError, Difference, FoundWarnedDifference
from runtime import errors
from tests.properties.case import PATIENCE, patience
from tests.properties.choices import Choices, shrunk
from tests.properties.names import OURS
from tests.properties.small import SmallProgram

__all__ = ["Outcome", "executors_for", "outcome_of", "smallest"]

DEFECTS = (errors.LeakedTensor,)
"""Errors of ours that no program of the grammar has earned."""


@dataclass(frozen=True)
class Outcome:
    """What became of a program.

    Attributes
    ----------
    became : str
        ``"same"``, ``"warned"`` where it differs as a warning says, ``"refused: …"`` with the cause,
        ``"different"`` or ``"internal: …"`` with the error.
    text : str
        What was said.
    """

    became: str
    text: str = ""

    @property
    def is_defect(self) -> bool:
        """Whether a graph did neither what Python does, nor refused it in a user's words."""
        return self.became.startswith(("different", "internal"))


def executors_for(seed: int) -> Sequence[str] | None:
    """The executors that run the program of a seed: every fourth runs on all of them."""
    return None if seed % 4 == 0 else ("numpy",)


def outcome_of(program: SmallProgram, executors: Sequence[str] | None = ("numpy",)) -> Outcome:
    """Holds a program against plain Python, over all of its calls."""
    live = program.live()
    first, *others = live.calls
    try:
        with patience(PATIENCE), warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            ag.check(live.function, *first, then=others, executors=executors)
    except Difference as difference:
        is_warned = isinstance(difference.diagnostic, FoundWarnedDifference)
        return Outcome("warned" if is_warned else "different", str(difference))
    except (AutoGraphError, errors.Error) as error:
        text = str(error)
        if isinstance(error, DEFECTS) or OURS.search(text):
            return Outcome(f"internal: {_cause(text)}", text)
        return Outcome(f"refused: {_cause(text)}", text)
    except TimeoutError:
        return Outcome("internal: takes too long")
    except Exception as error:  # noqa: BLE001  # whatever it is, it is a defect of what runs the program
        return Outcome(f"internal: {type(error).__name__}", "".join(traceback.format_exception(error)[-4:]))
    return Outcome("same")


def _cause(text: str) -> str:
    """The first line of a message, without the names of the program."""
    line = re.sub(r"`[^`]*`|'[^']*'|\b\d+\b", "…", text.splitlines()[0])
    return re.sub(r"…(, …)+", "…", line)


def smallest(seed: int, seconds: float = 30) -> str:
    """The smallest program found that becomes what the program of a seed becomes, and what is said then."""
    executors = executors_for(seed)
    choices = Choices(Random(seed).randrange)
    wanted = outcome_of(SmallProgram.from_choices(choices), executors).became
    end, known = time.monotonic() + seconds, {}

    def fails(candidate: Choices) -> bool:
        program = SmallProgram.from_choices(candidate)
        text = str(program)
        if text not in known and time.monotonic() < end:
            known[text] = outcome_of(program, executors).became == wanted
        return known.get(text, False)

    program = SmallProgram.from_choices(Choices.again(shrunk(choices, fails).made))
    return f"{program}\n\n{outcome_of(program, executors).text}"
