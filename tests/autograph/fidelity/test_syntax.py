"""Every statement and expression of Python's grammar does, converted, what it does."""

import contextlib
import dataclasses

import pytest


@contextlib.contextmanager
def manager(log, name, *, swallow=()):
    """Notes when it is entered and left."""
    log.append(f"enter {name}")
    try:
        yield name
    except swallow as error:
        log.append(f"swallowed {error!r}")
    finally:
        log.append(f"leave {name}")


@dataclasses.dataclass
class Point:
    x: int
    y: int


def test_with_of_several_managers(check):
    def nested(log, fails):
        with manager(log, "a") as a, manager(log, "b", swallow=ValueError) as (b):
            log.append(a + b)
            if fails:
                raise ValueError(fails)
            log.append("no failure")
        with (
            manager(log, "c"),
            manager(log, "d") as log[0],
        ):
            pass
        return log[0]

    def returns(log, fails):
        with manager(log, "a", swallow=KeyError):
            for n in range(3):
                with manager(log, n):
                    if n == 1:
                        return {}[fails] if fails else n
        return "after"

    check(nested, ([0], False), ([0], True))
    check(returns, ([], 0), ([], 1))


def test_try_in_all_its_parts(check):
    def tried(log, n):
        try:
            log.append("body")
            10 // n
            if n > 2:
                raise KeyError(n)
        except ZeroDivisionError:
            log.append("zero")
            return "zero"
        except (KeyError, ValueError) as error:
            log.append(error.args)
            if n > 3:
                raise RuntimeError("worse") from error
        else:
            log.append("else")
        finally:
            log.append("finally")
        return log[-1]

    check(tried, ([], 0), ([], 1), ([], 3), ([], 4))


def test_a_variable_of_the_body_of_a_try_is_seen_by_its_else(check):
    def which(t, x):
        try:
            if t:
                return x
            else:
                y = 2
        except ValueError:
            y = 3
        else:
            y = y + 1
        return y

    def in_a_loop(items):
        for item in items:
            try:
                if item < 0:
                    break
                elif item == 0:
                    continue
                found = 10 // (item - 1)
            except ZeroDivisionError:
                found = None
            else:
                found = [found]
        else:
            return "all", found
        return item, found

    check(which, (True, 1), (False, 1))
    check(in_a_loop, ([2, 0, 1],), ([3, -1],), ([5],), ([],))


def test_groups_of_exceptions(check):
    def grouped(log, *errors):
        try:
            raise ExceptionGroup("several", errors)
        except* ValueError as group:
            log.append(len(group.exceptions))
            if len(group.exceptions) > 1:
                raise
        except* (TypeError, KeyError) as group:
            log += [group.message, len(group.exceptions)]
        else:
            log.append("never")
        finally:
            log.append("finally")
        return [str(each) for each in log]

    def outcome(kinds):
        log = []
        try:
            return grouped(log, *[kind(number) for number, kind in enumerate(kinds)])
        except ExceptionGroup as group:
            return log, group.message, [str(error) for error in group.exceptions]

    check(outcome, ([ValueError],), ([KeyError, TypeError],), ([OSError, KeyError],))
    if not wraps_what_a_function_raises_again():
        check(outcome, ([ValueError, ValueError, TypeError],))


def wraps_what_a_function_raises_again():
    """Whether Python itself puts a group into another that a function called by `except*` raises again.

    3.11.2 does, and the branches of an `if` are functions when they are converted.
    """

    def again():
        raise  # noqa: PLE0704

    try:
        try:
            raise ExceptionGroup("inner", [ValueError()])
        except* ValueError:
            again()
    except ExceptionGroup as group:
        return group.message != "inner"


def test_all_kinds_of_patterns(check):
    def matched(subject):
        match subject:
            case None | True:
                return "singleton"
            case -1 | 2.5 | 1 + 2j:
                return "number"
            case b"bytes":
                return "never"
            case str(text) if text.startswith("a"):
                return text
            case []:
                return "empty"
            case [1, [second, *_], *rest]:
                return second, rest
            case (x, y) if (total := x + y) > 10:
                return total
            case {"kind": kind, "size": (width, height), **others}:
                return kind, width, height, others
            case {}:
                return "mapping"
            case Point(x=0, y=y) | Point(y, 0):
                return "axis", y
            case Point(x, y=int(y) as again):
                return x, y, again
            case int() | float() as number:
                return "other", number
        return "none"

    subjects = [None, True, -1, 2.5, 1 + 2j, "abc", "text", [], [1, [2, 3], 4, 5], (5, 7), (1, 2), 8, 1.5]
    subjects += [{"kind": 1, "size": (2, 3), "more": 4}, {"a": 1}, Point(0, 3), Point(3, 0), Point(1, 2)]
    subjects += [Point(1, 2.5), object]
    check(matched, *[(subject,) for subject in subjects])


def test_a_pattern_keeps_what_it_bound_when_its_guard_fails(check):
    def bound(subject, limit):
        x = "before"
        match subject:
            case [x, _] if x > limit:
                kind = "great"
            case [_, x]:
                kind = "small"
            case _:
                kind = "none"
        return kind, x

    check(bound, ([1, 2], 0), ([1, 2], 1), (3, 0))


def test_jumps_out_of_match(check):
    def counted(items):
        seen = []
        for item in items:
            match item:
                case 0:
                    continue
                case "stop":
                    break
                case [n]:
                    return n, seen
                case n if n in seen:
                    seen.append(-n)
            seen.append(n)
        else:
            seen.append("end")
        return seen

    check(counted, ([1, 0, 2, 1],), ([1, "stop", 2],), ([1, [7], 2],))


def test_walrus_wherever_it_may_stand(check):
    def operands(log, a, b):
        y = a and (n := b)
        log.append(y)
        z = a or (m := b) or (k := 3)
        log.append(z)
        w = (p := a) and (q := b + p)
        return log, w, p, n if a else None

    def arms(t, a):
        x = (n := a) if t else (m := a + 1)
        return x, (n if t else m)

    def chains(log, a):
        if 0 < (n := a) < (m := a + 2) < 7:
            log.append((n, m))
        return 1 < a < (k := 9) and k, n

    def tests(log, items):
        items = list(items)
        while items and (x := items.pop()) != 3:
            if (y := x * 2) > 4 and (z := y + 1):
                log.append((y, z))
                if x == 5:
                    break
        else:
            log.append("else")
        return [x, y] if log else None

    def skips(log, items):
        items = iter(items)
        while (x := next(items, None)) is not None:
            if x % 2:
                continue
            log.append(x)
        return x

    def comprehended(items):
        total = 0
        sums = [total := total + item for item in items]
        if any((first := item) > 2 for item in items):
            return sums, total, first
        return sums, total

    def unbound(a):
        a and (n := 1)
        return n

    def asserted(a):
        try:
            assert (n := a) > 0, (m := n)
        except AssertionError:
            return m, n
        return n

    def subscripts(items, i):
        items[(j := i)] = (k := i + 1)
        items[j] += (l := 3)
        items[(j := 0)] += k
        return items, j, k, l

    def arguments(log, a):
        log.append((n := a))
        return max((m := n), n + m, default=None) if a else max(m := 1, n)

    def conditional_arm_in_a_lambda(a):
        return (lambda t: [(n := t) and n + 1, (m := 2) if t else 0])(a)

    check(operands, ([], 0, 1), ([], 1, 2), ([], 1, 0), ([], 0, 0))
    check(arms, (True, 1), (False, 1))
    check(chains, ([], 1), ([], -1), ([], 5), ([], 8))
    check(tests, ([], [1, 2, 3, 4]), ([], [1, 2]), ([], [3, 5, 4]), ([], []))
    check(skips, ([], [1, 2, 3, 4]), ([], []))
    check(comprehended, ([1, 2, 3],), ([1],))
    check(unbound, (0,), (1,))
    check(asserted, (1,), (0,))
    check(subscripts, ([1, 2, 3], 1))
    check(arguments, ([], 1), ([], 0))
    check(conditional_arm_in_a_lambda, (0,), (1,))


def test_stars_everywhere(check):
    def stars(first, *rest, key, **more):
        a, *b, c = [first, *rest, key]
        (d, *e), [f, *_] = b or [0], [c]
        *g, h = "xyz"
        both = [*rest, *"ab"], {*rest, 1}, (*rest,), {"k": key, **more}
        return a, b, c, d if isinstance(d, int) else None, e, f, g, h, both

    def called(*rest, **more):
        return dict(*[rest], **more, last=1), max(*[1, 2], *(3,), key=lambda n: -n)

    def nested(pairs):
        return [a + sum(b) for a, *b in pairs], [[*row, 0] for row in pairs]

    check(lambda: stars(1, (2, 3), key=4, other=5))
    check(lambda: stars(1, key=4))
    check(called, (("a", 1),), ())
    check(nested, ([(1, 2, 3), (4,)],))


def test_comprehensions_of_all_kinds(check):
    def made(n, items):
        x = "outer"
        squares = [x * x for x in range(n) if x % 2 if x > 1]
        pairs = {(x, y) for x in range(n) for y in range(x)}
        table = {x: [y for y in range(x) if y != x // 2] for x in items}
        lazy = (x + n for x in items)
        n = 10
        return x, squares, sorted(pairs), table, list(lazy)

    def scopes(n):
        functions = [lambda: i for i in range(n)]
        functions += [lambda i=i: i for i in range(n)]
        return [function() for function in functions]

    def branch(t, items):
        if t:
            factor = 2
        return [factor * item for item in items]

    def conditional(items):
        return [("even" if item % 2 == 0 else "odd") for item in items if item and not item == 3]

    check(made, (4, [1, 3]), (0, []))
    check(scopes, (3,))
    check(branch, (True, [1]), (False, [1]), (False, []))
    check(conditional, ([0, 1, 2, 3, 4],))


def test_format_strings_of_any_nesting(check):
    def formatted(x, width):
        return (
            f"{x!r:>{width}}|{x=}|{x + 1 = !s}|{{}}|{f'{x:{width}}'!a:^{width + 2}}"
            f"{'yes' if x > 2 and width else 'no'}{[n for n in range(x)]}{(lambda y: y * 2)(x)}"
        )

    check(formatted, (3, 6), (1, 0))


def test_parameters_of_every_kind(check):
    def outer(n):
        def inner(a, b=n, /, c=n + 1, *rest, d, e=n + 2, **more):
            if n:
                return a, b, c, rest, d, e, more
            return None

        return (
            inner(1, d=2),
            inner(1, 2, 3, 4, 5, d=6, e=7, a=8),
            (lambda a, /, *r, k=n, **m: (a, r, k, m))(1, 2, k=3, z=4),
        )

    check(outer, (0,), (1,))


def test_assignments_of_every_kind(check):
    class Thing:
        pass

    def assigned(a, thing):
        x = y = z = [a]
        x[0], y[-1:] = a + 1, [a, a]
        thing.p = thing.q = (x, z)
        thing.p[0][0] += 5
        thing.q[1][1:] *= 2
        (b, [c, *d]), e = (1, "cde"), {}
        e[b] = e[c], e["k"] = 3, 4
        i, x[i] = 0, "changed"
        del x[0], thing.q
        return x, y, z, b, c, d, e

    def in_place(items, n):
        alias = items
        items += [n]
        n **= 2
        n //= 3
        n <<= 1
        n |= 8
        return items is alias, n

    def annotated(n):
        x: int = n
        y: "undefined name"
        (z): undefined = x + 1
        return x, z

    check(lambda: assigned(1, Thing()))
    check(in_place, ([1], 3))
    check(annotated, (1,))


def test_annotations_of_local_variables_are_not_evaluated_and_those_of_attributes_are_once(check):
    def annotated(log, thing):
        def note(value):
            log.append(value)
            return int

        x: note("local") = 1
        if x:
            y: note("in a block") = 2
            log.append(y)
            thing.p: note("attribute") = 3
            thing[0]: note("item") = 4

        def inner(a: note("parameter") = 5) -> note("result"):
            return a

        class Inner:
            z: note("class body") = 6

        return log, inner(), x

    class Thing(dict):
        pass

    check(lambda: annotated([], Thing()))


def test_classes_in_functions(check):
    def made(n, t):
        if t:
            base, extra = Point, 1
        else:
            base = object
            extra = 2

        class Made(base):
            """A class made here."""

            __slots__ = ("hidden",)
            n = n
            doubled = [n * i for i in range(3)]
            if n > 1:
                kind = "great"
            else:
                kind = "small"
            for item in range(2):
                last = item

            def __init__(self):
                self.hidden = extra

            @property
            def both(self):
                if self.hidden > 1:
                    return self.hidden, n
                return n

            @both.setter
            def both(self, value):
                self.hidden = value

            @staticmethod
            def static(value):
                return value + extra

            @classmethod
            def named(cls):
                return cls.__name__, __class__ is cls

        thing = Made()
        before = thing.both
        thing.both = 7
        names = Made.__qualname__, Made.__doc__, Made.kind, Made.last, Made.doubled, Made.n
        return before, thing.both, thing.static(1), thing.named(), Made.named(), names

    check(made, (1, True), (2, False))


def test_super_and_mangled_names(check):
    class Base:
        def __init__(self, n):
            self.__n = n

        def total(self, more):
            return self.__n + more

    class Derived(Base):
        __count = 0

        def total(self, more):
            if more > 0:
                self.__count += 1
                return super().total(more) + super(Derived, self).total(0) + self.__count

            def later():
                return super(__class__, self).total(more), self.__private()

            return later()

        def __private(self):
            return [__class__.__name__ for _ in range(1) if self.__count == 0]

    check(lambda: (Derived(3).total(2), Derived(3).total(-1)))
    for name in ("total", "_Derived__private"):
        assert name in vars(Derived)
    check(Derived(4).total, (0,))


def test_decorators_within_run_once_and_in_order(check):
    def decorated(log):
        def note(name):
            log.append(f"make {name}")

            def decorate(function):
                log.append(f"apply {name}")
                return function

            return decorate

        if log:

            @note("a")
            @note("b")
            def inner(n):
                return n

            return inner(1)
        return None

    check(decorated, ([0],), ([],))


@pytest.mark.parametrize("value", [0, 3])
def test_type_names_and_builtins_that_are_rebound(check, value):
    def rebound(x):
        list = [x]
        print = len
        if x:
            range = tuple
        else:
            range = set
        return print(list), range([1, 1])

    check(rebound, (value,))
