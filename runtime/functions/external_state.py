"""State outside of a function as inputs and outputs of its graph: attributes, globals, items.

Who watches the trace (AutoGraph does) says which places the function changed. After the trace all have their
former values again: the graph runs, and then they get what the function leaves there, on the first call as on
the tenth. A place that the function leaves with a value of the graph, or with another number, comes in as an
input: then the function is traced again, for any value of that kind.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import field
from operator import attrgetter, is_not
from types import CodeType, FunctionType, GenericAlias
from typing import Any, Protocol, TypeVar

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core.circular import holds_itself
from runtime.core.spec import ArraySpec, ListSpec, Spec, as_array_spec
from runtime.core.structure import Structure, changing_containers_in, flatten, level_of, unflatten
from runtime.core.tensor import EAGER, Tensor, may_be_tensor
from runtime.executors.program import Held
from runtime.graph.build import as_operand, as_tensor, current_builder, is_weak, spec_of
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.symbol import Symbol
from runtime.graph.whose_numbers import Unknown, Whose, one_of, whose
from runtime.ops.control_flow.tracing import is_tensor, join, operand
from runtime.ops.tensor_list import is_made_empty

__all__ = [
    "NO_RESULT",
    "Change",
    "ExternalInput",
    "GivenUp",
    "Guards",
    "Observer",
    "Place",
    "Reads",
    "Seen",
    "Surroundings",
    "Unobserved",
    "Wider",
    "can_come_in",
    "is_contents",
    "is_number",
    "label_of",
]

Result = TypeVar("Result")


NO_RESULT: tuple[bool, Any] = (False, None)
"""What a function gives that does not return."""


class Place(Protocol):
    """Something outside of a function that holds a value.

    Attributes
    ----------
    key : hashable
        The same for two objects that stand for one place.
    name : str
    owner : object
        What the place is in.
    """

    key: Any
    name: str
    owner: Any

    def get(self) -> Any:
        """The value now."""

    def set(self, value: Any) -> None:
        """Gives it another one."""

    def at(self, owner: Any) -> Place:
        """The same place in another owner."""

    def announce(self) -> None:
        """Says that it is about to change, where a graph is built around."""

    def columns(self) -> tuple[Any, ...]:
        """Of a container that comes in as one of any length: what the leaves of its elements are."""

    def operands(self, owner: Any, columns: tuple[Any, ...], form: Any) -> Any:
        """What comes in of another such container, of such leaves and elements; None if that takes more."""


@dataclass(frozen=True)
class Change:
    """A place that a function gave a value while it was traced.

    Attributes
    ----------
    place : Place
    before, now : object
        Its values before the function and after it.
    is_new : bool
        Whether it had none before.
    of_any_length : Place, optional
        What may come in as an input in its place, where a container has become longer or shorter.
    """

    place: Place
    before: Any
    now: Any
    is_new: bool = False
    of_any_length: Place | None = None


@dataclass(frozen=True)
class Seen:
    """What a function did to the world while it was traced.

    Attributes
    ----------
    changes : sequence of Change
    existed : callable
        Whether an object was there before.
    added : collection of hashable
        Keys of lists that were empty while the function was traced, because it only adds to them.
    are_stored : bool
        Whether what changed is undone after the trace, and stored after every run. Otherwise what is no value
        of the graph happened while the function was traced, once.
    is_sure : bool
        Whether all that changed was seen where it happened. Otherwise another trace will.
    compared : collection of int
        The ids of objects of which somebody has asked whether they are others.
    as_written : callable
        The code of a function as the user wrote it.
    where_called : sequence of Change
        What the function had changed where it calls itself: `now` is what was there then.
    changed_where_raised : sequence of Place
        What paths have changed that raise in the end, and so is in no change.
    arrays : mapping of Value to array
        What stands for the arrays of NumPy's that were there before.
    current : callable
        What has taken the place of an array of NumPy's, or that array.
    know_arrays : callable
        Called when something outlives the call that shows a part of an array which an op took as it was: the
        function is traced anew if another trace may know the array.
    surroundings : Surroundings, optional
        What the function reached before it ran, where another place may see whether it is still so.
    times_held : callable
        In how many places outside a tensor was.
    has_changed : callable
        Whether what has taken the place of a container has changed since.
    whose : callable
        The object whose attributes a dict has, where somebody has asked for these; None for other dicts.
    own : callable
        The container that was there before, for what has taken its place; all else is what it is.
    """

    changes: Sequence[Change] = ()
    existed: Callable[[Any], bool] = lambda _: False
    added: Collection[Hashable] = ()
    are_stored: bool = True
    is_sure: bool = True
    compared: Collection[int] = ()
    where_called: Sequence[Change] = ()
    changed_where_raised: Sequence[Place] = ()
    as_written: Callable[[FunctionType], CodeType] = attrgetter("__code__")
    arrays: Mapping[Value, np.ndarray] = field(default_factory=dict)
    current: Callable[[Any], Any] = lambda array: array
    know_arrays: Callable[[], None] = lambda: None
    surroundings: Surroundings | None = None
    times_held: Callable[[Any], int] = lambda _: 1
    has_changed: Callable[[Any], bool] = lambda _: False
    whose: Callable[[Any], Any] = lambda _: None
    own: Callable[[Any], Any] = lambda value: value

    @property
    def written_arrays(self) -> list[np.ndarray]:
        """The arrays of NumPy's outside that the function writes into."""
        return [each.place.owner for each in self.changes if isinstance(each.place.owner, np.ndarray)]


class Surroundings(Protocol):
    """What a function reached in the graphs around it when it was traced.

    Attributes
    ----------
    writes_arrays : bool
        Whether it has written into arrays: others may be one with these elsewhere.
    """

    writes_arrays: bool

    def are_as_they_were(self, inputs: Collection[Hashable], read: Collection[Value]) -> bool:
        """Whether all of it is, but for the places whose keys are `inputs`.

        `read` are the values of the graphs around that the function has read: what an array held by then is
        one of them, or has not mattered.
        """


class Guards(Protocol):
    """What a function read outside of itself while it was traced.

    Attributes
    ----------
    containers : collection of int
        The ids of the containers there.
    instances : collection of int
        The ids of other objects there that may be among the arguments, too.
    serves_once : bool
        Whether it has read what nobody can look at, so that another call may read something else.
    """

    containers: Collection[int]
    instances: Collection[int]
    serves_once: bool

    def hold(self) -> bool:
        """Whether all of it is as it was."""

    def identities(self) -> Sequence[Held] | None:
        """What has to be which object, where that is all there is to look at; else None."""

    def arrays(self) -> Iterator[np.ndarray]:
        """The arrays there."""

    def changes(self) -> Iterator[Change]:
        """What is not."""

    def with_tensors(self) -> Iterator[Place]:
        """The places that hold tensors, which are constants of the graph."""


class Reads(Protocol):
    """What a function may read outside of itself, as it was before it was traced.

    Attributes
    ----------
    entered : sequence of ExternalInput
        The places that give the inputs of the graph in this trace.
    tells_objects : bool
        Whether code asks for the number of an object, or makes weak references, which know the object itself.
    """

    entered: Sequence[ExternalInput]

    @property
    def tells_objects(self) -> bool:
        """See above."""

    def large(self) -> Iterator[Place]:
        """The places of arrays that come in as inputs at once."""

    def rebound(self) -> Iterator[Place]:
        """The places that the function seems to give other numbers, so that they come in as inputs."""

    def forget(self) -> None:
        """Lets go of what was learnt in a trace that does not count."""

    def reaches(self, value: Any) -> bool:
        """Whether an object is one of those that the function may reach from outside."""

    @property
    def attributes(self) -> frozenset[str] | None:
        """The attributes that code names which the function may run; None where it may read any."""

    def names(self, attributes: Collection[str]) -> bool:
        """Whether code that the function may run names one of these attributes."""

    def guards(self, inputs: Collection[Hashable]) -> Guards | None:
        """The check that all of it is as it was, but for places whose keys are `inputs`; None for nothing."""


class Observer(Protocol):
    """Watches a function while it is traced."""

    def observe(
        self,
        run: Callable[[], Any],
        roots: Sequence[Any],
        reads: Any,
        close: Callable[[Any, Seen], Result],
    ) -> Result:
        """Runs a function, and calls `close` with what it gives and changes, before that is undone.

        `run` says whether the function returns, and what: `NO_RESULT` where the graph raises.
        """

    def reads(self, roots: Sequence[Any]) -> Reads | None:
        """What the function may read, as it is now; None where nobody asks."""

    def of_any_length(self, container: Any, name: str) -> Place | None:
        """What a container holds, as an input that takes any length; None where it can be none."""


class Unobserved:
    """Nobody watches."""

    def observe(
        self,
        run: Callable[[], Any],
        roots: Sequence[Any],
        reads: Any,
        close: Callable[[Any, Seen], Result],
    ) -> Result:
        """As of every `Observer`."""
        del roots, reads
        return close(run(), Seen(are_stored=False))

    def reads(self, roots: Sequence[Any]) -> Reads | None:
        """As of every `Observer`."""
        del roots
        return None

    def of_any_length(self, container: Any, name: str) -> Place | None:
        """As of every `Observer`."""
        del container, name
        return None


class ExternalInput:
    """A place whose value comes into a graph as inputs.

    Parameters
    ----------
    place : Place
    form : nest of tensors and numbers
        A value of it.
    specs : sequence of Spec, optional
        What every value of it is like, leaf by leaf; by default what `form` is like.
    owners : sequence of Whose, optional
        Whose numbers the leaves are, by default those of `form`; None for lists that are empty: nobody's yet.
    is_guess : bool
        Whether no trace has shown yet that it is one.

    Attributes
    ----------
    place, owners
        As above.
    """

    def __init__(
        self,
        place: Place,
        form: Any,
        specs: Sequence[Spec] | None = None,
        *,
        owners: Sequence[Whose | None] | None = None,
        is_guess: bool = False,
    ) -> None:
        self.place = place
        self.is_guess = is_guess
        self._form = form
        leaves, self._structure = flatten(form)
        self._numbers = [type(leaf) if type(leaf) in _NUMBERS else None for leaf in leaves]
        self._columns = place.columns()
        self._is_number = self._structure.kind is None and self._numbers[0] is not None and not self._columns
        self._specs = list(specs or [spec_of(operand(leaf)) for leaf in leaves])
        self.owners = [*map(_owner, leaves)] if owners is None else owners
        self._entered: list[Symbol] = []
        self._shown: Any = None
        self._before: Any = None
        self._apart_from: Sequence[np.ndarray] = ()
        self._replaced: frozenset[int] = frozenset()

    def enter(self, builder: Builder) -> None:
        """Adds the inputs, and has the place give them while the function is traced."""
        for spec in self._specs:
            self._entered.append(Symbol(builder.input(spec, label_of(self.place.name, "outside"))))
        self._mark(builder)

    def _mark(self, builder: Builder) -> None:
        """Says whose numbers the inputs are."""
        owners = [*map(_is_pythons, self._columns)] if self._columns else self.owners
        for symbol, owner in zip(self._entered, owners, strict=True):
            builder.context.weak.discard(symbol.value)
            builder.context.mixed.pop(symbol.value, None)
            if owner is True or owner is None:  # an empty list: nobody says else yet
                builder.context.weak.add(symbol.value)
            elif owner:
                builder.context.mixed[symbol.value] = owner

    def stand_for(self, builder: Builder, owners: Sequence[Whose | None]) -> None:
        """Has the inputs be numbers of others, which another trace has found."""
        if len(owners) == len(self.owners):
            self.owners = owners
            self._mark(builder)

    def show(self) -> None:
        """Has the place give the inputs."""
        self._shown = self.nest
        self.place.announce()
        self._before = self.place.get()
        self.place.set(self._shown)

    def hide(self) -> None:
        """Has the place hold what it held, where it gives the inputs still.

        The function does not reach it any more: what has undone all else has not met it.
        """
        if self._shown is not None and self.place.get() is self._shown:
            self.place.set(self._before)

    @property
    def nest(self) -> Any:
        """What the place gives while the function is traced."""
        return unflatten(self._structure, self._entered)

    def is_kept(self, now: Any) -> bool:
        """Whether what a place holds after the function is what came in, in the same containers."""
        leaves, structure = flatten(now)
        if self._replaced or structure != self._structure:
            return False
        if not all(
            isinstance(leaf, Symbol) and leaf.value is entered.value
            for leaf, entered in zip(leaves, self._entered, strict=True)
        ):
            return False
        one, other = [
            [value] if not is_contents(self.place) else _parts(value) for value in (self._shown, now)
        ]
        return all(map(_are_one, one, other))

    def is_told_apart(self, builder: Builder, result: Any, seen: Seen) -> bool:
        """Whether somebody can tell what came in from what the place holds.

        The program has changed a container of it, returns it, has put it elsewhere, or asks whether it is
        another one; or it asks that of an array.
        """
        if any(each.value in builder.arrays.compared for each in self._entered):
            return True
        leaves, structure = flatten(self._shown)
        if structure != self._structure or any(map(is_not, leaves, self._entered)):
            return True
        holds_others = not (self._columns or is_contents(self.place))
        if holds_others and any(map(seen.has_changed, changing_containers_in(self._shown))):
            return True
        own = {id(each) for each in changing_containers_in(self._shown)}
        now = [change.now for change in seen.changes if change.place.key == self.place.key]
        if holds_others and own and any(flatten(each)[1] != self._structure for each in now):
            return True  # a path leaves what came in, and another one another object
        elsewhere = [result, *[change.now for change in seen.changes if change.place.key != self.place.key]]
        return not own.isdisjoint(seen.compared) or any(
            id(each) in own for value in elsewhere for each in changing_containers_in(value)
        )

    def has_other_kinds(self, seen: Seen) -> bool:
        """Whether numbers of other kinds were put into a container that came in as one of any length."""
        now = next((each.now for each in seen.changes if each.place.key == self.place.key), None)
        if not self._columns or now is None:
            return False
        leaves, structure = flatten(now)
        return structure != self._structure or any(
            spec_of(leaf) != spec_of(entered) or is_weak(leaf) is not is_weak(entered)
            for leaf, entered in zip(leaves, self._entered, strict=True)
        )

    def is_written(self, builder: Builder) -> bool:
        """Whether the function writes into an array of NumPy's that is known by its place alone."""
        tensors = self._tensors()
        written = [index for index in self._written(builder) if index not in tensors]
        return bool(written) and not isinstance(self.place.owner, np.ndarray)

    def replaced(self, builder: Builder) -> Change | None:
        """How the place changes because the function writes into tensors there; None where it does not.

        A tensor never changes: the place gets another one, which holds what the array holds in the end.
        """
        self._replaced = frozenset(self._written(builder)) & self._tensors()
        if not self._replaced:
            return None
        leaves = [Symbol(builder.arrays.now(builder, each.value)) for each in self._entered]
        return Change(self.place, self._form, unflatten(self._structure, leaves))

    def replaced_in(self, loaded: Sequence[Tensor]) -> list[Tensor]:
        """Of what `load` gives, the tensors for which the place gets others."""
        return [loaded[index] for index in self._replaced]

    def written_tensors(self, builder: Builder) -> list[Tensor]:
        """The tensors of the value that it was made for that the function writes into."""
        leaves = self.leaves
        return [leaves[index] for index in set(self._written(builder)) & self._tensors()]

    @property
    def leaves(self) -> Sequence[Any]:
        """The leaves of the value that it was made for."""
        return flatten(self._form)[0]

    def replace_leaves(self, other: Callable[[Any, bool], Any]) -> None:
        """Puts others into the place: what `other` gives for a leaf, and for whether it is written into."""
        leaves, structure = flatten(self._held())
        now = [other(leaf, index in self._replaced) for index, leaf in enumerate(leaves)]
        if any(map(is_not, now, leaves)):
            self.place.set(unflatten(structure, now))

    def _held(self) -> Any:
        """What Python has in the place."""
        return self.place.owner if self._columns else self.place.get()

    def _written(self, builder: Builder) -> list[int]:
        """The leaves that the function writes into."""
        contents = builder.arrays.contents
        return [index for index, each in enumerate(self._entered) if each.value in contents]

    def _tensors(self) -> set[int]:
        """The leaves of the value that it was made for that are tensors."""
        return {index for index, leaf in enumerate(self.leaves) if type(leaf) in EAGER}

    def keep_apart(self, builder: Builder, result: Any, seen: Seen) -> bool:
        """Whether the value that it was made for shows none of the arrays that the function writes into.

        Nobody sees that of a value which the function does not use.
        """
        if not seen.written_arrays:
            return True
        others = [each.now for each in seen.changes if each.place.key != self.place.key]
        used = {value for node in builder.nodes for value in node.inputs}
        used |= {leaf.value for leaf in flatten([result, *others])[0] if isinstance(leaf, Symbol)}
        if not is_contents(self.place) and any(each.value in used for each in self._entered):
            self._apart_from = seen.written_arrays
        return not _show_one_of(self._apart_from, flatten(self._form)[0])

    def anew(self) -> ExternalInput:
        """The same, for another trace: with other specs where a list in it is longer or shorter by now."""
        is_as_long = self._columns or len(flatten(self._form)[0]) == len(self._specs)
        return ExternalInput(
            self.place,
            self._form,
            self._specs if is_as_long else None,
            owners=self.owners if is_as_long else None,
            is_guess=self.is_guess,
        )

    def widened(self, now: Any) -> ExternalInput | None:
        """An input that holds what the function leaves, too; None where this one does, or none can."""
        leaves, structure = flatten(now)
        if structure != self._structure or not all(map(is_number, leaves)):
            return None
        pairs = zip(self._entered, leaves, strict=True)
        specs = [join(entered, leaf)[0] for entered, leaf in pairs]
        if specs == self._specs or not all(map(_differs_in_shape, self._specs, specs)):
            return None
        return ExternalInput(self.place, self._form, specs, owners=self.owners)

    def owners_with(self, now: Any) -> Sequence[Whose | None]:
        """Whose numbers the leaves are where they may be those that are there now, too."""
        if self._columns:
            return self.owners
        return [*map(_owner_of_both, self.owners, map(_owner, flatten(now)[0]))]

    def of(self, owner: Any) -> list[Any] | None:
        """As `load`, of what another owner of such a place holds."""
        form = self._structure.extra
        if isinstance(form, Structure):
            found: list[Any] | None = self.place.operands(owner, self._columns, form)
            if found is not None:
                return found
        twin = copy(self)
        twin.place = self.place.at(owner)
        return twin.load()

    def load(self, *, with_numbers: bool = False) -> list[Any] | None:
        """What the place holds, as operands; None where the graph was made for something else.

        Where a graph takes tensors, Python's numbers are something else unless asked for `with_numbers`.
        """
        if self._is_number:
            found_here = _loaded(self.place.get(), self._specs[0], self._numbers[0])
            return None if found_here is None else [found_here]
        leaves, structure = flatten(self.place.get())
        if structure != self._structure or self.place.columns() != self._columns:
            return None
        if self._apart_from and _show_one_of(self._apart_from, leaves):
            return None
        if any(isinstance(leaves[index], np.ndarray) for index in self._replaced):
            return None  # it is changed where it is
        found = []
        for leaf, spec, number in zip(leaves, self._specs, self._numbers, strict=True):
            if with_numbers and number is None and type(leaf) in _NUMBERS:
                leaf = as_tensor(leaf)  # noqa: PLW2901  # what it stands for
            value = _loaded(leaf, spec, number)
            if value is None:
                return None
            found.append(value)
        return found


class GivenUp(BaseException):  # a signal of control flow, which no handler of the user's is to catch
    """Has a trace given up, and begun once more: nothing that was traced inside has happened."""


class Wider(GivenUp):
    """Asks the trace of a graph to start anew, with an input from outside that holds more.

    Parameters
    ----------
    builder : Builder
        Of the graph.
    entered : ExternalInput
    """

    def __init__(self, builder: Builder, entered: ExternalInput) -> None:
        super().__init__()
        self.builder = builder
        self.entered = entered


def _parts(value: Any) -> list[Any]:
    """What is in a container; nothing, where it is none."""
    level = level_of(value)
    return [] if level is None else list(level[1])


def _are_one(one: Any, other: Any) -> bool:
    """Whether two nests of the same leaves are made of the same containers."""
    level = level_of(one)
    if level is None:
        return True
    is_one = one is other or type(one) is tuple
    return is_one and all(map(_are_one, level[1], _parts(other)))


def _differs_in_shape(one: Spec, other: Spec) -> bool:
    """Whether one input may hold both: tensors of one dtype, or lists."""
    if isinstance(one, ArraySpec) and isinstance(other, ArraySpec):
        return one.dtype is other.dtype
    return type(one) is type(other)


_NUMBERS = (bool, int, float, complex)


def _is_pythons(kind: Any) -> bool:
    """Whether a leaf of elements is a number of Python's own, or a list of such."""
    return kind in _NUMBERS or isinstance(kind, GenericAlias)


def _owner(leaf: Any) -> Whose | None:
    """Whose number a leaf is, as far as another trace can say that; None for a list that is empty."""
    if type(leaf) is not Symbol:
        return type(leaf) in _NUMBERS
    if is_made_empty(leaf):
        return None
    found = whose(leaf)
    return found if isinstance(found, bool) else Unknown()


def _owner_of_both(one: Whose | None, other: Whose | None) -> Whose | None:
    """Whose number a leaf is that may be either of two."""
    known = [each for each in (one, other) if each is not None]
    return one_of(known) if known else None


def _loaded(leaf: Any, spec: Spec, number: type | None) -> Any:
    """A leaf as an operand of this spec; None where it is none."""
    if number is not None and type(leaf) is not Symbol:
        if type(leaf) is not number:
            return None
        try:
            return Tensor(np.asarray(leaf, as_array_spec(spec).dtype.numpy))
        except OverflowError:
            return None
    if not is_tensor(leaf) or type(leaf) in _NUMBERS or _is_out_of_sight(leaf):
        return None
    value = as_operand(leaf)
    return value if spec.contains(spec_of(value)) else None


def _is_out_of_sight(leaf: Any) -> bool:
    """Whether a value is of a graph that was given up: what holds it is there no more."""
    builder = current_builder()
    return isinstance(leaf, Symbol) and builder is not None and not builder.sees(leaf.value.node.graph)


def label_of(path: str, otherwise: str) -> str:
    """A path as the name of an input of the graph: ``x['a'][0]`` becomes ``x_a_0``.

    Parameters
    ----------
    path : str
    otherwise : str
        The name where the path has neither letters nor digits.
    """
    letters = "".join(letter if letter.isalnum() else " " for letter in path.replace("'", ""))
    return "_".join(letters.split()) or otherwise


def _show_one_of(arrays: Sequence[np.ndarray], leaves: Sequence[Any]) -> bool:
    """Whether a leaf shows the memory of one of some arrays."""
    shown = [leaf for leaf in leaves if isinstance(leaf, np.ndarray)]
    return any(np.may_share_memory(leaf, each) for leaf in shown for each in arrays)


def is_contents(place: Place) -> bool:
    """Whether a place is what a container holds."""
    return bool(place.key[0] == "contents")


def can_come_in(value: Any) -> bool:
    """Whether a value can be an input of a graph: a number, a tensor or an array, or a nest of them."""
    if holds_itself(value):
        return False
    leaves, _ = flatten(value)
    return bool(leaves) and all(map(is_number, leaves))


def is_number(leaf: Any) -> bool:
    """Whether a graph can hold a value: it is no exception of the graph."""
    return (
        is_tensor(leaf) and may_be_tensor(leaf) and isinstance(spec_of(operand(leaf)), ArraySpec | ListSpec)
    )
