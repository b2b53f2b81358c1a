def try_except(x, y):
    try:
        z = x // y
    except ZeroDivisionError as error:
        z = 0
        raise ValueError(x) from error
    else:
        z += 1
    finally:
        w = y
    return z, w
