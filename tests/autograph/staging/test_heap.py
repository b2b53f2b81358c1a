"""What has given way to another object is found by every read, and given back."""

import builtins
import sys
import threading
from types import ModuleType

import numpy as np
import pytest

from autograph.staging import heap, meeting, notes
from autograph.staging.context import staging
from autograph.staging.heap import current, ld, move, take_back
from autograph.staging.journal import recording
from autograph.staging.places import Contents


class Staged:
    pass


@pytest.fixture
def moved():
    old, new = [1], Staged()
    yield old, new
    heap.forget()
    assert not heap.has_moved()


def test_a_value_is_itself_where_nothing_has_moved(moved):
    old, _ = moved
    assert ld(old) is old
    assert current((old, 1))[0] is old


def test_what_a_value_leads_to_is_exchanged_and_given_back(moved):
    old, new = moved
    tuple_, table = (old, 2), {"a": [old]}
    move(old, new)
    assert ld(tuple_) == (new, 2)
    assert ld(table)["a"][0] is new
    take_back(old)
    assert ld(tuple_) is tuple_
    assert table["a"][0] is old


def test_moves_after_one_another_are_taken_back_one_by_one(moved):
    old, new = moved
    other, newer = [2], Staged()
    both = [(old, other)]
    move(old, new)
    assert ld(both) == [(new, other)]
    move(other, newer)
    assert ld(both) == [(new, newer)]
    take_back(other)
    assert both == [(new, other)]
    take_back(old)
    assert both[0][0] is old


def test_what_is_kept_about_a_program_stays_as_it_is(moved):
    old, new = moved
    place = Contents(old)
    move(old, new)
    ld([place, lambda: place])
    assert place.owner is old


def test_a_function_of_a_module_leads_to_nothing_else_of_it(moved):
    move(*moved)
    assert current([min, open]) == [min, open]
    assert id(builtins) not in staging.seen


def test_a_module_does_not_lead_to_all_that_the_process_has_loaded(moved, monkeypatch):
    old, new = moved
    like_sys, kept = ModuleType("like_sys"), ModuleType("kept")
    like_sys.modules, kept.table = sys.modules, old
    monkeypatch.setitem(sys.modules, "kept", kept)
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, kept])
    like_sys.finders = sys.meta_path
    move(old, new)
    assert current(like_sys) is like_sys
    assert current(sys.modules) is sys.modules
    assert kept.table is old
    assert current(kept).table is new
    assert current(np) is np
    assert id(np.typecodes) not in staging.seen


def test_other_threads_see_nothing_of_it(moved):
    old, new = moved
    seen = []
    move(old, new)
    thread = threading.Thread(target=lambda: seen.append(ld([old])[0]))
    thread.start()
    thread.join()
    assert seen[0] is old


def test_an_object_met_before_a_path_is_older_and_one_made_in_it_is_not():
    before, made, met, again = [], [], [], []
    with recording():
        meeting.note_existing(before)
        begun = notes.now()
        with recording(begun):
            meeting.note_existing(again)
        with recording(begun) as journal:
            meeting.note_made(made)
            meeting.note_existing(met)
            meeting.note_existing(again)
            found = [journal.existed(each) for each in (before, made, met, again)]
    meeting.forget()
    assert found == [True, False, None, True]
