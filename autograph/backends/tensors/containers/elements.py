"""`Elements`: the storage of a staged list, with one list of the graph for each leaf of an element.

An element may be a number, a tensor, or a nest of them, such as a tuple; all elements have one structure.
Like every value of a graph, `Elements` never change: an edit gives new ones. The object that changes is the
`StagedList` around them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from copy import deepcopy
from enum import Enum
from functools import partial
from operator import is_
from typing import Any

import numpy as np

from autograph.backends.tensors.arrays.arrays import note_listed, nothing_listed
from autograph.backends.tensors.containers import named_tuples, numbered_lists, owners, ragged, set_later
from autograph.backends.tensors.containers.element_forms import (
    compare_themselves,
    has_choice,
    has_empty,
    has_tuples,
    is_optional,
    never_changes,
    refuse_without_tensor,
    require_form,
)
from autograph.backends.tensors.containers.equality import require_one_truth
from autograph.backends.tensors.containers.taken import note_built, note_taken
from autograph.backends.tensors.iteration import ordering
from autograph.backends.tensors.scalars.indices import are_numbers, require_order, spelled
from autograph.backends.tensors.statements import numbers_beside
from autograph.backends.tensors.statements.turn_numbers import with_tensors
from autograph.staging.context import staging
from autograph.staging.journal import recording
from autograph.staging.spoken import called
from runtime import ops
from runtime.core.containers import register
from runtime.core.dtypes import bool_
from runtime.core.shapes import smallest
from runtime.core.spec import ArraySpec, ListSpec, Spec
from runtime.core.structure import LEAF, Structure, flatten, level_of, unflatten
from runtime.core.tensor import EAGER, Tensor
from runtime.errors import DTypeError, ShapeError, StateDisagrees
from runtime.graph.build import as_tensor, bind, building, current_builder, is_symbolic, is_weak
from runtime.graph.builder import Builder
from runtime.graph.location import caller_location
from runtime.graph.whose_numbers import whose
from runtime.ops.control_flow.tracing import has_no_value, is_tensor
from runtime.ops.examples import NUMBERS, example_of_spec
from runtime.ops.tensor_list import (
    TensorListConcat,
    TensorListErase,
    TensorListFound,
    TensorListFromTensor,
    TensorListMatches,
    TensorListSame,
    TensorListSelect,
)
from runtime.ops.validity import require
from runtime.ops.whose import as_test, is_told

__all__ = [
    "AsPutIn",
    "Elements",
    "Replayed",
    "as_put_in",
    "models",
    "numbers_lists",
    "of_values",
    "plain",
]

_PYTHONS = {int: np.int64, float: np.float64}
"""Numbers of Python's, of which many are quickly made a list of a run."""


@called("elements")
class Elements:
    """What a growing list holds.

    Attributes
    ----------
    form : Structure
        Of one element; of a list that was always empty, a leaf.
    handles : tuple of Tensor
        A list of the graph for each leaf of an element.
    homes : list of container
        Those of the graph that the elements were taken from, where a loop has taken them one by one.
    """

    __slots__ = ("form", "handles", "homes")

    def __init__(self, form: Structure, handles: Sequence[Any]) -> None:
        self.form = form
        self.handles = tuple(handles)
        self.homes: Sequence[Any] = ()

    @classmethod
    def of(cls, items: Sequence[Any], like: Elements | None = None) -> Elements:
        """The elements of a Python list; `like` says what they are, where there are none."""
        if not items:
            return cls(LEAF, owners.owned([ops.list_from(())])) if like is None else like.emptied()
        if staging.numbers_lists:
            items = [*map(numbered_lists.numbered, items)]
        kinds = {*map(type, items)}
        if kinds <= EAGER:  # none of which are of a graph, or chosen
            return cls(LEAF, [ops.list_from(items)])
        if len(kinds) == 1 and kinds <= _PYTHONS.keys() and current_builder() is None:
            column = as_tensor(np.array(items, _PYTHONS[kinds.pop()]))
            return cls(LEAF, owners.owned([bind(TensorListFromTensor(), column)]))
        rows = [_taken_apart(item) for item in items]
        form = rows[0][1]
        are_others = any(other != form or has_empty(other) or has_choice(other) for _, other in rows)
        if are_others or numbers_beside.stay_apart([leaves for leaves, _ in rows]):
            rows = [
                _taken_apart(item)
                for item in _in_agreement(cls.of([]), [unflatten(own, leaves) for leaves, own in rows])[1]
            ]
            form = rows[0][1]
        columns = [list(column) for column in zip(*[leaves for leaves, _ in rows], strict=True)]
        handles = [ops.list_from(column) for column in columns]
        pairs = zip(handles, columns, strict=True)
        return cls(form, [owners.owned([handle], owners.owner_of(column))[0] for handle, column in pairs])

    @classmethod
    def of_rows(cls, tensor: Tensor) -> Elements:
        """The rows of a tensor."""
        return cls(LEAF, [bind(TensorListFromTensor(), tensor)])

    @classmethod
    def like(cls, make: Callable[[], Elements]) -> Elements:
        """No elements, of the form of others, which are made aside, for nothing else."""
        with recording() as journal, building(Builder("aside", current_builder())), nothing_listed():
            try:
                with models():
                    model = make()
            finally:
                journal.undo()
        return model.emptied()

    def emptied(self) -> Elements:
        """No elements, of the same form."""
        handles = [ops.list_from((), handle.spec.element) for handle in self.handles]
        return Elements(self.form, owners.owned(handles))

    def __deepcopy__(self, memo: dict[int, Any]) -> Elements:
        if self.valued is not self:
            raise StateDisagrees(
                "a list with lists in it that have numbers is copied with all that is in it",
                where=caller_location(),
                why="The copy would hold the same lists.",
                way_out="Copy them one by one: `[list(row) for row in rows]`.",
            )
        made = Elements(self.form, deepcopy(self.handles, memo))
        made.homes = deepcopy(self.homes, memo)
        return made

    @property
    def is_unknown(self) -> bool:
        """Whether nothing was ever put in, so that the form of an element is not known yet."""
        known = self.form is not LEAF or has_no_value(self.handles[0])
        return not known and self.handles[0].spec.element is None

    @property
    def is_of_several_kinds(self) -> bool:
        """Whether an element, or something in it, is one of several objects, or may be None."""
        return has_choice(self.form)

    @property
    def compare_themselves(self) -> bool:
        """Whether two elements that are equal may be two objects all the same."""
        return compare_themselves(self.form)

    @property
    def has_two_zeros(self) -> bool:
        """Whether floats are in elements, of which 0.0 and -0.0 are equal."""
        specs = [handle.spec.element for handle in self.handles]
        while any(isinstance(spec, ListSpec) for spec in specs):
            specs = [spec.element if isinstance(spec, ListSpec) else spec for spec in specs]
        return any(spec is not None and spec.dtype.kind in "fc" for spec in specs)

    @property
    def length(self) -> Tensor:
        """How many there are."""
        self._require_leaves()
        return ops.stands_for_python(ops.list_length(self.handles[0]))

    def position(self, index: Any, outside: str, empty: str | None = None) -> Tensor:
        """An index counted from the front; where there is no such element, an IndexError of these words."""
        self._require_leaves()
        return ops.list_position(self.handles[0], index, outside, empty)

    def get(self, position: Any) -> Any:
        """The element at a position that is in range."""
        leaves = [(handle, ops.list_get(handle, position)) for handle in self.handles]
        element = unflatten(self.form, [owners.item_of(handle, leaf) for handle, leaf in leaves])
        note_built(element, self.form)
        if staging.chosen:
            element = ragged.flattened(element)
        note_taken(element)
        return element

    @property
    def example(self) -> Any:
        """A number or array that is like the elements are, which are tensors."""
        (handle,) = self.handles
        element = handle.spec.element
        assert isinstance(element, ArraySpec), "asked of tensors alone"
        return NUMBERS[element.dtype.kind](1) if is_weak(handle) else example_of_spec(element)

    def put(self, position: Any, element: Any) -> Elements:
        """Another element at a position that is in range."""
        return self._with_each(ops.list_set, element, position)

    def place(self, element: Any) -> Tensor:
        """The position of the first element that equals this one; the length, where there is none."""
        if self.is_unknown:
            return as_tensor(0)
        leaves, form = _taken_apart(element)
        is_comparable = not (self._has_parts or compare_themselves(self.form, form))
        if is_comparable and named_tuples.are_alike(form, self.form) and ops.are_placed(self.handles, leaves):
            return ops.list_place(self.handles, leaves)
        return self.place_among_known(element)

    def place_among_known(self, element: Any) -> Tensor:
        """The same, of elements that are known before the run: to look through them makes no list of them."""
        matches = self.matches(element)
        return ops.argmax(ops.concat([matches, ops.ones((1,), dtype=bool_)]))

    def written(self, position: Any, element: Any) -> Elements:
        """Another element at a position, or one more, where that is the length."""
        return self._with_each(partial(ops.list_set, grows=True), element, position)

    def appended(self, element: Any) -> Elements:
        """One more element."""
        return self._with_each(ops.list_append, element)

    def inserted(self, index: Any, element: Any) -> Elements:
        """One more element before an index, which stops at the ends."""
        return self._with_each(ops.list_insert, element, index)

    def without(self, position: Any) -> Elements:
        """All but the element at a position that is in range."""
        return self._mapped(lambda handle: bind(TensorListErase(), handle, position))

    def sliced(self, key: slice) -> Elements:
        """The elements that a slice selects."""
        return self._mapped(lambda handle: ops.list_slice(handle, key))

    def selected(self, indices: Any) -> Elements:
        """The elements at these indices, which are in range."""
        return self._mapped(lambda handle: bind(TensorListSelect(), handle, indices))

    def joined(self, other: Elements) -> Elements:
        """These, and others behind them."""
        if self.is_unknown or other.is_unknown:
            return other if self.is_unknown else self
        if self.form != other.form or self.stays_apart_from(other):
            one, another = self.agreed(other)
            return one.joined(another)
        pairs = zip(self.handles, other.handles, strict=True)
        return Elements(
            self.form,
            [
                owners.owned([ops.list_extend(one, another)], owners.owner_of((one, another)))[0]
                for one, another in pairs
            ],
        )

    def agreed(self, other: Elements) -> tuple[Elements, Elements]:
        """Both in one form: lists of several lengths in their elements become lists of the graph."""
        form = ragged.common_form([self, other], ())
        if form is None:
            require_form(self.form, other.form)
            return self, other
        return ragged.converted(self, form), ragged.converted(other, form)

    def stays_apart_from(self, other: Elements) -> bool:
        """Whether elements of both are integers and floats that stay what they are."""
        rows = [_models_of(each.handles) for each in (self, other)]
        return self.form == other.form and numbers_beside.stay_apart(rows)

    def stacked(self) -> Tensor:
        """All elements along a new first axis; the parts of an element along the second."""
        self = self.valued  # noqa: PLW0642  # it never changes
        if self.has_rows:
            return set_later.stacked_rows(self)
        if is_optional(self.form.kind):
            bits, *values = self.handles
            message = "a number is needed here, not None: an array of a graph holds no objects"
            require(ops.all(ops.list_stack(bits)), TypeError, message)
            return Elements(self.form.children[1], values).stacked()
        columns = [ops.list_stack(handle) for handle in self.handles]
        if self.form is LEAF:
            return columns[0]
        if self.form.kind not in (list, tuple) or any(child is not LEAF for child in self.form.children):
            raise DTypeError(
                f"a list of elements like {self.form} was used as an array",
                why="An array holds numbers, in rows that are alike.",
                way_out="Take the parts of the elements one by one, as in `[row.x for row in rows]`.",
            )
        return ops.stack(columns, axis=1)

    @property
    def has_rows(self) -> bool:
        """Whether the elements are lists of the graph, and nothing else."""
        kind: Any = self.form.kind
        return kind is not None and issubclass(kind, set_later.row_kinds)

    @property
    def rank(self) -> int | None:
        """How many axes an element has; None where that is not known, or where it is no tensor."""
        element = self.handles[0].spec.element if self.form is LEAF else None
        return element.rank if isinstance(element, ArraySpec) else None

    def laid_end_to_end(self) -> Tensor:
        """All elements, which are tensors with axes, one behind the other along their first axis."""
        (handle,) = self.handles
        element = handle.spec.element
        assert isinstance(element, ArraySpec), "asked of tensors alone"
        return bind(TensorListConcat(element.dtype), handle)

    def matches(self, element: Any) -> Tensor:
        """For each element, whether it equals this one."""
        self, element = self.valued, numbered_lists.as_value(element)  # noqa: PLW0642  # it never changes
        leaves, form = _taken_apart(element)
        is_by_item = self._has_parts or has_tuples(form) or compare_themselves(self.form, form)
        if not self.is_unknown and is_by_item:
            return ragged.matches(self, element)
        if not named_tuples.are_alike(form, self.form):
            one, found = _in_agreement_if_any(self, unflatten(form, leaves))
            if found is None:
                return ops.zeros(ops.reshape(self.length, (1,)), dtype=bool_)
            return one.matches(found)
        leaves = [as_tensor(leaf) for leaf in leaves]
        kinds = [leaf.spec for leaf in leaves]
        require_one_truth(self.form, self._kinds(), kinds, lambda: self.length > 0)
        matches = [
            bind(TensorListMatches(), handle, leaf) for handle, leaf in zip(self.handles, leaves, strict=True)
        ]
        found = matches[0]
        for each in matches[1:]:
            found = ops.logical_and(found, each)
        return found

    def takes(self, element: Any) -> bool:
        """Whether an element has the form of the others."""
        if self.is_unknown:
            return True
        leaves, form = _taken_apart(element)
        return form == self.form or _in_agreement_if_any(self, unflatten(form, leaves))[1] is not None

    def same_as(self, other: Elements) -> Tensor:
        """Whether there are as many of them, and all are equal in pairs."""
        self, other = self.valued, other.valued  # noqa: PLW0642  # it never changes
        if (self._has_parts and self.form == other.form) or compare_themselves(self.form, other.form):
            return ragged.same(self, other)
        if not named_tuples.are_alike(self.form, other.form):
            form = None if self.is_unknown or other.is_unknown else ragged.common_form([self, other], ())
            if form is None:
                return ops.logical_and(self.length == 0, other.length == 0)
            return ragged.converted(self, form).same_as(ragged.converted(other, form))
        kinds = other._kinds()  # noqa: SLF001
        require_one_truth(self.form, self._kinds(), kinds, lambda: self._is_as_long(other))
        pairs = zip(self.handles, other.handles, strict=True)
        return ops.all(ops.stack([bind(TensorListSame(), one, another) for one, another in pairs]))

    def _kinds(self) -> list[Spec]:
        return [handle.spec.element for handle in self.handles]

    def _is_as_long(self, other: Elements) -> Tensor:
        """Whether two lists have items, and as many."""
        return ops.logical_and(self.length > 0, self.length == other.length)

    @property
    def _has_parts(self) -> bool:
        """Whether lists of the graph are in the elements, or what counts in some of them only."""
        return self.is_of_several_kinds or any(
            isinstance(handle.spec.element, ListSpec) for handle in self.handles
        )

    def find(self, element: Any, message: str) -> Tensor:
        """The position of the first element that equals this one; a ValueError where there is none."""
        self, element = self.valued, numbered_lists.as_value(element)  # noqa: PLW0642  # it never changes
        leaves, form = _taken_apart(element)
        if form != flatten(element)[1]:  # objects are held by their numbers, which nobody shows
            message, leaves = message.format(repr(element)).replace("{", "{{").replace("}", "}}"), []
        elif "{}" in message and are_numbers(unflatten(form, leaves)):
            found = whose(leaves[0]) if form is LEAF else True
            if not isinstance(found, bool) and is_told(found):
                texts = [message.format(spelled(leaves[0], is_pythons)) for is_pythons in (True, False)]
                return self._found_by_kind(element, as_test(found, {}), texts)
            message = message.format(spelled(unflatten(form, leaves)))
        return ops.stands_for_python(bind(TensorListFound(message), self.matches(element), *leaves))

    def _found_by_kind(self, number: Any, is_pythons: Tensor, messages: Sequence[str]) -> Tensor:
        """Likewise of a number that is Python's on some paths: of it, and of NumPy's, there is a message."""
        matches = self.matches(number)
        ways = [partial(bind, TensorListFound(each), matches, number) for each in messages]
        return ops.stands_for_python(ops.cond(is_pythons, *ways))

    def require_length(self, length: Tensor, message: str) -> None:
        """Has the graph raise a ValueError where there are more or fewer."""
        is_right = ops.reshape(ops.equal(self.length, length), (1,))
        bind(TensorListFound(message), is_right, self.length, length)

    @property
    def columns(self) -> list[Tensor]:
        """A vector for each part of the elements, which are numbers or nests of them."""
        self = self.valued  # noqa: PLW0642  # it never changes
        columns = [*set_later.by_order(self.form, self.handles)]
        for column in columns:
            if column.static_shape is not None and len(column.static_shape) != 1:
                raise ShapeError(
                    f"items of shape {column.static_shape[1:]} have no order",
                    way_out="Give `key=` a function that makes one number of each.",
                )
        return columns

    def order(self, *, reverse: Any) -> Tensor:
        """The indices that bring them into order; equal ones keep theirs, also in reverse."""
        self = self.valued  # noqa: PLW0642  # it never changes
        if is_symbolic(reverse):
            require_order(reverse)
            forwards, backwards = [ordering.places_in_order(self, each) for each in (False, True)]
            return ops.where(ops.cast(reverse, bool_), backwards, forwards)
        return ordering.places_in_order(self, bool(reverse))

    @property
    def are_there(self) -> bool:
        """Whether the run is over, or text is made in it: then there are values, and no graph."""
        return current_builder() is None and all(
            type(handle) in EAGER or isinstance(handle, list) for handle in self.handles
        )

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The parts of each element, where they are there."""
        columns = [each if isinstance(each, list) else ops.list_elements(each) for each in self.handles]
        return zip(*columns, strict=True)

    def _mapped(self, edit: Callable[[Tensor], Tensor]) -> Elements:
        return Elements(
            self.form, [owners.owned([edit(handle)], whose(handle))[0] for handle in self.handles]
        )

    def _with_each(self, edit: Callable[..., Tensor], element: Any, *place: Any) -> Elements:
        """An edit of every list with the leaf of an element."""
        if staging.copies and not staging.writes_back and _holds_element(element):
            staging.tangle()
        element = self._with_bit(numbered_lists.numbered(element) if staging.numbers_lists else element)
        leaves, form = _taken_apart(element)
        is_new = self.is_unknown and has_choice(form)
        is_other = not (self.is_unknown or form == self.form)
        stay_apart = partial(numbers_beside.stay_apart, [_models_of(self.handles), leaves])
        if is_new or is_other or has_empty(form) or stay_apart():
            self, (element,) = _in_agreement(self, [unflatten(form, leaves)])  # noqa: PLW0642  # it never changes
            leaves, form = _taken_apart(element)
            if not self.is_unknown:
                require_form(self.form, form)
        handles = self.handles
        if self.is_unknown:
            handles = tuple(owners.owned([ops.list_from(()) for _ in leaves]))
        pairs = zip(handles, leaves, strict=True)
        return Elements(
            form,
            [
                owners.owned([edit(handle, *place, leaf)], owners.owner_of((handle, leaf)))[0]
                for handle, leaf in pairs
            ],
        )

    def _with_bit(self, element: Any) -> Any:
        """An element with the bit that says whether it is None, where the elements of this list have one."""
        kind = self.form.kind
        if kind is None or not is_optional(kind) or isinstance(element, kind):
            return element
        if element is not None:
            return kind(True, element)
        specs = [handle.spec.element for handle in self.handles[1:]]
        values = [ops.stands_for_python(ops.zeros(smallest(spec.shape), dtype=spec.dtype)) for spec in specs]
        return kind(False, unflatten(self.form.children[1], values))

    @property
    def valued(self) -> Elements:
        """These elements by what they hold: with lists in the places of numbers."""
        return numbered_lists.as_values(self) if numbers_lists() else self

    @property
    def shown_form(self) -> Structure:
        """The form of an element, by which text of them is made when the graph runs."""
        return set_later.shown(self.form)

    @property
    def are_numbers(self) -> tuple[bool, ...]:
        """For each part of an element, whether it is a number of Python's own in all of them."""
        return tuple(map(is_weak, self.handles))

    def _require_leaves(self) -> None:
        if not self.handles:
            refuse_without_tensor(self.form)


@called("elements")
class AsPutIn(Elements):
    """The elements of a set that hold all that was ever put into it, in the order in which that was.

    An edit gives `Elements`: who knows that the order is still this one says so.
    """

    __slots__ = ()


def as_put_in(elements: Elements) -> AsPutIn:
    """The same elements, of which somebody knows that they are all that was ever put in, in that order."""
    return AsPutIn(elements.form, elements.handles)


@called("elements")
class Replayed(Elements):
    """The elements of a set, and all that was done to it, which the run does again to ask for their order.

    Parameters
    ----------
    elements : Elements
    steps : Elements
        What was done, as numbers; see `histories`.
    keys : Elements
        With which elements, one after the other.
    """

    __slots__ = ("keys", "steps")

    def __init__(self, elements: Elements, steps: Elements, keys: Elements) -> None:
        super().__init__(elements.form, elements.handles)
        self.steps = steps
        self.keys = keys


def plain(elements: Elements) -> Elements:
    """The same elements, of which nobody knows how they came to be there."""
    is_known = isinstance(elements, AsPutIn | Replayed)
    return Elements(elements.form, elements.handles) if is_known else elements


def models() -> AbstractContextManager[None]:
    """While it lasts, containers are made for nothing but their form."""
    return staging.having(makes_model=True)


def of_values() -> AbstractContextManager[None]:
    """While it lasts, lists are put into lists as what they hold, and get no numbers."""
    return staging.having(numbers_lists=False)


def numbers_lists() -> bool:
    """Whether the function that is traced holds lists by number."""
    return staging.linked is not None and list in staging.linked.held


def _taken_apart(element: Any) -> tuple[list[Any], Structure]:
    """The tensors of an element and its form; it may hold nothing else."""
    leaves, form = flatten(element)
    if staging.chosen or not all(map(_is_number, leaves)):
        leaves, form = flatten(set_later.catalogued(element))
    if not leaves and never_changes(form):
        leaves, form = flatten(set_later.numbered(element))
    elif not leaves and not has_empty(form):
        refuse_without_tensor(form)
    note_listed(leaves)
    leaves, form = _without_histories(leaves, _in_no_order(form))
    for leaf in leaves:
        if not _is_number(leaf):
            staging.hold_instances(type(leaf))
            raise StateDisagrees(
                f"a list that grows in a graph cannot hold {leaf!r} ({type(leaf).__name__})",
                why="A tensor decides how long the list is, so its elements become values of the graph.",
                way_out="Put numbers, tensors, strings and members of enums into it, or nests of them.",
            )
    return [with_tensors(leaf) for leaf in leaves], form  # as numbers of Python's own


def _models_of(handles: Sequence[Any]) -> Sequence[Any]:
    """What is known of the parts of elements."""
    if any(map(has_no_value, handles)):
        raise StateDisagrees(
            "a list gets longer behind a `try`, and on some paths nobody knows what is in it",
            where=caller_location(),
            why="What is raised in the `try` leaves the list as a graph inside has it.",
            way_out="Collect a generator's items first: `for item in list(items)`.",
        )
    return [handle.spec.element for handle in handles]


def _in_no_order(form: Structure) -> Structure:
    """A form in which sets are that are all alike, however they came about."""
    if not form.children:
        return form
    kind = Elements if form.kind is AsPutIn else form.kind
    children = tuple(map(_in_no_order, form.children))
    is_same = kind is form.kind and all(map(is_, children, form.children))
    return form if is_same else Structure(kind, form.keys, children, form.extra)


def _without_histories(leaves: list[Any], form: Structure) -> tuple[list[Any], Structure]:
    """An element, flattened, in which nobody knows what was done to sets."""
    if not _has_history(form):
        return leaves, form
    if form.kind is Replayed:
        elements = form.children[0]
        return leaves[: len(elements.children)], elements
    found, children = [], []
    for child in form.children:
        count = child.leaf_count
        inner, made = _without_histories(leaves[:count], child)
        leaves = leaves[count:]
        found += inner
        children.append(made)
    return found, Structure(form.kind, form.keys, tuple(children), form.extra)


def _has_history(form: Structure) -> bool:
    return form.kind is Replayed or any(map(_has_history, form.children))


def _is_number(leaf: Any) -> bool:
    """Whether a leaf is a value of a graph; a member of an enum is an object, also where it is a number."""
    return is_tensor(leaf) and not isinstance(leaf, Enum)


def _holds_element(value: Any) -> bool:
    """Whether a container that is an element of a list of the graph is in a value."""
    level = level_of(value)
    if level is None:
        return False
    return id(value) in staging.copies or any(map(_holds_element, level[1]))


def _in_agreement(contents: Elements, items: Sequence[Any]) -> tuple[Elements, list[Any]]:
    """The elements of a list and others, in one form: lists of several lengths become lists of the graph."""
    form = ragged.common_form([contents], items)
    if form is None:
        forms = [_taken_apart(item)[1] for item in items]
        known = forms[0] if contents.is_unknown else contents.form
        require_form(known, next(each for each in forms if each != known))
        return contents, list(items)
    return ragged.converted(contents, form), [ragged.in_form(item, form) for item in items]


def _in_agreement_if_any(contents: Elements, item: Any) -> tuple[Elements, Any]:
    """The elements of a list and another in one form; None for that one, where there is no such form."""
    may_agree = staging.chosen or has_tuples(contents.form) or has_tuples(flatten(item)[1])
    form = ragged.common_form([contents], [item]) if may_agree else None
    if form is None:
        return contents, None
    return ragged.converted(contents, form), ragged.in_form(item, form)


def _split(elements: Elements) -> tuple[Sequence[Any], Sequence[Any], Any]:
    return range(len(elements.handles)), elements.handles, elements.form


def _build(kind: type[Elements], keys: Sequence[Any], children: Sequence[Any], extra: Any) -> Elements:
    del keys
    return kind(extra, children)


register(Elements, _split, _build)
register(AsPutIn, _split, _build)


def _split_history(held: Replayed) -> tuple[Sequence[Any], Sequence[Any], Any]:
    return ("elements", "steps", "keys"), (plain(held), held.steps, held.keys), None


def _build_history(kind: type, keys: Sequence[Any], children: Sequence[Any], extra: Any) -> Replayed:
    del kind, keys, extra
    elements, steps, done_with = children
    return Replayed(elements, steps, done_with)


register(Replayed, _split_history, _build_history)
