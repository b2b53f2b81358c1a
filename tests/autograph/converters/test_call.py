"""Calls: arguments, builtins, and functions that look at their caller."""

GLOBAL = []


def test_calls_evaluate_callee_then_arguments_in_order(same_log, make):
    def f(log):
        def call(*args, **kwargs):
            log.append((len(args), list(kwargs)))

        def arg(value):
            log.append(value)
            return value

        more, options, again = [arg(2)], {"m": arg(6)}, {"k": 1}
        make(log, "x"), call(arg(1), *more, k=arg(4), *[arg(5)], **options, n=arg(7))
        return call(**again, k=arg(2))

    same_log(f)


def test_call_errors_have_pythons_types(check):
    def f(x):
        return x(1, *2)

    def g(x):
        return x(**3)

    def h(x):
        return x.missing()

    for function in (f, g, h):
        check(lambda x, function=function: kind_of(function, x), (len,), (None,))


def kind_of(function, x):
    try:
        return function(x)
    except (TypeError, AttributeError) as error:
        return type(error).__name__


def test_dict_and_slice_may_mean_something_else(check):
    def f(n):
        dict = slice = None
        box = lambda **options: options
        options = {"b": 2}
        return box(a=n, **options), [1, 2, 3][n:], dict, slice

    check(f, (1,))


def test_builtins_are_the_builtins(check):
    def f(items):
        return (
            len(items),
            list(range(1, 5, 2)),
            list(enumerate(items, 1)),
            list(zip(items, items)),
            (int("12", 8), float("2.5"), bool([]), abs(-3)),
            (max(items), min(items, key=lambda v: -v), sum(items, start=1), any(items), all(items)),
            sorted(items, reverse=True),
            isinstance(items, list),
        )

    check(f, ([3, 1, 2],))


def test_print_prints(convert, capsys):
    def f(x):
        print("x is", x, sep=": ", end="!\n")

    convert(f)(3)
    assert capsys.readouterr().out == "x is: 3!\n"


def test_frame_readers_see_the_users_module(convert):
    def f():
        return globals()["GLOBAL"] is GLOBAL, eval("GLOBAL", {"GLOBAL": 3})

    assert convert(f)() == (True, 3)


def test_a_format_string_is_evaluated_as_written(check):
    def f(x):
        return f"{x!r:>{len(x) + 2}} {x if x else 'none'} {x=}"

    check(f, ("ab",), ("",))
