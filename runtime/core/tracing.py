"""`tracing`: the thread-local state of tracing, in one object."""

from __future__ import annotations

import threading
from collections import Counter, deque
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from runtime.core.instances import TakenApart
    from runtime.core.text import Marks
    from runtime.functions.effects import Handed
    from runtime.functions.recursion import OpenTrace
    from runtime.functions.signature import Arguments
    from runtime.graph.builder import Builder
    from runtime.graph.location import Location

__all__ = ["Told", "Tracing", "tracing"]


Told: TypeAlias = tuple[tuple[str, str], ...]
"""Kinds of errors of floats, and their modes, as `np.errstate` calls them."""


_MOST_WARNED = 1024
"""Warnings of floats that are known: a run that gives more, and raises, gives the first of them twice."""


class Asker(Protocol):
    """A call of what is not converted, which may ask a tensor of a graph for its text."""

    def asks_for_text(self) -> None:
        """Refuses where that would be the text of something else."""


class UnderWay(Protocol):
    """A call of NumPy's that is done to tensors of a graph."""

    def call(self) -> Any:
        """What NumPy can be asked."""


class Tracing(threading.local):
    """The state of the trace that a thread is in; each thread has its own.

    Attributes
    ----------
    builder : Builder or None
        Of the graph that is being built; None in eager code.
    location : Location or None
        What all new nodes stand for; None where it is the line of the user's that is running.
    marks : Marks or None
        Taken by tensors that are formatted; None where these say what they are.
    shown : dict of int to (str, object, str)
        How tensors of graphs were shown to code that formats them while it is traced: by the id of the text,
        the text, the tensor, and whether it was its `str` or its `repr`.
    instances : dict of int to object
        The instances that are containers of their attributes for now, by id.
    printed : dict of str to int
        How many characters graphs have printed in this thread, by standard stream.
    warned : deque of (int, str)
        The last warnings of errors of floats that this thread has shown: their numbers and texts.
    given : Counter of str
        Those of them that a graph has given which has raised, while its function runs again as Python.
    traces : list of OpenTrace
        The functions that are traced, the outermost first.
    handed : list of (Handed, Arguments)
        What stands for the arguments of the functions that are traced, and these, the outermost first.
    apart : TakenApart or None
        What of instances that are containers for now is looked at; None for all.
    tells : bool
        Whether the program runs that is traced, and not what looks at it.
    asker : Asker or None
        What is being called that is not converted.
    scope : str
        The names of scopes around, as another namespace has them.
    call : UnderWay or None
        What the user's line calls of NumPy, while a `try` around it is traced.
    runs_plainly : bool
        Whether a function whose graph has raised runs once more as plain Python.
    as_written : bool
        Whether functions that are called in a trace run as plain Python, as no call of them meets a tensor.
    may_guess : bool
        Whether a function that calls itself may be traced from what it was found to give elsewhere.
    has_guessed : bool
        Whether one was.
    refused : list of exception
        What lines of the user's were told in this trace that ask tensors of graphs for their values.
    told : Told
        How the program that is traced has NumPy tell errors of floats, by kind; all others as the run has it.
    """

    builder: Builder | None = None
    location: Location | None = None
    marks: Marks | None = None
    asker: Asker | None = None
    apart: TakenApart | None = None
    tells: bool = False
    scope: str = ""
    call: UnderWay | None = None
    runs_plainly: bool = False
    as_written: bool = False
    may_guess: bool = True
    has_guessed: bool = False
    told: Told = ()

    def __init__(self) -> None:
        self.instances: dict[int, Any] = {}
        self.printed = {"stdout": 0, "stderr": 0}
        self.warned: deque[tuple[int, str]] = deque(maxlen=_MOST_WARNED)
        self.given: Counter[str] = Counter()
        self.traces: list[OpenTrace] = []
        self.handed: list[tuple[Handed, Arguments]] = []
        self.refused: list[Any] = []
        self.shown: dict[int, tuple[str, Any, str]] = {}


tracing = Tracing()
"""Whoever changes it gives it back as it was."""
