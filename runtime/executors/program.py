"""`Program`: a graph that an executor has made ready to run, and `Report`: what it says of how it runs."""

from __future__ import annotations

import ctypes
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Any

from autograph_base.dataclass import dataclass
from autograph_base.named_tuple import NamedTuple
from runtime.core.tensor import Tensor
from runtime.graph.graph import Node
from runtime.graph.location import UNKNOWN, Location
from runtime.graph.module import Module

__all__ = ["NEXT", "Given", "Held", "Holder", "Inspected", "Nest", "Program", "Report", "Step"]

NEXT = object()
"""Stands in `Given.leaves` for the tensor of the next output."""


class Holder(IntEnum):
    """What holds an object: a dict under a text, the cell of a variable, a function as code or defaults."""

    DICT = 0
    CELL = 1
    CODE = 2
    DEFAULTS = 3


class Held(NamedTuple):
    """An object outside of a function, and where it has to be."""

    holder: Holder
    owner: Any
    key: str | None
    value: Any


@dataclass(frozen=True)
class Nest:
    """A tuple, a list or a dict among what is given; what it holds is given, too, behind all before it.

    Attributes
    ----------
    position : int
        Where it is.
    kind : type
    count : int
    keys : tuple of str
        Of a dict, in their order; empty for the others.
    """

    position: int
    kind: type
    count: int
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class Given:
    """What a graph is called with, and what a call gives.

    Attributes
    ----------
    tensors : type
        Of the tensors among that, and of the result.
    count : int
        How many arguments there are, by position, then by name.
    positions : tuple of int
        Where the inputs of the graph are among what is given.
    known : dict of int to object
        What else is given, by where it is, as numbers and texts.
    nests : sequence of Nest
        Those among what is given, in the order in which what they hold is behind it.
    lent : bool
        Whether inputs may be NumPy's arrays.
    cells : set of int
        The inputs that are NumPy's arrays without axes, each of which holds one number; others have axes.
    names : tuple of str
        Of the last ones that are given.
    written : dict of int to int
        The inputs that get what outputs hold, where they are arrays of NumPy's, by those outputs.
    leaves : tuple of object
        What the call gives: the marker of an output, or an object as it is. Neither is None.
    is_tuple : bool
        Whether it gives a tuple of these; else it gives the only one.
    outside : sequence of Held
        What has to be as it was, beside what is given.
    served : c_ssize_t
        Becomes 1 where a call is served.
    finish : callable or None
        Makes what the call gives of a tuple of what the run gives, in the place of `leaves`; never None.
    """

    tensors: type[Tensor]
    count: int
    positions: tuple[int, ...]
    known: Mapping[int, Any]
    nests: Sequence[Nest]
    lent: bool
    cells: frozenset[int]
    names: tuple[str, ...]
    written: Mapping[int, int]
    leaves: tuple[object, ...]
    is_tuple: bool
    outside: Sequence[Held]
    served: ctypes.c_ssize_t
    finish: Callable[[Any], Any] | None = None


class Program:
    """A graph as something that runs: what `Executor.compile` returns.

    A subclass gives it an `entry`, says in `explain` what becomes of an error, and describes itself in
    `report` and `source`.

    Attributes
    ----------
    entry : callable
        Takes the arrays of the graph's inputs as positional arguments, of the dtypes and shapes that the
        graph says; returns the array of its only output, or else a tuple. This is the fastest way in: who
        calls it tells `explain` what it raises.
    may_hold : bool
        Whether a result may lie in the memory of an argument, or something that outlives the run. Another
        program that takes the place of one may not, where that one may.
    """

    entry: Callable[..., Any]
    may_hold = True

    def run(self, arrays: Sequence[Any]) -> list[Any]:
        """The arrays of the outputs for those of the inputs, each a NumPy array or scalar.

        Changes none of its arguments; threads may call it at the same time.
        """
        try:
            results = self.entry(*arrays)
        except Exception as error:
            explained = self.explain(error)
            if explained is error:
                raise
            raise explained from None
        return list(results) if type(results) is tuple else [results]

    def quicker(self, _given: Given, /) -> Callable[..., Any] | None:
        """A quicker way in for some calls, which gives what they give; None where none is.

        It gives None where it leaves a call to `entry`: for other arguments, and for a run that has something
        to say. Then nothing has happened.
        """
        return None

    def when_it_changes(self, _tell: Callable[[], None], /) -> None:
        """Has somebody be told when there is another `quicker` way in."""

    def lasting(self) -> Program:
        """What runs when this one has been called often; itself, where no other takes its place."""
        return self

    def explain(self, error: Exception) -> Exception:
        """What to raise for an error of `entry`: it says the user's line. The error itself, where it does."""
        return error

    def report(self) -> Report:
        """What runs where, and why."""
        raise NotImplementedError

    def source(self) -> str:
        """The program as text.

        Raises
        ------
        ExportError
            When a part of it only exists in this process, and no text stands for it.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class Step:
    """How one node of a graph runs.

    Attributes
    ----------
    op : str
        Its name.
    location : Location
        The user's line.
    runs : str
        As what, in a few words.
    why : str
        Why not as something faster, where there is anything.
    depth : int
        In how many branches, loops and calls it stands.
    """

    op: str
    location: Location
    runs: str
    why: str = ""
    depth: int = 0

    @classmethod
    def of(cls, node: Node, runs: str, why: str = "", depth: int = 0) -> Step:
        """The step of a node."""
        return cls(node.op.name, node.location, runs, why, depth)

    def __str__(self) -> str:
        place = self.location
        line = "" if place is UNKNOWN else f"{os.path.basename(place.filename)}:{place.line}"  # noqa: PTH119  # pathlib is slow to import
        text = f"{'  ' * self.depth}{self.op:<{max(1, 28 - 2 * self.depth)}} {self.runs:<28} {line}".rstrip()
        return f"{text}  ({self.why})" if self.why else text


@dataclass(frozen=True)
class Report:
    """What runs where, and why.

    Attributes
    ----------
    name : str
        Of the graph.
    executor : str
    steps : tuple of Step
        In program order; what runs inside a branch or a loop stands behind it.
    why : str
        Why this executor, where several came into question.
    """

    name: str
    executor: str
    steps: tuple[Step, ...]
    why: str = ""

    @property
    def counts(self) -> dict[str, int]:
        """How many nodes run as what, the most frequent first."""
        return dict(Counter(step.runs for step in self.steps).most_common())

    def __str__(self) -> str:
        summary = ", ".join(f"{count} × {runs}" for runs, count in self.counts.items())
        title = f"`{self.name}` on {self.executor}: {summary or 'nothing to run'}"
        why = [f"  ({self.why})"] if self.why else []
        return "\n".join([title, *why, *[f"  {step}" for step in self.steps]])


class Inspected(Program):
    """A program of machine code, which can be looked at."""

    def kernels(self) -> tuple[Any, ...]:
        """Its loops over arrays, with the user's lines."""
        raise NotImplementedError

    def llvm_ir(self) -> str:
        """LLVM's code after its own passes."""
        raise NotImplementedError

    def assembly(self) -> str:
        """The instructions of the processor."""
        raise NotImplementedError

    def report_of(self, module: Module) -> Report:
        """What runs where of `module`, which it computes: in other ops, perhaps, of the same lines."""
        raise NotImplementedError
