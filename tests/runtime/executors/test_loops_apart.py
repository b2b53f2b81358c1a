"""Loops of a program that is no machine code as a whole, as machine code, with NumPy's bits and errors."""

import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.executors import loops_apart
from runtime.executors.native import exact
from runtime.executors.native.llvm import engine
from runtime.executors.native.lower import lowering
from runtime.executors.numpy_plan import relays

pytestmark = pytest.mark.skipif(not engine.is_there(), reason="llvmlite is not installed")


@pytest.fixture(autouse=True)
def print_is_pythons(monkeypatch):
    """What prints keeps the programs of this file from being machine code as a whole, as a file would."""
    monkeypatch.setattr(lowering, "is_print", lambda _: False)
    monkeypatch.setattr(exact, "is_print", lambda _: False)


def longest(x):
    best = 0
    for each in x:
        n, steps = each, 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        best = max(best, steps)
    print(f"best {best}")
    return best


def runs_of(function):
    (concrete,) = function.concrete_functions
    return {(step.op, step.runs) for step in concrete.report().steps}


def test_a_print_beside_a_loop_leaves_the_loop_machine_code(capsys):
    graph = ag.function(longest)
    for x in (np.arange(1, 30), np.arange(1, 30)[::-1]):
        assert graph(x) == longest(x)
    assert set(capsys.readouterr().out.split("\n")) == {"best 111", ""}
    assert {("StatelessWhile", "machine code"), ("PrintV2", "kernel, called")} <= runs_of(graph)
    assert "machine code for loops, not for all" in str(graph.concrete_functions[0].report())


def test_the_program_as_text_is_that_of_the_whole():
    graph = ag.function(longest)
    graph(np.arange(1, 5))
    (concrete,) = graph.concrete_functions
    assert concrete.program.source() == concrete.to_python()
    assert "while" in concrete.to_python()


def sifted(x, words):
    seen, total = [], 0
    for each in x:
        if each not in seen:
            seen.append(each)
        total += seen.index(each)
    label = f"{words}: {total}"
    del seen[0]
    return label, seen, total


def test_lists_go_into_a_loop_and_come_out():
    x = np.array([3, 1, 3, 2, 1, 1])
    graph = ag.function(sifted)
    assert graph(x, "places") == sifted(x, "places") == ("places: 5", [1, 2], 5)
    assert ("While", "machine code") in runs_of(graph) or ("StatelessWhile", "machine code") in runs_of(graph)


def kept(x):
    y = x.copy()
    for i in range(1, len(x)):
        y[i] = y[i] + y[i - 1]
    print(y[-1])
    y[0] = -1
    return x, y


def test_an_array_that_a_loop_has_changed_may_be_changed_after_it(capsys):
    x = np.arange(5.0)
    graph = ag.function(kept)
    for _ in range(3):
        given, found = graph(x)
        np.testing.assert_array_equal(x, np.arange(5.0))
        np.testing.assert_array_equal(np.asarray(given), x)
        np.testing.assert_array_equal(np.asarray(found), [-1, 1, 3, 6, 10])
    assert capsys.readouterr().out == "10.0\n" * 3


def divided(x, n):
    total = np.float64(0.0)
    for i in range(n):
        total = total + x[0] / (x[1] - i)
    print("done")
    return total


def test_numpy_s_warnings_name_the_user_s_line():
    graph = ag.function(divided)
    graph(np.array([1.0, -1.0]), np.int64(3))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = graph(np.array([1.0, 1.0]), np.int64(3))
    assert np.isinf(found)
    (told,) = caught
    assert told.category is RuntimeWarning
    assert (told.filename, told.lineno) == (__file__, divided.__code__.co_firstlineno + 3)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero"):
        graph(np.array([1.0, 1.0]), np.int64(3))


def limited(x, most):
    count = 0
    for each in x:
        count += each
        if count > most:
            raise LookupError("too much", count)
    print(count)
    return count


def test_what_a_loop_raises_is_the_program_s_own(capsys):
    graph = ag.function(limited)
    x = np.array([1, 2, 3])
    assert graph(x, np.int64(6)) == 6
    with pytest.raises(LookupError) as raised:
        graph(x, np.int64(2))
    assert raised.value.args == ("too much", 3)
    assert capsys.readouterr().out == "6\n"


def read(x, n):
    total = 0
    for i in range(n):
        total += x[i]
    print(total)
    return total


def test_an_index_outside_says_the_line_of_the_loop():
    graph = ag.function(read)
    graph(np.arange(3), np.int64(3))
    with pytest.raises(IndexError) as raised:
        graph(np.arange(3), np.int64(4))
    with pytest.raises(IndexError) as expected:
        read(np.arange(3), np.int64(4))
    assert str(raised.value).split("\n")[0] == str(expected.value)


def caught(x, n):
    try:
        total = read(x, n)
    except IndexError:
        total = -1
    return total


def test_a_handler_sees_what_the_loop_raises(capsys):
    graph = ag.function(caught)
    for n in (3, 4, 2):
        assert graph(np.arange(3), np.int64(n)) == caught(np.arange(3), np.int64(n))
    del capsys


def only_where(x, flag):
    total = 0
    if flag:
        for each in x:
            total += each * each
    print("total", total)
    return total


def test_a_loop_in_a_branch_is_machine_code_too(capsys):
    graph = ag.function(only_where)
    x = np.arange(5)
    assert [int(graph(x, np.bool_(flag))) for flag in (True, False, True)] == [30, 0, 30]
    assert any(op.endswith("While") and runs == "machine code" for op, runs in runs_of(graph))
    del capsys


def test_check_compares_it_with_the_numpy_program():
    ag.check(longest, np.arange(1, 9), then=[(np.arange(1, 20),)])


def nested(n, x):
    total = 0
    for each in x:
        total += each
    return total if n == 0 else total + nested(n - 1, x)


def told(n, x):
    found = nested(n, x)
    print(found)
    return found


def test_a_function_that_calls_itself_is_machine_code_beside_a_print(capsys):
    graph = ag.function(told)
    assert [int(graph(np.int64(n), np.arange(3))) for n in (0, 2, 3)] == [3, 9, 12]
    assert capsys.readouterr().out == "3\n9\n12\n"
    assert ("RecursiveCall", "machine code") in runs_of(graph)


def sifted_down(heap, place):
    child = 2 * place + 1
    if child < len(heap):
        if child + 1 < len(heap) and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] < heap[place]:
            heap[child], heap[place] = heap[place], heap[child]
            sifted_down(heap, child)


def smallest(heap):
    for place in range(len(heap) // 2 - 1, -1, -1):
        sifted_down(heap, place)
    print(heap)
    return heap[0]


def test_what_such_a_function_writes_into_arrays_is_seen_behind_it(capsys):
    ag.check(smallest, np.array([5.0, 3.0, 4.0, 1.0, 2.0]))
    del capsys


def counted_down(n):
    print(n)
    return n if n <= 0 else counted_down(n - 1)


def test_a_function_that_prints_where_it_calls_itself_is_no_machine_code(capsys):
    graph = ag.function(counted_down)
    assert graph(np.int64(3)) == 0
    assert capsys.readouterr().out == "3\n2\n1\n0\n"
    assert "machine code" not in {runs for _, runs in runs_of(graph)}


def caught_in_each_turn(x, table):
    total = 0
    for each in x:
        try:
            total += table[each]
            total += 10 // int(each)
        except (IndexError, ZeroDivisionError):
            total -= 1
    print(f"total {total}")
    return total


def caught_around(x, table):
    total, done = 0, 0
    try:
        for each in x:
            total += table[each]
            done += 1
    except IndexError:
        total = -total
    print(f"total {total} after {done}")
    return total, done


@pytest.mark.parametrize("program", [caught_in_each_turn, caught_around])
def test_a_loop_with_a_try_inside_or_around_does_what_it_does_in_python(program):
    table = np.array([5, 7, 9])
    calls = [(np.array(row), table) for row in ([1, 2], [0, 3], [2, 2, -4])]
    ag.check(program, np.array([0, 1, 2, 5, 1]), table, then=calls)


def test_a_list_that_a_loop_hands_back_is_read_while_it_is_there():
    def program(n, v):
        seen, todo = {1, 2}, {n}
        for _ in range(n):
            seen = seen if v > 1.0 else todo
        return sorted(seen)

    calls = [(np.int64(n), np.float64(v)) for n, v in [(1, 0.0), (2, 0.0), (3, 5.0), (3, 0.0)]]
    ag.check(program, *calls[0], then=calls[1:])


def test_an_array_out_of_order_that_a_loop_hands_back_is_read_while_it_is_there():
    @ag.function(executor="native")
    def program(x, n):
        y = x
        for i in range(n):
            y = x if i < 9 else y + 1.0
        return y, n * 2

    table = np.arange(12.0).reshape(3, 4)
    for part in (table.T, table[:, ::2], table[::-1]):
        found, _ = program(part, np.int64(3))
        np.testing.assert_array_equal(found, part)


def written_behind(x, n):
    first, second = np.zeros(30), x
    for i in range(n):
        first[i] = x[i]
        second = x * 2.0
    first[0] += 1.0
    second[1] += 1.0
    print(first[:3], second[:3])
    return first, second, x


def tripled(x, n, times):
    found = None
    for _ in range(times):
        found = written_behind(x, n)
    return found


@pytest.mark.parametrize("n", [0, 3])
def test_what_a_loop_of_no_turns_hands_back_may_be_written_into_behind_it(n):
    ag.check(written_behind, np.ones(30), np.int64(n), then=[(np.ones(30), np.int64(n))])


def deeper(x, n):
    if n > len(x):
        raise LookupError(n)
    if x[n] > 0:
        deeper(x, n + 1)
    return n


def only_checked(x, n):
    deeper(x, n)
    print("checked")
    return n


def test_a_call_whose_result_nobody_reads_is_machine_code_too(capsys):
    graph = ag.function(only_checked)
    assert graph(np.array([1, 1, 0]), np.int64(0)) == 0
    assert by_machine_code(graph) == ["RecursiveCall"]
    with pytest.raises(IndexError):
        graph(np.array([1, 1, 1]), np.int64(0))
    assert capsys.readouterr().out == "checked\n"


# ── loops inside of others ──


@pytest.fixture
def at_once(monkeypatch):
    """Loops inside of others are machine code from their second run on, however short they are."""
    monkeypatch.setattr(loops_apart, "seconds_to_compile", lambda _: 0.0)
    monkeypatch.setattr(loops_apart, "_TO_HAND_OVER", -1.0)
    monkeypatch.setattr(loops_apart.Relay, "_run", lambda self, *values: self._code.run(values))


@pytest.fixture
def in_the_third_turn(at_once, monkeypatch):
    """Machine code goes on with them from their third turn on, also in their first run."""
    monkeypatch.setattr(relays, "_TURNS", 2)


def by_machine_code(function):
    """The loops and calls of a graph that are machine code by now."""
    repeated = ("While", "RecursiveCall")
    return [op for op, runs in runs_of(function) if op.endswith(repeated) and runs == "machine code"]


def trained(x, y, n):
    w, b, losses = 0.0, 0.0, []
    for epoch in range(n):
        loss = 0.0
        for i in range(len(x)):
            error = w * x[i] + b - y[i]
            loss += error * error
            w -= 0.1 * error * x[i]
            b -= 0.1 * error
        losses.append(loss)
        print(f"epoch {epoch}: {loss:.3f}")
    return w, b, losses


def settled(u, n):
    for sweep in range(n):
        most = 0.0
        for i in range(1, len(u) - 1):
            for j in range(1, len(u) - 1):
                new = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
                most = max(most, abs(new - u[i, j]))
                u[i, j] = new
        print(sweep, most)
    return u


def exchanged(x, n):
    before = x
    for turn in range(n):
        x = x.copy()
        before = x
        for i in range(len(x) - 1):
            if x[i] > x[i + 1]:
                x[i], x[i + 1] = x[i + 1], x[i]
        print(turn, before[0], x[-1])
    return x, before


def counted(x, n):
    table = [0] * 20
    for turn in range(n):
        for i in range(len(x)):
            table[(i * 7) % 20] += turn
        print(turn, table)
    return table


def steps_of(n):
    return 0 if n == 1 else 1 + steps_of(n // 2 if n % 2 == 0 else 3 * n + 1)


def longest_of(n):
    best = 0
    for start in range(1, n):
        steps = steps_of(start)
        if steps > best:
            best = steps
            print(start, best)
    return best


def drawn(rng, n):
    total = 0.0
    for turn in range(n):
        for _ in range(turn):
            total += rng.random()
        print(turn, total)
    return total


LOOPS_INSIDE = [
    (trained, lambda: (np.linspace(0.0, 1.0, 20), np.linspace(1.0, 3.0, 20), np.int64(5))),
    (settled, lambda: (np.eye(12), np.int64(4))),
    (exchanged, lambda: (np.arange(24.0)[::-1] % 7, np.int64(4))),
    (counted, lambda: (np.zeros(40), np.int64(4))),
    (drawn, lambda: (np.random.default_rng(7), np.int64(6))),
    (longest_of, lambda: (np.int64(30),)),
]


@pytest.mark.parametrize(
    ("function", "arguments"), LOOPS_INSIDE, ids=lambda each: getattr(each, "__name__", "")
)
@pytest.mark.usefixtures("at_once")
def test_a_loop_in_one_that_prints_becomes_machine_code_and_does_what_python_does(function, arguments):
    ag.check(function, *arguments())
    graph = ag.function(function)
    graph(*arguments())
    assert by_machine_code(graph)


def grouped(x, n):
    groups = [[] for _ in range(3)]
    for turn in range(n):
        for i in range(len(x)):
            groups[(i + turn) % 3].append(x[i] * turn)
        print(turn, len(groups[0]))
    return groups


def doubled_until(x, n):
    seen = []
    for turn in range(n):
        small, new = True, x
        while small:
            new = new * 2.0
            seen.append(new[0])
            small = new[0] < 1000.0 and len(seen) < 100
        print(turn, new)
    return seen, x


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        *LOOPS_INSIDE,
        (grouped, lambda: (np.arange(8.0), np.int64(3))),
        (doubled_until, lambda: (np.array([1.5, 2.0]), np.int64(3))),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
@pytest.mark.usefixtures("in_the_third_turn")
def test_machine_code_goes_on_with_a_loop_that_lasts_and_does_what_python_does(function, arguments):
    ag.check(function, *arguments(), then=[arguments()])


@pytest.mark.usefixtures("in_the_third_turn")
def test_what_a_loop_raises_that_machine_code_goes_on_with_names_its_line(capsys):
    graph, x = ag.function(ended), np.array([1.0, 2.0, 3.0, 4.0, 9.0, 0.0])
    with pytest.raises(LookupError) as caught:
        graph(x, np.int64(9), 9.0)
    assert caught.value.args == (4,)
    assert caught.traceback[-1].lineno == ended.__code__.co_firstlineno + 4
    assert x.tolist() == [2.0, 3.0, 4.0, 5.0, 10.0, 0.0]
    assert capsys.readouterr().out == ""


def listed(items, turns):
    found = []
    for i in range(turns):
        found.append(i * len(items))
    print(len(found))
    return found


def test_a_short_loop_over_lists_is_numpys_until_it_lasts(monkeypatch, capsys):
    monkeypatch.setattr(loops_apart, "_SHORT", 1.0)
    monkeypatch.setattr(loops_apart, "_TO_HAND_OVER", 1.0)
    graph = ag.function(listed)
    found = []
    for _ in range(6):
        assert graph([1.0, 2.0], np.int64(3)) == [0, 2, 4]
        found.append(bool(by_machine_code(graph)))
    assert found == [True] * 4 + [False] * 2
    monkeypatch.setattr(loops_apart, "_TO_HAND_OVER", 0.0)
    for _ in range(2):
        assert graph([1.0, 2.0], np.int64(100000)) == list(range(0, 200000, 2))
        assert by_machine_code(graph)
    del capsys


def refused(x, n, most):
    total = 0.0
    kept = []
    for turn in range(n):
        kept.append(turn)
        try:
            for i in range(len(x)):
                total += x[i]
                if total > most:
                    raise ValueError(f"{turn}, {i}")
        except ValueError as error:
            print("caught", error)
            most *= 2
        print(turn, total)
    return total, kept


@pytest.mark.parametrize("n", [0, 3])
@pytest.mark.usefixtures("at_once")
def test_what_a_loop_of_no_turns_inside_of_another_hands_back_may_be_written_into_behind_it(n):
    ag.check(tripled, np.ones(30), np.int64(n), np.int64(3), then=[(np.ones(30), np.int64(n), np.int64(3))])


@pytest.mark.usefixtures("at_once")
def test_what_a_loop_inside_of_another_raises_is_caught_there():
    ag.check(refused, np.array([1.0, 2.0, 3.0]), np.int64(5), 8.0)


def ended(x, n, most):
    for turn in range(n):
        for i in range(len(x)):
            x[i] += 1
            if x[i] > most:
                raise LookupError(i)
        print(turn)
    return x


@pytest.mark.usefixtures("at_once")
def test_what_a_loop_inside_of_another_raises_names_its_line_and_keeps_what_was_written(capsys):
    graph, x = ag.function(ended), np.array([1.0, 5.0, *[3.0] * 20])
    with pytest.raises(LookupError) as caught:
        graph(x, np.int64(9), 8.0)
    assert caught.value.args == (1,)
    assert caught.traceback[-1].lineno == ended.__code__.co_firstlineno + 4
    assert x.tolist() == [5.0, 9.0, *[6.0] * 20]
    assert capsys.readouterr().out == "0\n1\n2\n"


@pytest.mark.usefixtures("at_once")
def test_a_loop_inside_of_another_warns_at_the_users_line():
    def shares(x, n):
        total = np.float64(0.0)
        for turn in range(n):
            for i in range(len(x)):
                total = total + x[i] / (turn - x[i])
            print(turn)
        return total

    graph = ag.function(shares)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        graph(np.array([3.0, 7.0]), np.int64(5))
    assert [each.lineno for each in caught] == [shares.__code__.co_firstlineno + 4]


def test_a_short_loop_over_a_long_array_stays_where_it_is(monkeypatch):
    def followed(parent, n):
        for turn in range(n):
            place = turn
            while parent[place] != place:
                parent[place] = parent[parent[place]]
                place = parent[place]
            print(turn, place)
        return parent

    monkeypatch.setattr(loops_apart, "seconds_to_compile", lambda _: 0.0)
    monkeypatch.setattr(loops_apart, "_FOR_BYTE", 1.0)  # however slow this machine is
    graph = ag.function(followed)
    graph(np.maximum(np.arange(100) - 1, 0), np.int64(30))
    assert not by_machine_code(graph)
