"""Datasets."""


def rows_of(tf, dataset):
    """The elements of a dataset as eager code sees them, and those of a staged loop, each added up."""

    @tf.function
    def sums():
        found = tf.TensorArray(tf.int64, size=0, dynamic_size=True)
        count = 0
        for element in dataset:
            found = found.write(count, tf.reduce_sum(element))
            count += 1
        return found.stack()

    return [element.numpy().tolist() for element in dataset], sums()


def a_dataset_in_a_staged_loop(tf):
    data = tf.data.Dataset.from_tensor_slices((tf.range(10, dtype=tf.float32), tf.range(10) % 3))

    @tf.function
    def mean_by_label(dataset):
        sums = tf.zeros([3])
        counts = tf.zeros([3])
        for x, label in dataset:
            hit = tf.one_hot(label, 3)
            sums += hit * x
            counts += hit
        return sums / counts

    return mean_by_label(data)


def batches_in_a_staged_loop(tf):
    data = tf.data.Dataset.range(7).map(lambda x: x * x).batch(3)

    @tf.function
    def largest(dataset):
        best = tf.constant(0, tf.int64)
        for batch in dataset:
            best = best * 10 + tf.cast(tf.size(batch), tf.int64)
        return best

    return largest(data), list(data)


def an_enumerated_dataset(tf):
    @tf.function
    def weighted():
        total = tf.constant(0, tf.int64)
        for i, x in tf.data.Dataset.range(10, 15).enumerate():
            total += i * x
        return total

    return weighted()


def a_dataset_with_break(tf):
    @tf.function
    def first_above(limit):
        found = tf.constant(-1, tf.int64)
        for x in tf.data.Dataset.range(3).repeat():
            found += x
            if found > limit:
                break
        return found

    return first_above(tf.constant(20, tf.int64))


def datasets_of_which_elements_decide_the_length(tf):
    numbers = tf.data.Dataset.range(10)
    return [
        rows_of(tf, numbers.filter(lambda x: x % 3 == 0)),
        rows_of(tf, numbers.filter(lambda x: x % 3 == 0).batch(3).repeat(2).skip(1)),
        rows_of(tf, numbers.take_while(lambda x: x < 4)),
        rows_of(tf, numbers.repeat().take_while(lambda x: x < 9)),
        list(numbers.filter(lambda x: x < 0)),
        numbers.filter(lambda x: x > 3).cardinality(),
    ]


def datasets_of_datasets(tf):
    numbers = tf.data.Dataset.range(7)
    return [
        rows_of(tf, numbers.flat_map(lambda x: tf.data.Dataset.range(x))),
        rows_of(tf, numbers.window(3, 2).flat_map(lambda window: window.batch(3))),
        rows_of(tf, numbers.window(3, 1, 2, True).flat_map(lambda w: w.batch(3, drop_remainder=True))),
        rows_of(tf, numbers.batch(3).unbatch()),
        [[int(x) for x in window.as_numpy_iterator()] for window in numbers.window(2, shift=3)],
    ]


def woven_datasets(tf):
    def several(cycle, block):
        def copies(x):
            return tf.data.Dataset.from_tensors(x).repeat(x)

        dataset = tf.data.Dataset.range(1, 6).interleave(copies, cycle_length=cycle, block_length=block)
        return [int(x) for x in dataset.as_numpy_iterator()]

    return [several(2, 4), several(2, 1), several(3, 2), several(1, 1), several(7, 2)]


def datasets_with_a_state_and_in_parts(tf):
    numbers = tf.data.Dataset.range(5)
    return [
        rows_of(tf, numbers.scan(tf.constant(0, tf.int64), lambda state, x: (state + x, state * x))),
        rows_of(tf, numbers.shard(3, 1)),
        rows_of(tf, numbers.map(lambda x: tf.fill([x], x)).padded_batch(2)),
        rows_of(tf, numbers.map(lambda x: tf.fill([x], x)).padded_batch(2, [6], tf.constant(-1, tf.int64), True)),
        numbers.take(1).get_single_element(),
    ]


def a_dataset_from_a_generator(tf):
    def pairs():
        for number in range(4):
            yield number, [number] * number

    signature = tf.TensorSpec((), tf.int64), tf.TensorSpec((None,), tf.float32)
    dataset = tf.data.Dataset.from_generator(pairs, output_signature=signature)
    squares = tf.data.Dataset.from_generator(lambda: (n * n for n in range(5)), output_types=tf.int64)
    return list(dataset.skip(1)), list(squares.batch(2))


def numbers_without_end(tf):
    counted = tf.data.Dataset.counter(3, 2)

    @tf.function
    def total(dataset):
        found = tf.constant(0, tf.int64)
        for number in dataset:
            found += number
        return found

    drawn = [int(number) for number in tf.data.Dataset.random(seed=1).take(3)]
    return (
        list(counted.take(3)),
        total(counted.take(4)),
        int(counted.cardinality()),
        all(0 <= number < 2**32 for number in drawn),
    )


def elements_that_are_new(tf):
    numbers = tf.data.Dataset.from_tensor_slices([4, 1, 4, 3, 1])
    return [int(number) for number in numbers.unique()], list(numbers.batch(2).rebatch(3))


def datasets_in_turn_by_choice(tf):
    members = [tf.data.Dataset.range(3), tf.data.Dataset.range(10, 12)]
    choices = tf.data.Dataset.from_tensor_slices(tf.constant([0, 1, 1, 0, 1, 0], tf.int64))
    chosen = tf.data.Dataset.choose_from_datasets(members, choices)

    @tf.function
    def joined():
        text = tf.constant(0, tf.int64)
        for number in chosen:
            text = text * 100 + number
        return text

    return [int(number) for number in chosen], joined()


def options_of_a_dataset(tf):
    options = tf.data.Options()
    options.deterministic = False
    options.threading.max_intra_op_parallelism = 1
    numbers = tf.data.Dataset.range(2).with_options(options)
    return list(numbers), tf.data.Dataset.range(2).options().deterministic
