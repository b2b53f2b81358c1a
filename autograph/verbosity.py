"""How much AutoGraph says about what it does, through Python's `logging`.

Every message goes to a logger below "autograph": "autograph.conversion", "autograph.tracing" and
"autograph.optimiser". Who configures `logging` needs nothing from here; `set_verbosity`, and the variable
``AUTOGRAPH_VERBOSITY`` in the environment, are for those who do not.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import TextIO

__all__ = ["set_verbosity"]

VERBOSITY = "AUTOGRAPH_VERBOSITY"
"""The environment variable with the level that holds from the start."""

LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG, 5)
"""What `logging` calls the levels 0 to 3."""

_logger = logging.getLogger("autograph")


class _Printed(logging.StreamHandler[TextIO]):
    """Our own handler: a program that has set one up gets the messages there instead."""


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Says how much is logged about conversion and tracing.

    Parameters
    ----------
    level : int
        0: nothing. 1: each trace, with its time and what asked for it, and what cannot be converted. 2: also
        each function that is converted or called as it is, and why. 3 and more: also the generated code, and
        what the optimiser does with each graph.
    alsologtostdout : bool
        Print the messages to the standard output, too. They go to where `logging` is set up to send them, or
        to the standard error where it is not.

    Examples
    --------
    >>> set_verbosity(1)
    >>> set_verbosity(0)
    """
    _logger.setLevel(LEVELS[min(max(int(level), 0), len(LEVELS) - 1)])
    for handler in [each for each in _logger.handlers if isinstance(each, _Printed)]:
        _logger.removeHandler(handler)
    if level > 0 and not _logger.hasHandlers():
        _print_to(sys.stderr)
    if alsologtostdout:
        _print_to(sys.stdout)


def _print_to(stream: TextIO) -> None:
    handler = _Printed(stream)
    handler.setFormatter(logging.Formatter("%(name)s: %(message)s"))
    _logger.addHandler(handler)


def from_environment() -> None:
    """Sets the level that the environment asks for; a word that is no number asks for nothing."""
    wanted = os.environ.get(VERBOSITY, "")
    if wanted.isdecimal():
        set_verbosity(int(wanted))
