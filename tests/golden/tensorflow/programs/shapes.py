"""Shapes: as objects, of tensors, and while a function is traced."""


def first_line(call, *kinds):
    """The class that programs catch, and the first line of what an error says."""
    try:
        return call()
    except kinds as error:
        (kind,) = [kind.__name__ for kind in kinds if isinstance(error, kind)]
        return kind, str(error).splitlines()[0]


def what_a_shape_refuses(tf):
    unknown, known = tf.TensorShape(None), tf.TensorShape([1, 2])
    calls = [
        unknown.as_list,
        lambda: len(unknown),
        lambda: list(unknown),
        lambda: known.merge_with([3, 2]),
        lambda: known.with_rank(1),
        lambda: known.with_rank_at_least(3),
        lambda: known.with_rank_at_most(1),
        lambda: known.assert_has_rank(3),
        lambda: known.assert_same_rank([3]),
        lambda: known.assert_is_compatible_with([3, 4]),
        lambda: tf.TensorShape([None]).assert_is_fully_defined(),
        lambda: tf.TensorShape([2, -1]),
        lambda: tf.zeros([2, 3]).set_shape([2, 4]),
        lambda: tf.zeros([2, 3]).set_shape([2, None]),
    ]
    return [first_line(call, ValueError, TypeError) for call in calls]


def a_shape_that_is_asked_while_tracing(tf):
    seen = []

    @tf.function(input_signature=[tf.TensorSpec([None, 3])])
    def flat(x):
        seen.append(repr(x.shape))
        seen.append(x.shape.rank)
        seen.append(x.shape.as_list())
        seen.append(x.get_shape().is_fully_defined())
        rows = x.shape[0]
        y = tf.reshape(x, [-1, x.shape[1] * 2]) if rows is None else x
        seen.append(repr(y.shape))
        return y

    return flat(tf.ones([4, 3])), seen


def a_shape_of_unknown_rank(tf):
    seen = []

    @tf.function(input_signature=[tf.TensorSpec(None)])
    def total(x):
        seen.append(repr(x.shape))
        seen.append(x.shape.rank is None)
        if x.shape.rank is None:
            x = tf.reshape(x, [-1])
        return tf.reduce_sum(x)

    return total(tf.ones([2, 2])), total(tf.constant(3.0)), seen


def a_shape_that_is_set(tf):
    seen = []

    @tf.function(input_signature=[tf.TensorSpec([None, None])])
    def scaled(x):
        x.set_shape([None, 2])
        seen.append(repr(x.shape))
        y = x * 2.0
        seen.append(repr(y.shape))
        return y

    return scaled(tf.ones([3, 2])), seen


def a_shape_that_is_ensured(tf):
    seen = []

    @tf.function(input_signature=[tf.TensorSpec([None, None])])
    def scaled(x):
        y = tf.ensure_shape(x, [None, 2])
        seen.append(repr(y.shape))
        return y + 1.0

    refused = first_line(lambda: scaled(tf.ones([3, 4])), tf.errors.InvalidArgumentError)
    return scaled(tf.ones([3, 2])), seen, len(refused)


def a_shape_that_a_loop_carries(tf):
    @tf.function
    def halves(x):
        shape = x.shape
        total = 0
        for _ in tf.range(3):
            total += shape[0]
        if tf.reduce_sum(x) > 0:
            rows = shape[1:]
        else:
            rows = shape[1:]
        return total, tf.zeros(rows)

    return halves(tf.ones([4, 3]))


def shapes_beside_results_of_functions(tf):
    pair = tf.function(lambda x: (x, tf.reduce_sum(x)))(tf.ones([2, 1]))
    (batch,) = tf.data.Dataset.range(3).batch(3)
    return [repr(each.shape) for each in (*pair, batch, tf.random.normal([2]), tf.linspace(0.0, 1.0, 5))]
