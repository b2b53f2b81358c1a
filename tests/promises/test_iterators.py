"""Iterators over what only a run knows go on where a loop or `next` left them; so do those of `itertools`."""

import itertools

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import GraphError
from tests.promises.kit import function_of

CALLS = [(np.int64(5),), (np.int64(0),), (np.int64(3),)]


# ── where they are left ──


def a_loop_leaves_it(n):
    it = iter(range(n))
    first, rest = 0, 0
    for x in it:
        first += x
        if x > 1:
            break
    for x in it:
        rest += x * 10
    return first, rest, list(it)


def pairs_and_numbers(n):
    pairs, numbers = zip(range(n), range(1, n + 1), strict=True), enumerate(range(n), 1)
    total = 0
    for a, b in pairs:
        total += a * b
        if total > 3:
            break
    return total, list(pairs), next(numbers, (0, 0)), sum([a * b for a, b in numbers])


def next_in_loops(n):
    it, total = iter(range(n)), 0
    while True:
        x = next(it, None)
        if x is None:
            break
        total += x
    return total, next(it, -1)


def next_in_the_loop_over_it(n):
    it, out = iter(range(n)), []
    for x in it:
        out.append((x, next(it, -1)))
    return out


def loops_in_loops(n):
    it, out = iter(range(n)), []
    for i in range(3):
        out.append(next(it, -1))
        if i == 1:
            for x in it:
                if x > 2:
                    break
    return out, list(it), list(it)


def one_loop_inside_the_other(n):
    it = iter(range(n))
    for a in it:
        for b in it:
            if b % 2:
                break
        else:
            return a, -1
    return 5, 5


def backwards(n):
    it, total = reversed(range(n)), 0
    for i in range(2):
        for x in it:
            total += x * (i + 1)
            if x % 2 == 0:
                break
    return total, next(it, 7)


def questions(n):
    it, other = iter(range(n)), iter(range(n))
    found = any(x > 1 for x in it)
    return found, list(it), 2 in other, list(other)


def in_turn(n):
    it = iter(range(n))
    return [x + y for x, y in zip(it, it)]  # what is over is left out


class Reader:
    def __init__(self, xs):
        self.it = iter(xs)
        self.last = -1

    def read(self):
        self.last = next(self.it, self.last)
        return self.last


def in_an_attribute(n):
    reader, out, more = Reader(range(n)), [], 0
    for _ in range(4):
        out.append(reader.read())
    while reader.read() < n - 1 and more < 10:
        more += 1
    return out, more, reader.last


def at_the_end(n):
    it = iter(range(n))
    try:
        return next(it) + next(it)
    except StopIteration:
        return -1


def generator_expressions(n):
    squares, total = (i * i for i in range(n)), 0
    for x in squares:
        if x > 3:
            break
        total += x
    return total, list(squares)


def of_growing_lists_and_texts(n):
    grown = [i * 2 for i in range(n)]
    it, out = iter(grown), []
    for c in (letters := iter(str(n * 111))):
        out.append(next(letters, "x") + c if c == "5" else c)
    return next(it, -1), next(it, -1), list(it), out


def of_lists_of_python(n):
    words, numbers, total = iter(["a", "b", "c", "d", "e"]), iter([1, 2, 3, 4, 5, 6]), 0
    out = []
    for _ in range(n):
        out.append(next(words))
    for x in numbers:
        total += x
        if total > n:
            break
    return out, total, next(numbers, 0), list(numbers), next(iter([]), None)


def of_lists_that_get_longer(n):
    xs, ys = [1, 2], [1, 2]
    ended, going = iter(xs), iter(ys)
    first = list(ended), next(going)
    xs.append(n)
    ys.append(n)
    return first, list(ended), next(ended, 9), list(going)


def handed_to_builtins(n):
    it = iter([4, 5, 6])
    x, *rest = iter([n, 2, 3])
    return max(it), list(it), sorted(iter([3, n])), "".join(iter(["a", "b"])), tuple(iter([n, 2])), x, rest


# ── itertools ──


def counting(n):
    total, numbers, out = 0, itertools.count(), []
    for i in itertools.count(1):
        if i * i > n:
            break
        total += i
    for _ in range(n):
        out.append(next(numbers))
    return total, out, next(numbers), list(itertools.islice(itertools.count(2, 3), n))


def cycles(n):
    letters, out, total = itertools.cycle("ab"), [], 0
    for _ in range(n):
        out.append(next(letters))
    for i, x in zip(range(n), itertools.cycle([1, 2, 3])):  # one has no end
        total += i * x
    return out, total, list(itertools.repeat(7, n))


def while_it_holds(n):
    return (
        list(itertools.takewhile(lambda x: x < n, range(10))),
        list(itertools.dropwhile(lambda x: x < 3, range(n))),
        list(itertools.filterfalse(lambda x: x % 2, range(n))),
        list(itertools.compress(range(n), [1, 0, 1])),
    )


def slices(n):
    total = 0
    for start in range(3):
        for x in itertools.islice(range(n), start, start + 2):
            total += x
    return total, list(itertools.islice(range(n), 1, None, 2))


def sums(n):
    xs = [3, 1, 2]
    for i in range(n):
        xs.append(i)
    return (
        list(itertools.accumulate(range(n))),
        list(itertools.accumulate(xs, max)),
        list(itertools.accumulate(range(n), lambda a, b: a * 2 + b, initial=1)),
    )


def products(n):
    best = None
    for a, b in itertools.combinations(range(n), 2):
        if best is None or a * b > best:
            best = a * b
    return (
        best,
        list(itertools.product(range(n), "ab")),
        [a * b for a, b in itertools.product(range(n), repeat=2)],
        list(itertools.combinations(range(n), 3)),
        list(itertools.permutations(range(n), 2)),
    )


def neighbours(n):
    xs = [i * i for i in range(n)]
    total = 0
    for x in itertools.chain(xs, range(n), [5]):
        total += x
    return (
        [b - a for a, b in itertools.pairwise(xs)],
        total,
        list(itertools.chain.from_iterable([xs, xs])),
        list(itertools.starmap(pow, zip(range(n), xs, strict=True))),
        list(itertools.zip_longest(range(n), range(2), fillvalue=-1)),
    )


def behind_a_zip(n):
    it = iter([i * i for i in range(n)])
    first = [number + item for number, item in zip(range(2), it)]
    total = 0
    for weight, item in zip(range(1, 4), it):
        total += weight * item
        if total > 12:
            break
    return first, total, list(it)


PROGRAMS = [
    behind_a_zip,
    *(a_loop_leaves_it, pairs_and_numbers, next_in_loops, next_in_the_loop_over_it, loops_in_loops),
    *(one_loop_inside_the_other, backwards, questions, in_turn, in_an_attribute, at_the_end),
    *(generator_expressions, of_growing_lists_and_texts, of_lists_of_python, of_lists_that_get_longer),
    *(handed_to_builtins, counting, cycles, while_it_holds, slices, sums, products, neighbours),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_an_iterator_gives_in_a_graph_what_it_gives_in_python(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def of_a_list_that_has_changed(n):
    xs = list(range(n))
    it = iter(xs)
    first = next(it)
    xs.append(1)
    return first, list(it)


def test_an_iterator_of_a_list_that_has_changed_since_is_refused():
    with pytest.raises(GraphError, match="an iterator is asked for items again"):
        ag.function(of_a_list_that_has_changed)(rt.asarray(5))


# ── iterators of which others take items ──


def a_zip_asks_in_vain(n):
    it = iter(range(n))
    return list(zip(it, range(2))), list(it)  # it has been asked for a third item, if it has one


def zips_one_after_another(n):
    numbers = itertools.count()
    first, second = zip(numbers, [1, 2], strict=False), zip(numbers, range(n), strict=False)
    return list(first), list(second), next(numbers)


def a_zip_that_is_left_goes_on(n):
    numbers, out = itertools.count(10), []
    triples = zip(range(n), numbers, "abc", strict=False)
    for a, b, c in triples:
        if a > 0:
            break
        out.append((a, b, c))
    return out, next(numbers), list(triples), next(numbers)


def the_shorter_of_two(n):
    one, other = iter(range(n)), iter(range(3))
    return list(zip(one, other, strict=False)), list(one), list(other)


def numbers_for_the_rows_of_a_loop(n):
    numbers, out = itertools.count(), []
    for x in range(n):
        for i, y in zip(numbers, range(x), strict=False):
            out.append(i * 10 + y)
    return out, next(numbers)


def zips_in_a_zip(n):
    numbers = itertools.count()
    return list(zip(zip(numbers, range(n), strict=False), range(2), strict=False)), next(numbers)


def an_enumerate_is_overtaken(n):
    it = iter(range(n))
    pairs = enumerate(it)
    return next(it, None), list(pairs)


def a_zip_is_asked_one_by_one(n):
    numbers = itertools.count()
    pairs, out = zip(numbers, range(n), strict=False), []
    while True:
        pair = next(pairs, None)
        if pair is None:
            break
        out.append(pair)
    return out, next(numbers), next(pairs, None), next(numbers)


BEHIND = [
    a_zip_asks_in_vain,
    zips_one_after_another,
    a_zip_that_is_left_goes_on,
    the_shorter_of_two,
    numbers_for_the_rows_of_a_loop,
    zips_in_a_zip,
    an_enumerate_is_overtaken,
    a_zip_is_asked_one_by_one,
]


@pytest.mark.parametrize("program", BEHIND, ids=lambda program: program.__name__)
def test_an_iterator_of_which_others_take_items_is_where_python_has_it(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_an_iterator_is_not_taken_from_at_two_places_of_a_zip():
    def twice(n):
        numbers = itertools.count()
        return list(zip(numbers, zip(range(n), numbers, strict=False), strict=False))

    with pytest.raises(GraphError, match=r"an `itertools.count` is asked for items again"):
        ag.function(twice)(rt.asarray(5))


# ── generators ──


def counted(count):
    at = 0
    while at < count:
        yield at * 2
        at += 1


def the_first_item(n):
    return next(counted(n), -1)


def the_first_item_or_an_error(n):
    return next(counted(n))


def the_first_item_of_several(n):
    total = 0
    for i in range(3):
        total += next((item + i for item in counted(n)), 10)
        total += next(counted(n - i), 100)
    return total


def the_first_of_pairs(n):
    return next(enumerate(counted(n), 5), None), next(zip(counted(n), [7, 8]), (0, 0))


def nothing_beside_a_generator(n):
    total, got = 0, []
    for left, right in zip(got, counted(n)):
        total += left + right
    return total, list(zip([], counted(n))), list(zip((), range(n)))


@pytest.mark.parametrize(
    "program",
    [
        *(the_first_item, the_first_item_or_an_error, the_first_item_of_several, the_first_of_pairs),
        nothing_beside_a_generator,
    ],
)
def test_a_generator_that_a_tensor_decides_about_is_asked(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])


def test_a_generator_that_next_has_left_is_refused():
    def program(n):
        items = counted(n)
        return next(items, 0) + next(items, 0)

    with pytest.raises(GraphError, match=r"generator of counted\(\) is asked for items again"):
        ag.function(program)(np.int64(3))


def test_a_range_that_is_returned_has_its_numbers():
    def every_other(n):
        return {"these": range(1, n, 2)}

    found = ag.function(every_other)(np.int64(6))["these"]
    assert [int(each) for each in found] == list(every_other(6)["these"])


def forward_or_backwards(n, v):
    total = 0
    for i in range(n) if v > 1 else reversed(range(n)):
        if i == 7:
            break
        total = total * 3 + i
    return total, list(range(n) if v > 1 else reversed(range(n)))


def test_a_range_or_an_iterator_over_one_is_chosen():
    calls = [(np.int64(n), np.float64(v)) for n, v in ((5, 0.0), (0, 2.0), (0, 0.0), (9, 0.0))]
    ag.check(forward_or_backwards, np.int64(5), np.float64(2.0), then=calls)


def test_nobody_goes_on_with_an_iterator_that_was_chosen():
    def f(n, v):
        items = range(n) if v > 1 else reversed(range(n))
        for i in items:
            if i == 2:
                break
        return list(items)

    with pytest.raises(GraphError, match="a `reversed` is asked for items again"):
        ag.function(f)(np.int64(5), np.float64(2.0))


# ── strings beside what only the run knows ──


def letters_by_number(n):
    pairs = list(zip(range(n), "abcdef", strict=False))
    return pairs, dict(zip("abc", range(n, n + 3), strict=True)), [*zip("ab", range(n), strict=False)]


def numbered_from(n):
    numbered = [f"{i}{c}" for i, c in enumerate("ab", n)]
    return (
        list(enumerate("abc", start=n)),
        numbered,
        list(enumerate([5, n], n)),
        type(next(enumerate("a", n))[0]),
    )


def letters_that_a_number_decides(n):
    letter = "hello"[n % 5]
    chosen = [c for c in "hello" if c != letter], sorted("hello", key=lambda c: (c == letter, c))
    return (
        chosen,
        max("hello", key=lambda c: c == letter),
        list(itertools.compress("abcd", [i < n for i in range(4)])),
    )


@pytest.mark.parametrize("program", [letters_by_number, numbered_from, letters_that_a_number_decides])
def test_letters_are_items_as_others_are(program):
    ag.check(program, np.int64(3), then=[(np.int64(1),), (np.int64(0),)])


def test_numbers_do_not_start_at_a_half():
    ag.check(lambda x: list(enumerate("ab", x)), np.float64(0.5))


# ── loops that an exception leaves ──


def an_iterator_in_a_try(n):
    it, out = iter(range(n)), []
    try:
        for x in it:
            if x == 2:
                raise ValueError(x)
            out.append(x)
    except ValueError as error:
        return out, error.args, list(it)
    return out, list(it)


def endless_numbers_in_a_try(n):
    numbers, out = itertools.count(), []
    try:
        for i, x in zip(numbers, range(n), strict=False):
            if x == 2:
                raise ValueError(i)
            out.append(i)
    except ValueError as error:
        out.append(-error.args[0])
    return out, next(numbers)


def pairs_in_a_try(n):
    it, out = iter(range(n)), []
    try:
        for i, x in enumerate(it, 10):
            if x == 1:
                raise KeyError(i)
            out.append(i)
    except KeyError:
        out.append(next(it, "none"))
    finally:
        out.append(list(it))
    return out


def tried_again(n):
    it, out = iter(range(n)), []
    for _ in range(3):
        try:
            for x in it:
                if x % 2:
                    raise ValueError(x)
                out.append(x)
        except ValueError as error:
            out.append(-error.args[0])
    return out, next(it, None)


LEFT_BY_EXCEPTIONS = [an_iterator_in_a_try, endless_numbers_in_a_try, pairs_in_a_try, tried_again]


@pytest.mark.parametrize("program", LEFT_BY_EXCEPTIONS, ids=lambda program: program.__name__)
def test_an_iterator_goes_on_behind_the_item_whose_turn_has_raised(program):
    ag.check(program, np.int64(5), then=[(np.int64(n),) for n in (3, 1, 0)])


def test_a_generator_that_an_exception_of_a_loop_has_left_is_not_asked_again():
    def squares(n):
        for i in range(n):
            yield i * i

    def left(n):
        numbers = squares(n)
        try:
            for x in numbers:
                if x == 4:
                    raise ValueError(x)
        except ValueError:
            return list(numbers)
        return []

    with pytest.raises(GraphError, match=r"a generator of squares\(\) is asked for items again"):
        ag.function(left)(rt.asarray(5))


class Source:
    """Numbers that are read one by one; -1 where there are no more."""

    def __init__(self, numbers):
        self.numbers, self.place = numbers, 0

    def read(self):
        if self.place >= len(self.numbers):
            return -1
        self.place += 1
        return self.numbers[self.place - 1]


def read_until(numbers):
    source, found = Source(numbers), []
    for number in iter(source.read, -1):
        found.append(number * 2)
    return found, source.place


def read_until_the_end(numbers):
    items = iter(numbers)
    return list(iter(lambda: next(items), numbers[-1])), list(items)


def read_of_known_numbers(numbers):
    source = Source([1, 2, -1, 4])
    return [number + numbers[0] for number in iter(source.read, -1)], source.place


class Squares:
    """As many squares as the run says, by their index."""

    def __init__(self, count):
        self.count = count

    def __len__(self):
        return int(self.count)

    def __getitem__(self, index):
        print("square", index)
        return index * index


def backwards(numbers):
    found = []
    for square in reversed(Squares(numbers[0])):
        if square == 1:
            break
        found.append(square)
    return found, list(reversed(Squares(numbers[1])))


@pytest.mark.parametrize("program", [read_until, read_until_the_end, read_of_known_numbers, backwards])
def test_iterators_of_what_a_program_calls_and_indexes_are_python_s(program):
    ag.check(program, np.array([1, 2, 3, -1, 5]), then=[(np.array([2, 5, -1, 4]),), (np.array([3, 0, 7]),)])


@pytest.mark.parametrize(
    "items",
    [
        "itertools.combinations(grown, -n)",
        "itertools.combinations(range(n), -1)",
        "itertools.permutations(grown, -n)",
        "itertools.permutations(grown, -1)",
        "itertools.islice(grown, -n)",
        "itertools.islice(grown, -n, 2)",
        "itertools.islice(grown, n, -n)",
        "itertools.islice(range(n), 0, 2, 1 - n)",
        "itertools.islice(itertools.count(), -n)",
    ],
)
def test_numbers_that_itertools_refuses_are_refused_as_there(items):
    program = function_of(
        f"""
def f(n):
    grown = []
    for i in range(n):
        grown.append(i)
    try:
        return list({items})
    except (TypeError, ValueError) as error:
        return [str(error)]
""",
        itertools=itertools,
    )
    ag.check(program, np.int64(2), then=[(np.int64(1),), (np.int64(3),)])


def grown(n):
    items = []
    for k in range(n):
        items.append(k)
    return items


MADE = {
    "zip": lambda items: zip(items, items),
    "enumerate": enumerate,
    "map": lambda items: map(abs, items),
    "filter": lambda items: filter(None, items),
    "reversed": reversed,
    "iter": iter,
    "iter of a range": lambda items: iter(range(len(items))),
    "reversed range": lambda items: reversed(range(len(items))),
    "iter of an array": lambda items: iter(np.array(items)),
    "iter of a dict": lambda items: iter({each: 1 for each in items}),
    "iter of a set": lambda items: iter(set(items)),
    "generator": lambda items: (each for each in items),
    "cycle": itertools.cycle,
}


@pytest.mark.parametrize("made", MADE)
def test_an_iterator_is_of_the_class_that_python_gives_it(made):
    make = MADE[made]
    kind = type(make([]))

    def f(n):
        told, iterator = [], make(grown(n))
        for use in (
            len,
            lambda each: each[0],
            lambda each: each + 1,
            lambda each: each.foo,
            lambda each: each(),
        ):
            try:
                use(iterator)
            except (AttributeError, TypeError) as error:
                told.append(str(error))
        shown = str(iterator).partition(" object ")[0], f"{iterator!r:.1}"
        return (
            type(iterator).__name__,
            isinstance(iterator, kind),
            shown,
            hasattr(iterator, "send"),
            told,
        )

    ag.check(f, np.int64(3), then=[(np.int64(1),)])
