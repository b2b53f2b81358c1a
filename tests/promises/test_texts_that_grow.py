"""Strings of which only the run knows the characters: they grow, are looked at and are kept."""

import heapq
from collections import Counter, deque

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.text import CHARACTERS, filled
from runtime.errors import NoConcreteValue
from runtime.graph.build import bind
from runtime.ops.texts import TextOf, code_points
from tests.promises.kit import function_of

CALLS = [(np.int64(0),), (np.int64(3),), (np.int64(12),)]


# ── they grow ──


def in_a_loop(n):
    plain, numbers, turned = "", "", "x"
    for i in range(n):
        plain += "a"
        numbers += str(i % 2)
        turned = f"{i}" + turned
    print(plain, numbers, f"<{turned}>")
    return plain, numbers, turned, len(turned)


def in_branches(n):
    text = ""
    for i in range(n):
        if i % 2 == 0:
            text += "ab"
        else:
            text = "c" + text
    return text if text else "none"


def by_what_they_end_with(n):
    text = ""
    for _ in range(n):
        text += "a" if text.endswith("b") else "b"
    return text


def by_digits(n):
    x, text = n * 37, ""
    while x:
        text = "0123456789ABCDEF"[x % 16] + text
        x //= 16
    return text or "0"


def by_a_cipher(n):
    out = ""
    for ch in "hello":
        out += chr((ord(ch) - 97 + n) % 26 + 97)
    return out


def line_by_line(n):
    grid = ""
    for r in range(n):
        row = ""
        for c in range(n):
            row += "#" if (r + c) % 2 == 0 else "."
        grid += row + "\n"
    return grid


class Log:
    def __init__(self):
        self.text = ""

    def add(self, x):
        self.text += f"{x};"


def in_an_attribute(n):
    log = Log()
    for i in range(n):
        log.add(i)
    return log.text


def in_a_dict(n):
    state = {"name": "x", "n": n}
    for _ in range(n):
        state["name"] += "y"
    return state


def from_none(n):
    last, best = None, ""
    for i in range(n):
        last = ["x", "y"][i % 2] + str(i)
        if len(last) > len(best):
            best = last
    return last, best


def until_an_exception(n):
    text = ""
    try:
        for i in range(n):
            text += "a"
            if i == 4:
                raise ValueError(text)
    except ValueError as error:
        return text, str(error)
    return text


def until_a_break(n):
    text = ""
    for i in range(n):
        if i == 5:
            break
        text += str(i)
    else:
        text += "!"
    return text


def by_recursion(n):
    return str(n) if n < 2 else by_recursion(n // 2) + str(n % 2)


def by_the_number_of_times(n):
    text = "-" * n + ">"
    return text, ("=" * n).center(20), text * n, "%s|%5d" % (text, n)  # noqa: UP031  (one of the ways)


# ── they are looked at ──


def characters(n):
    text = str(n * 1234567)
    total = 0
    for c in text:
        total += int(c)
    return total, text[0], text[-1], text[::-1], text[n // 2 :], list(text), sorted(text), tuple(text)


def a_string_by_index(n):
    word = "hello world!!"
    return word[n], word[:n], ord(word[n]), chr(n + 65), chr(n + 200000)


def comparisons(n):
    text = str(n * 11)
    return text == text[::-1], text == "33", "3" in text, text != "0", text > "2", text <= "33", "2" < text


def choices_beside_texts(n):
    name = ("one" if n > 2 else "two") + str(n)
    return name == "one3", name in ("one3", "b"), name in ["one12"], {"one3": 1}.get(name, 0)


def methods(n):
    text = ""
    for i in range(n):
        text += chr(97 + i)
    return (
        (text.upper(), text.replace("a", "b"), text.find("c"), text.startswith("a"), text.count("a")),
        (text.isdigit(), text.isalpha(), text.partition("b"), text.split("c"), text.rfind("a"), text.title()),
        text.index("b") if "b" in text else -1,
    )


def numbers_from_texts(n):
    key, value = f"x={n}.5".split("=")
    try:
        return key, float(value), int(str(n)), int(value)
    except ValueError as error:
        return str(error)


def walks(n):
    text = "".join([chr(97 + i) for i in range(n)])
    place = 0
    while place < len(text) and text[place] != "d":
        place += 1
    return text[place:], text[:place], list(enumerate(text)), list(zip(text, range(n), strict=True))


def unpacked(n):
    first, *rest = str(n) + "ab"
    match first:
        case "3":
            return 1, first, rest
        case _:
            return 2, first, rest


def keys_of_dicts(n):
    worth, total, text = {"a": 1, "b": 2}, 0, ""
    for i in range(n):
        text += chr(97 + i % 2)
    for c in text:
        total += worth[c]
    return total


def state_machine(n):
    after, state, log = {"a": "ab", "ab": "abc", "abc": "a"}, "a", ""
    for _ in range(n):
        state = after[state]
        log += state[0]
    return state, log


# ── they are kept ──


def in_lists(n):
    parts, pairs = ["a"], []
    for i in range(n):
        parts.append(str(i) if i % 2 else "even")
        pairs.append((f"{i}:{i * i}", i))
    print(parts, pairs)
    return "-".join(parts), parts, dict(pairs), parts.count("even"), "3" in parts


def in_rows(n):
    rows = [["a"], ["b"]]
    for i in range(n):
        rows[i % 2].append(str(i))
    return rows, [",".join(row) for row in rows]


def sorted_words(n):
    words = []
    for i in range(n):
        words.append("w" + str(n - i))
    words.sort()
    return words, min(words, default=""), words.index("w1") if n else 0


def counted(n):
    text = ""
    for i in range(n):
        text += chr(97 + i % 3)
    counts = {}
    for c in text:
        counts[c] = counts.get(c, 0) + 1
    return counts, sorted(counts), Counter(text)


def in_sets(n):
    seen = set()
    for i in range(n):
        seen.add(str(i % 2))
    return seen, "1" in seen


def in_comprehensions(n):
    return [str(i) for i in range(n)], {str(i): i for i in range(n)}, "".join(str(i) for i in range(n))


def in_heaps(n):
    heap, out = [], []
    for i in range(n):
        heapq.heappush(heap, ((i * 7) % 5, "t" + str(i)))
    while heap:
        out.append(heapq.heappop(heap))
    return out


def in_queues(n):
    queue, out = deque([""]), []
    while queue and len(out) < n:
        text = queue.popleft()
        out.append(text)
        queue.append(text + "0")
        queue.append(text + "1")
    return out


def tokens(n):
    found, word = [], ""
    for ch in "ab c  def" + " " * n:
        if ch == " ":
            if word:
                found.append(word)
            word = ""
        else:
            word += ch
    return found, word


def runs(n):
    out, last, count = [], "", 0
    for c in "abbcabc" * n:
        if c == last:
            count += 1
        else:
            if last:
                out.append(last + str(count))
            last, count = c, 1
    return "".join(out)


PROGRAMS = [
    *(in_a_loop, in_branches, by_what_they_end_with, by_digits, by_a_cipher, line_by_line, in_an_attribute),
    *(in_a_dict, from_none, until_an_exception, until_a_break, by_recursion, by_the_number_of_times),
    *(characters, a_string_by_index, comparisons, choices_beside_texts, methods, numbers_from_texts, walks),
    *(unpacked, keys_of_dicts, state_machine, in_lists, in_rows, sorted_words, counted, in_sets),
    *(in_comprehensions, in_heaps, in_queues, tokens, runs),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_text_does_in_a_graph_what_it_does_in_python(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


@pytest.mark.parametrize(
    ("program", "error"),
    [
        (lambda n: str(n)[n], IndexError),
        (lambda n: int("a" * n), ValueError),
        (lambda n: chr(-n), ValueError),
        (lambda n: ord("a" * n), TypeError),
        (lambda n: {"a": 1}[str(n)], KeyError),
        (lambda n: ("b" * n).index("a"), ValueError),
    ],
)
def test_a_text_raises_what_python_raises(program, error):
    with pytest.raises(error):
        program(5)
    ag.check(program, np.int64(5), then=[(np.int64(3),)])


KINDS = {
    "repeated": lambda text, x: text * x,
    "repeats": lambda text, x: x * text,
    "joined": lambda text, x: text + x,
    "item": lambda text, x: text[x],
    "part": lambda text, x: text[x:],
    "within": lambda text, x: x in text,
    "begins": lambda text, x: text.startswith(x),
    "replaced": lambda text, x: text.replace(x, "b"),
    "padded": lambda text, x: text.ljust(x),
    "times_none": lambda text, x: text * None,
}


@pytest.mark.parametrize("name", KINDS)
def test_a_text_says_what_python_says_of_another_kind(name):
    def use(text, x):
        try:
            return KINDS[name](text, x)
        except TypeError as error:
            return str(error)

    def program(codes, x):
        text = ""
        for code in codes:
            text += chr(code)
        return use(text, x)

    codes = np.array([97, 98])
    ag.check(program, codes, np.float64(1.0), then=[(codes[:0], np.float64(0.0))])
    ag.check(program, codes, 1.0, then=[(codes[:0], 1.0)])


def test_what_is_a_text_or_a_number_is_multiplied_where_it_is_a_number():
    def program(codes):
        stack = []
        for code in codes:
            stack.append(float(code - 48) if code > 47 else chr(code))
        other, one = stack.pop(), stack.pop()
        try:
            return one * other
        except TypeError as error:
            return str(error)

    ag.check(program, np.array([50, 51]), then=[(np.array([42, 51]),), (np.array([50, 42]),)])


def test_a_text_gives_a_str():
    result = ag.function(in_a_loop)(rt.asarray(3))
    assert [type(each) for each in result[:3]] == [str] * 3


def test_what_takes_bytes_says_so():
    @ag.function
    def program(n):
        return str(n).encode()

    with pytest.raises(NoConcreteValue, match="used as `encode` of a string"):
        program(rt.asarray(3))


def test_every_character_comes_back():
    text = "aé漢🐍\ud800"
    codes = code_points(text)
    found = bind(TextOf("str", (CHARACTERS,)), rt.asarray(codes))
    assert found.numpy().tolist() == [ord(each) for each in text]
    assert filled(CHARACTERS, [codes]) == text


CELLS = np.array([1, 0, 1, 1, 0, 0, 1])


def joined(cells):
    return "".join("#" if cell else "." for cell in cells), " ".join(["x" if cell else "" for cell in cells])


def added(cells):
    text = ""
    for i in range(7):
        text += "#" if cells[i] else "."
    end = "!" if cells[0] else "?"
    return text, text + end, end + text, text == "#.##..#", text < ("a" if cells[1] else "!"), {text: 1}


def filled_in(cells):
    a, b, c, d, e = ["yes" if cells[i] else "no" for i in range(5)]
    print(a, b, c, d, e, sep="-")
    return f"{a}{b}{c}{d}{e}", "%s-%s-%s-%s-%s" % (a, b, c, d, e), "{}{}{}{}{}".format(a, b, c, d, e)  # noqa: UP031, UP032


def two_of_nine(cells):
    names = ["ant", "bee", "cat", "dog", "eel", "fox", "gnu", "hen", "ibis"]
    one, other = names[sum(cells)], names[2 * sum(cells[:3])]
    return one + other, f"{one}/{other}", one + other == "eeleel", (one + other)[-1]


def one_of_twenty(cells):
    if cells[0]:
        return f"place {sum(cells)}"
    word = "abcdefghijklmnopqrst"[sum(cells)]
    return "<" + word + ">" if cells[1] else f"[{word}]"


@pytest.mark.parametrize("program", [joined, added, filled_in, two_of_nine, one_of_twenty])
def test_many_chosen_strings_are_one_text(program):
    ag.check(program, CELLS, then=[(1 - CELLS,), (CELLS * 0,)])


@pytest.mark.parametrize("grows", [False, True])
@pytest.mark.parametrize(
    "item", ["n", "n + 0.5", "n > 1", "(n, 1)", "[n]", "[*range(n)]", "np.arange(2) * n"]
)
def test_what_is_no_string_is_in_no_string_as_in_python(item, grows):
    program = function_of(
        f"""
def f(n):
    word = "ab"
    {"for i in range(n): word += 'c'" if grows else ""}
    try:
        return {item} in word
    except TypeError as error:
        return str(error)
"""
    )
    ag.check(program, np.int64(2), then=[(np.int64(0),)])
