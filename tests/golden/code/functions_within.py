def functions_within(x):
    """It has a docstring."""
    counter = 0

    def step(by=increment(1), *, twice: bool = False):
        """So has this one."""
        nonlocal counter
        if twice:
            counter += by
        counter += by
        return counter

    double = lambda value: step(value, twice=True)
    step(*x, **{"twice": False})
    return [double(item) for item in x]
