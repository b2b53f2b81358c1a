"""f-strings and `%` without tensors: what they do is what Python does."""

# ruff: noqa: UP030, UP031, UP032  (programs are written as users write them)

import pytest


class Loud:
    """Writes down what is asked of it."""

    def __init__(self, name, log):
        self.name = name
        self.log = log

    def __format__(self, spec):
        self.log.append(f"format {self.name} {spec!r}")
        return self.name

    def __repr__(self):
        self.log.append(f"repr {self.name}")
        return self.name


def test_values_are_evaluated_and_formatted_one_after_the_other(check):
    def f():
        log = []
        a, b = Loud("a", log), Loud("b", log)

        def get(value):
            log.append(f"get {value.name}")
            return value

        text = f"{get(a)} {get(b)!r:>4} {get(a):{get(b)}} {get(b)=}"
        return text, log

    check(f)


def test_nothing_but_text_is_left_as_it_is(check):
    def f(width):
        return f"", f"plain", f"{{}}", f"{1:{width}}|{'x':^{width}}|{2.5!s}|{'é'!a}"  # noqa: F541

    check(f, (5,))


def test_percent_means_what_it_means_elsewhere(check):
    def f(x):
        return 7 % x, "%d of %s" % (x, [x]), "%(a)s %%" % {"a": x}, "%s" % None, b"%d" % x

    check(f, (3,))


@pytest.mark.parametrize("values", [(), (1, 2), "text"])
def test_percent_raises_what_python_raises(check, values):
    def f(values):
        return "%d" % values

    check(f, (values,))


def test_methods_of_strings_are_called_as_they_are(check):
    def f(items):
        return "{} {a}".format(1, a=[2]), ", ".join(str(item) for item in items), "{0[0]}".format(items)

    check(f, ([1, 2],))
