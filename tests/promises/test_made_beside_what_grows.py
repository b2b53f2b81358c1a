"""A container that a function makes, and gives two names, is one object, whatever has grown beside it."""

import numpy as np
import pytest

import autograph as ag

ROWS = [2.0]
LATEST = [1.0]


class Log:
    def __init__(self):
        self.lines, self.latest, self.index = [1.0], [0.0], {}


def in_a_global(log, values):
    global LATEST
    ROWS.append(1.0)
    LATEST = list(values)
    return LATEST


def in_an_attribute(log, values):
    log.lines.append(1.0)
    log.latest = [value * 2 for value in values]
    return log.latest


def in_an_item(log, values):
    log.lines.append(1.0)
    log.index["latest"] = list(values)
    return log.index["latest"], log.lines


def in_two_places(log, values):
    log.lines.append(1.0)
    log.latest = log.index["latest"] = list(values)


def grown_in_a_loop(log, values):
    for value in np.asarray(values):
        log.lines.append(value)
    log.latest = list(values)
    return log.latest, log.lines


@pytest.mark.parametrize(
    "f",
    [in_a_global, in_an_attribute, in_an_item, in_two_places, grown_in_a_loop],
)
def test_what_is_made_beside_a_list_that_grows_is_one_object_under_all_of_its_names(f):
    call = Log(), [1.0, 3.0]
    ag.check(f, *call, then=[call] * 4)


def test_an_object_that_is_given_back_is_itself_where_its_list_has_grown():
    def f(log, values):
        for value in values:
            log.lines.append(value)
        return log

    call = Log(), np.array([1.0, 3.0])
    ag.check(f, *call, then=[call] * 4)


def test_a_list_that_is_returned_is_the_one_that_was_stored():
    def f(log, values):
        log.lines.append(1.0)
        log.latest = list(values)
        return log.latest

    graph, log = ag.function(f), Log()
    for _ in range(4):
        assert graph(log, [1.0, 3.0]) is log.latest
