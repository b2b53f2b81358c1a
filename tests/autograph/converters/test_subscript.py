"""Items read and assigned."""


def test_items_are_read_and_assigned_in_pythons_order(same_log, make):
    def f(log):
        def index(value):
            log.append(value)
            return value

        x = make(log, "x")
        x[index(1)] = make(log, "value")
        x[index(2)] += make(log, "value")
        x[index(3) : index(4), 0][index(5)] = index(6)
        y = z = x[index(7) :]
        make(log, "y")[index(8)] = index(9)
        return x[index(10)]

    same_log(f)


def test_items_of_lists_dicts_and_nested_containers(check):
    def f(items, table):
        i = 0
        items[i] = items[-1] = 7
        items[i + 1 :] = [1, 2]
        items[i] += 1
        table["list"] = items
        table["list"][i] **= 2
        table.setdefault("n", []).append(items[i])
        first, table["rest"] = items[i], items[1:]
        del items[i]
        return items, table, first, items[i:], items[::-1], items[-1]

    check(f, ([1, 2, 3], {}), ([], {}), ((1, 2), {}))


def test_augmented_assignment_to_an_item_works_in_place(check):
    def f(rows):
        row = rows[0]
        i = 0
        rows[i] += [3]
        return rows, row

    check(f, ([[1]],), ([(1,)],))
