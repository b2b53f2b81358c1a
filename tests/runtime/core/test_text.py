"""Text with slots: how it is taken apart and put together."""

import numpy as np

from runtime.core.tensor import Tensor
from runtime.core.text import Apply, Slot, filled, is_marking, joined, marking


def test_pieces_that_stand_side_by_side_become_one():
    slot = Apply("str", (Slot(),))
    assert joined(["a", "", "b"]) == "ab"
    assert joined([]) == ""
    assert joined(["a", joined(["b", slot]), "c", "d"]) == Apply("join", ("ab", slot, "cd"))


def test_a_format_specification_may_hold_slots():
    with marking() as marks:
        text = f"{Tensor(np.float64(1.25)):{Tensor(np.int64(8))}.1f}"
    template, tensors = marks.read(text)
    assert len(tensors) == 2
    assert filled(template, [np.float64(1.25), np.int64(8)]) == f"{1.25:8.1f}"


def test_marks_are_off_outside():
    assert not is_marking()
    with marking():
        assert is_marking()
        with marking() as inner:
            text = str(Tensor(1))
        assert inner.read(text)[1]
    assert str(Tensor(1)) == "Tensor(1, shape=(), dtype=int64)"


def test_a_python_number_is_shown_as_one():
    assert filled(Apply("repr", (Slot(is_number=True),)), [np.int64(3)]) == "3"
    assert filled(Apply("repr", (Slot(),)), [np.int64(3)]) == "np.int64(3)"


def test_templates_show_as_format_strings():
    slot = Slot()
    parts = ("x = ", Apply("repr", (slot,)), ", ", Apply("format", (slot, ".2f")), Apply("upper", (slot,)))
    assert str(Apply("join", parts)) == "x = {!r}, {:.2f}{upper({})}"


def test_marked_text_is_read_in_the_order_of_its_marks():
    with marking() as marks:
        first, second = marks.leave(Slot(), ["a"]), marks.leave(Apply("str", (Slot(),)), ["b"])
        assert marks.read("no mark") == ("no mark", ())
        template, values = marks.read(f"x {second}, {first}!")
    assert (filled(template, ["1", "2"]), values) == ("x 1, 2!", ("b", "a"))


def test_a_mark_that_was_cut_is_the_text_that_it_is():
    with marking() as marks:
        cut = marks.leave(Slot(), ["a"])[:-1]
        assert marks.read(cut) == (cut, ())
