"""Converted functions recur nearly as deep as plain ones, and fail alike when they recur without end."""

import sys

import pytest

FRAMES_AT_MOST = 4
"""How many frames one call may take: the function, a block of it, the operator of the block, and the call."""


def plain(n):
    return 0 if n == 0 else 1 + plain(n - 1)


def in_a_branch(n):
    if n == 0:
        return 0
    return 1 + in_a_branch(n - 1)


def in_a_loop(n):
    total = 0
    for _ in range(1 if n else 0):
        total += 1 + in_a_loop(n - 1)
    return total


def in_an_operand(n):
    return n and 1 + in_an_operand(n - 1)


def in_a_handler(n):
    try:
        return 1 // (n == 0) - 1
    except ZeroDivisionError:
        return 1 + in_a_handler(n - 1)


def straight(n):
    return mutual(n)


def mutual(n):
    if n:
        return 1 + straight(n - 1)
    return 0


def depth_of(function):
    """How deep the stack gets per call of a function that recurs."""
    depths = []

    def depth(frame, event, argument):
        count = 0
        while frame is not None:
            count, frame = count + 1, frame.f_back
        depths.append(count)

    measured = []
    for n in (5, 25):
        depths.clear()
        before = sys.getprofile()
        sys.setprofile(depth)
        try:
            assert function(n) == n
        finally:
            sys.setprofile(before)
        measured.append(max(depths))
    return (measured[1] - measured[0]) / 20


@pytest.mark.parametrize(
    "function",
    [plain, in_a_branch, in_a_loop, in_an_operand, in_a_handler, straight],
    ids=lambda f: f.__name__,
)
def test_a_call_takes_few_frames(function, convert):
    of_its_own = 2 if function is straight else 1
    assert depth_of(function) == of_its_own
    assert depth_of(convert(function)) <= FRAMES_AT_MOST * of_its_own


def test_recursion_without_end_is_a_recursion_error(convert):
    def endless(n):
        if n >= 0:
            return endless(n + 1)
        return n

    with pytest.raises(RecursionError):
        convert(endless)(0)


def test_a_caught_recursion_error_leaves_everything_in_order(check):
    def endless(n):
        return endless(n + 1) if n >= 0 else n

    def caught(t):
        try:
            endless(t)
        except RecursionError as error:
            return type(error).__name__
        return "never"

    check(caught, (0,), (-1,))
