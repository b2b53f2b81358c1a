def lists(n):
    squares = []
    for i in range(n):
        squares.append(i * i)
    last = squares.pop()
    squares[0] = last
    squares[n - 2] += 1
    return squares[::2], squares[n:]
