"""The call stack of a trace, and which of its calls lie around a branch."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from types import CodeType, FunctionType
from typing import Any

from autograph.staging.functions import closed_over
from autograph_base.dataclass import dataclass
from runtime.functions.key import Key, key_of
from runtime.functions.recursion import innermost, may_have_raised, outermost
from runtime.graph.build import current_builder
from runtime.graph.builder import Builder
from runtime.graph.graph import Node
from runtime.ops.control_flow.attempt import Attempt

__all__ = ["Call", "is_below_branch", "is_in_part", "running_around", "told_apart"]


def is_below_branch() -> bool:
    """Whether a tensor decides if, or how often, the code that is traced now runs."""
    opened = innermost()
    return opened is not None and current_builder() is not opened.builder


def is_in_part() -> bool:
    """Whether the code that is traced now is in a `try`, or in another graph than the thread's first."""
    opened, builder = outermost(), current_builder()
    if opened is None or builder is None:
        return False
    return builder is not opened.builder or isinstance(builder.watcher, Attempt)


@dataclass
class Call:
    """A call that is running; what it was called with says whether another one is alike.

    The arguments are compared as they are by then, as lists among them may be longer than they were, and as
    they were in the beginning: each call may be given a new object, and change it.
    """

    function: Hashable
    """What tells the function from others."""
    builder: Builder | None
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    start: int = 0
    """How many nodes the graph has where it begins."""
    begun: Key | None = None
    """What told its arguments from others when it began, where that was asked for."""
    seen: int = 0
    """Up to which of its nodes no path has raised."""
    last_seen: Node | None = None
    """The last of these, which is no more there where some were taken back."""

    def __post_init__(self) -> None:
        self.start = self.seen = 0 if self.builder is None else len(self.builder.nodes)

    @property
    def key(self) -> Key:
        """What tells its arguments from others."""
        return key_of(self.args, self.kwargs)

    def begin(self) -> Key:
        """What tells its arguments from others before it has changed any of them."""
        self.begun = self.key
        return self.begun

    def may_have_raised(self) -> bool:
        """Whether a tensor has decided by now if the call goes on: another path of it has raised."""
        if self.builder is None:
            return False
        nodes = self.builder.nodes
        is_as_before = self.start < self.seen <= len(nodes) and nodes[self.seen - 1] is self.last_seen
        if may_have_raised(nodes[self.seen if is_as_before else self.start :]):
            return True
        if nodes:
            self.seen, self.last_seen = len(nodes), nodes[-1]
        return False


_DEEPEST = 4
"""Functions that close over one another, up to which they are told from each other."""


def told_apart(function: Any, deepest: int = _DEEPEST) -> Hashable:
    """What tells a function from others, and not from one that its own call would make anew.

    That is its code, and the functions that it closes over: a decorator makes all of its own of one code.
    """
    function = getattr(function, "__func__", function)
    inner = [each for each in closed_over(function).values() if type(each) is FunctionType]
    if not inner or not deepest:
        code: CodeType = function.__code__
        return code
    return function.__code__, tuple([told_apart(each, deepest - 1) for each in inner])


def running_around(function: Hashable, calls: Sequence[Call]) -> list[Call]:
    """The calls of a function that are running around a branch in which it is called again.

    Or that have gone on where another path raises: that is no branch of the program's, but as good as one.
    """
    builder = current_builder()
    own = [each for each in calls if each.function == function]
    return [each for each in own if each.builder is not builder or each.may_have_raised()]
