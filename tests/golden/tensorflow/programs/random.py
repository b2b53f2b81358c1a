"""Random numbers: what does not depend on whose numbers they are."""


def random_numbers_with_a_seed(tf):
    def draw():
        tf.random.set_seed(7)
        return tf.random.uniform([3]), tf.random.normal([2, 2])

    first, second = draw(), draw()
    again = all(bool(tf.reduce_all(a == b)) for a, b in zip(first, second))
    numbers = tf.random.uniform([100], minval=-5, maxval=5, dtype=tf.int32)
    in_range = bool(tf.reduce_all(numbers >= -5)) and bool(tf.reduce_all(numbers < 5))
    return again, in_range, tf.sort(tf.random.shuffle([3, 1, 2]))


def random_numbers_of_a_generator(tf):
    def draw(generator):
        return [generator.normal([3]), generator.uniform([2], 1, 9, tf.int32), generator.truncated_normal([50])]

    first, again = (draw(tf.random.Generator.from_seed(5)) for _ in range(2))
    same = [bool(tf.reduce_all(a == b)) for a, b in zip(first, again)]
    near = bool(tf.reduce_all(tf.abs(first[2]) <= 2.0))
    fixed = [tf.random.stateless_uniform([4], seed=[1, 2]) for _ in range(2)]
    shapes = [
        tf.shape(tf.random.gamma([2], [1.0, 2.0, 3.0])),
        tf.shape(tf.random.poisson([4], [1.0, 2.0])),
        tf.shape(tf.random.categorical([[0.0, 1.0], [1.0, 0.0]], 5)),
        tf.shape(tf.random.stateless_normal([2, 3], [1, 2])),
        tf.shape(tf.random.stateless_categorical([[0.0, 1.0]], 5, [1, 2])),
        tf.shape(tf.random.stateless_truncated_normal([2], [1, 2])),
    ]
    return same, near, bool(tf.reduce_all(fixed[0] == fixed[1])), shapes
