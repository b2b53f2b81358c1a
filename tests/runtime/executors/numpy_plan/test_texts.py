"""Text with slots as Python source, and what programs ask of texts."""

import collections

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.spec import ArraySpec
from runtime.core.text import Apply, Slot, filled, joined
from runtime.errors import ExportError
from runtime.executors.numpy_plan.program import Plan
from runtime.executors.numpy_plan.texts import text_source

SLOT = Slot()
VALUES = (np.float64(1.5), np.int64(3))
SPECS = (ArraySpec((), rt.float64), ArraySpec((), rt.int64))
TEXTS = {
    "f'x = {a} {{}}'": joined(["x = ", Apply("str", (SLOT,)), " {}"]),
    "f'{a!r}, {b:>5}'": joined([Apply("repr", (SLOT,)), ", ", Apply("format", (SLOT, ">5"))]),
    "'n: ' + format(a, f'{b}')": joined(["n: ", Apply("format", (SLOT, Apply("str", (SLOT,))))]),
    "'%5.2f' % (a,)": Apply("%", ("%5.2f", SLOT)),
    "f'<{a}>'.rjust(9, '.')": Apply("rjust", (joined(["<", Apply("str", (SLOT,)), ">"]), 9, ".")),
    "f'{a.item()!r}'": Apply("repr", (Slot(is_number=True),)),
    "'plain {}'": "plain {}",
}


@pytest.mark.parametrize("source", TEXTS)
def test_source_is_short_and_gives_the_same_text(source):
    assert text_source(TEXTS[source], "ab", SPECS, Plan().helpers) == source
    names = dict(zip("ab", VALUES, strict=True))
    if "a.item" not in source:
        assert eval(source, names) == filled(TEXTS[source], VALUES)


def spelt(n):
    text = "n"
    while n > 0:
        text += chr(97 + n % 26) + str(n)
        n -= 7
    if text.startswith("nb"):
        print(text.upper(), text[1:-1], text.find("c"), "z" in text, text < "nb2", text * 2)
    print(f"{text!r:>40}", text.split("1"), int(text[2:3]) + 1, ord(text[0]))
    return n


def listed(n):
    items, pairs, found = [], [], {}
    while n > 0:
        items.append(n)
        pairs.append((n, n / 2))
        found[n] = n * 2
        n -= 1
    print(items, tuple(pairs), found)
    return n


def refused(n):
    items = []
    while n > 0:
        items.append(n)
        n -= 1
    raise ValueError(f"{items} are left, {str(n) + '!'}")


PROGRAMS = {spelt: (27, 1), listed: (3, 0)}


@pytest.mark.parametrize("function", PROGRAMS)
def test_text_of_a_run_is_written_into_a_program_of_its_own(function, capsys):
    namespace = exported(function)
    for number in PROGRAMS[function]:
        function(np.int64(number))
        wanted = capsys.readouterr().out
        namespace[function.__name__](number)
        assert capsys.readouterr().out == wanted


def test_the_words_of_an_exception_are_written_into_a_program_of_its_own():
    with pytest.raises(ValueError, match=r"^\[np.int64\(2\), np.int64\(1\)\] are left, 0!$"):
        exported(refused)["refused"](2)


def exported(function):
    namespace = {}
    concrete = ag.function(function).get_concrete_function(rt.TensorSpec((), rt.int64))
    exec(concrete.to_python(), namespace)
    return namespace


def test_text_without_an_expression_is_refused_with_the_users_line():
    @ag.function
    def printed(n):
        found = collections.deque()
        while n > 0:
            found.append(n)
            n -= 1
        print(found)

    concrete = printed.get_concrete_function(rt.TensorSpec((), rt.int64))
    with pytest.raises(ExportError, match=r"what is printed cannot be written(?s:.)*print\(found\)"):
        concrete.to_python()


def nested(n):
    text = str(n)
    for _ in range(60):
        text = "a" + text.strip("b") + "c"
    return text == "x", len(text)


def test_a_text_of_many_functions_inside_one_another_is_called_and_not_written():
    ag.check(nested, np.int64(11), then=[(np.int64(-1),)])
    with pytest.raises(ExportError, match="`TextOf` cannot be written into a standalone program"):
        exported(nested)
