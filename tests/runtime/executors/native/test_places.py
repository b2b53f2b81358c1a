"""Numbers without a place on the stack, and values that the text of a block has once."""

from __future__ import annotations

from runtime.core.dtypes import bool_, float64, int64
from runtime.executors.native.language.loops import (
    Apply,
    Array,
    For,
    Function,
    If,
    Load,
    Number,
    Set,
    Statement,
    Store,
    Variable,
    While,
)
from runtime.executors.native.language.places import without_place
from runtime.executors.native.llvm.code import SLOT, Code

ONE, OTHER, LAST = (Variable(name, float64) for name in ("one", "other", "last"))
TEST, INDEX, ARRAY = Variable("test", bool_), Variable("i", int64), Array("x", float64)


def placeless(*body: Statement) -> frozenset[str]:
    return without_place(Function("f", [TEST, ARRAY], list(body), [LAST]))


def test_what_is_set_once_and_read_below_has_no_place():
    turn = [Set(ONE, Load(ARRAY, INDEX)), Store(ARRAY, INDEX, ONE)]
    assert placeless(For(INDEX, Number(4, int64), turn)) == {"one"}


def test_what_is_set_on_two_paths_has_one():
    branch = If(TEST, [Set(ONE, Number(1.0, float64))], [Set(ONE, Number(2.0, float64))])
    assert placeless(branch, Set(OTHER, ONE)) == {"other"}


def test_what_is_read_behind_the_block_that_sets_it_has_one():
    assert placeless(If(TEST, [Set(ONE, Number(1.0, float64))], []), Set(LAST, ONE)) == frozenset()


def test_what_a_turn_leaves_to_the_next_has_one():
    turn = [Set(OTHER, ONE), Set(ONE, Number(1.0, float64))]
    assert placeless(For(INDEX, Number(4, int64), turn)) == {"other"}


def test_the_test_of_a_loop_and_its_turn_see_what_is_computed_before():
    before = [Set(ONE, Load(ARRAY, Number(0, int64)))]
    test = Apply("less", (ONE, Number(1.0, float64)), bool_)
    assert placeless(While(before, test, [Store(ARRAY, Number(0, int64), ONE)])) == {"one"}


def test_a_value_is_written_once_in_a_block():
    code = Code()
    first = code.value("fadd double %a, %b")
    assert code.value("fadd double %a, %b") == first
    code.begin("other")
    assert code.value("fadd double %a, %b") != first


def test_what_leaves_a_run_does_not_end_what_is_known():
    code = Code()
    first = code.value("fadd double %a, %b")
    code.leave_if("%test", "1")
    assert code.value("fadd double %a, %b") == first


def test_what_was_stored_in_a_place_is_not_loaded():
    code = Code()
    code.add(f"store double %a, ptr %x{SLOT}")
    assert code.value(f"load double, ptr %x{SLOT}") == "%a"


def test_memory_is_read_anew_after_any_store_but_of_a_place():
    code = Code()
    first = code.value("load double, ptr %_element")
    code.add(f"store double %a, ptr %x{SLOT}")
    assert code.value("load double, ptr %_element") == first
    code.add("store double %a, ptr %_another")
    assert code.value("load double, ptr %_element") != first


def test_a_call_may_write_to_all_memory():
    code = Code()
    first = code.value(f"load double, ptr %x{SLOT}")
    code.value(f"call i32 @f(ptr %x{SLOT})")
    assert code.value(f"load double, ptr %x{SLOT}") != first
