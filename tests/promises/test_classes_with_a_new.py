"""Classes whose `__new__` is written in Python: rational numbers, singletons, factories."""

import math

import numpy as np
import pytest

import autograph as ag
from runtime.errors import NoConcreteValue


class Ratio:
    __slots__ = ("below", "over")

    def __new__(cls, over, below=1):
        self = super().__new__(cls)
        if below < 0:
            over, below = -over, -below
        shared = math.gcd(over, below)
        self.over, self.below = over // shared, below // shared
        return self

    def __add__(self, other):
        return Ratio(self.over * other.below + other.over * self.below, self.below * other.below)

    def __lt__(self, other):
        return self.over * other.below < other.over * self.below


class Named:
    def __new__(cls, *values, **options):
        self = object.__new__(cls)
        self.name = cls.__name__
        return self


class Point(Named):
    def __init__(self, x, y=2):
        self.x, self.y = x, y


class Link:
    def __new__(cls, value, rest):
        self = super().__new__(cls)
        self.value, self.rest = value, rest
        return self


class Only:
    instance = None

    def __new__(cls, amount):
        if cls.instance is None:
            cls.instance = super().__new__(cls)
            cls.instance.total = 0
        return cls.instance

    def __init__(self, amount):
        self.total += amount


class Shape:
    def __new__(cls, size):
        return object.__new__(Circle if size > 2 else Square)


class Circle(Shape):
    def __init__(self, size):
        self.area = 3 * size * size


class Square(Shape):
    def __init__(self, size):
        self.area = size * size


class Pool:
    low = high = None

    def __new__(cls, x):
        return cls.high if x > 1 else cls.low

    def __init__(self, x):
        self.last = x


class Ordered(tuple):
    __slots__ = ()

    def __new__(cls, x, y):
        if x > y:
            x, y = y, x
        return super().__new__(cls, (x, y))


def test_objects_that_branches_make_are_joined():
    def chosen(x):
        if x > 3:
            ratio = Ratio(x, 6)
        else:
            ratio = Ratio(x + 1, -4)
        return ratio.over, ratio.below

    ag.check(chosen, np.int64(4), then=[(np.int64(1),), (np.int64(9),)])


def test_a_function_may_return_another_one_on_each_path():
    def halved(x):
        if x % 2 == 0:
            return Link(x // 2, None)
        return Link(x, "odd")

    def read(x):
        found = halved(x)
        return found.value, found.rest

    ag.check(read, np.int64(4), then=[(np.int64(3),)])


def test_a_loop_carries_one():
    def harmonic(n):
        total = Ratio(0)
        for i in range(1, n + 1):
            total = total + Ratio(1, i)
        return total.over, total.below

    ag.check(harmonic, np.int64(4), then=[(np.int64(0),), (np.int64(7),)])


def test_a_list_that_grows_holds_them():
    def least(n):
        ratios = [Ratio(n - i, i) for i in range(1, n + 1)]
        smallest = min(ratios)
        return [(each.over, each.below) for each in ratios], smallest.over, smallest.below

    ag.check(least, np.int64(4), then=[(np.int64(2),)])


def test_they_may_refer_to_each_other():
    def turned_round(xs):
        first = None
        for x in xs:
            first = Link(x, first)
        found = []
        while first is not None:
            found.append(first.value)
            first = first.rest
        return found

    ag.check(turned_round, np.array([1, 2, 3]), then=[(np.array([4]),)])


def test_an_initialiser_goes_on_with_what_is_new():
    def made(x):
        point = Point(x) if x > 1 else Point(x, y=5)
        return point.x + point.y, point.name

    ag.check(made, np.int64(1), then=[(np.int64(2),)])


def test_the_only_instance_of_a_class_is_initialised_whenever_it_is_asked_for():
    Only.instance = None

    def counted(x):
        one = Only(x)
        if x > 2:
            other = Only(x + 1)
            assert other is one
        return one.total

    ag.check(counted, np.int64(3), then=[(np.int64(1),), (np.int64(4),)])


def test_an_object_of_a_class_below_is_initialised_by_its_own_class():
    def area(x):
        shape = Shape(x)
        return shape.area, isinstance(shape, Circle)

    ag.check(area, np.int64(3), then=[(np.int64(2),)])


def test_one_of_several_objects_is_initialised_that_were_there_before():
    Pool.low, Pool.high = object.__new__(Pool), object.__new__(Pool)
    Pool.low.last = Pool.high.last = 0

    def asked(x):
        found = Pool(x)
        return found.last, found is Pool.high, Pool.low.last, Pool.high.last

    ag.check(asked, np.int64(2), then=[(np.int64(1),), (np.int64(5),)])


def test_a_tensor_decides_in_the_new_of_a_tuple():
    def both(x):
        pair = Ordered(x, 3)
        return pair[0], pair[1], type(pair) is Ordered

    ag.check(both, np.int64(5), then=[(np.int64(1),)])


def test_what_is_no_instance_is_not_initialised():
    class Twice:
        def __new__(cls, x):
            return 2 * x

        def __init__(self, x):
            raise AssertionError(x)

    def doubled(x):
        return Twice(x) + 1

    ag.check(doubled, np.int64(5))


def test_a_class_may_refuse_to_be_made():
    class Abstract:
        def __new__(cls, x):
            if cls is Abstract:
                raise TypeError("it is abstract")
            return super().__new__(cls)

        def __init__(self, x):
            self.x = x

    class Concrete(Abstract):
        pass

    def tried(x):
        try:
            Abstract(x)
        except TypeError as error:
            print(error)
        return Concrete(x).x

    ag.check(tried, np.int64(5))


def test_an_initialiser_that_lacks_an_argument_is_told_as_python_tells_it():
    class Pair(Named):
        def __init__(self, x, y):
            self.both = x, y

    def made(x):
        return Pair(x).both

    ag.check(made, np.int64(5))


def test_none_on_some_paths_is_refused_where_there_is_an_initialiser():
    class Positive:
        def __new__(cls, x):
            return super().__new__(cls) if x > 0 else None

        def __init__(self, x):
            self.x = x

    with pytest.raises(NoConcreteValue, match="`__init__` of a value that is None on some paths"):
        ag.function(lambda x: Positive(x) is None)(np.int64(1))
