"""Arrays of NumPy's that machine code writes into where the caller has them."""

import signal
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.interpreter import Interpreted
from runtime.passes.decompose import decompose

MODES = {"asked": {"jit_compile": True}, "unasked": {}}


def put(x, i, v):
    x[i] = v
    return v


def halve(x, n):
    for i in range(n):
        x[i] = x[i] * 0.5 + 1.0
    return x[0]


def spread(x, places, n):
    for i in range(n):
        x[places[i]] += 1.0
    return x[0]


def swapped(x, y, n):
    for i in range(n):
        x[i], y[n - 1 - i] = y[n - 1 - i], x[i]
    return x[0]


def exchanged(x, y, n):
    kept = x.copy()
    x[:] = y
    y[:] = kept
    for i in range(n):
        x[i] += 1.0
    return y[0]


def returned(x, n):
    for i in range(n):
        x[i] = x[i] + i
    return x


def reversed_in_place(x, n):
    for i in range(n):
        x[i] = x[i] + i
    x[:] = x[::-1]
    return x[0]


def shown(x, n):
    for i in range(n):
        x[i] = x[i] + i
    return x[1:]


def kept_as_it_was(x, n):
    before = x * 1.0
    for i in range(n):
        x[i] = x[i] + i
    return before


def in_a_branch(x, n):
    if n > 3:
        for i in range(n):
            x[i] = -x[i]
    return x[0]


def divided(x, n):
    for i in range(n):
        x[i] = 1.0 / x[i]
    return n


def table(x, n):
    for i in range(1, n):
        for j in range(1, n):
            x[i, j] = min(x[i - 1, j], x[i, j - 1]) + 1.0
    return x[n - 1, n - 1]


def caught(x, places, n):
    k = 0
    try:
        for i in range(n):
            x[places[i]] = -1.0
            k += 1
    except IndexError:
        x[0] = x[1] + k
    return x[2]


def sorted_part(x, low, high):
    if low < high:
        least = low
        for i in range(low, high):
            if x[i] < x[high]:
                x[i], x[least] = x[least], x[i]
                least += 1
        x[least], x[high] = x[high], x[least]
        sorted_part(x, low, least - 1)
        sorted_part(x, least + 1, high)
    return 0


def sorted_from_outside(x, n):
    x[0] = x[0] * 3.0
    sorted_part(x, 0, n - 1)
    return x[n // 2]


def only_some_paths(x, y, n):
    z = x
    if n > 2:
        z = y
    for i in range(n):
        z[i] = -1.0
    return x[0]


def numbers(*sizes):
    return np.random.default_rng(sum(sizes)).random(sizes) + 1.0


PROGRAMS = [
    (put, lambda: (numbers(9), -2, 0.5)),
    (put, lambda: (numbers(9), 9, 0.5)),
    (halve, lambda: (numbers(9), 9)),
    (halve, lambda: (numbers(9), 10)),
    (halve, lambda: (numbers(9), 0)),
    (spread, lambda: (numbers(9), np.array([3, 3, -1, 0]), 4)),
    (spread, lambda: (numbers(9), np.array([3, 3, 9, 0]), 4)),
    (swapped, lambda: (numbers(9), numbers(8) * 2, 8)),
    (swapped, lambda: (numbers(9), numbers(8) * 2, 9)),
    (exchanged, lambda: (numbers(8), numbers(8) * 2, 4)),
    (exchanged, lambda: (numbers(8), numbers(8) * 2, 9)),
    (returned, lambda: (numbers(9), 5)),
    (reversed_in_place, lambda: (numbers(9), 5)),
    (shown, lambda: (numbers(9), 5)),
    (kept_as_it_was, lambda: (numbers(9), 5)),
    (kept_as_it_was, lambda: (numbers(9), 11)),
    (in_a_branch, lambda: (numbers(9), 5)),
    (in_a_branch, lambda: (numbers(9), 3)),
    (in_a_branch, lambda: (numbers(9), 10)),
    (divided, lambda: (numbers(9), 9)),
    (caught, lambda: (numbers(9), np.array([3, 8, -1, 0]), 4)),
    (caught, lambda: (numbers(9), np.array([3, 8, 9, 0]), 4)),
    (sorted_part, lambda: (numbers(9), 0, 8)),
    (sorted_from_outside, lambda: (numbers(9), 9)),
    (sorted_from_outside, lambda: (numbers(9), 10)),
    (only_some_paths, lambda: (numbers(9), numbers(9) + 1.0, 2)),
    (only_some_paths, lambda: (numbers(9), numbers(9) + 1.0, 5)),
    (table, lambda: (numbers(9, 9), 9)),
    (table, lambda: (numbers(9, 9), 10)),
]


def outcome(function, arguments):
    """What a call gives or raises, and what its arrays hold then."""
    try:
        result = np.array(function(*arguments)).tolist()
    except IndexError:
        result = IndexError
    return result, [each.tolist() for each in arguments if isinstance(each, np.ndarray)]


CALLS = {function: [given for each, given in PROGRAMS if each is function] for function, _ in PROGRAMS}
"""The calls of each function: those that need no other graph are of the same one."""


def made(function, mode):
    """The graph of a function, with the code that lasts."""
    graph = ag.function(function, **MODES[mode])
    return graph


def traced(arguments):
    return tuple(each if isinstance(each, np.ndarray) else rt.asarray(each) for each in arguments)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("function", CALLS)
def test_calls_leave_what_plain_python_leaves(function, mode):
    graph = made(function, mode)
    for arguments in CALLS[function]:
        for _ in range(4):  # the first ones go another way
            assert outcome(graph, traced(arguments())) == outcome(function, arguments())


@pytest.mark.parametrize("function", CALLS)
def test_the_interpreter_finds_the_same(function):
    graph = made(function, "asked")
    for arguments in CALLS[function]:
        concrete = graph.get_concrete_function(*traced(arguments()))
        interpreted_as_python(concrete, function, arguments)


def interpreted_as_python(concrete, function, arguments):
    """Requires that the loops of a graph, read as they are, leave what Python leaves."""
    loops = concrete.program._facts.loops
    judge = Interpreted(loops, concrete.optimised_module.mapped(decompose).entry)
    given = [np.asarray(each) for each in arguments()]
    before = [each.copy() for each in given]
    expected, after = outcome(function, arguments())
    if expected is IndexError:
        with pytest.raises(IndexError):
            judge.entry(*given)
    else:
        found = judge.entry(*given)
        found = found if isinstance(found, tuple) else (found,)
        left = iter(found[len(found) - len(concrete.trace.written.inputs) :])
        arrays = [index for index, each in enumerate(given) if each.ndim]
        held = {index: next(left).tolist() for index in concrete.trace.written.inputs}
        assert found[0].tolist() == expected
        assert [held.get(index, given[index].tolist()) for index in arrays] == after
    assert all(map(np.array_equal, given, before))


@pytest.mark.parametrize("mode", MODES)
def test_tensors_never_change(mode):
    graph = made(halve, mode)
    x, n = rt.asarray(numbers(9)), rt.asarray(9)
    for _ in range(4):
        assert float(graph(x, n)) == numbers(9)[0] * 0.5 + 1.0
        assert np.array_equal(x, numbers(9))


def test_a_tensor_and_an_array_may_take_turns():
    graph = made(halve, "asked")
    x, n = numbers(9), rt.asarray(9)
    tensor = rt.asarray(x)
    for _ in range(4):
        graph(x, n)
        graph(tensor, n)
    plain = numbers(9)
    for _ in range(4):
        halve(plain, 9)
    assert np.array_equal(x, plain)
    assert np.array_equal(tensor, numbers(9))


def test_what_is_returned_is_not_the_array_of_the_caller():
    graph = made(returned, "asked")
    x, n = numbers(9), rt.asarray(5)
    found = [graph(x, n) for _ in range(4)]
    held = [each.numpy().tolist() for each in found]
    x[:] = 0.0
    assert [each.numpy().tolist() for each in found] == held
    assert held[0] != held[3]


@pytest.mark.parametrize("mode", MODES)
def test_arrays_that_lie_otherwise_are_written_to_as_well(mode):
    graph, n = made(halve, mode), rt.asarray(5)
    for _ in range(3):
        graph(numbers(5), n)
    for view in (numbers(10)[::2], numbers(10)[5:], numbers(10)[::-1][:5], numbers(5, 5)[:, 2]):
        plain = view.copy()
        graph(view, n)
        halve(plain, 5)
        assert np.array_equal(view, plain)


def test_arrays_that_may_not_be_written_to_are_refused():
    graph, n = made(halve, "asked"), rt.asarray(5)
    for _ in range(3):
        graph(numbers(5), n)
    x = numbers(5)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        graph(x, n)
    assert np.array_equal(x, numbers(5))


def test_two_names_of_one_memory_are_one_memory():
    def added(x, y, n):
        for i in range(n):
            x[i] = x[i] + y[n - 1 - i]
        return x[0]

    graph, n = made(added, "asked"), rt.asarray(4)
    for _ in range(3):
        graph(numbers(4), numbers(4) * 2, n)
    for one, other in ((slice(0, 4), slice(2, 6)), (slice(0, 4), slice(0, 4))):
        memory, wanted = numbers(6), numbers(6)
        graph(memory[one], memory[other], n)
        added(wanted[one], wanted[other], 4)
        assert np.array_equal(memory, wanted)
    x, plain = numbers(4), numbers(4)
    graph(x, x, n)
    added(plain, plain, 4)
    assert np.array_equal(x, plain)


@pytest.mark.parametrize("how", ["warn", "raise"])
def test_numpy_warns_of_what_it_would_warn_of(how):
    graph, n = made(divided, "unasked"), rt.asarray(4)
    for _ in range(3):
        graph(numbers(4), n)
    x, plain = np.array([1.0, 0.0, 4.0, 8.0]), np.array([1.0, 0.0, 4.0, 8.0])
    with np.errstate(divide=how), warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        try:
            graph(x, n)
            ended = None
        except FloatingPointError as error:
            ended = type(error)
    with np.errstate(divide=how), warnings.catch_warnings(record=True) as expected:
        warnings.simplefilter("always")
        try:
            divided(plain, 4)
            plain_ended = None
        except FloatingPointError as error:
            plain_ended = type(error)
    assert ended == plain_ended
    assert len(found) == len(expected)
    assert np.array_equal(x, plain)


def test_nothing_is_copied_where_nothing_fails_behind_a_write():
    graph = made(put, "asked")
    x = np.zeros(10)
    text = graph.get_concrete_function(x, rt.asarray(1), rt.asarray(1.0)).program.source()
    assert "memory(" not in text
    assert "remember" not in text


def test_what_was_lent_is_remembered_where_something_fails_behind_a_write():
    graph = made(halve, "asked")
    text = graph.get_concrete_function(np.zeros(10), rt.asarray(1)).program.source()
    fast, slow = text.split("else:", 1)
    assert "remember" not in fast
    assert "remember a0[:10]" in slow


def test_a_run_that_better_code_takes_over_begins_with_what_was_there(monkeypatch):
    monkeypatch.undo()  # programs have a first code

    def many(x, n):
        for _ in range(n):
            for i in range(100):
                x[i] = x[i] * 0.999 + i
        return x[0]

    graph = made(many, "asked")
    x, plain = numbers(100), numbers(100)
    for turns in (20_000, 3, 1):
        graph(x, rt.asarray(turns))
        many(plain, turns)
    assert np.array_equal(x, plain)


def test_threads_write_into_arrays_of_their_own():
    graph, n = made(spread, "asked"), rt.asarray(1000)
    arrays = [np.zeros(50) for _ in range(4)]
    places = np.arange(1000) % 50
    for _ in range(3):
        graph(np.zeros(50), places, n)
    threads = [threading.Thread(target=lambda x=x: [graph(x, places, n) for _ in range(200)]) for x in arrays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.all(x == 4000.0) for x in arrays)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no clock that interrupts")
@pytest.mark.parametrize("mode", MODES)
def test_ctrl_c_ends_a_run_and_the_next_one_is_as_ever(mode):
    def many(x, n):
        k = 0
        while k < n:
            x[k % 10] = x[k % 10] * 0.5 + 1.0
            k += 1
        return x[0]

    graph = made(many, mode)
    x = np.zeros(10)
    for _ in range(3):
        graph(x, rt.asarray(10))

    def interrupt(_number, _frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            graph(x, rt.asarray(1 << 40))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    plain = x.copy()
    graph(x, rt.asarray(25))
    many(plain, 25)
    assert np.array_equal(x, plain)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="nobody says how much memory there is")
def test_runs_that_fail_keep_no_memory():
    graph = made(halve, "asked")
    x = np.zeros(100_000)
    for _ in range(3):
        graph(x, rt.asarray(5))
    call, far = graph._front, rt.asarray(100_001)
    before = resident()
    for _ in range(300):
        assert call(x, far) is None  # which leaves it to another way
    assert resident() - before < 50 * x.nbytes


def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def test_arrays_of_any_length_are_lent():
    specs = [rt.TensorSpec((None,), "float64"), rt.TensorSpec((), "int64")]
    graph = ag.function(halve, jit_compile=True, input_signature=specs)
    for size in (3, 5, 9, 1, 7):
        for n in (size, size + 1):
            for _ in range(2):
                x, plain = numbers(size), numbers(size)
                assert outcome(graph, (x, rt.asarray(n))) == outcome(halve, (plain, n))


def runs(x, values, lengths):
    count = 0
    values[0] = x[0]
    lengths[0] = 1
    for i in range(1, len(x)):
        if x[i] == x[i - 1]:
            lengths[count] += 1
        else:
            count += 1
            values[count] = x[i]
            lengths[count] = 1
    return count + 1


def test_nothing_is_remembered_of_whole_numbers_where_a_counter_stays_inside():
    x = np.array([3, 3, 1, 1, 1, 2])
    arguments = x, np.zeros(6, np.int64), np.zeros(6, np.int64)
    text = made(runs, "unasked").get_concrete_function(*arguments).program.source()
    assert "memory(" not in text
    assert "remember" not in text
    assert "fail" not in text


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("room", [2, 3, 6])
def test_a_counter_may_go_too_far(mode, room):
    graph = made(runs, mode)
    for x in ([3, 3, 1, 1, 1, 2], [1, 1, 1, 1, 1, 1], [1, 2, 3, 4, 5, 6]):
        found, wanted = ([np.array(x), np.full(room, -1), np.full(room, -1)] for _ in range(2))
        ends = []
        for call, given in ((graph, found), (runs, wanted)):
            try:
                ends.append(int(call(*given)))
            except IndexError:
                ends.append(None)
        assert ends[0] == ends[1]
        assert all(map(np.array_equal, found, wanted))


def test_arrays_are_lent_of_which_branches_write_into_one_or_the_other():
    def dealt(x, even, odd):
        for i in range(40):
            if x[i] % 2 == 0:
                even[i] = x[i]
            else:
                odd[i] = x[i]
        return even[3]

    arguments = np.arange(40), np.zeros(40, np.int64), np.zeros(40, np.int64)
    text = made(dealt, "unasked").get_concrete_function(*arguments).program.source()
    assert "memory(" not in text
