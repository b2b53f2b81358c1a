"""Joins the states in which a `try` may be left: one structure where possible, else a tagged union of few.

    try:
        best = []                  may raise behind this: `best` is empty then
        check(x)
        best = grown(x)            may raise behind this: `best` is a list of the graph then
        check(y)
    except ValueError:
        print(best)

The variables are brought into one form wherever that can be had from what was there at each checkpoint.
Where it cannot, those in one form are left together, the `Try` says which of them it has left, and an `if` on
that joins them: it can build what a checkpoint cannot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from typing import Any, TypeAlias

from autograph.backends.tensors.containers.sharing import Chosen, ids_within
from autograph.backends.tensors.statements.joins import Joins
from autograph.backends.tensors.statements.made_inside import NOT_YET
from autograph.backends.tensors.statements.outer_objects import OuterObject, released
from autograph.staging.state import Undefined
from autograph_base.dataclass import dataclass
from runtime import ops
from runtime.core.structure import flatten, level_of, unflatten
from runtime.errors import LeakedTensor, StateDisagrees
from runtime.ops.control_flow import ABSENT
from runtime.ops.control_flow.attempt import Attempt, is_one_leaf
from runtime.ops.control_flow.leaving import remove_since
from runtime.ops.control_flow.tracing import absent, is_tensor

__all__ = ["Form", "Row", "combined", "in_forms", "in_no_container", "with_one"]

Row: TypeAlias = Sequence[Any]
"""The variables and places, in order, at a checkpoint or at the end."""


Rows: TypeAlias = Mapping[int | None, Row]
"""By the number of the checkpoint; None for the end."""


@dataclass
class Form:
    """What is left in one form.

    Attributes
    ----------
    rows : mapping of int or None to row
        What the variables and places are where they have it.
    nests : mapping of int or None to row
        The same, as nests of one structure.
    became : sequence of mapping
        What has become which of several objects, for each of these rows.
    joined : row
        The variables and places behind the `Try`.
    one_on : mapping of bool to mapping of int to leaf
        Whether something was raised: what is in the place of leaves of these then, by their ids.
    """

    rows: Rows
    nests: Rows
    became: Sequence[Chosen]
    joined: Row = ()
    one_on: Mapping[bool, Mapping[int, Any]] = field(default_factory=dict)

    @property
    def at_checkpoints(self) -> list[Row]:
        """The rows but that of the end."""
        return [row for number, row in self.rows.items() if number is not None]

    def nest_of(self, number: int | None) -> Row:
        """The nest at a checkpoint, or at the end; without values, where that has another form."""
        found = self.nests.get(number)
        return tuple(absent(next(iter(self.nests.values())))) if found is None else found


def in_forms(joins: Joins, names: Sequence[str], rows: Rows, attempt: Attempt) -> list[Form]:
    """The forms in which variables and places are left: one, where all of them have it.

    Parameters
    ----------
    joins : Joins
        Of the statement.
    names : sequence of str
        What messages call the variables and places.
    rows : mapping of int or None to row
        With None where the body comes to its end.
    attempt : Attempt
        The body.
    """
    before, contents = len(attempt.builder.nodes), joins.contents
    with suppress(StateDisagrees, LeakedTensor):  # nothing is made here of what a branch has
        form = _in_one_form(joins, names, rows)
        if attempt.can_leave(*_with_end(form.nests)):
            return [form]
    remove_since(attempt.builder, before, attempt.began)
    forms = []
    for group in _apart(rows):
        joins.contents = contents  # what was made for another form is gone
        forms.append(_in_one_form(joins, names, group))
    return forms


def combined(forms: Sequence[Form]) -> tuple[dict[int, Any], Any]:
    """The nests of all forms as one, at each checkpoint and at the end: its last item says which it is."""
    which = {number: index for index, form in enumerate(forms) for number in form.rows}
    nests = {
        number: (*[value for form in forms for value in form.nest_of(number)], which[number])
        for number in sorted(which, key=lambda number: -1 if number is None else number)
    }
    return _with_end(nests)


def _with_end(nests: Rows) -> tuple[dict[int, Any], Any]:
    """The nests at checkpoints, and that of the end, or None."""
    return {number: nest for number, nest in nests.items() if number is not None}, nests.get(None)


def _apart(rows: Rows) -> list[dict[int | None, Row]]:
    """The rows in groups: in each, the values of no variable are such that only a graph could join them."""
    groups: list[dict[int | None, Row]] = []
    for number, row in rows.items():
        group = next((each for each in groups if all(_fit(row, other) for other in each.values())), None)
        if group is None:
            groups.append(group := {})
        group[number] = row
    return groups


def _fit(row: Row, other: Row) -> bool:
    return all(_are_alike(one, two) for one, two in zip(row, other, strict=True))


def _are_alike(one: Any, other: Any) -> bool:
    """Whether two values have one structure with tensors at the same places, or one of them is missing."""
    if one is other or any(
        each is None or each is NOT_YET or isinstance(each, Undefined) for each in (one, other)
    ):
        return True
    (leaves, structure), (others, second) = flatten(one), flatten(other)
    return structure == second and all(
        is_one_leaf(leaf, each) or (is_tensor(leaf) and is_tensor(each))
        for leaf, each in zip(leaves, others, strict=True)
    )


def _in_one_form(joins: Joins, names: Sequence[str], rows: Rows) -> Form:
    """The variables at every checkpoint and at the end, in a form that holds all of them."""
    paths = [*rows.values()]
    columns = []
    contents, objects = set(joins.contents), ids_within([value for row in paths for value in row])
    models = []  # kept alive, so that an id means one object
    became: list[dict[Any, Any]] = [{} for _ in paths]
    for index, (name, *values) in enumerate(zip(names, *paths, strict=True)):
        if all(value is NOT_YET for value in values):  # it leads to what no handler may read
            columns.append([ABSENT] * len(values))
            continue
        model, *others = [value for value in values if value is not NOT_YET]
        for value in others:
            if value is model:
                continue
            model = released(_either(*joins.pair_of_row(index, name, model, value)))
            models.append(model)
            contents |= ids_within([model]) - objects | ({id(model)} if id(value) in contents else set())
            joins.contents = contents  # what is made here is no object of the program's
        formed = []
        for number, value in enumerate(values):
            joins.chosen.clear()
            formed.append(value if value is NOT_YET else joins.pair_of_row(index, name, model, value)[1])
            became[number] |= {spot: (right,) for spot, (_, right) in joins.chosen.items()}
        if joins.late is not None:
            formed = [value if value is NOT_YET else joins.late.throughout(value) for value in formed]
        formed = _where_one(formed)
        form = next(each for each in formed if each is not NOT_YET)
        columns.append([absent(form) if each is NOT_YET else each for each in formed])
    nests = list(zip(*columns, strict=True)) if columns else [()] * len(paths)
    return Form(rows, dict(zip(rows, nests, strict=True)), became)


def _where_one(formed: list[Any]) -> list[Any]:
    """Nests of one structure, in which an array of outside stays itself only where all of them have it."""
    present = [flatten(each) for each in formed if each is not NOT_YET]
    if any(structure != present[0][1] for _, structure in present):
        return formed
    rows, is_changed = [leaves for leaves, _ in present], False
    for index, column in enumerate(zip(*rows, strict=True)):
        arrays = [leaf.value if isinstance(leaf, OuterObject) else leaf for leaf in column]
        is_kept = any(one is not other for one, other in zip(column, arrays, strict=True))
        if not is_kept or not all(map(ops.is_array, arrays)):
            continue
        if not all(is_one_leaf(arrays[0], array) for array in arrays):
            is_changed = True
            for leaves, array in zip(rows, arrays, strict=True):
                leaves[index] = array
    if not is_changed:
        return formed
    nests = iter([unflatten(structure, leaves) for leaves, structure in present])
    return [each if each is NOT_YET else next(nests) for each in formed]


def _either(left: Any, right: Any) -> Any:
    """A nest with a leaf wherever one of two nests of one structure has one."""
    (lefts, structure), (rights, other) = flatten(left), flatten(right)
    if structure != other:
        return left
    pairs = zip(lefts, rights, strict=True)
    return unflatten(structure, [two if one is ABSENT else one for one, two in pairs])


def with_one(value: Any, one: Mapping[int, Any]) -> Any:
    """A nest with the arrays that are in the place of some of its leaves; the same where there is none."""
    if type(value) is not tuple:
        return one.get(id(value), value)
    found = [with_one(each, one) for each in value]
    is_same = all(other is each for other, each in zip(found, value, strict=True))
    return value if is_same else tuple(found)


def in_no_container(values: Sequence[Any]) -> set[int]:
    """The ids of the leaves that values are, or have in tuples, and that no other container has."""
    own, pending = set[int](), list(values)
    others: list[Any] = []
    while pending:
        value = pending.pop()
        if type(value) is tuple:
            pending += value
        elif level_of(value) is None:
            own.add(id(value))
        else:
            others.append(value)
    return own - {id(leaf) for leaf in flatten(others)[0]}
