"""Functions that C calls make the text that Python makes; libraries that would make another are refused."""

# ruff: noqa: UP031  (programs are written as users write them)

import csv
import html
import io
import json
import pprint
import re
import reprlib
import string
import struct
import textwrap
import traceback

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue

V, N = np.float64(2.5), np.int64(3)


class Priced:
    def __init__(self, price):
        self.price = price

    def __str__(self):
        return f"{self.price} each"

    def __repr__(self):
        return f"<{self.price!r}>"


def joined(v, n):
    return ",".join(map(str, [v, n])), " ".join(map("{:.2f}".format, [v, v + n])), "".join(map(repr, (n, v)))


def made_of_rows(v, n):
    rows = [[v, n], [n, v]]
    return "\n".join(" ".join(map(str, row)) for row in rows), [*map(" ".join, [[str(v)], [str(n), "x"]])]


def numbers_of_numbers(v, n):
    return (
        [*map(float, [n, n + 1])],
        [*map(int, [v])],
        [*map(abs, [-n])],
        [*map(bool, [n])],
        [*map(len, [str(n)])],
    )


def ordered_by_their_text(v, n):
    return sorted([n, n * 2, -n], key=str), min([n, -n], key="{:>5}".format), max(map(str, [v, 2 * v]))


def methods_taken_from_their_class(v, n):
    words = [f"v{v}", f"N{n}"]
    return (
        [*map(str.upper, words)],
        sorted(words, key=str.lower),
        str.join("-", words),
        [*filter(str.isalnum, words)],
    )


def objects_in_text(v, n):
    return " ".join(map(str, [Priced(v), Priced(n)])), [
        "%s %r" % (each, each) for each in map(Priced, [v, n])
    ]


def functions_in_a_table(v, n):
    table = {"s": str, "r": repr, "f": "{:6.1f}".format, "i": int}
    return {name: function(v) for name, function in table.items()}, n


def printed(v, n):
    print(*map(str, [v, n]), sep=";")
    print("\n".join(map("{0} of {0}".format, [v, n])))


@pytest.mark.parametrize(
    "program",
    [
        joined,
        made_of_rows,
        numbers_of_numbers,
        ordered_by_their_text,
        methods_taken_from_their_class,
        objects_in_text,
        functions_in_a_table,
        printed,
    ],
)
def test_functions_that_builtins_call_are_those_of_the_program(program):
    ag.check(program, V, N, then=[(V * 3, N + 2), (-V, -N)])


def substituted(v):
    return string.Template("$price each").substitute(price=v)


def written_as_csv(v):
    file = io.StringIO()
    csv.writer(file).writerow([v, "x"])
    return file.getvalue()


def abbreviated(v):
    return reprlib.repr([v] * 10)  # which catches what `repr` raises


def told(v):
    return traceback.format_exception_only(ValueError(f"{v} is too much"))


def formatted_by_a_method(v):
    return "%s".__mod__(v)


def packed(v):
    return struct.pack("<d", v)


@pytest.mark.parametrize(
    ("program", "callee"),
    [
        (substituted, "substitute"),
        (written_as_csv, "writerow"),
        (abbreviated, "reprlib"),
        (told, "format_exception_only"),
        (formatted_by_a_method, "__mod__"),
        (packed, "pack"),
    ],
)
def test_text_that_a_library_makes_of_a_value_is_refused(program, callee):
    with pytest.raises(NoConcreteValue, match=callee):
        ag.function(program)(V)


@ag.do_not_convert
def labelled(v):
    return {"label": f"v={v}"}


def returned(v):
    return labelled(v)


def measured(v):
    return len(labelled(v)["label"])


def raised(v):
    raise ValueError(labelled(v)["label"])


@pytest.mark.parametrize("program", [returned, measured, raised])
def test_text_that_code_which_is_not_converted_makes_of_a_value_is_refused(program):
    with pytest.raises(NoConcreteValue, match="in a text that was made while it was traced"):
        ag.function(program)(V)


def test_the_same_is_made_when_the_graph_runs():
    @ag.function
    def program(v):
        return ag.host_call(substituted, v, result=str)

    assert program(V) == substituted(V)


def test_text_that_a_function_gives_to_a_library_is_refused():
    def letter(amount, n):
        def filled(match):
            return f"{ {'a': amount, 'n': n}[match[1]]:.2f}"

        return re.sub(r"\{(\w)\}", filled, "you owe {a} for {n}")

    with pytest.raises(NoConcreteValue, match=r"re.sub\(\) is given a value that only the run knows"):
        ag.function(letter)(V, N)


def numbers_of_numpy(x, n):
    rows = [np.array2string(row, precision=2) if n else "" for row in x]
    shown = (
        np.array2string(x, formatter={"float_kind": lambda v: f"{v:.1f}"}),
        np.array_repr(x),
        np.array_str(x),
    )
    return rows, shown, np.base_repr(n, 3), np.binary_repr(n, 8), np.format_float_positional(x[0, 1], 3)


def texts_of_nests(x, n):
    try:
        refused = json.dumps(n)
    except TypeError as error:
        refused = str(error)
    of_dict = json.dumps({"k": int(n), "l": [1, float(x[0, 1])], "s": "ab"[n % 2]}, indent=1)
    words = " ".join(f"word{i}" for i in range(n))
    return (
        of_dict,
        refused,
        json.dumps([1]),
        pprint.pformat([int(n)] * 3),
        textwrap.fill(f"{n} and {words}", 12),
    )


def texts_of_containers_that_grow(x, n):
    kept = {"k": int(n), "rows": [[1], []]}
    numbers, by_number, words = [], {}, {}
    for i in range(n):
        numbers.append(int(i))
        by_number[int(i)] = [float(x[0, 1]), bool(i)]
        words.setdefault(f"word{i}", []).append(i + 1)
        kept["rows"][i % 2].append(int(i) + 1)
    if n > 1:
        kept["last"] = int(n) - 1
    try:
        refused = json.dumps([value for value in np.arange(n + 1)])
    except TypeError as error:
        refused = str(error)
    return json.dumps(kept), json.dumps([numbers, by_number, words], indent=1), pprint.pformat(kept), refused


VOWEL = re.compile("[aeiou]")


def texts_with_something_else_in_them(x, n):
    text = f"{n} of {float(x[0, 1]):.3f} <{n + 1}>"
    try:
        if n > 1:
            raise ValueError(f"no <{n}> here")
        told = "fine"
    except ValueError as error:
        told = re.sub(r"<\d+>", "<?>", str(error)), json.dumps(str(error))
    return (
        told,
        re.sub(r"\d", lambda match: str(int(match.group()) + 1), text),
        re.sub("o", "0", text, count=1),
        VOWEL.sub(lambda match: "".join(c.upper() for c in match[0]), text),
        re.escape(text),
        html.unescape(html.escape(text)),
        string.capwords(text),
        json.dumps({"n": int(n), "away": 3 + 4j}, default=abs),
    )


COUNTED = [0]


def counts_what_it_is_asked(v, n):
    def replaced(match):
        COUNTED[0] += 1
        return "x"

    return re.sub(r"\d", replaced, f"{v}")


def keeps_what_it_is_asked(v, n):
    kept = []

    def replaced(match):
        kept.append(match.group())
        return "x"

    return re.sub(r"\d", replaced, f"{v}"), kept


def binds_what_it_is_asked(v, n):
    last = ""

    def replaced(match):
        nonlocal last
        last = match.group()
        return "x"

    return re.sub(r"\d", replaced, f"{v}"), last


def reads_a_value_of_the_run(v, n):
    return re.sub(r"\d", lambda match: f"{match.group()}{n}", f"{v}")


def calls_a_method(v, n):
    return json.dumps({"v": float(v), "o": Priced(1)}, default=Priced(2).__str__)


def keeps_by_a_method_of_a_list(v, n):
    kept = []
    return json.dumps({"v": float(v), "o": Priced(1)}, default=kept.append), len(kept)


def keeps_by_a_method_of_a_list_that_it_names(v, n):
    add = COUNTED.append
    return json.dumps({"v": float(v), "o": Priced(1)}, default=lambda priced: add(1))


@pytest.mark.parametrize(
    "program",
    [
        keeps_by_a_method_of_a_list,
        keeps_by_a_method_of_a_list_that_it_names,
        counts_what_it_is_asked,
        keeps_what_it_is_asked,
        binds_what_it_is_asked,
        reads_a_value_of_the_run,
        calls_a_method,
    ],
)
def test_a_function_that_the_run_would_call_and_that_does_more_than_compute_is_refused(program):
    with pytest.raises(NoConcreteValue, match="is given a value that only the run knows, and a function"):
        ag.function(program)(V, N)
    assert COUNTED == [0]


@pytest.mark.parametrize(
    "program",
    [
        numbers_of_numpy,
        texts_of_nests,
        texts_of_containers_that_grow,
        texts_with_something_else_in_them,
    ],
)
def test_text_that_libraries_make_of_values_of_the_run_is_made_by_the_run(program):
    x = np.array([[1.0, 2.0], [0.5, 4.0]]) / 3
    ag.check(program, x, np.int64(2), then=[(x * 1e6, np.int64(0))])
