"""Random numbers that a pair of seeds decides: every bit is TensorFlow's, at once and as a graph."""

SEEDS = [[1, 2], [0, 0], [-5, 7], [2**40 + 3, -(2**50)], [123456789, 987654321]]
FEW, MANY = [2, 3], [257]


def drawn(tf, draw):
    """What is drawn for each seed: a few numbers, and the sum of the bits of many, which must be staged alike."""
    found = []
    staged = tf.function(draw, autograph=False)
    for seed in SEEDS:
        pair = tf.constant(seed, tf.int64)
        few, many = draw(FEW, pair), draw(MANY, pair)
        again = staged(tf.constant(MANY), pair)
        found.append((few, hash_of(tf, many), bool(tf.reduce_all(many == again))))
    return found


def hash_of(tf, numbers):
    """One number that another bit anywhere would change."""
    narrow = {2: tf.uint16, 4: tf.int32, 8: tf.int64}[numbers.dtype.size]
    bits = tf.cast(numbers if numbers.dtype.is_integer else tf.bitcast(numbers, narrow), tf.int64)
    return tf.reduce_sum((bits % 1000003) * tf.range(1, tf.size(bits, tf.int64) + 1))


def uniform_numbers(tf):
    kinds = tf.float32, tf.float64, tf.float16
    return [
        drawn(tf, lambda shape, seed, to=kind: tf.random.stateless_uniform(shape, seed, dtype=to))
        for kind in kinds
    ]


def uniform_numbers_between_limits(tf):
    return drawn(tf, lambda shape, seed: tf.random.stateless_uniform(shape, seed, -3.0, 5.5))


def uniform_integers(tf):
    kinds = tf.int32, tf.int64
    return [
        drawn(tf, lambda shape, seed, to=kind: tf.random.stateless_uniform(shape, seed, -7, 1000003, to))
        for kind in kinds
    ]


def integers_of_all_bits(tf):
    kinds = tf.int32, tf.int64, tf.uint32, tf.uint64
    return [
        tf.random.stateless_uniform([5], seed, None, None, kind) for kind in kinds for seed in SEEDS[:3]
    ]


def normal_numbers(tf):
    kinds = tf.float32, tf.float16
    return [
        drawn(tf, lambda shape, seed, to=kind: tf.random.stateless_normal(shape, seed, dtype=to))
        for kind in kinds
    ]


def normal_numbers_of_a_mean(tf):
    return drawn(tf, lambda shape, seed: tf.random.stateless_normal(shape, seed, 10.0, 0.25))


def truncated_normal_numbers(tf):
    return drawn(tf, lambda shape, seed: tf.random.stateless_truncated_normal(shape, seed))


def classes_of_logits(tf):
    logits = tf.constant([[0.0, 1.0, 2.0], [1.0, 0.0, -5.0]])
    return [tf.random.stateless_categorical(logits, 9, seed) for seed in SEEDS]


def seeds_of_seeds(tf):
    pairs = [tf.constant(seed, tf.int64) for seed in SEEDS] + [tf.constant([3, 4])]
    halves = [tf.random.split(pair, 3) for pair in pairs]
    return halves, [tf.random.fold_in(pair, 17) for pair in pairs]


def one_number(tf):
    return tf.random.stateless_uniform([], [3, 4]), tf.random.stateless_normal([0], [3, 4])


def walks_in_a_loop(tf):
    @tf.function
    def walk(seed, steps):
        place = tf.zeros([2])
        for step in tf.range(steps):
            place += tf.random.stateless_normal([2], tf.stack([seed, step]))
        return place

    return walk(tf.constant(11), tf.constant(5))
