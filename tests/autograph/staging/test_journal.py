"""Undoing what a path has changed: the places of paths inside of it, too."""

from autograph.staging import places
from autograph.staging.journal import recording
from autograph.staging.places import Contents, Item


def test_an_item_is_not_noted_again_where_all_that_its_dict_holds_is():
    held = {"a": 1}
    with recording() as outer:
        places.note(Contents(held))
        held["a"] = 2
        with recording() as inner:
            places.note(Item(held, "a", "an item"))
            held["a"] = 3
        inner.pass_on()
    assert [type(place) for place, _ in outer.before.values()] == [Contents]
    outer.undo()
    assert held == {"a": 1}


def test_what_was_changed_last_is_undone_first():
    held = {"a": 1, "b": 1}
    with recording() as outer:
        places.note(Item(held, "a", "an item"))
        held["a"] = 2
        with recording() as inner:
            places.note(Contents(held))
            del held["b"]
        inner.pass_on()
    outer.undo()
    assert held == {"a": 1, "b": 1}
