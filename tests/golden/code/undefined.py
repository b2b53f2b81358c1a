def undefined(x):
    if x:
        y = 1
    else:
        del x
    for i in range(3):
        z = y
    return x, y, z, i
