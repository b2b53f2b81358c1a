"""The strategy of a program that asks for none: one replica, and nothing to distribute."""


def the_default_strategy_runs_where_it_is_called(tf):
    strategy = tf.distribute.get_strategy()

    @tf.function
    def step(batch):
        return strategy.run(lambda x, scale: tf.reduce_sum(x) * scale, args=(batch,), kwargs={"scale": 2})

    totals = []
    for batch in strategy.experimental_distribute_dataset(tf.data.Dataset.range(5).batch(2)):
        totals.append(strategy.reduce("SUM", step(batch), axis=None))
    return totals, strategy.num_replicas_in_sync


def values_of_replicas_are_put_together(tf):
    strategy = tf.distribute.get_strategy()
    value = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    return (
        strategy.reduce(tf.distribute.ReduceOp.SUM, value, axis=0),
        strategy.reduce(tf.distribute.ReduceOp.MEAN, value, axis=1),
        strategy.reduce("MEAN", value, axis=None),
        strategy.gather(value, axis=0),
        strategy.experimental_local_results(tf.constant(3)),
        str(tf.distribute.ReduceOp.SUM),
        tf.distribute.ReduceOp.MEAN.value,
    )


def a_replica_knows_itself(tf):
    strategy = tf.distribute.get_strategy()

    def replica():
        context = tf.distribute.get_replica_context()
        total = context.all_reduce(tf.distribute.ReduceOp.SUM, tf.constant(2.0))
        merged = context.merge_call(lambda of, x: x + of.num_replicas_in_sync, args=(tf.constant(1),))
        assert isinstance(context, tf.distribute.ReplicaContext)
        return context.replica_id_in_sync_group, context.num_replicas_in_sync, total, merged

    with strategy.scope() as inside:
        found = inside is strategy, isinstance(strategy, tf.distribute.Strategy)
        return found, strategy.run(replica), strategy.run(tf.function(lambda: replica()[2:]))


def scopes_and_contexts(tf):
    with tf.distribute.get_strategy().scope():
        variable = tf.Variable(1.0)
    return variable.read_value(), tf.distribute.has_strategy(), tf.distribute.in_cross_replica_context()


def values_and_datasets_of_functions(tf):
    strategy = tf.distribute.get_strategy()
    value = strategy.experimental_distribute_values_from_function(
        lambda context: tf.constant(context.replica_id_in_sync_group + 10)
    )
    dataset = strategy.distribute_datasets_from_function(
        lambda context: tf.data.Dataset.range(context.get_per_replica_batch_size(3) + context.num_input_pipelines)
    )
    part = tf.distribute.InputContext()
    return value, list(dataset), (part.num_input_pipelines, part.input_pipeline_id, part.num_replicas_in_sync)
