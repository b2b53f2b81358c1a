"""Which loops of machine code may have many turns."""

import numpy as np

import autograph as ag
import runtime as rt
from runtime.executors.native.beyond import Beyond
from runtime.executors.native.language.loops import For
from runtime.executors.native.language.turns import Turns
from runtime.executors.native.language.walking import inside
from runtime.executors.native.llvm import efforts
from runtime.executors.native.llvm.efforts import Effort, effort_of
from runtime.executors.native.llvm.emit import emit
from runtime.executors.native.whole import lowered


def loops_of(program, *arguments):
    """Whether each loop over elements may have many turns."""
    concrete = ag.function(program).get_concrete_function(*arguments)
    functions = lowered(concrete.optimised_module, Beyond.ANOTHER).functions
    loops = [(each, loop) for each in functions for loop in inside(each.body) if isinstance(loop, For)]
    return [Turns(function).may_be_many(loop.count) for function, loop in loops]


def seen_before(n):
    seen = []
    total = 0
    while total < n:
        total += 1 + total // 3
        if total % 7 in seen:
            seen.remove(total % 7)
        seen.append(total % 7)
    return total, len(seen)


def test_loops_over_a_list_that_the_program_makes_are_short():
    found = loops_of(seen_before, np.int64(9))
    assert found
    assert sum(found) <= 1  # what moves up behind an element that was removed


def test_loops_over_arrays_are_long_unless_they_are_known_to_be_short():
    def largest(x, n):
        while rt.max(x) < n:
            x = x * 2 + 1
        return x

    assert any(loops_of(largest, rt.TensorSpec((None,), rt.int64), np.int64(9)))
    assert any(loops_of(largest, np.arange(40), np.int64(9)))
    assert not any(loops_of(largest, np.arange(4), np.int64(9)))


def test_long_code_over_a_list_that_the_program_makes_gets_some_of_the_time(monkeypatch):
    monkeypatch.setattr(efforts, "_LONG", 100)

    def pushed(n):
        seen = []
        total = 0
        while total < n:
            total += 1
            if total % 7 not in seen:
                seen.append(total % 7)
        return total, len(seen)

    concrete = ag.function(pushed).get_concrete_function(np.int64(9))
    text = emit(lowered(concrete.optimised_module, Beyond.ANOTHER))
    assert effort_of(text) is Effort.SOME
    ag.check(pushed, np.int64(9), then=[(np.int64(30),)])
