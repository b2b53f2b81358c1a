"""Functions that call themselves where a tensor decides."""

from collections import defaultdict, deque

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import GraphError
from tests.beyond.kit import EXECUTORS, Same, check


def test_a_function_that_calls_itself_twice():
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    check(fib, 10)
    check(fib, 1)


def test_recursion_with_statements_and_early_returns():
    def power(x, n):
        if n == 0:
            return 1.0
        half = power(x, n // 2)
        if n % 2 == 0:
            return half * half
        return half * half * x

    check(power, 1.5, 13)
    check(power, 2.0, 0)


def test_functions_that_call_each_other():
    def even(n):
        return True if n == 0 else odd(n - 1)

    def odd(n):
        return False if n == 0 else even(n - 1)

    def f(n):
        return even(n), odd(n)

    check(f, 7)
    check(f, 0)


def test_the_argument_of_a_call_may_be_a_call():
    def ackermann(m, n):
        if m == 0:
            return n + 1
        if n == 0:
            return ackermann(m - 1, 1)
        return ackermann(m - 1, ackermann(m, n - 1))

    check(ackermann, 2, 2)


def test_a_helper_recurses_under_a_function():
    def gcd(a, b):
        if b == 0:
            return a
        return gcd(b, a % b)

    def f(a, b):
        return gcd(a, b) * gcd(b, a + b)

    check(f, 48, 36)


def test_a_function_defined_inside_sees_the_variables_around():
    def f(x, n):
        scale = x * 2

        def go(k, total):
            if k == 0:
                return total
            return go(k - 1, total + scale * k)

        return go(n, 0.0)

    check(f, 1.5, 4)
    check(f, [1.0, 2.0], 3)


def test_lambdas_recurse():
    def f(n):
        factorial = lambda k: 1 if k <= 1 else k * factorial(k - 1)
        return factorial(n)

    check(f, 6)


def test_methods_recurse():
    class Tree:
        def __init__(self, factor):
            self.factor = factor

        def grow(self, size, height):
            if height == 0:
                return size
            return self.grow(size * self.factor, height - 1)

    def f(tree, size, height):
        return tree.grow(size, height)

    check(f, Same(Tree(3)), 2, 4)


def test_structures_are_arguments_and_results():
    def search(low, high, state):
        if low >= high:
            return {"at": low, "steps": state["steps"]}, (low, high)
        middle = (low + high) // 2
        state = {"steps": state["steps"] + 1, "wanted": state["wanted"]}
        if middle * middle < state["wanted"]:
            return search(middle + 1, high, state)
        return search(low, middle, state)

    def f(high, wanted):
        return search(high - high, high, {"steps": 0, "wanted": wanted})

    check(f, 100, 50)
    check(f, 100, 10000)


def test_recursion_by_structure_stays_pythons():
    def total(tree):
        if isinstance(tree, (list, tuple)):
            return sum(total(part) for part in tree)
        return tree if tree > 0 else -tree

    def first_positive(tree):
        if not isinstance(tree, tuple):
            return tree
        left = first_positive(tree[0])
        if left > 0:
            return left
        return first_positive(tree[1])

    check(lambda a, b: total([a, (b, [a, b])]), 2, -3)
    check(lambda a, b: first_positive((a, (b, a))), -2, 3)


def test_recursion_by_a_python_number_is_unrolled():
    def f(x, n):
        if n == 0:
            return x
        return f(x * 2 if x > 0 else x - 1, n - 1)

    check(f, 1.0, Same(5))
    check(f, -1.0, Same(5))


def test_a_python_counter_becomes_a_tensor():
    def halvings(x, count=0):
        if x < 1:
            return count
        return halvings(x / 2, count + 1)

    def f(x):
        return halvings(x)

    check(f, 1000.0)
    check(halvings, 1000.0)


def test_arguments_whose_shape_changes_are_widened():
    def total(x):
        if rt.size(x) == 0:
            return 0.0
        return x[0] + total(x[1:])

    @ag.function
    def staged(x):
        return total(x) if rt.sum(x) >= 0 else 0.0

    for count in (0, 1, 5, 30):
        assert staged(rt.asarray(np.arange(count, dtype=float))).numpy() == sum(range(count))


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_results_whose_dtype_grows_settle():
    def f(n):
        if n <= 0:
            return 1
        return f(n - 1) * 0.5

    check(f, 3)
    check(f, 0)


def test_recursion_inside_a_loop():
    def trees(n):
        if n <= 1:
            return 1
        total = 0
        for left in range(n):
            total += trees(left) * trees(n - 1 - left)
        return total

    check(trees, 5)


def test_effects_happen_in_order():
    def hanoi(n, source, target, spare):
        if n > 0:
            hanoi(n - 1, source, spare, target)
            print(f"disk {n}: {source} to {target}")
            hanoi(n - 1, spare, target, source)

    check(hanoi, 3, 1, 3, 2)


def test_an_argument_that_is_written_to_before_the_call_is_no_array_around():
    def fill(row):
        for place in range(2):
            if row[place] == 0:
                row[place] = place + 1
                if fill(row):
                    return True
                row[place] = 0
        return row.sum() > 3

    def filled(row):
        return fill(row), row

    staged = ag.function(filled)
    for row in ([0, 5], [0, 0], [0, -4]):
        solved, left = staged(mine := np.array(row))
        assert (bool(solved), left.tolist()) == (filled(plain := np.array(row))[0], plain.tolist())
        assert mine.tolist() == plain.tolist()


def test_errors_inside_are_raised():
    def f(n):
        if n < 0:
            raise ValueError(f"negative: {n}")
        return 0 if n == 0 else 1 + f(n - 2)

    check(f, 4)
    check(f, 3, raises=ValueError)


def test_recursion_without_end_is_pythons_error():
    def f(n):
        return n if n == 0 else f(n - 2)

    check(f, 5, raises=RecursionError, message="maximum recursion depth exceeded")


def test_a_dict_is_changed_on_the_way():
    def visit(n, seen):
        if n > 0:
            seen["sum"] = seen["sum"] + n
            visit(n - 1, seen)

    def f(n):
        seen = {"sum": n - n}
        visit(n, seen)
        return seen

    ag.check(f, np.int64(3), then=[(np.int64(0),), (np.int64(5),)])


def test_a_list_that_is_longer_in_every_call_becomes_one_of_the_graph():
    def visit(n, seen):
        if n > 0:
            return visit(n - 1, seen + [n])  # noqa: RUF005  # as people write it
        return len(seen)

    def f(n):
        return visit(n, [])

    ag.check(f, np.int64(3), then=[(np.int64(0),), (np.int64(5),)])


def test_a_nest_that_gets_deeper_on_the_way_has_no_end():
    def visit(n, seen):
        if n > 0:
            visit(n - 1, (seen,))
        return n

    @ag.function
    def f(n):
        return visit(n, ())

    with pytest.raises(RecursionError) as caught:
        f(rt.asarray(3))
    assert any("no nest that gets deeper" in note for note in caught.value.__notes__)


def test_an_argument_that_changes_by_another_name_is_refused():
    @ag.function
    def f(n):
        found = [n]

        def visit(n, given):
            if n > 0:
                given[0] = given[0] + found[0]
                visit(n - 1, given)

        visit(n, found)
        return found

    with pytest.raises(
        GraphError, match=r"visit\(\) changes an argument that it also reaches by another name"
    ):
        f(rt.asarray(3))


def test_deep_recursion_by_a_python_number_is_one_graph():
    def power(x, n):
        if n == 0:
            return 1.0
        if x > 0:
            return x * power(x, n - 1)
        return -x * power(x, n - 1)

    check(lambda x: power(x, 20), -1.5)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_decorated_functions_call_themselves_and_each_other(executor):
    @ag.function(executor=executor)
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    @ag.function(executor=executor)
    def even(n):
        return n == 0 or odd(n - 1)

    @ag.function(executor=executor)
    def odd(n):
        return n != 0 and even(n - 1)

    assert fib(rt.asarray(12)).numpy() == 144
    assert fib.experimental_get_tracing_count() == 1
    assert even(rt.asarray(9)).numpy() == np.False_
    assert odd(rt.asarray(9)).numpy() == np.True_
    assert fib(5).numpy() == 5


def test_a_function_that_only_ever_raises_is_refused_where_it_calls_itself():
    def dive(k):
        if k == 0:
            raise ValueError("bottom")
        return dive(k - 1)

    @ag.function
    def f(n):
        try:
            return dive(n)
        except ValueError:
            return n

    with pytest.raises(GraphError, match="calls it again, or raises"):
        f(rt.asarray(3))


def test_a_function_of_the_graph_is_traced_anew_with_the_body_of_a_try():
    class Walker:
        def __init__(self):
            self.seen = []

        def walk(self, k):
            self.seen.append(k)
            if k > 0:
                self.walk(k - 1)

    def f(n):
        walker = Walker()
        try:
            walker.walk(n)
            if n > 2:
                raise KeyError("left")
        except KeyError:
            walker.walk(n)
        return walker.seen

    ag.check(f, np.int64(1), then=[(np.int64(3),)])


def test_every_path_recursive_is_refused():
    @ag.function
    def f(n):
        return f(n - 1) if n > 0 else f(n + 1)

    with pytest.raises(GraphError, match="every path through f\\(\\) calls it again"):
        f(rt.asarray(3))


def test_recursion_that_only_raises_is_refused_though_a_number_changes_in_each_call():
    def climb(n, steps):
        if n > 100:
            raise ValueError("too high")
        return climb(n + 1, steps + 1)

    with pytest.raises(GraphError, match="every path through climb\\(\\) calls it again, or raises"):
        ag.function(lambda n: climb(n, 0))(rt.asarray(3))


def test_a_program_of_a_recursive_function_stands_alone():
    @ag.function
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    namespace = {}
    exec(fib.get_concrete_function(rt.TensorSpec((), rt.int64)).to_python(), namespace)
    assert namespace["fib"](15) == 610


def test_functions_that_one_decorator_makes_are_no_calls_of_one_another():
    calls = []

    def counted(function):
        def inner(x):
            calls.append(1)
            return function(x)

        return inner

    @counted
    def negative(x):
        return -x

    @counted
    def bounded(x):
        return negative(x) if x > 2 else x

    def program(x):
        return bounded(x), len(calls)

    ag.check(program, np.float64(1.0), then=[(np.float64(3.0),)])


def test_a_call_in_a_branch_sees_what_was_written_since_the_call_before():
    def array(a, n):
        a = a.copy()

        def down(k):
            if k <= 0:
                return a[0]
            return down(k - 1) + a[1]

        total = down(n)
        if n > 1:
            total = total + down(n)
            a[0] = 50
            total = total + down(n)
        return total + down(n), a

    def items(a, n):
        xs = []
        for v in a:
            xs.append(v)

        def down(k):
            if k <= 0:
                return xs[-1] + len(xs)
            return down(k - 1) + xs[0]

        total = down(n)
        if n > 1:
            xs.append(total)
            total = total + down(n)
        return total + down(2), xs

    for program in (array, items):
        ag.check(program, np.array([3, 1, 4]), np.int64(1), then=[(np.array([3, 1, 4]), np.int64(3))])


def test_a_function_sees_what_the_program_has_changed_since_the_call_before():
    class Box:
        def __init__(self, value):
            self.value = value

    def variable(n):
        step = 3

        def down(k):
            return k + step if k <= 0 else down(k - 1) + step

        total = down(n)
        step = 4
        return total * 100 + down(n)

    def attribute(n):
        box = Box(3)

        def down(k):
            return k + box.value if k <= 0 else down(k - 1) + box.value

        total = down(n)
        box.value = 4
        return total * 100 + down(n)

    def item(n):
        steps = [3]

        def down(k):
            return k + steps[0] if k <= 0 else down(k - 1) + steps[0]

        total = down(n)
        steps[0] = 4
        return total * 100 + down(n)

    for program in (variable, attribute, item):
        ag.check(program, np.int64(2))


def test_a_function_sees_a_list_that_has_become_one_of_the_graph_since():
    def program(values, n):
        kept = [values[0]]

        def even(k):
            return kept[-1] if k <= 0 else odd(k - 1)

        def odd(k):
            return -kept[-1] if k <= 0 else even(k - 1)

        total = values[0]
        if n > 1:
            total += odd(n)
            kept.append(5)
            total += odd(n)
        return total

    ag.check(program, np.array([3, 1]), np.int64(2))


def test_what_captures_values_serves_other_places_where_all_that_it_reads_is_as_it_was():
    class Walk:
        def __init__(self, steps):
            self.steps, self.at, self.marks = steps, 0, {"first": 1}

        def down(self, n):
            if n <= 0:
                return self.steps[self.at] + self.marks["first"]
            self.at = self.at + 1
            return self.down(n - 1) + self.steps[0]

    def program(steps, n):
        walk = Walk([each * 2 for each in steps])
        total = walk.down(n)
        if n > 1:
            walk.at = 0
            total = total + walk.down(n)
            walk.marks["first"] = 7
            walk.at = 0
            total = total + walk.down(n - 1)
            walk.steps[0] = total
            walk.at = 0
            total = total + walk.down(n - 1)
            walk.steps = steps
            walk.at = 0
            total = total + walk.down(n - 1)
        walk.at = 0
        return total + walk.down(1), walk.at

    ag.check(program, np.array([3, 1, 4, 1, 5]), np.int64(2))


def test_a_parser_whose_methods_call_each_other_is_traced_once_for_each_of_them(caplog):
    class Parser:
        def __init__(self, tokens):
            self.tokens, self.at = tokens, 0

        def peek(self):
            return self.tokens[self.at] if self.at < len(self.tokens) else -1

        def take(self):
            token = self.peek()
            self.at += 1
            return token

        def total(self):
            value = self.product()
            while self.peek() == 10:
                self.take()
                value = value + self.product()
            return value

        def product(self):
            value = self.factor()
            while self.peek() == 12:
                self.take()
                value = value * self.factor()
            return value

        def factor(self):
            if self.peek() == 14:
                self.take()
                value = self.total()
                self.take()
                return value
            return self.take() * 1.0

    def program(tokens):
        return Parser(tokens).total()

    ag.check(program, np.array([14, 2, 10, 3, 15, 12, 4]))
    function = ag.function(program)
    with caplog.at_level("INFO", logger="autograph.tracing"):
        function.get_concrete_function(np.array([14, 2, 10, 3, 15, 12, 4]))
    assert len(caplog.records) <= 4  # of a graph in each place where a method is called: dozens


def test_a_parser_of_functions_inside_of_one_another_is_traced_once_for_each_of_them(caplog):
    def program(tokens):
        at = 0

        def take():
            nonlocal at
            at += 1
            return tokens[at - 1]

        def total():
            value = product()
            while at < len(tokens) and tokens[at] == 10:
                take()
                value = value + product()
            return value

        def product():
            value = factor()
            while at < len(tokens) and tokens[at] == 12:
                take()
                value = value * factor()
            return value

        def factor():
            if tokens[at] == 14:
                take()
                value = total()
                take()
                return value
            if tokens[at] == 11:
                take()
                return -factor()
            return take()

        return total()

    ag.check(program, np.array([14, 2, 10, 11, 3, 15, 12, 4]))
    function = ag.function(program)
    with caplog.at_level("INFO", logger="autograph.tracing"):
        function.get_concrete_function(np.array([14, 2, 10, 11, 3, 15, 12, 4]))
    assert len(caplog.records) <= 4  # of a graph in each place where a function is called: dozens


def test_a_function_sees_what_containers_of_the_graph_hold_by_now():
    def in_dict(n):
        kept = {0: 3}

        def down(k):
            if k in kept:
                return kept[k]
            kept[k] = down(k - 1) + down(k - 2) if k > 1 else k + len(kept)
            return kept[k]

        total = down(n)
        kept[n - 1] = 100
        del kept[n]
        return total * 1000 + down(n)

    def in_set(n):
        seen = {0}

        def down(k):
            if k in seen:
                return len(seen)
            seen.add(k)
            return down(k - 1) + 1 if k > 0 else down(k + 1)

        total = down(n)
        seen.discard(n)
        seen.add(n + 5)
        return total * 1000 + down(n)

    def in_deque(n):
        last = deque([1], maxlen=3)

        def down(k):
            if k <= 0:
                return last[0] + len(last)
            last.append(k)
            return down(k - 1) * 2

        total = down(n)
        last.append(9)
        return total * 1000 + down(n)

    for program in (in_dict, in_set, in_deque):
        ag.check(program, np.int64(4), then=[(np.int64(2),)])


def test_a_function_sees_what_a_default_of_a_dict_reads_by_now():
    def program(n):
        step = 3
        kept = defaultdict(lambda: step)

        def down(k):
            return kept["first"] if k <= 0 else down(k - 1) + 1

        total = down(n)
        del kept["first"]
        step = 4
        return total * 100 + down(n)

    def of_graph(n):
        step = 3
        kept = defaultdict(lambda: step)

        def down(k):
            return kept[k] if k <= 0 else down(k - 1) + kept[k]

        total = down(n)
        kept.clear()
        step = 4
        return total * 100 + down(n)

    for each in (program, of_graph):
        ag.check(each, np.int64(2))


def test_a_function_puts_names_into_a_dict_of_its_caller():
    def program(n):
        found, counts = {}, defaultdict(int)

        def down(k):
            if k <= 0:
                found["end"] = k * 10
                return 0
            counts["steps"] += 1
            return down(k - 1) + counts["steps"]

        return down(n), found, dict(counts), len(counts)

    ag.check(program, np.int64(3), then=[(np.int64(0),), (np.int64(1),)])
