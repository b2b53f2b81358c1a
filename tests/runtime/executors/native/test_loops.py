"""The loop language says what becomes machine code, as text."""

import autograph as ag
import runtime as rt
from runtime.executors.native.run import lowered


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def test_a_staged_loop_is_a_loop_over_numbers(golden, request):
    module = ag.function(collatz).get_concrete_function(rt.TensorSpec((), rt.int64)).optimised_module
    golden(request.path.parents[3] / "golden/loops/collatz.txt", f"{lowered(module)}\n")


def filtered(x):
    smooth = (x[1:] + x[:-1]) * 0.5
    return rt.sum(smooth * smooth)


def test_maps_are_computed_where_they_are_wanted(golden, request):
    spec = rt.TensorSpec((100,), rt.float64)
    module = ag.function(filtered).get_concrete_function(spec).optimised_module
    golden(request.path.parents[3] / "golden/loops/filtered.txt", f"{lowered(module)}\n")


def filled(n):
    table = rt.zeros((10,), dtype=rt.int64)
    for i in range(n):
        table[i % 10] += i
    return table


def test_updates_are_done_in_place(golden, request):
    module = ag.function(filled).get_concrete_function(rt.TensorSpec((), rt.int64)).optimised_module
    golden(request.path.parents[3] / "golden/loops/filled.txt", f"{lowered(module)}\n")


def test_a_report_says_what_is_machine_code():
    concrete = ag.function(collatz, jit_compile=True).get_concrete_function(rt.TensorSpec((), rt.int64))
    assert set(concrete.report().counts) == {"machine code"}
    assert "while True:" in concrete.program.source()
    assert "define" in concrete.program.llvm_ir()
    assert concrete.program.assembly()
