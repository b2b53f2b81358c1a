"""A set whose elements only the run knows, put in one after the other, has Python's order."""

import collections
import operator

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue, StateDisagrees
from tests.promises.kit import function_of

NUMBERS = [
    (np.array([30, 7, 9, 1, 7, 100]),),
    (np.array([-1, 5000, 64, 32, 0, 1, 33, 8]),),
    (np.array([0.5, 1.5, 0.25, -0.0, 0.0]),),
]


def most_frequent(xs):
    return max(set(xs), key=list(xs).count)


def entropy(xs):
    labels, total = list(xs), 0.0
    for label in set(labels):
        share = labels.count(label) / len(labels)
        total -= share * np.log2(share)
    return total


def in_every_way(xs):
    found = set(xs)
    rest = iter(found)
    first = next(rest)
    counts = {}
    for each in found:
        counts[each] = list(xs).count(each)
    return first, list(rest), counts, list(enumerate(found)), list(zip(found, xs)), tuple(found)


def sorted_by_half(xs):
    return sorted(set(xs), key=lambda x: x % 2), [x for x in {y * 3 for y in xs}], list({xs[0], xs[1], xs[2]})


def added(xs):
    found = set(xs)
    found.add(xs[0] + 1000)
    found.add(xs[0])
    return list(found), ",".join([str(x) for x in found])


def in_turns(xs):
    out = []
    for n in range(1, len(xs)):
        for each in set(xs[:n]):
            out.append(each)
    return out


def printed(xs):
    found = set(xs)
    print(found, f"{found}", "of", len(found))
    return str(found)


@pytest.mark.parametrize(
    "program", [most_frequent, entropy, in_every_way, sorted_by_half, added, in_turns, printed]
)
def test_loops_lists_and_text_have_the_order_of_pythons_set(program):
    ag.check(program, *NUMBERS[0], then=NUMBERS[1:2])
    ag.check(program, *NUMBERS[2])


def of_words(n):
    words = []
    for i in range(n):
        words.append("abcdefgh"[i * i % 7])
    return list(set(words)), [word + "!" for word in set(words)]


def of_pairs(n):
    return list({(i % 2, i % 3) for i in range(n)}), list({i * 7 for i in range(n) if i % 3})


@pytest.mark.parametrize("program", [of_words, of_pairs])
def test_words_and_pairs_have_the_order_of_their_hashes(program):
    ag.check(program, np.int64(7), then=[(np.int64(0),), (np.int64(3),)])


def grown_under_the_loop(xs):
    found = set(xs)
    for each in found:
        if each > 3:
            found.add(each + 1000)
    return len(found)


def test_a_set_that_changes_under_its_loop_raises():
    ag.check(grown_under_the_loop, *NUMBERS[0], then=[(np.array([1, 2]),)])


class Card:
    def __init__(self, rank, suit):
        self.rank, self.suit = rank, suit

    def __hash__(self):
        return hash((self.rank, self.suit))

    def __eq__(self, other):
        return (self.rank, self.suit) == (other.rank, other.suit)


def of_instances(xs):
    cards = {Card(x, 2) for x in xs}
    return [card.rank for card in cards], len(cards), Card(7, 2) in cards


def test_so_has_a_set_of_instances_that_say_which_are_equal():
    ag.check(of_instances, *NUMBERS[0], then=[NUMBERS[1]])


# ── sets that loops and paths fill ──


def reached(start, steps):
    frontier, sizes = {(start, 0)}, []
    for _ in range(steps):
        following = set()
        for row, column in frontier:
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                place = row + down, column + right
                if (place[0] + place[1]) % 5:
                    following.add(place)
        sizes.append(len(following))
        frontier = following
    return sizes, list(frontier)


def test_what_is_reached_step_by_step_comes_in_pythons_order():
    few = [(np.int64(1), np.int64(1)), (np.int64(1), np.int64(0))]
    ag.check(reached, np.int64(3), np.int64(4), then=few)


def filled(n):
    seen = set()
    for i in range(n):
        seen.add(i * 7 % 50)
    return list(seen), [x + 1 for x in seen], str(seen), next((x for x in seen), 5)


def asked_while_it_grows(n):
    seen, out = set(), []
    for i in range(n):
        seen.add(i * 11 % 23)
        for x in seen:
            out.append(x)
    return out


def filled_in_long_turns(n):
    seen = {n}
    for i in range(100):
        seen.add(i * n % 37)
    return list(seen)


def filled_on_one_path(n):
    if n > 3:
        seen = set()
        seen.add(n)
        seen.add(n + 8)
    else:
        seen = {n * 2}
    return list(seen)


def filled_in_a_try(n):
    seen = set()
    for i in range(n):
        try:
            if i == 2:
                raise ValueError
            seen.add(i * 9)
        except ValueError:
            seen.add(-1)
    return list(seen)


def filled_by_recursion(n):
    seen = set()

    def visit(k):
        if k not in seen and k < 40:
            seen.add(k)
            visit(k * 2 + 1)
            visit(k + 3)

    visit(n)
    return list(seen)


def filled_in_an_attribute(n):
    class Graph:
        nodes = None

    graph = Graph()
    graph.nodes = {0}
    for i in range(n):
        graph.nodes.add(i * 9 % 33)
    return list(graph.nodes)


def emptied_and_filled(n):
    seen = set()
    for i in range(n):
        seen.add(i * 3)
    seen.clear()
    seen.update([n, n + 16, 2])
    return list(seen)


def made_anew_in_turns(n):
    held = {1}
    for _ in range(n):
        held = {each % 64 for x in held for each in (x * 3, x + 1)}
    return list(held)


@pytest.mark.parametrize(
    "program",
    [
        *(filled, asked_while_it_grows, filled_in_long_turns, filled_on_one_path, filled_in_a_try),
        *(filled_by_recursion, filled_in_an_attribute, emptied_and_filled, made_anew_in_turns),
    ],
)
def test_a_set_that_only_grows_has_pythons_order_however_it_is_filled(program):
    ag.check(program, np.int64(7), then=[(np.int64(20),), (np.int64(0),), (np.int64(3),)])


# ── sets that the function begins with ──


def of_numbers_that_are_known(n):
    held = {i * 7 % 41 for i in range(12)}
    for i in range(n):
        held = {x + i for x in held if x % 3 != i % 3}
    return list(held)


def of_numbers_in_each_others_places(n):
    held = {17, 9}
    held.add(1)  # 1, 9 and 17 have one place in a table of eight
    held.add(n)
    return list(held)


def of_walls(n):
    walls = set()
    for row, line in enumerate(["#..#", ".##.", "#..#"]):
        for column, character in enumerate(line):
            if character == "#":
                walls.add((row, column))
    for row in range(3):
        walls.add((row, n % 4))
    return [row * 10 + column for row, column in walls]


def of_letters(n):
    held = set("banana")
    for i in range(n):
        held.add("xyz"[i % 3])
    return list(held)


@pytest.mark.parametrize(
    "program",
    [of_numbers_that_are_known, of_numbers_in_each_others_places, of_walls, of_letters],
)
def test_elements_that_python_knows_come_first_in_the_order_in_which_they_were_put_in(program):
    ag.check(program, np.int64(7), then=[(np.int64(16),), (np.int64(0),), (np.int64(1),)])


# ── sets of Python's that keep marks of what was taken out ──


def known_one_taken_out(n):
    held = {8}
    held.discard(8)
    held.add(n)
    held.add(n + 8)
    return list(held)


def known_one_taken_out_before_a_path(n):
    held = set()
    held.add(8)
    held.discard(8)
    if n > 3:
        held.add(5)
    held.add(n)
    return list(held)


def put_in_and_taken_out(held):
    held.add(5)
    held.discard(5)


def known_one_taken_out_by_a_function(n):
    held = {8}
    put_in_and_taken_out(held)
    held.add(n)
    return list(held)


def known_one_taken_out_in_place(n):
    held = {8, 3}
    held -= {3}
    held.add(n)
    return list(held)


def known_one_taken_out_by_an_object(n):
    held = {8, 3}
    operator.methodcaller("discard", 3)(held)
    held.add(3)
    held.add(n)
    return list(held)


def known_ones_that_are_no_elements(n):
    held = {8}
    try:
        held.update([9, [8]])
    except TypeError:
        held.add(n)
    return list(held)


def known_one_taken_out_on_a_path(n):
    held = {3, 11}
    if n > 5:
        held.discard(3)
    held.add(n)
    return list(held)


outside = set()


def from_outside(n):
    outside.add(n)
    return list(outside)


def a_constant_of_three(n):
    held = {9, 1, 17}
    held.add(n)
    return list(held)


@pytest.mark.parametrize(
    "program",
    [
        *(known_one_taken_out, known_one_taken_out_before_a_path, known_one_taken_out_on_a_path),
        *(known_one_taken_out_by_a_function, known_one_taken_out_in_place, known_one_taken_out_by_an_object),
        *(known_ones_that_are_no_elements, from_outside, a_constant_of_three),
    ],
)
def test_a_set_of_pythons_to_which_something_else_was_done_is_refused(program):
    with pytest.raises(NoConcreteValue, match="a loop runs over a set whose elements only the run knows"):
        ag.function(program)(np.int64(7))
    assert not outside


def sets_in_lists(n):
    rows = [set(), set(), set()]
    for i in range(n):
        rows[i % 3].add(i)
        if i > 4:
            rows[(i + 1) % 3].discard(i - 2)
    kept, held = [], {1}
    for i in range(n):
        held = {x * 2 % 31 for x in held}
        held.add(i)
        kept.append(held)
    return rows, kept


def test_sets_in_lists_are_alike_however_they_came_about():
    ag.check(sets_in_lists, np.int64(7), then=[(np.int64(0),), (np.int64(3),)])


def made_anew_on_a_path(n):
    held = {n, 0}
    other = held
    for k in range(n % 5):
        held.add(k)
        if len(other) <= 2:
            held = set()
    return len(held)


def test_a_set_that_a_path_makes_anew_is_another_one_in_each_turn():
    ag.check(made_anew_on_a_path, np.int64(8), then=[(np.int64(n),) for n in (0, 1, 3, 4, 13)])


def put_into_a_tuple(n):
    held = {n}
    while n > 3:
        held = (held, n)
        n -= 1
    return held


def test_what_a_set_holds_has_one_name_in_messages():
    with pytest.raises(StateDisagrees) as caught:
        ag.function(put_into_a_tuple)(np.int64(8))
    assert "a set with elements of the graph" in str(caught.value)
    assert "AsPutIn" not in str(caught.value)


# ── the least by a key ──


def nearest_first(places):
    left = set(range(1, len(places)))
    at, tour = 0, [0]
    while left:
        at = min(left, key=lambda other: abs(places[other] - places[at]))
        left.remove(at)
        tour.append(at)
    return tour, max({0, *tour[1:]}, key=lambda place: places[place])


def test_of_a_set_that_loses_elements_one_has_the_least_key():
    ag.check(nearest_first, np.array([3, 1, 8, 2]), then=[(np.array([4]),), (np.array([5, 9, 6, 1, 7]),)])


def test_which_of_several_with_that_key_comes_first_is_refused_when_the_graph_runs():
    function = ag.function(nearest_first)
    assert [*function(np.array([0, 1, 5, -4]))[0]] == [0, 1, 2, 3]
    with pytest.raises(
        NoConcreteValue, match=r"several elements of a set have the key[\s\S]*min\(sorted\(elements\)"
    ):
        function(np.array([0, 1, 5, -3]))


def test_a_key_that_does_more_than_to_compute_is_refused_where_the_order_is_not_known():
    def told(numbers):
        left = {3, 1, 2} | set(numbers)
        left.discard(2)

        def key(number):
            print(number)
            return -number

        return min(left, key=key)

    with pytest.raises(NoConcreteValue, match="a loop runs over a set whose elements only the run knows"):
        ag.function(told)(np.array([3, 1, 2]))


def numbers_of_nodes(edges):
    nodes, degree = set(), collections.Counter()
    for x, y in edges:
        nodes.add(x)
        nodes.add(y)
        degree[y] += 1
    nodes.discard(9)
    return (
        sorted(n for n in nodes if degree[n] == 0),
        sum(1 for n in nodes if degree[n]),
        max(n * 2 for n in nodes),
        min(degree[n] for n in nodes),
        sorted((-n, degree[n]) for n in nodes),
    )


def test_what_is_made_of_each_element_shows_no_order_where_it_is_sorted_or_added():
    ag.check(numbers_of_nodes, np.array([[0, 1], [0, 2], [1, 3]]), then=[(np.array([[4, 9]]),)])


def test_such_a_generator_gives_its_items_once():
    def taken(edges):
        nodes = set()
        for x, y in edges:
            if x < y:
                nodes.add(x)
        numbers = (n + 1 for n in nodes)
        return sorted(numbers), list(numbers)

    ag.check(taken, np.array([[0, 1], [0, 2], [1, 3]]), then=[(np.array([[4, 2]]),)])


@pytest.mark.parametrize(
    "expression",
    [
        "sorted(n * 0.5 for n in nodes)",
        "sum(n * 0.5 for n in nodes)",
        "sorted(seen.append(n) or n for n in nodes)",
        "next((n for n in nodes), 5)",
        "[n for n in nodes]",
        "list(n for n in nodes)",
    ],
)
def test_what_shows_an_order_that_is_not_known_is_refused(expression):
    program = function_of(
        "def f(edges):\n    nodes, seen = set(), []\n    for x, y in edges:\n        if x < y:\n"
        f"            nodes.add(x)\n    nodes |= {{7, 8, 9}}\n    return {expression}\n"
    )
    with pytest.raises(NoConcreteValue, match="a loop runs over a set whose elements only the run knows"):
        ag.function(program)(np.array([[0, 1], [0, 2], [1, 3]]))
