"""Nothing to choose from."""

import runtime as rt

# fails
rt.switch(rt.asarray(0), [])

# works
rt.switch(rt.asarray(0), [lambda: 1])
