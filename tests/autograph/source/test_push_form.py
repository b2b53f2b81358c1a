import ast
import gc

import pytest

from autograph.source.push_form import as_written, push_form
from autograph.source.unparse import unparse
from autograph.staging.plain import Plain
from autograph.transpiler import Transpiler


def tree_of(text):
    return ast.parse(text).body[0]


def pushed(text):
    tree = tree_of(text)
    assert push_form(tree)
    return unparse(tree)


def test_a_yield_becomes_a_call_and_a_return():
    assert pushed("def f(x):\n    yield x\n    yield") == unparse(
        tree_of("def f(x):\n    if ag__emit(x):\n        return\n    if ag__emit(None):\n        return\n")
    )


def test_what_a_yield_gets_is_none_where_it_comes_first():
    assert pushed("def f(x):\n    s = (yield x) or 1\n    t = yield") == unparse(
        tree_of(
            "def f(x):\n    if ag__emit(x):\n        return\n    s = None or 1\n"
            "    if ag__emit(None):\n        return\n    t = None\n"
        )
    )


def test_yield_from_becomes_a_loop_with_a_name_of_its_own():
    assert pushed("def f(item_):\n    yield from item_") == unparse(
        tree_of(
            "def f(item_):\n    for item__1 in item_:\n        if ag__emit(item__1):\n            return\n"
        )
    )


def test_a_function_may_use_the_name_of_what_takes_its_items():
    assert pushed("def f(ag__emit):\n    yield ag__emit") == unparse(
        tree_of("def f(ag__emit):\n    if ag__emit_1(ag__emit):\n        return\n")
    )


def test_the_value_of_a_return_is_only_evaluated():
    assert pushed("def f():\n    yield 1\n    return g()") == unparse(
        tree_of("def f():\n    if ag__emit(1):\n        return\n    g()\n    return\n")
    )


def test_blocks_at_any_depth_are_changed_and_functions_within_are_not():
    text = pushed(
        "def f(x):\n"
        "    for i in x:\n"
        "        match i:\n"
        "            case 1:\n"
        "                yield i\n"
        "    else:\n"
        "        while i:\n"
        "            yield i\n"
        "    def inner():\n"
        "        yield 1\n"
        "        return 2\n"
    )
    assert text.count("ag__emit") == 2
    assert "(yield 1)\n        return 2" in text


@pytest.mark.parametrize(
    "body",
    [
        "x = y + (yield)",
        "x[(yield)] = yield",
        "x += yield",
        "print((yield 1))",
        "yield (yield 1)",
        "r = yield from g()",
        "try:\n        yield 1\n    finally:\n        pass",
        "try:\n        pass\n    except E:\n        yield 1",
        "try:\n        yield 1\n    except:\n        pass",
        "try:\n        yield 1\n    except BaseException:\n        pass",
        "try:\n        yield 1\n    except (ValueError, GeneratorExit):\n        pass",
        "try:\n        yield 1\n    except errors.MyError:\n        pass",
        "with c:\n        for i in x:\n            yield i",
    ],
)
def test_a_generator_that_has_to_wait_stays_as_it_is(body):
    tree = tree_of(f"def f():\n    {body}\n")
    before = unparse(tree)
    assert not push_form(tree)
    assert unparse(tree) == before


def test_a_try_without_a_yield_is_no_obstacle():
    assert "ag__emit" in pushed(
        "def f():\n    try:\n        g()\n    except E:\n        return 1\n    yield 2\n"
    )


def test_a_handler_that_yields_stands_behind_its_try():
    text = pushed(
        "def f(d, k):\n    try:\n        yield d[k]\n    except KeyError as e:\n        yield e.args\n"
        "    except ValueError:\n        g()\n"
    )
    assert text == unparse(
        tree_of(
            "def f(d, k):\n    at_ = False\n    caught_ = 0\n    try:\n"
            "        item_ = d[k]\n        at_ = True\n"
            "        if ag__emit(item_):\n            return\n        at_ = False\n"
            "    except KeyError as e:\n        if at_:\n            raise\n"
            "        caught_ = 1\n        error_ = e\n"
            "    except ValueError:\n        if at_:\n            raise\n        g()\n"
            "    if caught_ == 1:\n        e = error_\n"
            "        if ag__emit(e.args):\n            return\n        del e\n"
        )
    )


def test_a_handler_that_yields_and_raises_has_no_push_form():
    for raised in ("raise", "raise ValueError(1)"):
        text = (
            f"def f(x):\n    try:\n        yield x\n    except KeyError:\n        yield 1\n        {raised}\n"
        )
        assert push_form(tree_of(text)) is None


def test_a_handler_lets_pass_what_the_consumer_raises():
    assert pushed(
        "def f(at_):\n    try:\n        yield g()\n        yield from at_\n"
        "    except (KeyError, ValueError) as e:\n        h(e)\n    else:\n        yield 2\n"
    ) == unparse(
        tree_of(
            "def f(at_):\n    at__1 = False\n    try:\n        item_ = g()\n        at__1 = True\n"
            "        if ag__emit(item_):\n            return\n        at__1 = False\n"
            "        for item_ in at_:\n            at__1 = True\n"
            "            if ag__emit(item_):\n                return\n"
            "            at__1 = False\n    except (KeyError, ValueError) as e:\n        if at__1:\n"
            "            raise\n        h(e)\n    else:\n        if ag__emit(2):\n            return\n"
        )
    )


@pytest.mark.parametrize(
    "statement", ["yield next(x)", "yield x.__next__()", "raise StopIteration", "raise StopIteration(7)"]
)
def test_a_stop_of_its_own_is_an_error_of_the_generator(statement):
    text = pushed(f"def f(x):\n    yield 1\n    {statement}\n")
    assert "except StopIteration as stopped_:\n        if at_:\n            raise\n" in text
    assert "raise RuntimeError('generator raised StopIteration') from stopped_" in text


@pytest.mark.parametrize(
    "statement",
    ["y = next(x, 0)", "try:\n        y = next(x)\n    except (KeyError, StopIteration):\n        pass"],
)
def test_a_stop_that_does_not_come_out_is_no_error(statement):
    assert "RuntimeError" not in pushed(f"def f(x):\n    yield 1\n    {statement}\n")


def test_a_lambda_has_no_push_form():
    assert not push_form(ast.parse("lambda: (yield)").body[0].value)


class Recording(Plain):
    """A backend that runs the push form at once, and keeps what it hands over."""

    name = "recording"
    owns = ()

    def generated(self, function, push, args, kwargs):
        if push is None:
            return super().generated(function, push, args, kwargs)
        found = []
        push(lambda item: found.append(item) or len(found) == 3)(*args, **kwargs)
        return function, found


def count(first, *, step=1):
    while True:
        yield first
        first += step


def test_a_backend_that_stages_gets_the_push_form():
    def f():
        return count(3, step=2)

    assert Transpiler([Recording()]).convert(f)() == (count, [3, 5, 7])


def test_the_push_form_shares_the_cells_of_the_generator_function():
    given = 0

    def items():
        nonlocal given
        for item in "ab":
            given += 1
            yield item

    def f():
        return items()

    assert Transpiler([Recording()]).convert(f)() == (items, ["a", "b"])
    assert given == 2


def test_a_generator_function_within_a_converted_function_has_one_too():
    def f(n):
        k = n + 1

        def items():
            yield k
            yield n

        return items()

    items, found = Transpiler([Recording()]).convert(f)(3)
    assert found == [4, 3]
    written = as_written(items)
    assert written is not items
    assert list(written()) == [4, 3]
    assert "ag__" not in written.__code__.co_freevars


def test_methods_keep_their_object():
    class Box:
        def __init__(self):
            self.kept = [1, 2]

        def items(self):
            yield from self.kept

    def f(box):
        return box.items()

    assert Transpiler([Recording()]).convert(f)(Box()) == (Box.items, [1, 2])


def test_a_generator_function_without_a_push_form_is_called():
    def items():
        with nothing:  # noqa: F821  (never run)
            yield 1

    def f():
        return items()

    made = Transpiler([Recording()]).convert(f)()
    assert made.gi_code is items.__code__


def test_what_is_remembered_goes_with_the_code():
    scope = {}
    transpiler = Transpiler([Recording()])

    def f(items):
        return items()

    converted = transpiler.convert(f)
    exec("def items():\n    yield 1", scope)
    converted(scope["items"])
    assert len(transpiler._pushed) == 1
    scope.clear()
    gc.collect()
    assert not transpiler._pushed
