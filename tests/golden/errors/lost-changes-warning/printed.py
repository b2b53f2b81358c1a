"""A function that counts and prints before its graph raises."""

import autograph as ag
import runtime as rt

count = 0


@ag.function
def checked(x):
    global count
    count += 1
    print("checking")
    if x < 0:
        raise ValueError("negative")
    return x


@ag.function
def counted(x):
    global count
    count += 1
    return x


# fails
try:
    checked(rt.asarray(-1.0))
except ValueError:
    assert count == 0

# works
counted(rt.asarray(1.0))
