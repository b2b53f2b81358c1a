"""What a generator changes whose frame has to wait: it runs as the user wrote it, and announces nothing."""

import contextlib

import numpy as np
import pytest

import autograph as ag
from runtime.errors import GraphError, NoConcreteValue

TOTAL = 0.0
CALLS = [(np.int64(2), np.float64(0.0)), (np.int64(0), np.float64(3.0)), (np.int64(4), np.float64(1.5))]


class Box:
    def __init__(self):
        self.value = 1.0
        self.seen = [1.0]


def an_item_in_a_finally(n, v):
    items = [1.0]

    def numbers():
        try:
            yield 1
        finally:
            items[0] = 5.0

    if v > 1:
        for _ in numbers():
            pass
    return items


def a_list_that_grows_behind_what_a_yield_gives(n, v):
    items, table = [1.0], {"a": [1.0], "b": v}

    def numbers(by):
        given = (yield by) or 3.0
        items.append(given)
        table["a"][0] = table["b"] + given

    total = 0.0
    if v > 1:
        total = sum(numbers(v), 0.0)
    return items, table, total


def a_variable_of_a_function_around(n, v):
    k = 0.0

    def numbers():
        nonlocal k
        try:
            yield 1
        finally:
            k = 5.0

    if v > 1:
        for _ in numbers():
            pass
    return k


def a_global(n, v):
    global TOTAL

    def numbers():
        global TOTAL
        with np.errstate(all="ignore"):
            yield v
            TOTAL = TOTAL + v

    if v > 1:
        for number in numbers():
            TOTAL = TOTAL + number
    return TOTAL


def an_object_that_it_is_given(n, v):
    box = Box()

    def numbers(it):
        try:
            yield 1
        finally:
            it.value = v
            it.seen.append(v)

    for turn in range(n):
        for number in numbers(box):
            box.value = box.value + number * turn
    return box.value, box.seen


def one_that_a_tensor_leaves_early(n, v):
    items = [1.0]

    def numbers():
        given = (yield len(items)) or 2.0
        items.append(given)

    for _ in numbers():
        if v > 1:
            break
    return items


@pytest.mark.parametrize(
    "program",
    [
        one_that_a_tensor_leaves_early,
        *(an_item_in_a_finally, a_list_that_grows_behind_what_a_yield_gives, a_variable_of_a_function_around),
        *(a_global, an_object_that_it_is_given),
    ],
)
def test_it_has_changed_only_where_the_generator_has_run(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_one_that_is_sent_a_value_in_a_branch_is_refused():
    def program(v):
        items = [1.0]

        def numbers():
            items[0] = 1 + (yield 1)

        waiting = numbers()
        next(waiting)
        if v > 1:
            try:
                waiting.send(2.0)
            except StopIteration:
                pass
        return items

    with pytest.raises(GraphError, match="asked for items where a tensor decides"):
        ag.function(program)(np.float64(3.0))


def test_what_numpy_says_of_a_value_of_the_graph_is_ours_to_say():
    def program(v):
        made = np.zeros(3)

        def numbers():
            try:
                yield v
            finally:
                made[0] = v

        return sum(numbers(), 0.0), made

    with pytest.raises(NoConcreteValue, match="used as a Python float"):
        ag.function(program)(np.float64(3.0))


def left_early(x, n):
    steps = []

    def numbers():
        try:
            yield 1.0
            yield 2.0
        finally:
            steps.append("closed")

    total = 0.0
    for each in numbers():
        total += each * x
        break
    steps.append("behind")
    for each in numbers():
        if each * n > 1:
            break
    steps.append("the end")
    return total, steps


def left_early_while_somebody_has_it(x, n):
    steps = []

    def numbers():
        try:
            yield 1.0
            yield 2.0
            yield 3.0
        finally:
            steps.append("closed")

    kept = numbers()
    for each in kept:
        x = x + each
        break
    steps.append("behind")
    return [x + each for each in kept], steps


@pytest.mark.parametrize("program", [left_early, left_early_while_somebody_has_it])
def test_a_generator_that_a_loop_leaves_is_closed_where_nobody_has_it(program):
    ag.check(program, np.float64(2.0), np.int64(3), then=[(np.float64(1.0), np.int64(0))])


def left_by_an_exception(n):
    out = []

    def each():
        try:
            yield 1
            yield 2
        finally:
            out.append(5)

    try:
        for q in each():
            raise ValueError(q)
    except ValueError as error:
        out.append(error.args[0])
    return out, n * 2


def left_by_an_exception_of_a_callee(n):
    out = []

    def each():
        try:
            yield 1
        finally:
            out.append(5)

    def use(table):
        for q in each():
            out.append(table[q])

    try:
        use({})
    except KeyError:
        out.append(7)
    return out, n * 2


@pytest.mark.parametrize("program", [left_by_an_exception, left_by_an_exception_of_a_callee])
def test_a_generator_that_an_exception_leaves_is_closed_before_the_exception_is_handled(program):
    ag.check(program, np.int64(3), then=[(np.int64(0),)])


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_a_generator_raises_that_nobody_has_any_more_ends_nothing():
    def program(n):
        def each():
            try:
                yield n
            finally:
                raise KeyError("no")

        for item in each():
            return item * 2
        return n

    assert ag.function(program)(np.int64(3)) == program(np.int64(3)) == 6


LEVEL = 1.0


def raised(by):
    global LEVEL
    LEVEL += by


def by_a_function_of_both(n, v):
    level = 1.0

    def up(by):
        nonlocal level
        level += by

    def numbers():
        if n > 1:
            return up(v)
        yield 1.0

    for _ in numbers():
        up(v)
    return level


def by_a_function_of_the_module(n, v):
    global LEVEL

    def numbers():
        if n > 1:
            raised(v)
            return
        yield 1.0

    for _ in numbers():
        raised(v)
        LEVEL *= 2
    return LEVEL


def by_turns_that_yield_nothing(n, v):
    level = 1.0

    def up(by):
        nonlocal level
        level += by
        return level

    def numbers():
        for i in range(n):
            if i > 1:
                up(v)
                continue
            yield up(1.0)

    def large():
        for number in numbers():
            if number > 2:
                up(number)
            else:
                yield number

    return [up(number) for number in large()], level


def by_the_manager(n, v):
    level = 1.0

    def up(by):
        nonlocal level
        level += by

    @contextlib.contextmanager
    def open_level():
        if n > 1:
            up(v)
        yield 1.0
        if n > 2:
            up(v)

    with open_level() as by:
        up(by)
        level *= 2
    return level


@pytest.mark.parametrize(
    "program",
    [by_a_function_of_both, by_a_function_of_the_module, by_turns_that_yield_nothing, by_the_manager],
)
def test_what_its_consumer_binds_in_a_callee_is_bound_where_it_yields_nothing(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])
