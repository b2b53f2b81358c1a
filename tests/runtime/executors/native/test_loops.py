"""The loop language says what becomes machine code, as text."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.whole import lowered


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


def best_sum_that_ends_at_each(x, n):
    best, ends = 0, x * 0
    for i in range(n):
        best = max(best, 0) + x[i]
        ends[i] = best
    return ends


@pytest.mark.parametrize("turns", [-1, 0, 1, 255, 256, 140_000])
def test_loops_look_at_signals_now_and_then_and_miss_no_turn(turns):
    x = np.random.default_rng(0).integers(-9, 9, 140_000)
    found = ag.function(best_sum_that_ends_at_each, jit_compile=True)(x, np.asarray(turns))
    assert np.array_equal(found, best_sum_that_ends_at_each(x, turns))


def test_a_number_that_is_asked_for_on_both_sides_is_compared_once():
    def counted(x, n):
        counts = np.zeros(max(n, 0), np.int64)
        for v in x:
            k = v // 2
            if 0 <= k and k < n:
                counts[k] += 1
        return counts

    x = np.array([-(2**63), -3, -2, -1, 0, 1, 5, 6, 7, 8, 2**63 - 1])
    graph = ag.function(counted, jit_compile=True)
    for n in (-(2**63), -1, 0, 1, 4, 100):
        assert np.array_equal(graph(x, np.int64(n)), counted(x, n))
    text = graph.concrete_functions[0].program.llvm_ir()
    assert "icmp ult i64" in text
    assert "select i1" not in text.split("@counted")[-1] or "i1 false" not in text


def beside(number):
    def filled(x):
        found = np.full(100, number)
        for i in range(len(x)):
            found[i * 3] = x[i]
        return found

    return filled


@pytest.mark.parametrize(("number", "is_read"), [(0.0, False), (-0.0, True), (1.5, True)])
def test_nobody_reads_the_zeros_that_an_array_begins_with(number, is_read):
    filled, x = beside(number), np.arange(5.0)
    traced = ag.function(filled, jit_compile=True)
    assert traced(x).numpy().tobytes() == filled(x).tobytes()
    text = traced.concrete_functions[0].program.llvm_ir()
    assert ("call void @llvm.memset" in text) is not is_read
