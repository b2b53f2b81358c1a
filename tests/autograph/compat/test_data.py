"""Datasets: in eager loops, in staged loops, and what they know of themselves."""

import pytest

from autograph.compat import tf

Dataset = tf.data.Dataset


def numbers(dataset):
    return [element.numpy().tolist() for element in dataset]


def digits(dataset):
    total = tf.constant(0, tf.int64)
    for x in dataset:
        total = total * 10 + x
    return total


@pytest.mark.parametrize(
    ("dataset", "expected"),
    [
        (Dataset.range(4), 123),
        (Dataset.range(1, 9, 3), 147),
        (Dataset.range(4).skip(2), 23),
        (Dataset.range(4).take(2).repeat(2), 101),
        (Dataset.range(3).map(lambda x: x + 1), 123),
        (Dataset.range(2).concatenate(Dataset.range(5, 7)), 156),
        (Dataset.range(3).enumerate().map(lambda i, x: i * x), 14),
        (Dataset.zip((Dataset.range(3), Dataset.range(1, 9))).map(lambda x, y: x + y), 135),
        (Dataset.range(4).batch(2).map(lambda pair: tf.reduce_sum(pair)), 15),
        (Dataset.range(0), 0),
        (Dataset.range(3).shuffle(3).map(lambda x: x * 0), 0),
        (Dataset.from_tensors(7).map(lambda x: tf.cast(x, tf.int64)), 7),
    ],
    ids=str,
)
def test_a_staged_loop_sees_what_an_eager_one_sees(dataset, expected):
    assert digits(dataset).numpy() == tf.function(digits)(dataset).numpy() == expected


def test_a_staged_loop_is_one_node_however_long_the_dataset():
    graph = tf.function(digits).get_concrete_function(Dataset.range(1000)).graph
    assert graph.ops == ["StatelessWhile"]


def test_a_mapped_function_may_decide_by_a_tensor():
    @tf.function
    def total():
        s = tf.constant(0, tf.int64)
        for x in Dataset.range(6).map(lambda x: x if x % 2 == 0 else -x):
            s += x
        return s

    assert total().numpy() == 0 - 1 + 2 - 3 + 4 - 5


def test_batches_of_a_mapped_dataset_are_stacked_in_a_graph():
    @tf.function
    def sizes():
        shapes = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        n = 0
        for batch in Dataset.range(5).map(lambda x: {"x": [x, x * 2]}).batch(2):
            shapes = shapes.write(n, tf.shape(batch["x"]))
            n += 1
        return shapes.stack()

    assert sizes().numpy().tolist() == [[2, 2], [2, 2], [1, 2]]


def test_full_batches_have_a_known_length():
    assert Dataset.range(6).batch(2).element_spec.shape == (2,)
    assert Dataset.range(5).batch(2).element_spec.shape == (None,)
    assert Dataset.range(5).batch(2, drop_remainder=True).element_spec.shape == (2,)


def test_each_loop_is_shuffled_anew_and_holds_every_element():
    tf.random.set_seed(3)
    dataset = Dataset.range(50).shuffle(50)
    first, second = numbers(dataset), numbers(dataset)
    assert sorted(first) == sorted(second) == list(range(50))
    assert first != second


def test_a_staged_loop_shuffles_anew_on_every_run():
    tf.random.set_seed(4)
    dataset, in_order = Dataset.range(9).shuffle(9), tf.function(digits)
    orders = {int(in_order(dataset)) for _ in range(5)}
    assert len(orders) == 5
    assert all(sorted(f"{order:09}") == list("012345678") for order in orders)


def test_a_dataset_that_repeats_for_ever_ends_with_break():
    @tf.function
    def first_above(limit):
        total = tf.constant(0, tf.int64)
        for x in Dataset.range(1, 3).repeat():
            total += x
            if total > limit:
                break
        return total

    assert first_above(tf.constant(10, tf.int64)).numpy() == 12
    assert Dataset.range(3).repeat().cardinality().numpy() == tf.data.INFINITE_CARDINALITY
    with pytest.raises(TypeError, match="repeats for ever"):
        len(Dataset.range(3).repeat())


def test_a_dataset_made_of_an_argument_has_a_length_known_in_the_run():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int64)])
    def first_two(x):
        dataset = Dataset.from_tensor_slices(x)
        return digits(dataset.map(lambda x: x + 1).take(2)), dataset.cardinality(), len(dataset)

    assert [each.numpy() for each in first_two([3, 4, 5])] == [45, 3, 3]
    assert [each.numpy() for each in first_two([3])] == [4, 1, 1]


def test_python_itself_cannot_ask_such_a_dataset_for_its_length():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int64)], autograph=False)
    def length(x):
        return len(Dataset.from_tensor_slices(x))

    with pytest.raises(TypeError, match="only a run knows"):
        length([1, 2])


def test_two_loops_over_one_dataset_run_one_after_the_other():
    @tf.function
    def twice(dataset):
        total = tf.constant(0, tf.int64)
        for x in dataset:
            for y in dataset:
                total += x * y
        return total

    assert twice(Dataset.range(4)).numpy() == 36


def test_reduce_in_a_graph():
    @tf.function
    def largest(dataset):
        return dataset.reduce(tf.constant(0, tf.int64), lambda best, x: x if x > best else best)

    assert largest(Dataset.range(5)).numpy() == 4


def test_what_a_dataset_says_of_itself():
    dataset = Dataset.from_tensor_slices({"a": [1, 2], "b": [[1.0], [2.0]]})
    assert dataset.element_spec == {"a": tf.TensorSpec([], tf.int32), "b": tf.TensorSpec([1], tf.float32)}
    assert repr(Dataset.range(2)) == "<Dataset element_spec=TensorSpec(shape=(), dtype=tf.int64, name=None)>"
    assert bool(Dataset.range(0))
    assert numbers(Dataset.range(4).apply(lambda dataset: dataset.take(1))) == [0]


def test_a_graph_does_not_freeze_the_element_of_an_iterator():
    @tf.function
    def following(iterator):
        return next(iterator)

    iterator = iter(Dataset.range(3))
    assert [following(iterator).numpy() for _ in range(3)] == [0, 1, 2]
    with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
        following(iterator)


@pytest.mark.filterwarnings("ignore::runtime.errors.UnrollingWarning")
def test_a_loop_of_pythons_over_a_dataset_in_a_graph_has_no_end_and_is_refused():
    with pytest.raises(RuntimeError, match="Loop over the dataset"):
        tf.function(lambda: [x for x in Dataset.range(3)], autograph=False)()


def test_rows_of_several_lengths_come_out_of_a_generator_in_a_graph():
    def rows():
        yield from ([3, 1, 4], [1], [5, 9])

    @tf.function
    def sums(dataset):
        found = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        for place, row in dataset.enumerate():
            found = found.write(tf.cast(place, tf.int32), tf.reduce_sum(row))
        return found.stack()

    dataset = Dataset.from_generator(rows, output_signature=tf.TensorSpec([None], tf.int32))
    assert sums(dataset).numpy().tolist() == [8, 1, 14]
    assert [row.numpy().tolist() for row in dataset] == [[3, 1, 4], [1], [5, 9]]


def test_a_dataset_that_a_function_makes_and_returns_is_refused_there():
    made = tf.data.Dataset.range(3)

    @tf.function
    def f(n):
        return tf.data.Dataset.range(n)

    @tf.function
    def same(n):
        return made, n

    with pytest.raises(TypeError, match=r"f\(\) returns a dataset that it has made"):
        f(3)
    assert len(list(same(3)[0])) == 3
