"""Branches and loops."""


def a_branch_with_an_early_return(tf):
    @tf.function
    def clipped(x):
        if x > 10:
            return tf.constant(10)
        if x < 0:
            return tf.constant(0)
        return x

    return [clipped(tf.constant(n)) for n in (-3, 5, 30)]


def collatz(tf):
    @tf.function
    def steps_to_one(n):
        steps = 0
        while n > 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        return steps

    return [steps_to_one(tf.constant(n)) for n in (1, 6, 27)]


def a_loop_with_break_and_continue(tf):
    @tf.function
    def total(xs, limit):
        s = 0.0
        count = 0
        for x in xs:
            if x < 0:
                continue
            if s + x > limit:
                break
            s += x
            count += 1
        return s, count

    return total(tf.constant([1.0, -5.0, 2.0, 3.0, 9.0]), tf.constant(7.0))


def nested_loops(tf):
    @tf.function
    def pairs(n):
        count = 0
        for i in tf.range(n):
            for j in tf.range(i):
                if (i + j) % 3 == 0:
                    count += 1
        return count

    return pairs(tf.constant(9))


def newton(tf):
    @tf.function
    def square_root(a, tolerance=1e-6):
        x = a
        while tf.abs(x * x - a) > tolerance:
            x = 0.5 * (x + a / x)
        return x

    return tf.round(square_root(tf.constant(2.0, tf.float64)) * 1e6)


def boolean_operators(tf):
    @tf.function
    def inside(x, y):
        if x > 0 and y > 0 or not (x > -5):
            return 1
        return 0

    return [inside(tf.constant(x), tf.constant(y)) for x, y in ((1, 1), (1, -1), (-9, 0))]


def a_conditional_expression(tf):
    @tf.function
    def pick(x):
        return x * 2 if x > 0 else x - 1

    return pick(tf.constant(3)), pick(tf.constant(-3))


def a_while_loop_by_hand(tf):
    @tf.function
    def powers(n):
        _, x, history = tf.while_loop(
            lambda i, *_: i < n,
            lambda i, x, history: (i + 1, x * 2, history.write(i, x)),
            (tf.constant(0), tf.constant(1), tf.TensorArray(tf.int32, size=n)),
        )
        return x, history.stack()

    return powers(tf.constant(5))


def conditions_by_hand(tf):
    @tf.function
    def route(x):
        first = tf.cond(x > 0, lambda: x, lambda: -x)
        second = tf.case([(x > 5, lambda: tf.constant(1)), (x > 0, lambda: tf.constant(2))], lambda: tf.constant(3))
        third = tf.switch_case(first % 3, [lambda: x, lambda: x * 10, lambda: x * 100])
        return first, second, third

    return [route(tf.constant(n)) for n in (7, 2, -3)]


def shapes_that_grow(tf):
    @tf.function
    def history(n):
        values = tf.constant([0])
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(values, tf.TensorShape([None]))])
            values = tf.concat([values, [i * i]], axis=0)
        return values

    return history(tf.constant(4))


def a_game_of_life(tf):
    @tf.function
    def generations(board, count):
        for _ in tf.range(count):
            around = tf.zeros_like(board)
            for dy in (-1, 0, 1):
                for dx in (-1, 0, 1):
                    if dy != 0 or dx != 0:
                        around += tf.roll(board, shift=[dy, dx], axis=[0, 1])
            alive = tf.logical_or(tf.equal(around, 3), tf.logical_and(tf.equal(board, 1), tf.equal(around, 2)))
            board = tf.cast(alive, tf.int32)
        return board

    glider = [[0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [1, 1, 1, 0, 0], [0] * 5, [0] * 5]
    return generations(tf.constant(glider), tf.constant(4))
