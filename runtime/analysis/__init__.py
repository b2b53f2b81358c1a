"""What is known of graphs before they run: which values are used, how long they live, who may write where."""
