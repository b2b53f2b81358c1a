"""Every name means what it means in Python: locals, cells, globals, class bodies, deletions."""

import types

import pytest

setting = "module"


def test_class_bodies_handlers_and_comprehensions_read_what_a_branch_set(check):
    def class_body(t):
        if t:
            x = "branch"
        else:
            x = "other"

        class Inner:
            y = x
            z = [x for _ in range(2)]

            def method(self):
                return x

        return Inner.y, Inner.z, Inner().method()

    def handler(t):
        if t:
            kind = ZeroDivisionError
        else:
            kind = KeyError
        try:
            1 // 0
        except kind:
            return "caught"

    def comprehension(t, items):
        if t:
            n = 1
        return [n + item for item in items], {item: n for item in items}, list(n for _ in items)

    def base(t):
        if t:
            Base = dict
        else:
            Base = list

        class Inner(Base, **({"metaclass": type} if t else {})):
            pass

        return Inner.__mro__[1]

    check(class_body, (True,), (False,))
    check(handler, (True,), (False,))
    check(comprehension, (True, [1]), (False, [1]), (False, []))
    check(base, (True,), (False,))


def test_a_class_body_reads_globals_behind_unbound_locals(check):
    def made(t):
        class Inner:
            if t:
                setting = "class"
            seen = setting

        return Inner.seen

    check(made, (True,), (False,))


def test_closures_see_variables_late(check):
    def late(n):
        functions = []
        for i in range(n):
            functions.append(lambda: i)
            if i == 1:

                def inner():
                    return x, i

                functions.append(inner)
            x = i * 10
        i = "after"
        x = x + 1 if n else "none"
        return [function() for function in functions]

    def while_late(n):
        functions = []
        while n:
            square = n * n
            functions += [lambda m=n: (m, n, square)]
            n -= 1
        return [function() for function in functions]

    def default(t):
        if t:
            value = 1
        else:
            value = 2

        def inner(seen=value):
            return seen, value

        value = 3
        return inner()

    check(late, (3,), (0,))
    check(while_late, (3,))
    check(default, (True,), (False,))


def test_closures_are_shared_with_functions_that_were_not_converted(convert):
    def make():
        count = 0
        history = []

        def bump(n):
            nonlocal count
            while n > 0:
                count += 1
                n -= 1
                if count % 2:
                    history.append(count)
            return count

        def read():
            return count

        def reset():
            nonlocal count, history
            count, history = 0, []

        return bump, read, reset

    bump, read, reset = make()
    converted = convert(bump)
    assert (converted(3), read(), bump(2), converted(0)) == (3, 3, 5, 5)
    reset()
    assert (read(), converted(1), read()) == (0, 1, 1)
    cells = {name: cell.cell_contents for name, cell in zip(bump.__code__.co_freevars, bump.__closure__)}
    assert cells == {"count": 1, "history": [1]}


def test_a_variable_of_the_surrounding_function_may_be_unbound_and_deleted(check):
    def surround(t, early):
        def read():
            return x

        def drop():
            nonlocal x
            if t:
                del x

        def bind():
            nonlocal x
            if t:
                x = "bound"

        if early:
            return read()
        bind()
        x = x if t else None
        first = read()
        drop()
        return first, read()

    check(surround, (True, True), (False, True), (True, False), (False, False))


def test_what_a_function_within_deletes_has_no_value_for_any_of_those_around(check):
    def deleted_within(kind):
        x, y = 1, 2
        del y

        def changes():
            nonlocal y
            y -= 1

        def drops():
            nonlocal x, y
            del x
            if kind == 1:
                del y

        def yields():
            nonlocal y
            y += 1
            yield y

        drops()
        if kind == 2:
            changes()
        if kind == 3:
            return [*yields()]
        return [x for _ in range(2)] if kind == 4 else x

    check(deleted_within, *[(kind,) for kind in range(5)])


GLOBALS = """
number = 1

def changed(t):
    global number, fresh
    if t:
        number += 1
        fresh = number
    else:
        del number
    return number

def removed(n):
    global fresh
    while n > 0:
        fresh = n
        n -= 1
        if n == 1:
            del fresh
    return fresh

def declared_in_a_branch(t):
    if t:
        global number
        number = "branch"
    for number in range(2):
        pass
    with open(__file__) as number:
        pass
    return "number" in globals(), [number for number in [1]]

def class_body(t):
    global Made
    if t:
        class Made:
            global inner
            inner = "inner"
    return inner

def function(t):
    global made
    if t:
        def made():
            return number
        import math as number
    return made() is number
"""


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        ("changed", True),
        ("changed", False),
        ("removed", 0),
        ("removed", 1),
        ("removed", 3),
        ("declared_in_a_branch", True),
        ("declared_in_a_branch", False),
        ("class_body", True),
        ("class_body", False),
        ("function", True),
        ("function", False),
    ],
)
def test_globals_bound_and_deleted_in_branches(name, argument, convert, tmp_path):
    file = tmp_path / "globals.py"
    file.write_text(GLOBALS)

    def observed(transform):
        module = types.ModuleType("globals_under_test")
        module.__file__ = str(file)
        exec(compile(GLOBALS, str(file), "exec"), vars(module))
        try:
            result = transform(vars(module)[name])(argument)
        except NameError as error:
            result = type(error), str(error)
        left = {key: str(value)[:9] for key, value in vars(module).items() if not key.startswith("__")}
        return result, left, list(vars(module))

    assert observed(convert) == observed(lambda function: function)


def test_deletions(check):
    def deleted(t, n):
        x, items, pairs = 1, [1, 2, 3], {"a": 1}
        if t:
            del x
        else:
            del items[0], pairs["a"]
        for i in range(n):
            del items[-1:]
        del (i), [n]
        x = 2 if t else x
        return x, items, pairs

    def twice(t):
        x = 1
        if t:
            del x
        del x

    def parameter(a, t):
        if t:
            del a
        return a

    def in_loop(n):
        for i in range(n):
            if i:
                x = x + 1
                del x
            x = 5
        return x

    def missing(items):
        try:
            del items[9]
        except IndexError as error:
            e = str(error)
            return e
        return error

    check(deleted, (True, 1), (False, 1), (True, 0))
    check(twice, (True,), (False,))
    check(parameter, (1, True), (1, False))
    check(in_loop, (0,), (1,), (2,), (3,))
    check(missing, ([],), ({9: 1},))


def test_the_name_of_a_handler_goes_with_the_handler(check):
    def unbound(t):
        error = "before"
        try:
            if t:
                raise KeyError(t)
        except KeyError as error:
            seen = error.args
        return error

    def rebound(t):
        try:
            raise KeyError(t)
        except KeyError as error:
            if t:
                error = "rebound"
            else:
                del error
        try:
            return error
        except UnboundLocalError as again:
            return str(again)

    def nested(t):
        try:
            raise ValueError(1)
        except ValueError as error:
            try:
                if t:
                    raise KeyError(2)
            except KeyError as error:
                pass
            return str(error)

    check(unbound, (0,), (1,))
    check(rebound, (0,), (1,))
    check(nested, (0,), (1,))


def test_imports_bind_names_in_branches(check):
    def imported(t):
        if t:
            import os.path
            from math import floor as down

            import collections.abc as abc
        else:
            down = abc = None
        return os.sep if t else down, down and down(1.5), abc and abc.__name__

    def star_of_a_missing(t):
        try:
            if t:
                import no_such_module
            else:
                from math import no_such_name
        except ImportError as error:
            return type(error).__name__, error.name
        return no_such_module

    check(imported, (True,), (False,))
    check(star_of_a_missing, (True,), (False,))


def test_readers_of_frames_are_left_to_python_with_the_reason(left):
    def reads_locals(a):
        b = a + 1
        return sorted(locals()), b

    def reads_vars(a):
        if a:
            b = 1
        return vars()

    def lists_names(a):
        for b in range(a):
            pass
        return dir()

    def evaluates(a):
        if a:
            b = 2
        return eval("a + b" if a else "a")

    def executes(a, log):
        exec("log.append(a)")
        return log

    for function, reason in [
        (reads_locals, "`locals()`"),
        (reads_vars, "`vars()`"),
        (lists_names, "`dir()`"),
        (evaluates, "`eval()`"),
    ]:
        left(function, reason, (0,), (1,))
    left(executes, "`exec()`", (3, []))


def test_a_function_within_that_reads_its_frame_is_left_alone(same):
    def outer(n):
        if n > 1:
            shift = 1
        else:
            shift = 2

        def inner(a):
            b = a + shift
            return sorted(locals().items())

        return (
            inner(n),
            [(lambda c: eval("c + 1"))(n)],
            vars(types.SimpleNamespace(n=n)),
            eval("1 + n", {"n": n}),
        )

    same(outer, (1,), (2,))


def test_attributes_and_items_of_objects_that_watch(check):
    class Watching:
        def __init__(self, log):
            object.__setattr__(self, "log", log)

        def __getattr__(self, name):
            self.log.append(f"get {name}")
            raise AttributeError(name)

        def __setattr__(self, name, value):
            self.log.append(f"set {name}")

        def __getitem__(self, index):
            self.log.append(f"item {index}")
            return Watching(self.log)

        def __setitem__(self, index, value):
            self.log.append(f"set item {index}")

        def __delattr__(self, name):
            self.log.append(f"delete {name}")

    def used(t, n):
        log = []
        thing = Watching(log)
        if t:
            thing.a = 1
        else:
            thing[0] = 1
        while n > 0:
            thing.b = n
            thing[n].c = n
            thing[n][n - 1] = n
            n -= 1
        try:
            thing.d += 1
        except AttributeError:
            del thing.d
        return log

    check(used, (True, 2), (False, 0))
