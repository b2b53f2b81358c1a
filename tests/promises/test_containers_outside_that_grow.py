"""Containers outside of a function that it reads and makes longer: one graph serves all of their lengths."""

import collections

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees


class Seen:
    def __init__(self):
        self.values, self.pairs, self.counts = [], [], {}
        self.latest, self.kinds, self.tally = collections.deque(maxlen=3), set(), collections.Counter()
        self.alias, self.total = self.values, 0


def mean(seen, n):
    seen.values.append(n)
    return sum(seen.values) / len(seen.values), max(seen.values), seen.values[-1] - seen.values[0]


def as_floats(seen, n):
    seen.values.append(float(n))
    return [x * 2 for x in seen.values]


def as_small_floats(seen, n):
    seen.values.append(np.float32(n) / 3)
    return sum(seen.values), np.array(seen.values).mean()


def under_two_names(seen, n):
    seen.values.append(n)
    seen.alias.append(n + 1)
    return len(seen.values), seen.values is seen.alias


def window(seen, n):
    seen.values.append(n)
    if len(seen.values) > 3:
        seen.values.pop(0)
    return sum(seen.values)


def in_a_branch(seen, n):
    if n > 3:
        seen.values.clear()
    seen.values.append(n)
    return len(seen.values)


def of_pairs(seen, n):
    seen.pairs.append((n, 1))
    return [a + b for a, b in seen.pairs]


def counted(seen, n):
    seen.counts[int(n)] = seen.counts.get(int(n), 0) + 1
    seen.tally[int(n)] += 1
    return max(seen.counts.values()), sorted(seen.counts), seen.tally[int(n)]


def in_queues_and_sets(seen, n):
    seen.latest.append(n)
    seen.kinds.add(int(n))
    return sum(seen.latest), len(seen.kinds), int(n) + 1 in seen.kinds


def printed(seen, n):
    seen.values.insert(0, n)
    print("seen", seen.values)
    seen.total += len(seen.values)
    return f"{seen.total} {seen.values}"


def raises(seen, n):
    seen.values.append(n)
    if n == 4:
        raise ValueError(f"{len(seen.values)} seen")
    return seen.values.index(n)


def given_back(seen, n):
    seen.values.append(n)
    seen.pairs = seen.values
    return seen.values


PROGRAMS = [
    mean,
    as_floats,
    as_small_floats,
    under_two_names,
    window,
    in_a_branch,
    of_pairs,
    counted,
    in_queues_and_sets,
    printed,
    raises,
    given_back,
]
CALLS = [(np.int64(n),) for n in (2, 3, 4, 5, 3, 5, 4, 9)]


def bound(program):
    seen = Seen()

    def call(n):
        return program(seen, n)

    return seen, call


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_container_outside_may_be_longer_in_every_call(program):
    ag.check(bound(program)[1], np.int64(3), then=CALLS)


@pytest.mark.filterwarnings("ignore:the sum of a list")  # of small floats, of which there may be none
@pytest.mark.parametrize("program", PROGRAMS)
def test_one_graph_serves_all_lengths(program):
    function = ag.function(bound(program)[1])
    for (n,) in CALLS:
        try:
            function(n)
        except ValueError:
            assert program is raises
    assert function.experimental_get_tracing_count() <= 4


def test_a_container_that_is_made_empty_between_two_calls_is_served():
    seen, call = bound(mean)
    function = ag.function(call)
    for (n,) in CALLS:
        function(n)
    seen.values.clear()
    assert [float(each) for each in function(np.int64(7))] == [7.0, 7.0, 0.0]
    assert function.experimental_get_tracing_count() == 3


def test_a_container_that_gets_elements_of_another_kind_is_traced_anew():
    def change(seen):
        seen.values[:] = [0.5, 1.5]

    seen, call = bound(under_two_names)
    steps = [*CALLS[:4], lambda: change(seen), *CALLS[:2]]
    ag.check(call, np.int64(3), then=steps)


def test_texts_outside_are_constants_as_before():
    seen = Seen()

    def name(n):
        seen.values.append(str(int(n)))
        return ",".join(seen.values)

    ag.check(name, np.int64(3), then=CALLS[:3])


def test_a_container_that_is_refused_leaves_all_others_as_they_were():
    history, settings, state = [1.0], {0: 0.5, 1: [0.0]}, Seen()
    before = state.values

    @ag.function
    def program(n, v):
        if n > 1:
            settings[2] = history
        elif n > 0:
            state.values = [v, v]
        else:
            state.values = [v]

    for _ in range(2):
        with pytest.raises(StateDisagrees, match="a dict from outside, with containers in it, grows"):
            program(np.int64(3), np.float64(2.0))
        assert state.values is before
        assert settings == {0: 0.5, 1: [0.0]}


def test_what_a_list_of_pythons_numbers_gets_stays_pythons():
    found = []
    for convert in (lambda function: function, ag.function):
        counts, shares, seen = [1, 2], {1: 0.5}, set()

        def grow(n, counts=counts, shares=shares, seen=seen):
            for i in range(n):
                counts.append(len(counts))
                shares[i] = 0.25
                seen.add(i)
            return counts[-1] * n

        function = convert(grow)
        for n in (1, 4, 4, 2):
            function(np.int64(n))
            found.append([{*map(type, each)} for each in (counts, shares, shares.values(), seen)])
    assert found[:4] == found[4:]


def test_a_list_that_a_path_replaces_is_not_taken_for_one_that_is_only_added_to():
    class Seen:
        def __init__(self):
            self.values, self.__own = [2.0], [0.0]

        def add(self, n, v):
            if v > 3:
                self.values.append(v)
                self.values = [v]
            self.__own.append(v)
            if n > 2:
                self.__own = [v]

    def counting():
        held = [1.0]

        def count(n, v):
            nonlocal held
            held.append(v)
            for i in range(n):
                if i > 1:
                    held = [v]

        return count

    for program in (Seen().add, counting()):
        calls = [(np.int64(n), np.float64(v)) for n, v in ((3, 2.0), (1, 5.0), (0, 2.0), (3, 7.0))]
        ag.check(program, *calls[0], then=calls[1:])
