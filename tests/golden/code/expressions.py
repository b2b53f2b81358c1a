def expressions(a, b):
    c = a if a > b else -b
    d = a and b or not c
    e = a == b != c
    f = 0 <= g(a) < 10
    assert d, f"{c} is not {d!r}"
    return {a: b, **c}, (c, *d), e[a], f
