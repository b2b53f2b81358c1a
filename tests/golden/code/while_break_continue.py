def while_break_continue(n):
    total = 0
    while n > 0:
        if n == 3:
            break
        n -= 1
        if n % 2:
            continue
        total += n
    else:
        total = -1
    return total
