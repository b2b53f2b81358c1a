"""How often code is traced: what was learnt of a statement is kept when the one around it starts anew."""

import ctypes
import gc
import itertools
import linecache
import time

import numpy as np
import pytest

import autograph as ag
import runtime as rt

_numbers = itertools.count()


class Box:
    def __init__(self):
        self.value = 0

    def bump(self, by):
        self.value = self.value + by


OPENINGS = {
    "if": lambda level: [f"if n > {level}:"],
    "for": lambda level: [f"for i{level} in range(n):"],
    "while": lambda level: [f"i{level} = 0", f"while i{level} < n:", f"    i{level} += 1"],
    "try": lambda _: ["try:"],
}
BODIES = {
    "a variable": ["total = total + n"],
    "a variable that is None": ["found = n"],
    "a list that grows": ["items.append(n)"],
    "an item of a dict": ["table['a'] += n"],
    "a dict that is bound to a copy": ["table = dict(table)", "table['a'] += n"],
    "a string that grows": ["word = word + 'a'"],
    "an array that grows": ["row = rt.concat((row, row))"],
    "an attribute": ["box.value = box.value + n"],
    "an attribute, in a method": ["box.bump(n)"],
    "all of them": ["total += n", "found = n", "items.append(n)", "box.bump(n)"],
    "what is made inside": ["own = Box()", "own.bump(n)", "total += own.value"],
}


def nest(kinds, body, before=(), after=()):
    """A function with statements inside one another, and the count of how often the innermost was traced.

    In each of them are some lines before the next one, and some after it.
    """
    lines = ["def program(n, box):", "    total, found, items, table = 0, None, [], {'a': 0}"]
    lines += ["    word, row, own = '', rt.zeros(1), Box()"]
    indent, handlers = "    ", []
    for level, kind in enumerate(kinds):
        opening = OPENINGS[kind](level)
        lines += [indent + line for line in opening]
        if kind == "try":
            handlers = [f"{indent}except ZeroDivisionError:", f"{indent}    total += 1", *handlers]
        indent += "    "
        lines += [indent + line for line in before]
        handlers = [*[indent + line for line in after], *handlers]
    lines += [indent + line for line in ("tick()", *body)]
    lines += [*handlers, "    return total, found, items, box.value"]
    text = "\n".join(lines) + "\n"
    filename = f"<nest {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    ticks = ctypes.c_int(
        0
    )  # no list: what the program changes outside is its effect, and undone after a trace

    def tick():
        ticks.value += 1

    scope = {"tick": ag.do_not_convert(tick), "Box": Box, "outer": Box(), "rt": rt}
    exec(compile(text, filename, "exec"), scope)
    return scope["program"], ticks


def traces(kinds, body, before=(), after=()):
    program, ticks = nest(kinds, body, before, after)
    ag.function(program).get_concrete_function(rt.asarray(2), Box())
    return ticks.value


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("kind", ["if", "for", "while"])
def test_traces_grow_by_as_many_with_every_level(kind, body):
    one, two, three, five = (traces([kind] * depth, body) for depth in (1, 2, 3, 5))
    assert three - two <= two - one + 1
    assert five - three <= 2 * (three - two)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("table['a'] = n", "table = {**table, 'a': n}"),
        ("own.bump(n)", "if n > 3: own = Box()"),
        ("items.append(n)", "items = items[1:]"),
    ],
    ids=["a dict", "an object", "a list that grows"],
)
def test_what_turns_change_and_replace_is_known_when_a_loop_is_traced_again(before, after):
    counts = [traces(["while"] * depth, ["total += n"], [before], [after]) for depth in (1, 2, 3, 4)]
    assert counts[3] - counts[2] <= counts[2] - counts[1] <= 3, counts


def test_statements_of_several_kinds_inside_one_another():
    counts = [traces((["while", "if", "for"] * 3)[:depth], BODIES["all of them"]) for depth in (3, 6, 9)]
    assert counts[2] - counts[1] <= counts[1] - counts[0] + 2


@pytest.mark.parametrize("kind", ["if", "for", "while"])
def test_a_function_that_is_traced_again_goes_on_from_what_it_learnt(kind):
    one, two, three = (traces([kind] * depth, ["outer.bump(n)"]) for depth in (1, 2, 3))
    assert three - two <= two - one <= 2


@pytest.mark.parametrize("kind", ["for", "while"])
def test_what_is_learnt_of_objects_that_each_trace_makes_is_known_in_the_next_trace(kind):
    counts = [traces([kind] * depth, [*BODIES["all of them"], "outer.bump(n)"]) for depth in (1, 2, 3, 4)]
    assert counts[3] - counts[2] <= counts[2] - counts[1] <= 1


def test_a_try_that_is_traced_again_goes_on_from_the_places_that_it_restores():
    counts = [traces(["while", "try"] * depth, ["box.bump(7 // n)"]) for depth in (1, 2, 3)]
    assert counts[2] - counts[1] <= counts[1] - counts[0] <= 2


def test_a_list_that_the_graph_has_made_needs_no_trace_of_its_own():
    assert traces(["if"] * 3, ["own = [k for k in range(n)]", "own.append(n)", "total += own[0]"]) == 1


def test_what_code_names_was_there_before_it():
    assert traces(["if"] * 3, ["alias = table", "alias['a'] = n"]) == 1
    assert traces(["try", "if"], ["alias = table", "alias['a'] = 7 // n"]) == 2


def test_what_a_try_makes_needs_no_trace_of_its_own():
    assert traces(["try"], ["own = []", "own.append(10 // n)", "total += own[0]", "box.value += n"]) == 2
    assert traces(["try"], ["own = []", "if n > 1: own.append(10 // n)", "box.value += n"]) == 2


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_an_iterator_that_a_turn_makes_needs_no_trace_of_its_own(depth):
    body = ["own = iter([n, n + 1])", "if n > 1: total += next(own)", "total += next(own, 0)"]
    assert traces(["while"] * depth, [*body, "box.value += n"]) == 1 + depth


def test_a_trace_that_starts_anew_for_another_name_goes_on_from_what_statements_learnt():
    ticks = Ticks()
    tick = ticks.tick

    def f(n):
        first, second, box, other = Box(), Box(), Box(), Box()
        total, items, rows = 0, [], []
        while total < n:
            tick()
            total += 1
            box.bump(total)
            items.append(total)
            for i in range(n):
                rows.append(box.value)
                other.bump(i)
        one = first if n > 0 else second
        one.bump(1)
        first.bump(n)
        return total, box.value, other.value, sum(items), sum(rows), one.value, first.value, second.value

    found = [int(each) for each in ag.function(f)(rt.asarray(3))]
    assert int(ticks) <= 5  # and not as many in the second trace as in the first
    assert found == [*f(3)]


def test_a_list_that_a_try_makes_longer_is_found_once():
    assert traces(["try"], ["items.append(7 // n)", "total = 7 // n"]) <= 3


def test_variables_around_a_generator_need_no_trace_of_their_own():
    def counted(n):
        while n > 0:
            n -= 1
            yield n

    ticks = ctypes.c_int(0)

    @ag.do_not_convert
    def tick():
        ticks.value += 1

    def f(n):
        found = 0
        if n > 1:
            for each in counted(n):
                tick()
                if each == 2:
                    break
                found += each
        return found

    ag.function(f).get_concrete_function(rt.asarray(3))
    assert ticks.value <= 2
    ag.check(f, 5, then=[(1,), (2,), (9,)])


def test_a_list_that_is_chosen_and_then_grows():
    def f(n):
        items, i = [], 0
        while i < n:
            i += 1
            if n > 1:
                items = [*items, n]
                items.append(i)
        return items

    ag.check(f, 3, then=[(1,), (4,), (0,)])


class Letters:
    """A node of a trie."""

    def __init__(self):
        self.after = {}


def test_a_loop_whose_turns_make_the_object_that_grows_in_the_next_one_is_soon_given_up():
    ticks = ctypes.c_int(0)

    @ag.do_not_convert
    def tick():
        ticks.value += 1

    def f(rows):
        first = Letters()
        for row in rows:
            node = first
            for code in row:
                tick()
                node = node.after.setdefault("ab"[code], Letters())
        return "a" in first.after, len(first.after)

    graph, rows = ag.function(f), np.array([[0, 1], [0, 0]])
    first, count = graph(rt.asarray(rows))
    assert ticks.value <= 60  # of three traces, the second with records; and not 48 attempts for each loop
    assert (bool(first), int(count)) == f(rows) == (True, 1)


def test_a_branch_is_traced_once_where_all_is_known():
    assert traces(["if"] * 4, BODIES["a variable"]) == 1
    assert traces(["if"] * 4, BODIES["what is made inside"]) == 1


def test_a_loop_that_is_met_again_is_known_to_change_what_has_the_same_names():
    ticks = ctypes.c_int(0)

    @ag.do_not_convert
    def tick():
        ticks.value += 1

    def sink(heap, box, at):
        while at < 3:
            tick()
            heap[0] = heap[0] + at
            box.value = at
            at += 1

    def f(n):
        box = Box()
        first, second = [n, 0], [n, 1]
        for heap in (first, second, first, second):
            sink(heap, box, n)
        return first, second, box.value

    ag.function(f).get_concrete_function(rt.asarray(0))
    assert ticks.value == 2 + 3
    ag.check(f, 0, then=[(1,), (3,), (2,)])


def test_a_loop_that_changes_less_than_it_did_before_leaves_the_rest_alone():
    def fill(items, others, n, *, both):
        while n > 0:
            n -= 1
            items[0] += n
            if both:
                others[0] += n

    def f(n):
        items, others, more = [0], [0], [4]
        fill(items, others, n, both=True)
        fill(items, more, n, both=False)
        fill(more, items, n, both=False)
        fill(others, items, n, both=True)
        return items, others, more, list(range(len(more)))

    ag.check(f, 3, then=[(0,), (1,), (5,)])


def test_a_number_that_such_a_loop_leaves_alone_is_known():
    def fill(items, others, n, *, both):
        while n > 0:
            n -= 1
            items[0] += n
            if both:
                others[0] += n

    def f(n):
        items, others = [0], [2]
        fill(items, [1], n, both=True)
        fill(items, others, n, both=False)
        return items, [*range(others[0])]

    assert len(ag.function(f).get_concrete_function(rt.asarray(0)).structured_outputs[1]) == 2


def test_a_comprehension_needs_one_trace():
    ticks = ctypes.c_int(0)

    @ag.do_not_convert
    def tick(value):
        ticks.value += 1
        return value

    def f(n):
        return [tick(k) * 2 for k in range(n)]

    ag.function(f).get_concrete_function(rt.asarray(3))
    assert ticks.value == 2  # and once to see what its items are
    ag.check(f, 5, then=[(0,), (1,)])


def test_what_is_learnt_does_not_change_what_is_computed():
    def plain(n, box):
        total, found, items = 0, None, []
        for i in range(n):
            if n > 1:
                j = 0
                while j < n:
                    j += 1
                    total += n
                    found = n
                    items.append(n)
                    box.bump(n)
        return total, found, items, box.value

    wanted = plain(3, Box())
    found = ag.function(plain)(rt.asarray(3), Box())
    assert [found[0].item(), found[1].item(), [each.item() for each in found[2]], found[3].item()] == [
        *wanted
    ]


class Ticks:
    """How often a function is traced, or the part of it that says so: what it adds is no effect."""

    def __init__(self):
        count = self._count = ctypes.c_int(0)
        self.tick = ag.do_not_convert(lambda: setattr(count, "value", count.value + 1))

    def __int__(self):
        return self._count.value


def test_where_one_object_has_another_name_no_trace_is_needed_for_each_of_the_others():
    ticks = Ticks()
    tick = ticks.tick

    def f(n):
        tick()
        first, second, third, fourth = Box(), Box(), Box(), Box()
        one = first if n > 0 else second
        one.bump(1)
        another = second if n > 1 else third
        another.bump(n)
        last = third if n > 2 else fourth
        last.bump(2)
        return first.value, second.value, third.value, fourth.value, one.value, another.value, last.value

    graph = ag.function(f)
    assert [[int(each) for each in graph(rt.asarray(n))] for n in range(4)] == [[*f(n)] for n in range(4)]
    assert int(ticks) == 2 + 4


def test_where_a_choice_between_objects_is_refused_what_has_no_other_name_is_copied():
    def f(n):
        first, second, third = Box(), Box(), Box()
        one = first if n > 0 else second
        one.bump(3)
        first.bump(1)
        another = second if n > 1 else third
        boxes = [another]
        for _ in range(n):
            boxes.append(Box())  # a list that grows holds no choice between objects
        return one.value + sum([each.value for each in boxes])

    graph = ag.function(f)
    assert [int(graph(rt.asarray(n))) for n in range(4)] == [f(n) for n in range(4)]


def test_an_iterator_that_a_run_has_made_which_is_given_up_need_not_be_put_back():
    def f(n):
        items, total = [1], 0
        for i in range(n):
            total = sum(map(lambda each: each + n, items[:3]))
            if i > 0:
                items.append(i)
        return total, items

    graph = ag.function(f)
    total, items = graph(rt.asarray(3))
    assert (int(total), [*map(int, items)]) == f(3)


def test_objects_that_are_alive_cost_a_trace_nothing():
    def seconds():
        start = time.process_time()
        traces(["while", "if"], BODIES["all of them"])
        return time.process_time() - start

    was_enabled = gc.isenabled()
    gc.disable()  # whose walks over all objects are Python's affair
    try:
        before = min(seconds() for _ in range(3))
        alive = [[number] for number in range(300_000)]
        after = min(seconds() for _ in range(3))
    finally:
        if was_enabled:
            gc.enable()
    assert len(alive) == 300_000
    assert after < 3 * before


def test_a_list_that_unconverted_code_changes_in_a_branch_is_refused_with_the_line():
    kept = []

    @ag.do_not_convert
    def keep():
        kept.append(1)

    @ag.function
    def f(n):
        if n > 0:
            keep()
        return n

    with pytest.raises(rt.errors.StateDisagrees, match=r"(?s)does not settle.*if n > 0:"):
        f(rt.asarray(1))
    assert kept == []


def test_a_function_that_writes_into_an_array_and_calls_itself_has_one_graph_for_all_calls():
    ticks = ctypes.c_int(0)

    @ag.do_not_convert
    def tick():
        ticks.value += 1

    def filled(board):
        def fill(cell):
            tick()
            if cell == 16:
                return True
            if board[cell] != 0:
                return fill(cell + 1)
            for digit in range(1, 3):
                if board[cell - 1] != digit:
                    board[cell] = digit
                    if fill(cell + 1):
                        return True
                    board[cell] = 0
            return False

        return fill(1), board

    board = [1, 0, 0, 2, 0, 0, 0, 0] * 2
    found, full = ag.function(filled)(rt.asarray(board))
    assert ticks.value <= 20  # some calls are traced in place before
    assert (bool(found), full.numpy().tolist()) == filled(list(board)) == (True, [1, 2] * 8)


@pytest.mark.parametrize("nodes", [3, 5, 7])
def test_a_number_that_differs_is_an_input_as_soon_as_a_call_is_repeated(nodes):
    ticks = ctypes.c_int(0)

    @ag.do_not_convert
    def tick():
        ticks.value += 1

    def finished(matrix):
        n = matrix.shape[0]
        seen = [False] * n
        order = []

        def visit(node):
            tick()
            seen[node] = True
            for other in range(n):
                if matrix[node, other] and not seen[other]:
                    visit(other)
            order.append(node)

        visit(0)
        return order

    matrix = np.triu(np.ones((nodes, nodes), int), 1)
    matrix[nodes - 1, 0] = 1
    assert ag.function(finished)(rt.asarray(matrix)) == finished(matrix) == [*range(nodes)][::-1]
    assert ticks.value - nodes <= 20  # the last call of Python's has come to each of them


def test_an_array_that_many_branches_inside_one_another_may_leave_is_told_once():
    def program(x):
        row = np.arange(3)
        best = row.copy()
        for k in range(15):  # told again by each, it would be told thirty thousand times
            if x[0] == k + 3:
                continue
            new = row.copy()
            new[k % 3] = k
            if x[k % 2] > k:
                row = new
                if x[1] > k:
                    best = row.copy()
        return row, best

    start = time.process_time()
    ag.check(program, np.array([9, 5]))
    assert time.process_time() - start < 30


def turn_of(before, body):
    """What a program with a loop gives, and how often the turn of the loop was traced."""
    lines = [
        "def program(n):",
        *before,
        "i = 0",
        "while i < n:",
        "    tick()",
        *[f"    {each}" for each in body],
    ]
    lines = [lines[0], *[f"    {each}" for each in [*lines[1:], "    i += 1", "return items"]]]
    text = "\n".join(lines) + "\n"
    filename = f"<turn {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    ticks = ctypes.c_int(0)

    def tick():
        ticks.value += 1

    scope = {"tick": ag.do_not_convert(tick)}
    exec(compile(text, filename, "exec"), scope)
    found = ag.function(scope["program"])(rt.asarray(2))
    return [float(each) for each in found], ticks.value


def test_a_turn_that_writes_into_a_list_by_its_name_is_traced_once():
    assert turn_of(["items = [0, 1, 2]"], ["items[i] += 5"]) == ([5, 6, 2], 1)
    grown = ["items = [0.0, 1.0]", "if n > 0:", "    items.append(n * 1.0)"]
    assert turn_of(grown, ["items[i] = items[i + 1] + 1.0"]) == ([2, 3, 2], 1)


def test_a_change_that_a_loop_names_and_does_not_make_is_taken_back():
    kept = ["if i < 0 and False:", "    items[0] = n"]
    assert turn_of(["items = [2, 3]"], kept) == ([2, 3], 2)


def test_what_is_refused_where_a_change_was_expected_is_traced_without():
    text = ["items, letters = [2, 3], {2: 'a'}"]
    turn = ["letters[items[0]].upper()", "if False:", "    items[0] = n"]
    assert turn_of(text, turn) == ([2, 3], 2)
