"""Variables that have no value on some paths, None on some paths, and returns from anywhere."""

import collections
import math

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.beyond.kit import Same, check
from tests.promises.kit import function_of

# ── undefined ──


def test_a_variable_assigned_in_one_branch_is_read_where_it_was_assigned():
    def f(x):
        if x > 0:
            y = x * 2
        if x > 0:
            return y
        return x

    check(f, 3)
    check(f, -3)


def test_reading_it_where_it_was_not_assigned_raises_unbound_local_error():
    def f(x):
        if x > 0:
            y = x * 2
        return y

    check(f, 3)
    check(f, -3, raises=UnboundLocalError)


def test_a_variable_first_assigned_in_a_loop_is_read_after_it():
    def f(n):
        for i in range(n):
            last = i * 10
        return last

    check(f, 4)
    check(f, 0, raises=UnboundLocalError)


def test_a_while_loop_may_assign_a_variable_in_some_turns_only():
    def f(n):
        i = 0
        while i < n:
            if i % 2 == 1:
                odd = i
            i += 1
        return odd

    check(f, 6)
    check(f, 1, raises=UnboundLocalError)


def test_the_target_of_a_loop_is_known_afterwards():
    def f(n):
        for i in range(n):
            pass
        return i

    check(f, 5)
    check(f, 0, raises=UnboundLocalError)


def test_an_inner_function_that_reads_it_raises_name_error():
    def f(x):
        def read():
            return y

        if x > 0:
            y = x
        return read()

    check(f, 1)
    check(f, -1, raises=NameError)


def test_del_takes_the_value_away_on_one_path():
    def f(x):
        y = x + 1
        if x > 0:
            del y
        return y

    check(f, -1)
    check(f, 1, raises=UnboundLocalError)


def test_a_nest_may_be_undefined_on_a_path():
    def f(x):
        if x > 0:
            pair = (x, [x + 1, x + 2])
        a, (b, c) = pair
        return a + b * c

    check(f, 2)
    check(f, 0, raises=UnboundLocalError)


def test_a_variable_of_nested_branches():
    def f(a, b):
        if a > 0:
            if b > 0:
                z = a + b
        elif b > 0:
            z = a - b
        return z

    check(f, 1, 1)
    check(f, -1, 1)
    check(f, 1, -1, raises=UnboundLocalError)


# ── None ──


def test_none_is_replaced_in_a_loop():
    def largest(items):
        best = None
        for item in items:
            if best is None or item > best:
                best = item
        return best

    check(largest, [3, 9, 2])
    check(largest, [-5.0])


def test_none_stays_where_nothing_is_found():
    def find(items, wanted):
        found = None
        for item in items:
            if item == wanted:
                found = item * 100
        return found

    check(find, [1, 2, 3], 2)
    check(find, [1, 2, 3], 9)


def test_none_in_one_branch_and_a_test_for_it():
    def f(x):
        y = x * 2 if x > 0 else None
        if y is not None:
            return y + 1
        return -1

    check(f, 3)
    check(f, -3)


def test_none_is_false():
    def f(x):
        y = None
        if x > 1:
            y = x - 2
        if y:
            return 1
        return 0

    check(f, 5)
    check(f, 2)
    check(f, 0)


def test_none_is_equal_to_none_alone():
    def f(x):
        y = x if x > 0 else None
        return (y == None, y != None)

    check(f, 1)
    check(f, -1)


def test_computing_with_none_is_a_type_error():
    def f(x):
        y = None
        if x > 0:
            y = x
        return y + 1

    check(f, 1)
    check(f, -1, raises=TypeError, message="None")


def test_a_pair_or_none():
    def f(items):
        best = None
        for i, item in enumerate(items):
            if best is None or item > best[1]:
                best = (i, item)
        return best

    check(f, [3, 9, 2])


def test_none_handed_to_a_function():
    def or_zero(value):
        return 0 if value is None else value

    def f(x):
        y = None
        if x > 0:
            y = x
        return or_zero(y) + or_zero(None)

    check(f, 4)
    check(f, -4)


def test_none_goes_back_to_none():
    def f(n):
        value = None
        for i in range(n):
            value = i if value is None else None
        return value

    for n in range(4):
        check(f, n)


# ── return ──


def test_a_path_without_a_return_gives_none():
    def f(x):
        if x > 0:
            return x

    check(f, 1)
    check(f, -1)


def test_a_return_inside_of_a_staged_loop():
    def f(items, limit):
        total = 0
        for item in items:
            total += item
            if total > limit:
                return total
        return -1

    check(f, [1, 2, 3, 4], 5)
    check(f, [1, 2, 3, 4], 50)


def test_a_loop_that_may_return_and_a_function_that_ends_without():
    def f(n):
        i = 0
        while i < n:
            if i * i > 10:
                return i
            i += 1

    check(f, 10)
    check(f, 2)


def test_a_bare_return_beside_one_with_a_value():
    def f(x):
        if x < 0:
            return
        if x > 10:
            return x
        return

    for x in (-1, 5, 11):
        check(f, x)


def test_returns_of_nests_from_loops_and_branches():
    def f(items):
        for i, item in enumerate(items):
            if item < 0:
                return i, (item, "negative")
        return -1, (0, "negative")

    check(f, [1, -2, 3])
    check(f, [1, 2, 3])


def test_objects_that_are_no_tensors_pass_beside_none():
    def f(x, names):
        name = None
        if x > 0:
            name = names
        return name

    check(f, 1, Same("left"))
    check(f, -1, Same("left"))


def test_a_list_of_none_is_filled_where_a_tensor_says():
    def heap(n):
        below = [None] * 5
        for i in range(n):
            place = 0
            while below[place] is not None:
                place = below[place]
            below[place] = i + 1
            if i == 3:
                below[1] = None
        return below, [item for item in below if item is not None]

    for n in (0, 1, 4):
        ag.check(heap, np.int64(n))


def test_none_as_an_index_is_a_type_error():
    def taken(n):
        following, rows = [1, None, 0], [3.0, 4.0, 5.0]
        place = 0
        for _ in range(n):
            place = following[place]
        return rows[place]

    ag.check(taken, np.int64(1))
    ag.check(taken, np.int64(2))


def test_what_a_try_has_asked_for_is_asked_for_again_where_it_was_left():
    def f(n):
        if n > 3:
            late = n * 2
        total = 0
        try:
            if n > 1:
                raise ValueError
            total += late
        except ValueError:
            total = late
        return total

    ag.check(f, np.int64(3), then=[(np.int64(5),), (np.int64(0),)])


def test_what_may_be_none_is_true_as_its_class_says():
    class Bag:
        asked = 0

        def __init__(self, n):
            self.n = n

        def __len__(self):
            Bag.asked += 1
            return self.n

    class Spot:
        def __init__(self, x):
            self.x = x

    def f(n, x):
        bag, spot, rows, name = (Bag(n), Spot(x), [n], "a") if x > 1 else (None, None, None, None)
        return 1 if bag else 2, not spot, bool(rows), bag and bag.n, 3 if name else 4, all([bag, rows])

    big, small = np.float64(2.0), np.float64(0.5)
    ag.check(f, np.int64(0), big, then=[(np.int64(0), small), (np.int64(2), big)])


def test_a_key_that_may_be_none_is_looked_up():
    rank = {"+": 1, "*": 2}

    def of_a_dict(c):
        sign = "+*"[c] if c >= 0 else None
        return rank[sign]

    def of_a_dict_with_none(c):
        key = c if c >= 0 else None
        return {0: 5, 1: 7, None: 9}[key], {0: 5}.get(key, -3), {(0, 1): 4, None: 8}.get(key)

    def of_a_set(c):
        key = c if c >= 0 else None
        return key in {0, 2}, key in {None, 1}, key in (0, None), key in {0: 1}, key not in {1}

    def of_what_grows(c):
        seen, out = set(), []
        for number in (0, c, 1, c, -1):
            key = number if number >= 0 else None
            if key in seen:
                continue
            seen.add(number)
            out.append(number)
        return out

    def precedence(codes):
        stack, out = [], []
        for code in codes:
            sign = "+*"[code]
            while stack and rank[stack[-1] if stack else None] >= rank[sign]:
                out.append(stack.pop())
            stack.append(sign)
        return out, stack

    for program in (of_a_dict, of_a_dict_with_none, of_a_set, of_what_grows):
        ag.check(program, np.int64(0), then=[(np.int64(1),), (np.int64(-1),)])
    ag.check(precedence, np.array([0, 1, 0]), then=[(np.array([1, 1, 0]),)])


def test_a_dict_of_pythons_with_none_among_its_keys_takes_no_key_that_may_be_none():
    def f(c):
        values = {0: 5, None: 1}
        key = c if c >= 0 else None
        return values.pop(key), values

    with pytest.raises(StateDisagrees, match="the key None is in one container with keys that only the run"):
        ag.function(f)(np.int64(0))


Place = collections.namedtuple("Place", "x y")


def test_what_may_be_none_is_compared_by_what_it_is():
    def numbers(n):
        x = n if n > 0 else None
        z = n * 2.0 if n > 1 else None
        return x == 2, x == z, 2 == x, x != z, x in [1, 2], (x, z) == (2, 4)

    def tuples(n):
        place = Place(n, n + 1) if n > 0 else None
        return place == (2, 3), place == Place(2, 3), place != (2, 3)

    def names(n):
        table = {0: "run", 1: "idle", 2: "halt"}
        state, after = table.get(int(n)), table.get(int(n) + 1)
        return state == after, state == "run", state in ("run", None), {"a": state} == {"a": "run"}

    def lists(n):
        rows = None
        if n > 0:
            rows = []
            for k in range(n):
                rows.append(k)
        return rows == [0, 1], rows != [0], [rows] == [None]

    for program in (numbers, tuples, names, lists):
        ag.check(program, np.int64(0), then=[(np.int64(n),) for n in (1, 2, 3, -1)])


def test_a_machine_of_states_by_name_stays_where_its_table_has_none():
    table = {("idle", 0): "run", ("run", 1): "idle", ("run", 2): "halt"}

    def run(codes):
        state, trace = "idle", []
        for code in codes:
            after = table.get((state, int(code)))
            if after is None:
                trace.append(f"stay {state}")
                continue
            state = after
            trace.append(state)
            if state == "halt":
                break
        return state, trace

    def once(code):
        return table.get(("run", int(code)))

    ag.check(run, np.array([0, 1, 0, 2, 1]), then=[(np.array([1, 1, 0, 0, 0]),)])
    ag.check(once, np.int64(1), then=[(np.int64(5),)])


def test_a_key_that_may_be_none_is_put_in():
    def passed_over(xs):
        groups = {}
        for x in xs:
            key = "high" if x > 3 else "low" if x > 1 else None
            if key is None:
                continue
            if key in groups:
                groups[key].append(x)
            else:
                groups[key] = [x]
        return groups, {key: len(group) for key, group in groups.items()}

    def put_in(xs):
        sums = {}
        for x in xs:
            key = "high" if x > 3 else None
            if key in sums:
                sums[key] += x
            else:
                sums[key] = x
        return sums, None in sums, "high" in sums

    def counted(xs):
        sums, counts, groups = {}, collections.Counter(), collections.defaultdict(list)
        for x in xs:
            key = "high" if x > 3 else None
            counts[key] += 1
            groups[key].append(x)
            if key is not None:
                sums[key] = sums.get(key, 0) + x
        return sums, counts[None], counts["high"], groups[None], len(groups)

    for program in (passed_over, put_in, counted):
        ag.check(program, np.array([1, 2, 9, 1, 0, 4]), then=[(np.array([3, 3, 3, 3, 3, 3]),)])


def of_last(use):
    """A function of the last number above 1, which is None where there is none."""

    def run(xs):
        last = None
        for x in xs:
            if x > 1:
                last = x
        return use(last)

    return run


@pytest.mark.parametrize(
    "use",
    [
        float,
        int,
        complex,
        round,
        lambda v: round(v, 1),
        lambda v: [float(each) for each in (v, 0.5)],
        lambda v: list(range(int(v))),
        lambda v: float(v) if v is not None else -1.0,
        lambda v: getattr(v, "nothing", 7.0),
    ],
)
def test_a_number_that_may_be_none_is_taken_by_what_makes_numbers(use):
    ag.check(of_last(use), np.array([1.0, 2.25]), then=[(np.array([3.5, 0.0]),), (np.array([1.0, 0.0]),)])


@pytest.mark.parametrize(
    "use",
    [
        lambda v: -v,
        abs,
        lambda v: v + 1,
        lambda v: 1.5 - v,
        lambda v: v * np.float64(2.0),
        lambda v: v**2,
        lambda v: v < 2.0,
        lambda v: divmod(v, 2),
    ],
)
def test_python_says_itself_what_is_wrong_with_none(use):
    ag.check(of_last(use), np.array([1.0, 2.25]), then=[(np.array([1.0, 0.0]),)])


def test_a_special_method_makes_a_number_of_an_attribute_that_may_be_none():
    class Mean:
        def __init__(self):
            self.value = None

        def __float__(self):
            return float(self.value)

        def __int__(self):
            return int(self.value)

    def run(xs):
        mean = Mean()
        for x in xs:
            mean.value = x if mean.value is None else 0.5 * (mean.value + x)
        return float(mean), int(mean)

    ag.check(run, np.array([1.0, 2.0]), then=[(np.array([3.0]),)])


def of_list_or_none(use):
    """A function of a list of numbers, and of one of words, each of which may be None or empty."""

    def run(x, n):
        numbers, words = [], []
        for i in range(n):
            numbers.append(i)
            words.append("ab"[i % 2])
        return use(numbers if x > 1 else None), use(words if x > 1 else None)

    return run


@pytest.mark.parametrize(
    "use",
    [
        bool,
        lambda v: not v,
        lambda v: 1 if v else 2,
        lambda v: len(v) if v else -1,
        lambda v: v is not None and not v,
    ],
)
def test_the_truth_of_a_list_that_may_be_none_is_whether_it_holds_something(use):
    then = [(np.float64(0.0), np.int64(2)), (np.float64(3.0), np.int64(0))]
    ag.check(of_list_or_none(use), np.float64(2.0), np.int64(3), then=then)


def test_a_text_that_may_be_none_is_taken_by_builtins():
    def run(x, n):
        word = ""
        for i in range(n):
            word += "ab"[i % 2]
        found = word if x > 1 else None
        return (
            *(bool(found), not found, len(found) if found else -1, found or "none", found is None),
            *(list(found) if found else [], ord(found[0]) if found else 0, f"{found}", str(found)),
            sorted(found) if found else None,
        )

    then = [(np.float64(0.0), np.int64(2)), (np.float64(3.0), np.int64(0))]
    ag.check(run, np.float64(2.0), np.int64(3), then=then)


def of_place(use):
    """A function of numbers and the place of the last above 1, which is None where there is none."""

    def run(xs):
        place = None
        for i, x in enumerate(xs):
            if x > 1:
                place = i
        return use(place, xs)

    return run


PLACES = [(np.array([3.0, -2.0, 3.0, 0.0]),), (np.array([0.0, 0.0, 0.0, 0.0]),)]


@pytest.mark.parametrize(
    "use",
    [
        lambda v, xs: list(range(v)),
        lambda v, xs: [i * 2 for i in range(v, 5)],
        lambda v, xs: list(enumerate("ab", v)),
        lambda v, xs: chr(65 + v),
        lambda v, xs: hex(v),
        lambda v, xs: math.comb(5, v),
        lambda v, xs: math.gcd(v, 6),
        lambda v, xs: math.sqrt(v),
        lambda v, xs: math.hypot(1.0, v),
        lambda v, xs: divmod(7, v),
        lambda v, xs: [1, 2, 3, 4][v],
        lambda v, xs: (1, 2, 3, 4)[v],
        lambda v, xs: "abcd"[v],
        lambda v, xs: range(9)[v],
    ],
)
def test_an_integer_that_may_be_none_is_taken_as_one_and_refused_by_python_as_none(use):
    ag.check(of_place(use), np.array([1.0, 2.0, 0.0, 0.0]), then=PLACES)


def changed(v, xs):
    items = [1, 2, 3, 4]
    items[:v] = [9]
    del items[v:]
    return items


@pytest.mark.parametrize(
    "use",
    [
        lambda v, xs: [1, 2, 3, 4][:v],
        lambda v, xs: [1, 2, 3, 4][v:],
        lambda v, xs: (1, 2, 3, 4)[:v],
        lambda v, xs: "abcd"[v:],
        lambda v, xs: xs[:v].sum(),
        lambda v, xs: xs[v:3].sum(),
        changed,
    ],
)
def test_a_bound_of_a_slice_that_may_be_none_is_none_there(use):
    ag.check(of_place(use), np.array([1.0, 2.0, 0.0, 0.0]), then=PLACES)


def test_the_text_of_an_exception_of_what_may_be_none_is_python_s():
    def run(x):
        word = number = None
        if x > 1:
            word, number = "b" if x > 2 else "cat", x
        made = ValueError(word), KeyError(word), ValueError(number), ValueError(word, number)
        try:
            raise ValueError(word)
        except ValueError as error:
            caught = str(error), repr(error), f"{error}", error.args
        return [str(each) for each in made], [repr(each) for each in made], caught

    ag.check(run, np.float64(2.5), then=[(np.float64(1.5),), (np.float64(0.5),)])


@pytest.mark.parametrize(
    "use",
    [
        lambda v: v[0],
        list,
        lambda v: [each for each in v],
        lambda v: 1.0 in v,
        len,
        lambda v: v.append(1.0),
        lambda v: np.array(v).sum() if v else 0.0,
    ],
)
def test_python_says_itself_what_is_wrong_with_no_list(use):
    def run(x):
        items = None
        if x > 1:
            items = [x, 2.0]
        return use(items)

    ag.check(run, np.float64(2.5), then=[(np.float64(0.5),)])


def first_settled(xs):
    found = []
    for x in xs:
        first, k = None, 0
        while first is None:
            if x + k > 1:
                first = (x + k) * 2
            k += 1
        found.append(first)
    return found


AS_ARRAY = {
    "array": lambda items: np.array(items),
    "equal": lambda items: np.array(items) == items[0],
    "mean": lambda items: np.mean(items),
    "add": lambda items: np.ones(len(items)) + items,
}


@pytest.mark.parametrize("use", AS_ARRAY.values(), ids=AS_ARRAY)
def test_a_list_of_what_may_be_none_is_an_array_where_nothing_in_it_is(use):
    ag.check(
        lambda xs: use(first_settled(xs)), np.array([0.5, 3.0, -1.0]), then=[(np.array([2.0]),)], ulps=0.0
    )


def test_a_none_in_a_list_is_no_number_of_an_array():
    @ag.function
    def total(xs):
        found, last = [], None
        for x in xs:
            if x > 0:
                last = x
            found.append(last)
        return np.array(found).sum()

    assert float(total(np.array([1.0, -1.0]))) == 2.0
    with pytest.raises(TypeError, match="not None"):
        total(np.array([-1.0, 1.0]))


@pytest.mark.parametrize(
    "asked",
    [
        "np.sqrt(v)",
        "np.add(x, v)",
        "np.clip(x, v, 2)",
        "np.clip(x, 0, v)",
        "np.diff(v)",
        "np.maximum(v, 1)",
        "np.zeros(v)",
        "v < str(n)",
        "v + [n]",
    ],
)
def test_a_handler_sees_of_none_what_python_says(asked):
    source = f"""
def f(n, x):
    v = n - 2 if n > 1 else None
    try:
        return {asked}
    except (TypeError, ValueError) as error:
        return type(error) is ValueError, "None" in str(error)
"""
    ag.check(function_of(source), np.int64(1), np.array([0.5, 1.5]))


@pytest.mark.parametrize("asked", ["np.array([v, 1])", "np.float64(v)", "x[v]", "x.sum(v)", "x @ v"])
def test_what_numpy_does_with_none_is_no_error_of_the_programs(asked):
    source = f"""
def f(n, x):
    v = n - 2 if n > 1 else None
    try:
        return {asked}
    except TypeError:
        return -99
"""
    calls = np.int64(1), np.array([0.5, 1.5])
    with pytest.raises(StateDisagrees, match="None"):
        ag.function(function_of(source))(*calls)


@pytest.mark.parametrize("asked", ["np.sum(v)", "np.argmax(v)", "np.where(v, 1, 2)", "np.clip(x, v, 2)"])
def test_a_function_of_numpys_that_takes_none_is_given_it(asked):
    source = f"def f(n, x):\n    v = n - 2 if n > 1 else None\n    return {asked}\n"
    calls = [(np.int64(n), np.array([0.5, 1.5])) for n in (1, 3)]
    ag.check(function_of(source), *calls[0], then=calls[1:])


def a_number_and_what_may_be_none(n, v):
    best = None if n > 1 else v
    return 0.5 > best


def two_that_may_be_none(n, v):
    best, worst = None if n > 1 else v, None if n > 2 else v + 1
    return best >= worst


def two_that_may_be_none_added(n, v):
    best, worst = None if n > 1 else v, None if n > 2 else v + 1
    return best + worst


def a_number_and_what_may_be_a_text(n, v):
    best = "x" if n > 1 else v
    return 0.5 > best


class Kept:
    best = None


NOTHING = Kept()


def a_number_and_what_a_chosen_object_keeps(n, v):
    kept = Kept()
    kept.best = v
    return 2 * 0.25 > (NOTHING if n > 1 else kept).best


@pytest.mark.parametrize("n", range(4))
@pytest.mark.parametrize(
    "program",
    [
        a_number_and_what_may_be_none,
        two_that_may_be_none,
        two_that_may_be_none_added,
        a_number_and_what_may_be_a_text,
        a_number_and_what_a_chosen_object_keeps,
    ],
)
def test_an_operator_says_what_both_operands_are_in_the_order_in_which_they_are_written(program, n):
    ag.check(program, np.int64(n), np.float64(2))


TOO_EARLY = {
    "added to an item": "held = [1, 2]\n    held[0] += late",
    "added to an item of an item": "held = [[1, 2]]\n    held[0][1] += late",
    "the place of an item of an item": "held = [[1, 2]]\n    held[0][late] += 1",
    "the message of an assertion": "assert n > 5, late",
    "whose attribute is set": "late.value = n",
    "whose attribute is added to": "late.value += n",
    "whose attribute is deleted": "del late.value",
}


@pytest.mark.parametrize("program", TOO_EARLY.values(), ids=TOO_EARLY)
def test_a_variable_that_is_bound_later_is_the_functions_own_wherever_it_is_read(program):
    source = f"def f(n):\n    {program}\n    late = n\n    return late\n"
    ag.check(function_of(source), np.int64(3), then=[(np.int64(1),)])
