"""Undoing what a path has changed: the places of paths inside of it, too."""

import heapq

import pytest

from autograph.staging import notes
from autograph.staging.builtins import announce_changes
from autograph.staging.journal import recording
from autograph.staging.places import Contents, Item, Moved


def test_an_item_is_not_noted_again_where_all_that_its_dict_holds_is():
    held = {"a": 1}
    with recording() as outer:
        notes.note(Contents(held))
        held["a"] = 2
        with recording() as inner:
            notes.note(Item(held, "a", "an item"))
            held["a"] = 3
        inner.pass_on()
    assert [type(place) for place, _ in outer.before.values()] == [Contents]
    outer.undo()
    assert held == {"a": 1}


def test_what_was_changed_last_is_undone_first():
    held = {"a": 1, "b": 1}
    with recording() as outer:
        notes.note(Item(held, "a", "an item"))
        held["a"] = 2
        with recording() as inner:
            notes.note(Contents(held))
            del held["b"]
        inner.pass_on()
    outer.undo()
    assert held == {"a": 1, "b": 1}


def test_what_an_inner_path_puts_back_gives_way_again_where_a_move_is_taken_back():
    original, instead = [1.0], [2.0]
    held = {"a": original}
    with recording() as outer:
        moved = Moved(original)
        notes.note(moved)
        moved.set(instead)
        with recording() as inner:
            item = Item(held, "a", "an item")
            notes.note(item)
            item.set(None)
            inner.undo()
        assert held["a"] is instead
    outer.undo()
    assert held["a"] is original


class Remembering(dict):
    """A dict of which a method that only reads, elsewhere, is Python's, and changes it."""

    def get(self, key):
        return self.setdefault(key, 0)


HELD, NUMBERS = {"a": 1}, [3, 1, 2]


@pytest.mark.parametrize(
    ("callee", "arguments"),
    [
        (HELD.get, ("a",)),
        (HELD.items, ()),
        (NUMBERS.index, (3,)),
        (NUMBERS.copy, ()),
        (len, (NUMBERS,)),
        (sorted, (NUMBERS,)),
        (isinstance, (NUMBERS, list)),
        (id, (NUMBERS,)),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_what_only_asks_a_container_changes_none(callee, arguments):
    with recording() as journal:
        announce_changes(callee, arguments)
    assert not journal.before


@pytest.mark.parametrize(
    ("callee", "arguments"),
    [(HELD.pop, ("a",)), (NUMBERS.sort, ()), (heapq.heapify, (NUMBERS,)), (Remembering().get, ("a",))],
    ids=lambda each: getattr(each, "__qualname__", ""),
)
def test_what_may_change_a_container_is_announced(callee, arguments):
    with recording() as journal:
        announce_changes(callee, arguments)
    assert any(isinstance(place, Contents) for place, _ in journal.before.values())
