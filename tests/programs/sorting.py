"""Programs that sort and search by hand."""

import bisect
import heapq


def quick_sort(items, low=0, high=None):
    """In place, with a function that calls itself."""
    if high is None:
        high = len(items) - 1
    if low >= high:
        return items
    pivot, i = items[high], low
    for j in range(low, high):
        if items[j] < pivot:
            items[i], items[j] = items[j], items[i]
            i += 1
    items[i], items[high] = items[high], items[i]
    quick_sort(items, low, i - 1)
    quick_sort(items, i + 1, high)
    return items


def merge_sort(items):
    """New lists, and a merge of two."""
    if len(items) <= 1:
        return list(items)
    middle = len(items) // 2
    left, right = merge_sort(items[:middle]), merge_sort(items[middle:])
    out, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            out.append(left[i])
            i += 1
        else:
            out.append(right[j])
            j += 1
    return out + left[i:] + right[j:]


def heap_sort(items):
    """A heap in the array itself."""

    def sink(start, end):
        root = start
        while 2 * root + 1 < end:
            child = 2 * root + 1
            if child + 1 < end and items[child] < items[child + 1]:
                child += 1
            if items[root] >= items[child]:
                return
            items[root], items[child] = items[child], items[root]
            root = child

    n = len(items)
    for start in reversed(range(n // 2)):
        sink(start, n)
    for end in reversed(range(1, n)):
        items[0], items[end] = items[end], items[0]
        sink(0, end)
    return items


def insertion_sort(items):
    """In a list of Python's; how far items moved."""
    items = list(items)
    moves = 0
    for i in range(1, len(items)):
        item, j = items[i], i
        while j > 0 and items[j - 1] > item:
            items[j] = items[j - 1]
            j -= 1
            moves += 1
        items[j] = item
    return items, moves


def bubble_sort(items):
    """Until a sweep changes nothing."""
    n, sweeps = len(items), 0
    swapped = True
    while swapped:
        swapped = False
        sweeps += 1
        for i in range(n - 1):
            if items[i] > items[i + 1]:
                items[i], items[i + 1] = items[i + 1], items[i]
                swapped = True
        n -= 1
    return items, sweeps


def counting_sort(items, largest=10):
    """Numbers below a limit, by counting them."""
    counts = [0] * largest
    for item in items:
        counts[item] += 1
    out = []
    for value, count in enumerate(counts):
        out += [value] * count
    return out


def binary_search(items, wanted):
    """Where an item is in sorted ones, or -1; and by `bisect`."""
    low, high = 0, len(items) - 1
    while low <= high:
        middle = (low + high) // 2
        if items[middle] == wanted:
            return middle, bisect.bisect_left(items, wanted)
        if items[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1, bisect.bisect_left(items, wanted)


def smallest(items, count):
    """The smallest items and the median, by heaps."""
    heap = []
    for item in items:
        if len(heap) < count:
            heapq.heappush(heap, -item)
        elif item < -heap[0]:
            heapq.heapreplace(heap, -item)
    found = sorted(-item for item in heap)
    return found, heapq.nlargest(2, items)


def quick_select(items, k):
    """The item that would be the k-th, without sorting."""
    items = list(items)
    while True:
        pivot = items[len(items) // 2]
        smaller = [item for item in items if item < pivot]
        equal = [item for item in items if item == pivot]
        if k < len(smaller):
            items = smaller
        elif k < len(smaller) + len(equal):
            return pivot
        else:
            k -= len(smaller) + len(equal)
            items = [item for item in items if item > pivot]


def inversions(items):
    """How many pairs stand the wrong way round."""
    count, worst = 0, None
    for i in range(len(items)):
        for j in range(i + 1, len(items)):
            if items[i] > items[j]:
                count += 1
                if worst is None or items[i] - items[j] > worst[2]:
                    worst = (i, j, items[i] - items[j])
    return count, worst
