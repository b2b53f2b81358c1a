"""Which variables of a loop are arrays of outside when a turn starts, or may be: known once one was traced.

What one turn has shown is about leaves of a variable, in the form in which that turn has it. In the next turn
it may have another one: a list in it has become one of the graph.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, TypeAlias

from autograph.backends.tensors.arrays import aligned
from autograph.backends.tensors.arrays.arrays import note_array, note_cell
from autograph.backends.tensors.arrays.numbered import Exchanged, LoopNumbers
from autograph.backends.tensors.arrays.turned import Spot, Turned, link_arrays
from autograph.backends.tensors.containers.other_names import other_names
from runtime.core.structure import Structure, flatten
from runtime.core.tensor import Tensor
from runtime.graph.graph import Value
from runtime.graph.symbol import Symbol

__all__ = ["ArraysOutside"]

_SpotOfForm: TypeAlias = tuple[Hashable, int, Structure]
"""A variable or a place of a loop, which leaf of it, and in which form."""


class ArraysOutside:
    """What is known of a loop: which variables are arrays of outside when a turn starts, or may be.

    A variable is meant by its key, and by the number of a leaf in it.
    """

    def __init__(self) -> None:
        self.numbers = LoopNumbers()
        self._forms: Mapping[Hashable, Structure] = {}
        self._same: dict[_SpotOfForm, Any] = {}
        self._cells: dict[_SpotOfForm, bool] = {}
        self._may_be: dict[tuple[_SpotOfForm, Value], None] = {}  # in order: a graph is made of it

    def entered(self, values: list[Any], keys: Sequence[Hashable]) -> list[Any]:
        """What a turn starts with, with these arrays where they are known."""
        for (key, position, form), array in self._same.items():
            index = keys.index(key)
            leaves, structure = flatten(values[index])
            place = aligned.place_in(structure, form, position)
            if array is not None and place is not None:
                leaves[place] = array
                values[index] = aligned.with_leaves(values[index], iter(leaves))
        return values

    def _of_form(self, key: Hashable, position: int) -> _SpotOfForm:
        """A leaf of a variable in the form in which the turn has it: in another one, it is another leaf."""
        return key, position, self._forms[key]

    def link(
        self,
        starts: Mapping[Hashable, Any],
        began: Mapping[Hashable, Sequence[Any]],
        forms: Mapping[Hashable, Structure],
        pairs: Iterable[tuple[tuple[Hashable, int], tuple[Hashable, int]]],
        numbers: Sequence[Tensor],
    ) -> None:
        """Says what is one array when a turn starts, or may be.

        Parameters
        ----------
        starts : mapping of hashable to nest
            What the loop starts with.
        began, forms : mapping of hashable to sequence of leaves, and to Structure
            What the turn starts with.
        pairs : iterable of pair
            The variables that a turn may leave one array.
        numbers : sequence of Tensor
            Which arrays those are that are numbered.
        """
        self._forms = forms
        for key, row in began.items():
            leaves, _ = flatten(starts[key])
            for leaf, entered in zip(leaves, row, strict=True) if len(leaves) == len(row) else ():
                note_array(entered, leaf)
        for (key, position, form), may_be_number in self._cells.items():
            place = aligned.place_in(forms[key], form, position)
            if place is not None and isinstance(began[key][place], Symbol):
                note_cell(began[key][place].value, may_be_number=may_be_number)
        for spots in pairs:
            if all(at < len(began.get(key, ())) for key, at in spots) and not self.numbers.tell(spots, began):
                link_arrays(*[began[key][position] for key, position in spots])
        alike: dict[Value, list[Any]] = {}
        for (key, position, form), array in self._may_be:
            place = aligned.place_in(forms[key], form, position)
            if place is not None and not self.numbers.has((key, place)):
                alike.setdefault(array, [Symbol(array)]).append(began[key][place])
        for leaves in alike.values():
            for one, other in combinations(leaves, 2):
                link_arrays(one, other)
        entered = {(key, at): leaf for key, row in began.items() for at, leaf in enumerate(row)}
        self.numbers.enter(entered, numbers)

    def exchanged(self, turned: Turned, keys: Sequence[Hashable]) -> list[Exchanged]:
        """What the turn binds to other arrays, where numbers tell which ones they are."""
        found = list(turned.exchanged(keys))
        return found if found and other_names().numbers_arrays() else []

    def alike(
        self, turned: Turned, keys: Sequence[Hashable], leaves: Mapping[Hashable, Sequence[Any]]
    ) -> set[tuple[tuple[Hashable, int], tuple[Hashable, int]]]:
        """The arrays that a turn has made one, and of which no number tells."""
        found = {((keys[one], leaf), (keys[other], its)) for (one, leaf), (other, its) in turned.linked()}
        return {spots for spots in found if not self.numbers.tell(spots, leaves)}

    def learn_what_stays(self, turned: Turned, keys: Sequence[Hashable]) -> bool:
        """Takes in which variables are arrays of outside once they are bound; whether that is news."""
        spots = {self._of_form(keys[index], at): array for (index, at), array in turned.stays().items()}
        found = {spot: array for spot, array in spots.items() if spot not in self._same}
        rebound = [self._of_form(keys[index], at) for index, at in turned.rebound()]
        wrong = [spot for spot in rebound if self._same.get(spot) is not None]
        self._same |= found | dict.fromkeys(wrong)
        known = dict(self._cells)
        for (index, at), may_be_number in turned.cells.items():
            spot = self._of_form(keys[index], at)
            self._cells[spot] = may_be_number or known.get(spot, False)
        return bool(found or wrong or known != self._cells)

    def learn(
        self, same: Mapping[Spot, Any], may_be: Iterable[tuple[Spot, Value]], keys: Sequence[Hashable]
    ) -> bool:
        """Takes in which variables are arrays of outside, and which may be; whether that is news."""
        known = len(self._same), len(self._may_be)
        self._same |= {self._of_form(keys[index], at): array for (index, at), array in same.items()}
        found = [(self._of_form(keys[index], at), array) for (index, at), array in may_be]
        self._may_be |= dict.fromkeys([each for each in found if not self.numbers.has(each[0][:2])])
        return known != (len(self._same), len(self._may_be))
