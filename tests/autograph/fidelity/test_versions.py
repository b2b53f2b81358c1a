"""Syntax that only newer versions of Python have; older ones do not take the text."""

import sys

import pytest

SINCE_3_12 = '''
def generic(n):
    def first[T](items: list[T], default: T = n) -> T:
        """The first."""
        if items:
            return items[0]
        return default

    class Box[T, *Ts, **P]:
        type Pair = tuple[T, T]

        def __init__(self, value: T):
            self.value = value if n else None

        def get[U](self, other: U) -> T | U:
            while n:
                return self.value
            return other

    type Numbers = list[int] if n else int
    names = [p.__name__ for p in (*first.__type_params__, *Box.__type_params__, *Box.get.__type_params__)]
    return first([], 5), first([n]), Box(n).get("other"), names, str(Numbers.__value__), Box.Pair.__name__


def identity[T: (int, str)](value: T) -> T:
    if value:
        return value
    return T.__name__, [c.__name__ for c in T.__constraints__]


def nested(items):
    return f"{", ".join(f"{item!r:>{len("abc")}}" for item in items)} {
        items[0]  # a comment
        if items else "none"
    }"""


def comprehensions(n):
    if n:
        x = 1
    try:
        return [x + i for i in range(2)], {i: x for i in [n]}
    except NameError as error:
        return type(error).__name__, str(error)
'''.replace('}"""\n', '}"\n')

SINCE_3_13 = """
def defaulted[T = int](n):
    if n:
        return T.__default__.__name__
    return [T.has_default() for _ in range(2)]
"""

PROGRAMS = [
    ((3, 12), SINCE_3_12, "generic", (0, 1)),
    ((3, 12), SINCE_3_12, "identity", (0, 1)),
    ((3, 12), SINCE_3_12, "nested", ([], ["a", 2])),
    ((3, 12), SINCE_3_12, "comprehensions", (0, 1)),
    ((3, 13), SINCE_3_13, "defaulted", (0, 1)),
]


@pytest.mark.parametrize(("since", "text", "name", "arguments"), PROGRAMS, ids=[row[2] for row in PROGRAMS])
def test_new_syntax_is_kept(since, text, name, arguments, check, tmp_path):
    file = tmp_path / "new_syntax.py"
    file.write_text(text)
    if sys.version_info < since:
        with pytest.raises(SyntaxError):
            compile(text, str(file), "exec")
        return
    namespace = {"__name__": "new_syntax"}
    exec(compile(text, str(file), "exec"), namespace)
    check(namespace[name], *[(argument,) for argument in arguments])
