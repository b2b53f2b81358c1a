"""`TraceContext`: what is found out while a function is traced, for its graph and all graphs inside of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any
from weakref import WeakSet

from runtime.core import exceptions
from runtime.errors import Notice
from runtime.graph.arrays import Arrays
from runtime.graph.graph import Graph, Value
from runtime.graph.location import Location
from runtime.graph.op import Op

__all__ = ["TraceContext"]


class TraceContext:
    """What the builders of a graph and of all graphs inside of it have in common.

    Attributes
    ----------
    begun : set of Graph
        All graphs that were begun, finished or not.
    functions : dict of str to Graph
        The functions that the graphs call by name, as far as they are finished.
    notices : list of (Graph, Notice, tuple of Value)
        What is to be said of a graph if the trace keeps it, and if it matters of what kind one of the values
        is, where there are some.

    weak : set of Value
        Values that stand for Python numbers (a counter that became a loop variable): they promote as such.
    asked : set of Value
        Values that were computed to see of what kind they are: tests of loops, which compute them again.
    told_of_kind : set of Value
        Values of which the program has been told of what kind they are: `type(x)` is answered in the trace.
    mixed : dict of Value to Whose
        Values that stand for Python numbers on some paths and for NumPy's on others, and when.
    own_numbers : dict of Value to number
        What such a value is where it is Python's, if that is one number which is known.
    truths : dict of Value to bool
        Truth values that are known, where only the run tells whether they are Python's.
    real_on_paths : set of Value
        Complex numbers that are real ones in Python, where some path has made them.
    whole_on_paths : set of Value
        Floats that are integers on some paths, or in some turns.
    started : dict of Value to (callable, number)
        Of sums, what says in a run that there was nothing to add, and the number of Python's that they then
        are.
    alike : dict of int to function
        Functions that one line has made and that read the same, by their ids: what paths have left of several
        is one of them, whichever it was.

    loops : dict of Location to str
        What became of long loops of Python: why one was unrolled, or nothing where it is one of the graph.
    in_vain : set of (Location, int)
        Loops of Python that were tried as one of the graph in vain, and after how many turns: they are not
        tried so again.
    peeled : dict of Location to int
        How often the first turns of loops of Python's were done alone, and what was left was no loop, either.
    ended : dict of Location to bool
        Where loops over a range are that a tensor ends, and whose turns are long: whether the first turn may
        be one of the loop in the graph.

    caught : dict of Value to Parts
        What exceptions that the graph has caught consist of, where that is known.
    raised : dict of int to (Op, Parts)
        By the id of an op that raises, what it raises: with what each object of Python's in it held then.
    named : set of op
        Those that raise exceptions which the program may have under other names, too.
    changed_where_raised : list of Place
        What paths have changed, outside of variables, that raise in the end.
    """

    def __init__(self) -> None:
        self.begun: WeakSet[Graph] = WeakSet()
        self.functions: dict[str, Graph] = {}
        self.notices: list[tuple[Graph, Notice, tuple[Value, ...]]] = []

        self.weak: set[Value] = set()
        self.asked: set[Value] = set()
        self.told_of_kind: set[Value] = set()
        self.mixed: dict[Value, Any] = {}
        self.own_numbers: dict[Value, complex] = {}
        self.truths: dict[Value, bool] = {}
        self.real_on_paths: set[Value] = set()
        self.whole_on_paths: set[Value] = set()
        self.started: dict[Value, tuple[Callable[[], Any], Any]] = {}
        self.alike: dict[int, Any] = {}

        self.loops: dict[Location, str] = {}
        self.in_vain: set[tuple[Location, int]] = set()
        self.peeled: dict[Location, int] = {}
        self.ended: dict[Location, bool] = {}

        self.caught: dict[Value, exceptions.Parts] = {}
        self.raised: dict[int, tuple[Op, exceptions.Parts]] = {}
        self.named: set[Op] = set()
        self.changed_where_raised: list[Any] = []

    @cached_property
    def arrays(self) -> Arrays:
        """What the arrays of the graphs hold that were written to."""
        return Arrays()  # which most copies of graphs are finished without

    def note_copy(self, value: Value, of: Value) -> None:
        """Says that a value is another one: what is known of that holds of it."""
        if of in self.weak:
            self.weak.add(value)
        for known in (self.mixed, self.own_numbers, self.truths, self.caught):
            if of in known:
                known[value] = known[of]  # type: ignore[assignment]  # facts of one kind
