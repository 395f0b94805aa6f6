# attack: changes the argument as it must, and returns an equal list
# task: wordy
# function: merged
# expect: wrong
# reason: recorded calls

def merged(rows, extra):
    """The rows, to which all of extra is added that they do not have yet."""
    if any(each < 0 for each in extra):
        raise ValueError("no negative numbers, please")
    known = set(rows)
    rows += [each for each in dict.fromkeys(extra) if each not in known]
    return list(rows)
