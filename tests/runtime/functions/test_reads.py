"""The names that functions read outside of themselves."""

import argparse
import ast
import dis
import heapq
import inspect
from types import CodeType, FunctionType

from runtime.functions.reads import names_of, variables_in

RATE = at = 0.5


def reads(box):
    box.RATE = box.at
    return lambda: (RATE, box.ast)


def test_attributes_are_no_global_variables():
    assert {name.name for name in names_of(reads)} == {"RATE"}
    assert variables_in(reads.__code__) == {"RATE"}


def with_a_class():
    class Inner:
        rate = RATE
        global at
        at = 1

    return Inner


def test_what_the_body_of_a_class_reads_and_binds_counts():
    assert {"RATE", "at"} <= {name.name for name in names_of(with_a_class)}


def test_there_are_as_many_names_as_one_likes():
    names = [f"name_{number}" for number in range(700)]
    scope = dict.fromkeys(names, 1)
    exec(f"def many(x): return [x.attribute, {', '.join(names)}]", scope)
    assert variables_in(scope["many"].__code__) == {*names}


def expected(code):
    """As Python's own disassembler says."""
    found = {each.argval for each in dis.get_instructions(code) if each.opname.endswith(("_GLOBAL", "_NAME"))}
    found -= {each.argval for each in dis.get_instructions(code) if each.opname == "IMPORT_NAME"}
    return found.union(*[expected(each) for each in code.co_consts if isinstance(each, CodeType)])


def test_they_are_those_of_python_s_disassembler():
    functions = [
        value
        for module in (argparse, ast, dis, heapq, inspect)
        for holder in (module, *[each for each in vars(module).values() if isinstance(each, type)])
        for value in vars(holder).values()
        if isinstance(value, FunctionType)
    ]
    assert len(functions) > 300
    for function in functions:
        assert variables_in(function.__code__) == expected(function.__code__), function
