"""Functions, strings and other objects that a tensor chooses."""

from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import NoConcreteValue, StateDisagrees
from tests.beyond.kit import Same, check


def double(x):
    return x * 2


def square_when_large(x):
    if x > 10:
        return x * x
    return -x


class Scale:
    """An object with a method."""

    def __init__(self, by):
        self.by = by
        self.used = 0

    def apply(self, x):
        if x > 2:
            return x * self.by
        return x

    def count(self):
        self.used += 1


@dataclass
class Total:
    """A dataclass that changes."""

    value: int = 0


def test_a_function_chosen_by_a_tensor_is_converted_and_called():
    def f(x):
        g = double if x > 5 else square_when_large
        return g(x) + g(20)

    for x in (3, 7):
        check(f, x)


def test_a_function_chosen_in_a_loop():
    def f(n):
        step = double
        x = 1
        for i in range(n):
            x = step(x)
            if i == 1:
                step = square_when_large
        return x

    for n in (0, 1, 4):
        check(f, n)


def test_one_of_three():
    def f(n):
        if n == 0:
            name = "none"
        elif n == 1:
            name = "one"
        else:
            name = "many"
        return name

    for n in range(4):
        check(f, n)


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")
def test_an_object_chosen_by_a_tensor():
    def f(x):
        half, twice = Scale(0.5), Scale(2.0)
        scale = twice if x > 0 else half
        return scale.apply(x + 3) + scale.by

    for x in (-2, 2):
        check(f, x)


def test_what_happens_to_the_chosen_object_happens_to_it_alone():
    def f(x):
        left, right = Scale(1), Scale(2)
        chosen = left
        if x > 0:
            chosen = right
        chosen.count()
        chosen.by = chosen.by + 10
        return left.used, right.used, left.by, right.by

    for x in (-1, 1):
        check(f, x)


def test_a_dataclass_that_changes():
    def f(x):
        wins, losses = Total(), Total(5)
        (wins if x > 0 else losses).value += x
        chosen = wins if x > 2 else losses
        chosen.value = chosen.value * 2
        return wins.value, losses.value

    for x in (-1, 1, 3):
        check(f, x)


def test_strings_are_compared_and_printed():
    def f(x):
        word = "large" if x > 10 else "small"
        print("the number is", word)
        print(f"{x} is {word}")
        return 1 if word == "large" else 0

    for x in (5, 50):
        check(f, x)


def test_a_key_of_a_dict():
    def f(x):
        prices = {"day": 3, "night": 7}
        return prices["day" if x > 0 else "night"] * x

    for x in (-2, 2):
        check(f, x)


def test_none_is_printed_as_none():
    def f(x):
        found = x if x > 0 else None
        print(found)
        print(f"found {found}")
        return 0

    for x in (-2, 2):
        check(f, x)


def test_a_string_may_be_true_or_false():
    def f(x):
        suffix = "s" if x > 1 else ""
        if suffix:
            return x * 10
        return x

    for x in (1, 2):
        check(f, x)


def test_text_is_made_of_a_chosen_string():
    def f(x):
        name = "up" if x > 2 else "down"
        text = name + "!" + 2 * name
        if x > 5:
            text = "%s is it" % text  # noqa: UP031  (one of the ways)
        joined = "-".join([name, "ward"])  # noqa: FLY002
        filled = "{}:{}".format(name, x)  # noqa: UP032
        return text, joined, filled, f"{name!r:>7}", name.upper() + str(x)

    for x in (1, 3, 7):
        check(f, x)


def test_an_exception_may_hold_a_chosen_string():
    def f(x):
        name = "up" if x > 2 else "down"
        if x > 5:
            raise KeyError((name, 1))
        return x

    check(f, 1)
    check(f, 7, raises=KeyError)


# ── containers that a loop binds anew ──


def test_a_list_that_a_turn_binds_anew_holds_what_the_last_turn_put_into_it():
    def last(x):
        found = [x * 5]
        while x < 20:
            if x > 3:
                found = [x]
            x = x + 1
        return found

    check(last, 1.0)
    check(last, 30.0)


def test_a_dict_that_is_returned_from_a_turn_holds_the_values_of_that_turn():
    def first(x):
        for turn in range(20):
            if x > 3:
                return {"x": x, "turn": turn}
            x = x + 1
        return None

    check(first, 1.0)
    check(first, 30.0)


def test_a_dict_of_none_or_a_number_that_a_turn_binds_anew():
    def last(x):
        found = {"x": None}
        while x < 20:
            if x > 3:
                found = {"x": x}
            x = x + 1
        return found

    check(last, 1.0)
    check(last, 30.0)


def test_a_list_of_arrays_that_a_turn_binds_anew():
    def last(x):
        found = [x * 0]
        while x.sum() < 20:
            if x.sum() > 3:
                found = [x]
            x = x + 1
        return found

    check(last, [1.0, 2.0])
    check(last, [30.0, 2.0])


def test_several_lists_that_are_alike_are_one_with_the_items_of_the_chosen_one():
    def chosen(x):
        if x > 3:
            found = [x, 1.0]
        elif x > 2:
            found = [x, 2.0]
        elif x > 1:
            found = [x * 3, 3.0, x]
        else:
            found = []
        found.append(x)
        return found

    for x in (4.0, 3.0, 2.0, 1.0):
        check(chosen, x)


def test_a_list_is_halved_until_one_item_is_left():
    def middle(items, k):
        while True:
            pivot = items[len(items) // 2]
            smaller = [item for item in items if item < pivot]
            equal = [item for item in items if item == pivot]
            if k < len(smaller):
                items = smaller
            elif k < len(smaller) + len(equal):
                return pivot
            else:
                k -= len(smaller) + len(equal)
                items = [item for item in items if item > pivot]

    for k in range(5):
        check(middle, Same([5.0, 2.0, 8.0, 1.0, 9.0]), k)


def test_a_method_of_one_of_two_objects_raises_before_it_changes_one():
    class Purse:
        def __init__(self, money):
            self.money = money

        def give(self, amount):
            if amount > self.money:
                raise ValueError("too little")
            self.money -= amount

    def pay(x):
        one, other, failed = Purse(3.0), Purse(1.0), 0
        for amount in (1.0, 5.0, -2.0):
            giver = one if amount * x > 0 else other
            try:
                giver.give(abs(amount))
            except ValueError:
                failed += 1
        return one.money, other.money, failed

    check(pay, 1.0)
    check(pay, -1.0)


class Held:
    def __init__(self, x):
        self.x = x


def test_what_is_put_into_the_dict_of_an_object_is_an_attribute_or_refused():
    def of_one_element(n):
        held = []
        for i in range(n):
            held.append(Held(i))
        held[0].__dict__["x"] = 7
        vars(held[1])["x"] = 8
        return held[0].x, held[1].x

    def of_others(n):
        one, other = Held(1), Held(2)
        b = one if n > 2 else other
        vars(one)["x"] = 9
        return b.x, other.x

    def read(n):
        one, other = Held(1), Held(2)
        b = one if n > 2 else other
        return b.__dict__["x"], vars(b)["x"]

    check(of_one_element, 3)
    for n in (1, 3):
        check(of_others, n)
        check(read, n)


@pytest.mark.parametrize(
    "put",
    [
        lambda b: vars(b).__setitem__("x", 7),
        lambda b: b.__dict__.update(x=7),
        lambda b: getattr(b, "__dict__").update(x=7),
    ],
)
def test_the_dict_of_a_chosen_object_is_not_written_to(put):
    def chosen(n):
        one, other = Held(1), Held(2)
        b = one if n > 2 else other
        put(b)
        return one.x, other.x

    with pytest.raises((NoConcreteValue, AttributeError), match="of an object that a tensor chooses"):
        ag.function(chosen)(rt.asarray(3))


# ── a string in some turns, and a number in others ──


def first_square_above(n, limit):
    found, number = "none", 0
    while number < n:
        if number * number > limit:
            found = number
            break
        number += 1
    return f"found {found}", found


def read_and_checked(n, bad):
    state, value, log = "read", 0, []
    for i in range(n):
        if state == "read":
            value = i if i != bad else "bad"
            state = "check"
        elif state == "check":
            state = "fail" if value == "bad" else "ok"
        else:
            log.append(value)
            state = "read"
    return state, value, log


def result_or_message(n, divisor):
    result, tries = None, 0
    while result is None:
        tries += 1
        if divisor == 0:
            result = "division by zero"
        elif tries > 2:
            result = n / divisor
    return result, tries


def nothing_then_a_name_then_numbers(n, back):
    value = None
    for i in range(n):
        if i == back:
            value = None
        elif value is None:
            value = "new"
        elif value == "new":
            value = i
        else:
            value = value + 1
    return value, str(value), isinstance(value, str)


def of_numpys_kind(n, name):
    value = np.float32(1)
    for i in range(n):
        if i == name:
            value = "name"
        elif i > name:
            value = np.float32(i)
        else:
            value = np.float32(2) * i
    return value


def exchanged(n, i):
    one, other = "p", 1.5
    for number in range(n):
        one, other = other, one
        if number > i and not isinstance(other, str):
            other = other + number
    return one, other


@pytest.mark.parametrize(
    "program",
    [
        first_square_above,
        read_and_checked,
        result_or_message,
        nothing_then_a_name_then_numbers,
        of_numpys_kind,
        exchanged,
    ],
)
def test_a_variable_is_a_string_in_some_turns_and_a_number_in_others(program):
    i = np.int64
    ag.check(program, i(8), i(2), then=[(i(3), i(1)), (i(1), i(0)), (i(6), i(4)), (i(0), i(4))])


def test_an_array_without_axes_beside_a_string_is_refused_in_loops():
    def program(n, i):
        array, value = np.asarray(1.0 * n), "none"
        for number in range(n):
            if number == i:
                value = array
        array[...] = 7.0
        return value

    with pytest.raises(StateDisagrees, match="`value` may be an array without axes after a turn"):
        ag.function(program)(np.int64(3), np.int64(1))
