"""Functions that are written as text: alike in code, and each with names of its own."""

from runtime.core.written import _compiled, as_written

TEXT = "def add(x): return x + more"


def test_functions_of_one_text_mean_what_their_names_mean():
    one, other = [as_written("add", TEXT, "<test>", {"more": more}) for more in (1, 10)]
    assert (one(1), other(1)) == (2, 11)


def test_the_same_text_is_compiled_once():
    as_written("add", TEXT, "<test>", {"more": 1})
    before = _compiled.cache_info()
    as_written("add", TEXT, "<test>", {"more": 2})
    after = _compiled.cache_info()
    assert (after.hits, after.misses) == (before.hits + 1, before.misses)


def test_each_function_has_code_of_its_own_which_python_adapts_to_what_it_meets():
    one, other = [as_written("add", TEXT, "<test>", {"more": more}) for more in (1, 2.0)]
    assert one.__code__ is not other.__code__
    assert one.__code__ == other.__code__
