"""`staging`: the state of this thread's traces, in one object."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from autograph.staging.heap import Move
    from autograph.staging.journal import Journal
    from autograph.staging.places import Place
    from autograph.staging.stand_ins import StandIns

__all__ = ["Staging", "Turn", "staging"]


def _nothing(_: type) -> None:
    """What is done about a class where no trace can start anew."""


class Turn:
    """A turn of a loop that is traced.

    Parameters
    ----------
    begun : int
        When the loop was met.
    counter : object
        What counts its turns, if something does.
    since : int
        When the turn began.
    around : Turn or None
        That of the loop around.
    """

    __slots__ = ("around", "begun", "counter", "since")

    def __init__(self, begun: int, counter: Any, since: int, around: Turn | None) -> None:
        self.begun = begun
        self.counter = counter
        self.since = since
        self.around = around


class Staging(threading.local):
    """The statements that a thread is staging; each thread has its own.

    Attributes
    ----------
    journal : Journal or None
        What hears of changes to places; None where nobody asks.
    lasting : list of mapping of hashable to Place
        The places that outlive the statements which are being traced, those of the innermost statement last.
    turns : list
        The turns of loops that are being traced, as the backend that stages them knows them.
    arrays_outside : list of callable
        What says of each function that is traced whether an array was there before.
    arrays_made : list of weak references
        The arrays that were made while a function is traced.
    moves : dict of int to Move
        What has given way to other objects, by the id of the old object, which the entry keeps alive.
    seen : dict of int to object
        What was looked into since the last move, by id.
    clock : int
        Goes on with every path that is begun.
    met : dict of int to (object, int, bool)
        The objects that were met, by id: when that was first, and whether they were made then.
    names : dict of int to hashable
        What objects are called in every trace that meets them, by id: see `memory.py` of the backend.
    named : dict of hashable to object
        Likewise, the object that was given a name last.
    fresh : dict of int to weakref
        By their ids, the sets of Python's that were made in what is traced.
    unmet : list of callable
        Each gives objects that were there before what is traced, for when the first statement is staged.
    chosen : bool
        Whether there may be objects that a backend's value chooses, or None instead of one.
    filters : tuple of Filter or None
        What is done with warnings, as blocks of the program say; None outside of such blocks.
    kept : dict of hashable to (Place, object)
        Places that a path leaves as they were, by key, with that value: who leaves them needs it.
    copies : dict of int to Copied
        Containers that are copies of what a value of a backend holds, by id: asked before they change.
    unwritten : dict of int to Copied
        Those of them that have changed, or are about to, by the ids of elements: the value gets what they
        hold before it is read.
    writes_back : bool
        Whether that is happening now.
    tangled : bool
        Whether one object may be in such a value twice: then no copy can be written back.
    exchange : Exchange or None
        The first half of an exchange of two elements of such a value, until anything else is put in twice.
    taken : dict of int to Taken
        What containers of the graph have given of elements that are no numbers, by id.
    groups : dict of int to Group
        Containers of which statements have made copies, with these, by id: told when one of them changes.
    outdated : mapping of int to (object, Group)
        What nobody may read any more, because it may be another one of its group that has changed, by id.
    passed : list or None
        While it is a list, what is outdated is put into it where it is read, and not refused.
    other_names : OtherNames or None
        What has shown to have other names, in whatever trace of a function and those inside it.
    own_on_paths : dict of hashable to (Attribute, object)
        The attributes that an object keeps itself on some paths only, by key, and what says whether it does.
    dicts_of_owners : dict of int to object
        The objects whose dicts of attributes somebody has asked for, by the id of the dict.
    named_dicts : set of int
        The ids of those of these dicts that are in variables of statements.
    compared : dict of int to object
        By id, what somebody has asked of whether it is another object.
    told_apart : list of (object, object)
        What turns of loops have told to be two objects, of one class.
    turn_since : int or None
        When the loop was met of which a turn is traced now; of loops inside one another, the outermost.
    turn : Turn or None
        The turn of a loop that is traced, of loops inside one another the innermost.
    changed_by_loops : dict of hashable to dict
        What loops have changed of what has names, by where they are, as the backend that stages them knows.
    iterators : dict of int to (iterator, int or None)
        The iterators of Python that calls have made or loops have left, by id, and how often they were asked
        for items: None where a staged loop may have left one early, so that nobody knows.
    generator_made : generator or None
        What the last call has made, if that was a call of a generator function.
    unannounced : sequence of Place
        Places that change without being announced, as far as is known: each path looks at them.
    path : object or None
        The path that is traced now, as the backend that stages it knows it.
    catalogues : dict of type to Catalogue
        What containers of the graph hold by number, as the backend that stages them knows it.
    hold_instances : callable
        Has the trace start anew with the instances of a class in these, where that is not so and may be.
    stand_ins : StandIns or None
        What Python finds in the place of special methods while this thread traces.
    attempts : list
        The loops of Python that are being tried as one of the graph, as the backend that does so knows them.
    watches : list
        The loops over containers that must not change under them, as the backend that stages them knows them.
    handlers : list of callable
        Each gives the classes behind the `except` of a `try` whose body is being traced, the innermost last.
    linked : Kinds or None
        The classes whose objects a backend holds by number, as it knows them.
    numbers_lists : bool
        Whether lists that are put into others are held by number.
    makes_model : bool
        Whether a container is made for nothing but its form.
    given_columns : mapping or None
        What lists hold that have numbers, if another graph has given it.
    given_lists : mapping of hashable to list
        The lists that have numbers, of a run that is over, while its result is made.
    as_written : bool
        Whether a closed call runs in which callables that stand for a function run that.
    streams : pair of file
        What stands for `sys.stdout` and `sys.stderr` while a program is traced.
    """

    journal: Journal | None = None
    clock: int = 0
    as_written: bool = False
    chosen: bool = False
    path: Any = None
    stand_ins: StandIns | None = None
    generator_made: Any = None
    unannounced: Sequence[Place] = ()
    outdated: Mapping[int, tuple[Any, Any]] = MappingProxyType({})
    passed: list[Any] | None = None
    writes_back: bool = False
    tangled: bool = False
    exchange: Any = None
    other_names: Any = None
    turn_since: int | None = None
    turn: Turn | None = None
    linked: Any = None
    numbers_lists: bool = False
    makes_model: bool = False
    given_columns: Mapping[Any, Any] | None = None
    given_lists: Mapping[Any, list[Any]] = MappingProxyType({})
    hold_instances: Callable[[type], None] = staticmethod(_nothing)

    def __init__(self) -> None:
        self.catalogues: dict[type, Any] = {}
        self.unmet: list[Callable[[], Iterable[Any]]] = []
        self.iterators: dict[int, tuple[Any, int | None]] = {}
        self.met: dict[int, tuple[Any, int, bool]] = {}
        self.names: dict[int, Hashable] = {}
        self.changed_by_loops: dict[Hashable, dict[Any, Any]] = {}
        self.named: dict[Hashable, Any] = {}
        self.watches: list[Any] = []
        self.handlers: list[Callable[[], Sequence[Any]]] = []
        self.lasting: list[Mapping[Hashable, Place]] = []
        self.turns: list[Any] = []
        self.arrays_made: list[Callable[[], Any]] = []
        self.arrays_outside: list[Callable[[Any], bool]] = []
        self.groups: dict[int, Any] = {}
        self.origins: dict[int, Any] = {}
        self.copies: dict[int, Any] = {}
        self.taken: dict[int, Any] = {}
        self.filters: tuple[Any, ...] | None = None
        self.kept: dict[Any, tuple[Any, Any]] = {}
        self.own_on_paths: dict[Hashable, tuple[Any, Any]] = {}
        self.dicts_of_owners: dict[int, Any] = {}
        self.fresh: dict[int, Any] = {}
        self.named_dicts: set[int] = set()
        self.compared: dict[int, Any] = {}
        self.told_apart: list[tuple[Any, Any]] = []
        self.unwritten: dict[int, Any] = {}
        self.attempts: list[Any] = []
        self.moves: dict[int, Move] = {}
        self.seen: dict[int, Any] = {}
        self.streams: tuple[Any, Any] = (None, None)

    def tangle(self) -> None:
        """Says that one object may be in a value of a backend twice."""
        self.tangled, self.exchange = True, None

    @contextmanager
    def having(self, **state: Any) -> Iterator[None]:
        """While it lasts, these attributes are other objects."""
        before = {name: getattr(self, name) for name in state}
        vars(self).update(state)
        try:
            yield
        finally:
            vars(self).update(before)


staging = Staging()
"""Whoever changes it gives it back as it was."""
