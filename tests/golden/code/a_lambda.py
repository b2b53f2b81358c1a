a_lambda = lambda x, y=1: f(x) if x > y else -x
