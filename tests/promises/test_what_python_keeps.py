"""What Python itself keeps about functions, classes and instances is checked before each run, too."""

import numpy as np

import autograph as ag

ONE, TWO = np.float64(1.0), np.float64(2.0)


def assigned(owner, name, value):
    return lambda: setattr(owner, name, value)


def changes(read, *statements):
    """Checks a function with a change of the world between calls."""
    steps = []
    for statement in statements:
        steps += [statement, (TWO,)]
    ag.check(read, ONE, then=steps)


def test_the_defaults_of_a_callee():
    def scaled(x, factor=1, *, shift=0):
        return x * factor + shift

    def f(x):
        return scaled(x)

    changes(
        f,
        assigned(scaled, "__defaults__", (4,)),
        lambda: scaled.__kwdefaults__.update(shift=5),
        assigned(scaled, "__kwdefaults__", {"shift": 9}),
    )


def test_the_items_of_a_default():
    def scaled(x, factors=(1, [1.0])):
        return x * factors[1][0]

    def f(x):
        return scaled(x)

    changes(f, assigned(scaled, "__defaults__", ((2, [3.0]),)), lambda: scaled.__defaults__[0][1].reverse())


def test_the_code_of_a_callee():
    def step(x):
        return x * 2

    def other(x):
        return x * 3

    def f(x):
        return step(x)

    steps = [assigned(step, "__code__", other.__code__), (TWO,)]
    ag.check(f, ONE, then=steps)


class Sized:
    def __len__(self):
        return 2


class Growing(Sized):
    def __len__(self):
        return 7

    def grown(self, x):
        return x * 100


def test_methods_that_python_calls():
    class Row:
        def __len__(self):
            return 2

        def __getattr__(self, name):
            return 5.0

    row = Row()

    def f(x):
        return x * len(row) + row.anything

    def longer(self):
        return 7

    def other(self, name):
        return 6.0

    changes(f, assigned(Row, "__len__", longer), assigned(Row, "__getattr__", other))


def test_methods_that_python_calls_which_are_new():
    class Row:
        pass

    row = Row()

    def f(x):
        return x if row else -x

    def empty(self):
        return 0

    changes(f, assigned(Row, "__len__", empty), lambda: delattr(Row, "__len__"))


def test_the_class_of_an_instance():
    class Row(Sized):
        pass

    row = Row()

    def f(x):
        return x * len(row), type(row) is Growing

    changes(f, assigned(row, "__class__", Growing), assigned(row, "__class__", Sized))


def test_the_class_of_an_argument():
    row = Sized()

    def f(row, x):
        return x * len(row)

    ag.check(f, row, ONE, then=[assigned(row, "__class__", Growing), (row, ONE)])


def test_the_bases_of_a_class():
    class First:
        def go(self, x):
            return x

    class Second:
        def go(self, x):
            return x * 9

    class Row(First):
        pass

    row = Row()

    def f(x):
        return row.go(x)

    changes(f, assigned(Row, "__bases__", (Second,)))
