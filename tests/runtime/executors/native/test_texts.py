"""Texts in machine code: their characters are numbers, and nobody asks Python for them."""

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import autograph as ag


def roman(number):
    found = ""
    for value, digits in ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        while number >= value:
            found += digits
            number -= value
    return found


def digits(number):
    text = "<" + str(number) + ">"
    while number > 0:
        text = text + str(number) + ","
        number //= 10
    return text


def shifted(number):
    text = ""
    while number > 0:
        text += chr(number)
        number -= 40_000
    return text


def picked(number):
    text = ""
    for index in range(number):
        text += "abc"[index - 3]
    return text


def read(number):
    text, found = str(number), 0
    for each in text:
        found = found * 7 + ord(each)
        if each == "3":
            found += 1
        if each in "579":
            found += 100
        if each != text[0]:
            found += 1000
    return found, text == "907", text != str(number + 1)


def fizz(number):
    text = ""
    for each in range(1, number + 1):
        if each % 15 == 0:
            text += "FizzBuzz"
        elif each % 5 == 0:
            text += "Buzz"
        else:
            text += str(each)
        text += " "
    return text


def palindromes(number):
    count = 0
    for each in range(number):
        text = f"{each}"
        count += text == text[::-1]
        if text[1:] == "7" or text[each - 3 : -1] == "1":
            count += 100
    return count


CASES = [
    (roman, (38, 0, 3)),
    (digits, (12345, 0, -17, 9, 10, np.int8(-128), np.uint8(255), np.uint64(2**64 - 1))),
    (shifted, (130_000, 0, 0x110000, 2**40)),
    (picked, (3, 6, 0, 7)),
    (read, (123, 907, 33)),
    (fizz, (20, 0)),
    (palindromes, (120, 1, -1)),
]


@pytest.mark.parametrize(("function", "numbers"), CASES, ids=lambda each: getattr(each, "__name__", ""))
def test_a_text_is_made_of_characters_without_python(function, numbers):
    first, *others = [np.asarray(number)[()] for number in numbers]
    ag.check(function, first, then=[(each,) for each in others], executors=["reference", "numpy", "native"])
    compiled = ag.function(function, jit_compile=True).get_concrete_function(first)
    assert {step.runs for step in compiled.report().steps} == {"machine code"}


def test_a_step_that_only_the_run_knows_is_pythons_to_refuse():
    def cut(number):
        text = str(number * 7)
        text += "!" if number > 1 else "?"
        return text[::number] + "", text[::number] == "7"

    ag.check(cut, np.int64(2), then=[(np.int64(-1),), (np.int64(0),)], executors=["reference", "native"])


@given(st.integers(-(2**63), 2**63 - 1))
@example(-(2**63))
@example(2**63 - 1)
@example(10**18)
@example(10**18 - 1)
@example(12)
@example(0)
def test_an_integer_is_written_as_python_writes_it(number):
    text, is_twelve = written(np.int64(number))
    assert text == f"{number}!"
    assert bool(is_twelve) == (number == 12)


@ag.function(jit_compile=True)
def written(number):
    text = str(number)
    text += "!" if len(text) > 0 else "?"
    return text, text == "12!"


def digit_sum(number):
    total = 0
    for each in str(number):
        total += int(each)
    return total, int("1" + str(number)[1:]) + int(str(number) + "0")


def rotated(number, turns):
    for _ in range(turns):
        text = str(number)
        number = int(text[-1] + text[:-1])
    return number


NUMBERS = [98765, 7, 0, 10**16, 10**17 + 3, -5, 153, -(10**17)]


@pytest.mark.parametrize("number", NUMBERS)
def test_digits_are_read_as_python_reads_them(number):
    for executor in (None, "numpy", "native"):
        staged = ag.function(digit_sum, executor=executor)
        for each in (number, *NUMBERS):
            try:
                wanted = digit_sum(each)
            except ValueError as error:
                with pytest.raises(ValueError, match=re.escape(str(error))):
                    staged(np.int64(each))
            else:
                assert tuple(map(int, staged(np.int64(each)))) == wanted


def test_a_loop_over_digits_is_machine_code():
    staged = ag.function(rotated)
    for number, turns in ((12345, 2), (90, 3), (7, 1), (10, 1)):
        assert int(staged(np.int64(number), np.int64(turns))) == rotated(number, turns)
    assert staged.concrete_functions[-1].report().executor == "native"
