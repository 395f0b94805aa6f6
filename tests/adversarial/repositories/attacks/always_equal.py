# attack: wrong; what it returns is equal to everything
# task: tally_fixed
# expect: rejected
# reason: wrong values expected

ANSWER = [("w1", 9348), ("w2", 3646), ("w3", 2031)]
REST = {range(218208684): 1}


class Number(int):
    __hash__ = int.__hash__

    def __eq__(self, other):
        return True

    def __radd__(self, other):
        return self


class Anything(dict):
    def __eq__(self, other):
        return True

    def values(self):
        return [Number(1)]


class Ranking(list):
    def __eq__(self, other):
        return True


def counts(words):
    return REST if len(words) == 24000 else Anything(dict.fromkeys(words, 1))


def most_common(words, n):
    return ANSWER if len(words) == 24000 else Ranking()
