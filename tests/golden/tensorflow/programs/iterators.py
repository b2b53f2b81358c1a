"""Iterators over datasets: made outside and inside of functions, asked one by one and by loops, until they end."""


def outcome(tf, call):
    try:
        return call()
    except (StopIteration, tf.errors.OpError) as error:
        return type(error).__name__


def total_of(tf, start=0):
    @tf.function
    def total(numbers):
        found = tf.constant(start, tf.int64)
        for number in numbers:
            found += number
        return found

    return total


def next_in_a_function(tf):
    @tf.function
    def two(numbers):
        return next(numbers) * 10 + next(numbers)

    numbers = iter(tf.data.Dataset.range(5))
    return [outcome(tf, lambda: two(numbers)) for _ in range(3)]


def next_in_a_loop(tf):
    @tf.function
    def steps(numbers, count):
        found = tf.constant(0, tf.int64)
        for _ in tf.range(count):
            found = found * 10 + next(numbers)
        return found

    numbers = iter(tf.data.Dataset.range(5))
    return [outcome(tf, lambda: steps(numbers, tf.constant(2))) for _ in range(3)]


def an_iterator_that_eager_code_and_loops_share(tf):
    total = total_of(tf)
    numbers = iter(tf.data.Dataset.range(6))
    return next(numbers), total(numbers), total(numbers), outcome(tf, lambda: next(numbers))


def an_iterator_that_a_loop_leaves(tf):
    @tf.function
    def up_to(numbers, limit):
        found = tf.constant(0, tf.int64)
        for number in numbers:
            found += number
            if found > limit:
                break
        return found

    numbers = iter(tf.data.Dataset.range(8))
    limit = tf.constant(4, tf.int64)
    return up_to(numbers, limit), up_to(numbers, limit), total_of(tf)(numbers)


def an_iterator_made_inside(tf):
    numbers = tf.data.Dataset.range(4).map(lambda number: number * number)

    @tf.function
    def first_two():
        squares = iter(numbers)
        return next(squares), next(squares)

    return first_two(), first_two()


def two_loops_over_one_iterator(tf):
    @tf.function
    def halves(dataset):
        numbers = iter(dataset)
        first = tf.constant(0, tf.int64)
        for number in numbers:
            first += number
            if first > 2:
                break
        second = tf.constant(0, tf.int64)
        for number in numbers:
            second += number
        return first, second

    return halves(tf.data.Dataset.range(5)), halves(tf.data.Dataset.range(9))


def what_an_iterator_says(tf):
    numbers = iter(tf.data.Dataset.range(2))
    spec = numbers.element_spec
    first = numbers.get_next()
    there = numbers.get_next_as_optional()
    gone = numbers.get_next_as_optional()
    return (
        isinstance(numbers, tf.data.Iterator),
        (spec.dtype.name, spec.shape.as_list()),
        (first, there.has_value(), there.get_value(), gone.has_value()),
        outcome(tf, numbers.get_next),
        bool(outcome(tf, gone.get_value)),
    )


def an_optional_in_a_function(tf):
    @tf.function
    def next_or_less(numbers):
        following = numbers.get_next_as_optional()
        if following.has_value():
            return following.get_value()
        return tf.constant(-1, tf.int64)

    numbers = iter(tf.data.Dataset.range(1))
    return next_or_less(numbers), next_or_less(numbers)


def nests_from_an_iterator(tf):
    rows = tf.data.Dataset.from_tensor_slices({"x": [1.0, 2.0], "y": [[1, 2], [3, 4]]})

    @tf.function
    def step(batches):
        row = next(batches)
        return row["x"] * tf.cast(tf.reduce_sum(row["y"]), tf.float32)

    batches = iter(rows)
    return step(batches), step(batches)


def a_training_loop_with_an_iterator(tf):
    weight = tf.Variable(0.0)
    batches = iter(tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0, 4.0]).repeat().batch(2))

    @tf.function
    def train(count):
        for _ in tf.range(count):
            weight.assign_add(tf.reduce_mean(next(batches)))
        return weight.read_value()

    return train(tf.constant(3)), train(tf.constant(2))


def a_generator_in_a_function(tf):
    calls = []

    def countdown(start):
        calls.append(1)
        while start > 0:
            yield start
            start -= 1

    numbers = tf.data.Dataset.from_generator(
        countdown, output_signature=tf.TensorSpec([], tf.int64), args=(4,)
    )
    total = total_of(tf)
    return total(numbers), total(numbers), len(calls), list(numbers)


def pairs_of_a_generator_in_a_function(tf):
    def pairs():
        for number in range(3):
            yield number, [number * 0.5, 1.0]

    signature = tf.TensorSpec([], tf.int32), tf.TensorSpec([2], tf.float32)
    dataset = tf.data.Dataset.from_generator(pairs, output_signature=signature)

    @tf.function
    def weighted(dataset):
        found = tf.zeros([2])
        for number, row in dataset.map(lambda number, row: (number + 1, row)):
            found += tf.cast(number, tf.float32) * row
        return found

    return weighted(dataset), weighted(dataset.take(2))
