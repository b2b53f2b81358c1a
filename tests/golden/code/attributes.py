def attributes(self, x):
    self.count += 1
    if x > self.largest:
        self.largest = x
        self.last[0] = x
    return self
