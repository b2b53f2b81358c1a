"""Text of values is the same in plain Python, in a graph, and on every executor."""

# ruff: noqa: RUF005, UP031  (programs are written as users write them)

from collections import Counter, OrderedDict, deque, namedtuple
from dataclasses import dataclass
from enum import Enum

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue
from tests.beyond.kit import check
from tests.promises.kit import function_of

Pair = namedtuple("Pair", "a b")


@dataclass
class Point:
    x: float
    rest: list


def lists_that_grow(n):
    numbers = []
    for i in range(n):
        numbers.append(i * 1.5)
    print(numbers, f"{numbers}", str(numbers), repr(numbers), "%s" % numbers, f"{numbers}")
    print((numbers, 1), {"k": numbers}, [numbers], f"{numbers!r:>30}|")
    return n


def lists_of_pairs(n):
    pairs = [(i, 2 * i) for i in range(n)]
    print(pairs, [v for v in range(n)], list(range(n)), pairs[:1])
    return n


def lists_of_values_of_numpy(n):
    found = []
    for i in range(n):
        found.append(n * 2.5)
    print(found, found * 2, found + [n * 1.5])
    return n


def lists_of_arrays(n):
    rows = []
    for i in range(n):
        rows.append(np.array([1.0, 2.0]) * i)
    print(rows)
    return n


def lists_in_branches(n):
    numbers = [1.0]
    if n > 1:
        numbers.append(2.0)
    print(numbers, len(numbers), f"{numbers!r:>20}")
    return n


def lists_of_both_kinds_in_a_callee(n):
    def shown(items, end):
        items.append(end)
        return f"<{items}>"

    first, second = [], []
    for i in range(n):
        first.append(i)
        second.append(n + i)
    return shown(first, 7), shown(second, n)


def containers(x):
    print(Pair(x, 1), Point(x, [x, 2]), {1: x}, {1, 2}, deque([x]), Counter("aab"), OrderedDict(a=x))
    print(x, (x,), [x], [x > 1], [1.5, x], {}, (), None, "text", [None, "text"])
    return f"{x:.3f} {x!r:>20} {[x]}"


def errors_of_the_run(x):
    try:
        if x > 1:
            raise ValueError("bad", x, [x, "a"])
        raise KeyError("k")
    except (ValueError, KeyError) as error:
        print(
            error, repr(error), f"{error}", f"{error!r:>60}", type(error).__name__, str(error), "%s" % error
        )
    return x


def errors_with_values(x):
    try:
        if x > 1:
            raise ValueError("large", x)
    except ValueError as error:
        print(error, error.args, repr(error))
        return error.args[1]
    return x


class TooHot(Exception):
    def __init__(self, degrees, message):
        super().__init__(message)
        self.degrees = degrees


def errors_with_attributes(x):
    try:
        if x > 1:
            raise TooHot(x, "hot")
        if x > 0.7:
            raise TooHot(x * 2, "warm")
    except TooHot as error:
        print(error, error.degrees, error.args)
        return error.degrees
    return x


def errors_of_python(x):
    try:
        y = [1, 2][round(x)]
    except IndexError as error:
        print(error, repr(error))
        y = 0
    for wrong in (lambda: {}["k"], lambda: 1 // 0, lambda: int("z")):
        try:
            wrong()
        except (KeyError, ZeroDivisionError, ValueError) as error:
            print(error, repr(error), error.args)
    return y


@pytest.mark.parametrize(
    "program",
    [
        *(lists_that_grow, lists_of_pairs, lists_of_values_of_numpy, lists_of_arrays, lists_in_branches),
        lists_of_both_kinds_in_a_callee,
    ],
)
@pytest.mark.parametrize("n", [0, 1, 3])
def test_lists_that_grow_show_their_elements(program, n):
    check(program, n)


@pytest.mark.parametrize(
    "program", [containers, errors_of_the_run, errors_with_values, errors_with_attributes, errors_of_python]
)
@pytest.mark.parametrize("x", [1.5, 0.75, 0.5])
def test_values_and_errors_say_what_they_say_in_python(program, x):
    check(program, x)


def a_number_or_nothing(x):
    value = None if x > 1 else x
    return f"{value:.2f}", format(value, ".3f"), f"{value:f}", "%.1f" % value


@pytest.mark.parametrize("x", [0.5, 1.5])
def test_nothing_has_no_format_where_it_is_there(x):
    ag.check(a_number_or_nothing, np.float64(x), then=[(np.float64(2.0 - x),)])


labels = ["a", "b"]


def counted_in_capitals(n):
    count = 0
    for _ in range(n):
        count += 1
    return [str(count).upper(), f"{count:>3}".strip()], labels


def test_a_number_of_python_s_in_text_beside_an_object_from_outside():
    ag.check(counted_in_capitals, np.int64(3), then=[(np.int64(0),)])


WORDS = "the quick brown fox"


def methods_given_numbers(n):
    width = n + 22
    return (
        [WORDS.replace("o", "0", n), WORDS.center(width, "*"), WORDS.ljust(width), WORDS.zfill(width)],
        [WORDS.split(" ", n), WORDS.rsplit(maxsplit=n), WORDS.expandtabs(n)],
        ["{:>{}}|{:{w}.2f}".format("a", n + 3, n / 7, w=width)],
        [WORDS.find("o", n), WORDS.count("o", n), WORDS.index("o", 0, -n), WORDS.startswith("e", n)],
    )


def methods_given_text(n):
    letter, start = WORDS[n], WORDS[:n]
    return (
        [WORDS.find(letter), WORDS.rfind(letter, n), WORDS.partition(letter), WORDS.split(letter)],
        [WORDS.strip(letter), WORDS.lstrip(start), WORDS.removeprefix(start), WORDS.replace(letter, "_", n)],
        [WORDS[n:].translate({104: "H", 101: None, 113: 65}), WORDS.endswith(("x", letter))],
    )


def digits(n):
    return bin(n), hex(-n), oct(n * 100), int(bin(n)[2:], 2), ascii(WORDS[n] + "é"), ascii([n, "é"])


class Spot:
    def __init__(self, x):
        self.x = x


def attributes(n):
    spot = Spot(n)
    vars(spot)["y"] = n
    return vars(spot), vars(Spot(n)), spot.y, f"{WORDS[n] + 'é'!a}"


@pytest.mark.parametrize("program", [methods_given_numbers, methods_given_text, digits, attributes])
def test_strings_of_python_meet_values_of_the_run(program):
    ag.check(program, np.int64(2), then=[(np.int64(3),), (np.int64(1),)])


def test_vars_of_an_object_that_a_tensor_chooses_is_refused():
    one, other = Spot(1), Spot(2)

    def program(n):
        return vars(one if n > 2 else other)

    with pytest.raises(NoConcreteValue, match="`vars` is asked of an object that a tensor chooses"):
        ag.function(program)(np.int64(1))


def test_what_is_no_integer_is_what_python_says_of_it():
    def wrong(x):
        for use in (hex, WORDS.center, lambda x: WORDS.find("o", x), lambda x: WORDS.split("", int(x))):
            try:
                use(x)
            except (TypeError, ValueError) as error:
                print(error)

    ag.check(wrong, np.float64(2.0))


class Stack(list):
    def __repr__(self):
        return f"Stack{list.__repr__(self)}"


class Bag(dict):
    def __repr__(self):
        return "Bag" + super().__repr__()

    def __str__(self):
        return dict.__str__(self).upper()


class Refused(Exception):
    def __str__(self):
        return "refused: " + super().__str__()


def shown_by_c(n):
    stack, bag = Stack([n, 1]), Bag(a=n)
    try:
        if n > 2:
            raise Refused("bad", n)
        raise Refused(n)
    except Refused as error:
        text = str(error)
    return repr(stack), f"{bag}|{bag!r}", [stack].__repr__(), n.__str__(), text, str(Refused(n))


def test_what_c_shows_of_a_container_or_an_error():
    ag.check(shown_by_c, np.int64(3), then=[(np.int64(2),)])


def test_a_text_beside_a_list_that_is_returned_twice_is_a_string():
    def program(n):
        count, items = 0, [1.0]
        for _ in range(n):
            count = 1
        return f"{count}", items, items

    ag.check(program, np.int64(2), then=[(np.int64(0),)])
    assert type(ag.function(program)(np.int64(2))[0]) is str


def test_a_chosen_text_beside_a_list_that_is_returned_twice_is_a_string():
    def program(n):
        word, items = "low", [1.0]
        if n > 1:
            word = f"{n}:{word}"
        return word, items, items

    ag.check(program, np.int64(2), then=[(np.int64(0),)])


class Named(Exception):
    def __init__(self, kind, *, name, callee):
        super().__init__(f"{kind} {name}")
        self.kind, self.callee = kind, callee


class Call:
    def __call__(self, x, *, method="m", converted=1, backend=2):
        return x + converted + backend + len(method)


def with_names_of_ours(x):
    text = "{name} {template} {self} {kind}".format(name=x, template=x + 1, self=x + 2, kind="k")
    table = dict(kind=x, factory=x, self=x, items=x, named=x, callee=x)
    table.update(self=x + 1, others=x)
    try:
        if x > 2:
            raise Named(kind=x, name="q", callee=x)
    except Refused as error:
        return text, table, error.kind, error.callee, str(error)
    return text, table, Call()(x, method="abc", converted=x, backend=x)


def test_keywords_of_the_program_may_have_any_names():
    ag.check(with_names_of_ours, np.int64(3), then=[(np.int64(1),)])


def test_a_template_that_has_a_name_is_filled():
    def noted(template, *args):
        return f"[{template[:3]}] " + (template % args if args else template)

    def f(x, n):
        rows = ["%5.2f of %d%%", "%s and %r", "%+.1e, %05d"]
        array = np.array([7, 8]) % (2, 3)
        return [row % (x, n) for row in rows], noted("sum %.2f", x), noted("none"), rows[0] % (n, n), array

    ag.check(f, np.float64(1.5), np.int64(3), then=[(np.float64(-2.0), np.int64(0))])


def test_a_template_that_has_a_name_is_filled_with_a_single_value():
    templates = {"whole": "%d items", "text": "<%s>"}

    def filled(n, template):
        hexadecimal = "%x" if n > 0 else "%o"
        return (
            template % n,
            templates["whole"] % n,
            templates["text"] % (n * 2),
            ("%" + "5d") % n,
            n % 4,
            hexadecimal,
        )

    ag.check(filled, np.int64(17), "%05.1f", then=[(np.int64(-3), "%d")])


class Shape:
    def __init__(self, size):
        self.size, self.shown = size, 0

    def __lt__(self, other):
        return self.area() < other.area()

    def __repr__(self):
        self.shown += 1
        return f"{type(self).__name__}({1 / self.size:.2f})"


class Square(Shape):
    def area(self):
        return self.size * self.size


class Strip(Shape):
    def area(self):
        return 3 * self.size


def in_order(x):
    shapes = sorted([Strip(x), Square(2.0), Square(x)])
    return repr(shapes), f"{shapes}", "%s" % shapes, str(tuple(shapes)), str({"first": shapes[0]})


def each_as_often_as_python(x):
    one, other = Strip(x), Square(2.0)
    best = one if x > 1 else other
    print([best, [best]], {"best": best})
    return f"{[best]}", one.shown, other.shown


def or_none(x):
    best = None
    for size in (1.0, 2.0, 3.0):
        if size > x:
            best = Square(size) if best is None else best
    return str([best]), f"{(best,)}"


@pytest.mark.parametrize("program", [in_order, each_as_often_as_python, or_none])
def test_containers_show_the_objects_that_a_tensor_has_chosen(program):
    ag.check(program, np.float64(1.0), then=[(np.float64(4.0),), (np.float64(2.5),)])


def shown_by_the_options_of_a_block(x, n):
    with np.printoptions(precision=2, suppress=True):
        print(x * 1.23456, [x / 3])
        shown = f"{x / 3}|{[x]}|{x[0] / 3}", str({"x": x / 7}), "%s" % (x / 3), f"{x / 3}"
        rows = []
        for i in range(n):
            rows.append(x * i / 3)
        if n > 2:
            print("inside", rows)
        text = f"{rows}"
    print(x / 3)
    return shown, text, str(x / 3)


def shown_by_options_that_are_set(x, n):
    before = np.get_printoptions()
    np.set_printoptions(precision=3, threshold=2, edgeitems=1)
    shown = str(x / 7 * n)
    np.set_printoptions(**before)
    return shown, str(x / 7)


@pytest.mark.parametrize("program", [shown_by_the_options_of_a_block, shown_by_options_that_are_set])
def test_arrays_are_shown_as_the_options_of_numpy_have_it_in_that_place(program):
    x = np.array([1.0, 2.0, 3.0])
    ag.check(program, x, np.int64(2), then=[(-x, np.int64(3))])


def test_a_table_of_characters_may_hold_texts_and_numbers_of_the_run():
    def translated(word, n):
        table = str.maketrans({"l": "L" * n, "o": None, "h": 72})
        numbers = word.translate({104: int(n) + 70}), word.translate({101: "ab"[n % 2]})
        return (
            word.translate(table),
            numbers,
            word.translate({108: str(n)}),
            word.translate(str.maketrans("lo", "01")),
        )

    ag.check(translated, "hello", np.int64(2), then=[("olleh", np.int64(1))])
    ag.check(lambda n: "hello".translate({104: n}), np.int64(70))  # no int of Python's, and so a TypeError


class Colour(Enum):
    RED = 1
    BLUE = 2


class Token:
    """Says what it is by what its parts are."""

    def __init__(self, kind, colour, function, value):
        self.kind, self.colour, self.function, self.value = kind, colour, function, value

    def __repr__(self):
        parts = "-".join(self.kind.upper()), self.colour.name, self.function.__name__, self.colour
        return f"<{self.kind} {self.kind!r:>6} {parts} {self.value:03d}>"


def test_what_objects_in_lists_of_the_graph_say_of_themselves_is_made_of_what_they_hold():
    def program(xs):
        tokens, by_value = [], {}
        for x in xs:
            token = Token(
                "ab" if x < 10 else "c", Colour.RED if x < 10 else Colour.BLUE, abs if x < 10 else len, x
            )
            tokens.append(token)
            by_value[x] = Token("key", Colour.RED, max, x)
        print(tokens, *tokens)
        return repr(tokens), f"{tokens[0]}", str(tuple(tokens)), str(by_value)

    ag.check(program, np.array([1, 12, 3]), then=[(np.array([99]),)])


def test_views_of_dicts_are_shown_as_python_shows_them():
    def shown(n):
        d, e, c = {n: 1, n + 2: 3}, OrderedDict(), Counter()
        for i in range(n):
            e[i] = (i, 2)
            c[i] += 2
        print(d.keys(), d.values(), d.items(), [d.items()], f"{d.keys()}")
        print(e.keys(), e.values(), e.items(), c.keys(), c.values(), c.items())
        return str(d.keys()), repr(e.items())

    ag.check(shown, np.int64(3), then=[(np.int64(0),)])


def test_ranges_are_shown_as_python_shows_them():
    def shown(n):
        r = range(7)
        if n > 1:
            r = [n]
        print(range(n), range(1, n), range(0, n, 2), [range(n)], f"{range(n)}", r)
        return repr(range(n))

    for n in (3, 0):
        ag.check(shown, np.int64(n))


@pytest.mark.parametrize(
    "use",
    [
        *("n + str(n)", "n - str(n)", "str(n) - n", "str(n) < n", "n >= str(n)", "n & str(n)", "n / str(n)"),
        *("int(n) + str(n)", "str(n) - int(n)", "int(n) < str(n)", "str(n) > int(n)", "int(n) // str(n)"),
        *("str(n) @ n", "n % str(n)", "n == str(n)", "[n] < str(n)", "np.isscalar(str(n))"),
    ],
)
def test_a_number_beside_a_text_of_the_run_is_refused_in_the_words_of_a_number_beside_a_text(use):
    caught = f"    try:\n        return {use}\n    except TypeError as error:\n        return str(error)\n"
    ag.check(function_of(f"def f(n):\n{caught}"), np.int64(3), then=[(np.int64(1),)])
    ag.check(function_of(f"def f(n):\n    return {use}\n"), np.int64(3))


class Coded(Exception):
    def __init__(self, code):
        super().__init__(f"code {code}")


@pytest.mark.parametrize(
    ("value", "use"),
    [
        *[
            ("str(n)", use)
            for use in ("f'{a:05d}'", "f'{a:b}'", "'%5.1f' % a", "'%x' % a", "f'{a:>{n + 3}}'")
        ],
        *[
            ("Coded(n)", use)
            for use in ("f'{a:,}'", "format(a, '^9')", "f'{a:}'", "'{:5}'.format(a)", "f'{a}'")
        ],
        *[("[n]", use) for use in ("'{0!r:>20}|{0}'.format(a)", "'{:5}'.format(a)", "'{:}'.format(a)")],
        *[("n > 1", use) for use in ("'{0!r:<9}|'.format(a)", "'{!s:>7}|'.format(a)", "'{:5}|'.format(a)")],
        ("str(n)", "'{0!r:<9}|{0!s:{1}}|'.format(a, n + 3)"),
    ],
)
def test_a_form_is_that_of_what_a_conversion_has_made_and_is_refused_where_python_refuses_it(value, use):
    lines = [f"a = {value}", "try:", f"    return {use}", "except (TypeError, ValueError) as error:"]
    body = "".join(f"    {line}\n" for line in [*lines, "    return type(error).__name__, str(error)"])
    f = function_of(f"def f(n):\n{body}", Coded=Coded)
    ag.check(f, np.int64(3), then=[(np.int64(1),)])


FORMS = {
    "a list": 'f"{grown(n):{n}}"',
    "a tuple": 'f"{(n, 1):{n}}"',
    "a dict": 'format({1: n}, "d" if n > 0 else "")',
    "None": 'f"{None:{n}}"',
    "a string": 'f"{word:{n}}"',
    "a number": "f\"{n:{n}}|{n * 1.5:{'.2f' if n > 0 else '.q'}}\"",
    "a width": '"%*d" % (int(n), n)',
    "a character": 'f"{n:c}", "%c" % n, "{:c}".format(n)',
    "nested fields": '"{:{}}".format(word, n)',
    "nobody reads it": '[f"{word:{n}}", 1][1]',
}


@pytest.mark.parametrize("text", FORMS)
def test_what_a_form_of_the_run_does_not_suit_is_raised_where_the_program_catches_it(text):
    program = f"""def f(n):
    word = "ab"

    def grown(n):
        items = []
        for k in range(n):
            items.append(k)
        return items

    try:
        return {FORMS[text]}
    except (OverflowError, TypeError, ValueError) as error:
        return type(error).__name__, str(error)
"""
    ag.check(function_of(program), np.int64(3), then=[(np.int64(-2),), (np.int64(0),), (np.int64(70),)])
