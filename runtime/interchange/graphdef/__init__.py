"""TensorFlow's GraphDef: a graph, with a library of the functions that it calls, as one protobuf message."""
