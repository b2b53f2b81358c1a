import pytest

from autograph.errors import UnsupportedSyntax
from autograph.source.fence import check, reason_to_leave
from autograph.source.parse import parse


def plain(x):
    return [sorted(x), dir(x), vars(x), eval("x", {}), (y for y in x)]


def generator(x):
    if x:
        yield x


async def coroutine(x):
    return x


def reads_locals(x):
    return locals()


def evaluates(x):
    return eval("x + 1")


def nested(x):
    def inner():
        yield from x

    return list(inner())


def own_locals(locals):
    return locals()


def vars():
    return {}


def own_vars():
    return vars()


@pytest.mark.parametrize("function", [plain, nested, own_locals, own_vars, lambda x: x])
def test_ordinary_functions_are_converted(function):
    assert check(parse(function)) is None


@pytest.mark.parametrize(
    ("function", "construct", "line"),
    [
        (generator, "a generator", 2),
        (coroutine, "an async function", 0),
        (reads_locals, "`locals()`", 1),
        (evaluates, "`eval()`", 1),
        (lambda: (yield), "a generator", 0),
    ],
)
def test_what_stands_in_the_way_is_named_with_its_line(function, construct, line):
    verdict = check(parse(function))
    assert verdict.construct == construct
    assert verdict.where.line == function.__code__.co_firstlineno + line
    assert verdict.where.filename == __file__


def test_a_verdict_makes_a_message_with_a_way_out():
    message = str(UnsupportedSyntax(check(parse(reads_locals)).diagnostic()))
    assert message.startswith("`locals()` cannot be converted\n\n  File ")
    assert "    return locals()\n           ^^^^^^^^" in message
    assert "do_not_convert" in message


def test_nested_definitions_are_judged_by_themselves():
    (_, construct, because) = reason_to_leave(parse(nested).tree.body[0])
    assert construct == "a generator"
    assert because.endswith(".")


def test_names_that_only_look_like_calls_are_fine():
    def function(x):
        return x.eval(), x.locals()

    assert check(parse(function)) is None
