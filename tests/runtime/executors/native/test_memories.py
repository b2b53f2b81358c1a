"""Which arrays of a function may be of one memory."""

from runtime.core.dtypes import float64, int64
from runtime.executors.native.language.loops import Alias, Allocate, Array, Call, Function, Number
from runtime.executors.native.lower.memories import MadeMemories

MADE, GIVEN, OTHER, NAME = (Array(name, float64) for name in ("made", "given", "other", "name"))


def memories(*statements):
    return MadeMemories(Function("f", (), [Allocate(MADE, Number(4, int64)), *statements], ()))


def test_a_name_for_an_array_is_that_array():
    found = memories(Alias(NAME, MADE))
    assert found.of("name") == found.of("made")
    assert found.is_own("name")


def test_what_a_call_gives_may_be_what_it_was_given():
    found = memories(Call("g", (MADE,), (GIVEN,)))
    assert found.of("given") == found.of("made") != found.of("other")


def test_an_array_that_may_be_a_parameter_is_not_the_functions_own():
    assert memories().is_own("made")
    assert not memories(Alias(MADE, OTHER)).is_own("made")


def test_a_memory_has_as_many_elements_as_it_was_made_with():
    found = memories(Alias(NAME, MADE))
    assert found.has("name", Number(4, int64))
    assert not found.has("name", Number(5, int64))
