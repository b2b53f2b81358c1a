"""Functions: closures, defaults, methods, and functions within."""


def test_closures_share_their_cells_with_the_original(convert):
    count = 0

    def f():
        nonlocal count
        count += 1
        return count

    assert convert(f)() == 1
    assert f() == 2
    count = 10
    assert convert(f)() == 11


def test_defaults_and_keyword_only_arguments_stay(check):
    marker = object()

    def f(a, /, b=2, *rest, c, d=marker, **others):
        return a, b, rest, c, d is marker, others

    check(lambda: (f(1, c=3), f(1, 2, 3, c=4, e=5)))


class Base:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return vars(self) == vars(other)

    __hash__ = None

    def value(self):
        return [self.x]

    @classmethod
    def make(cls, x):
        return cls(x)


class Derived(Base):
    def __init__(self, x):
        super().__init__(x)
        self.__hidden = x * 2

    def value(self):
        if self.x:
            return [*super().value(), self.__hidden]
        return super().value()

    @classmethod
    def make(cls, x):
        if x > 0:
            return super().make(x)
        return cls(-x)

    @property
    def hidden(self):
        return self.__hidden if self.x else None

    def later(self):
        def inner(this):
            return super().value()

        return inner(self)

    def __call__(self, y):
        while y > 0:
            y -= self.x
        return y


def test_methods_with_super_and_private_names(check):
    check(Derived.value, (Derived(1),), (Derived(0),))
    check(lambda x: Derived.make(x).value(), (3,), (-3,))
    check(Derived(3).later)
    check(Derived(3).value)


def test_an_object_with_call_is_converted_through_its_class(convert):
    target = Derived(2)
    assert convert(target)(5) == target(5)
    assert convert(target).__func__ is not Derived.__call__


def test_classes_and_generators_within_are_left_to_python(check):
    def f(n):
        limit = n

        class Counter:
            start = limit
            if limit > 2:
                start = 2

            def up(self):
                return self.start + limit

        def numbers():
            for i in range(limit):
                if i % 2:
                    yield i

        return Counter().up(), list(numbers())

    check(f, (1,), (5,))


def test_decorators_within_see_the_converted_function(check):
    def f(x):
        def twice(function):
            def both(*args):
                return function(*args), function(*args)

            return both

        @twice
        def step(y):
            if y > 0:
                return y
            return -y

        return step(x)

    check(f, (3,), (-3,))


def test_recursion(check):
    def factorial(n):
        return 1 if n <= 1 else n * factorial(n - 1)

    check(factorial, (5,))


def test_a_lambda_in_a_default_and_in_a_container(check):
    def f(x, key=lambda v: -v if v > 1 else v):
        table = {"a": lambda: x, "b": lambda y=x: y + 1}
        return sorted(x, key=key), table["a"](), table["b"](y=2)

    check(f, ([3, 1, 2],))
