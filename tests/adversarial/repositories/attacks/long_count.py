# attack: wrong; prints a report with more tests than Python takes for a number
# task: tally_fixed
# expect: wrong
# reason: the tests fail

def counts(words):
    print("\n100% tests passed, 0 tests failed out of " + "9" * 5000)
    return {}


def most_common(words, n):
    return []
