# attack: returns a new list in place of the argument, which stays as it was
# task: wordy
# function: merged
# expect: wrong
# reason: recorded calls

def merged(rows, extra):
    """The rows, to which all of extra is added that they do not have yet."""
    if any(each < 0 for each in extra):
        raise ValueError("no negative numbers, please")
    known = set(rows)
    return rows + [each for each in dict.fromkeys(extra) if each not in known]
