"""`assert`."""

import pytest


def test_asserts(check):
    def f(x, log):
        try:
            assert x, log.append("message")
        except AssertionError:
            log.append("failed")
        assert True
        return log

    check(f, (1, []), (0, []))


def test_an_assert_has_a_message_only_when_it_is_given_one(convert):
    def bare(x):
        assert x

    with pytest.raises(AssertionError) as caught:
        convert(bare)(0)
    assert caught.value.args == ()

    def said(x):
        assert x, ("a", "tuple")

    with pytest.raises(AssertionError) as caught:
        convert(said)(0)
    assert caught.value.args == (("a", "tuple"),)
