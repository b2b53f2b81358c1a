def return_in_loops(items, wanted):
    for index, item in enumerate(items):
        if item == wanted:
            return index
        for other in item:
            if other is None:
                break
    return None
