# attack: has changed the argument when it raises the exception
# task: wordy
# function: merged
# expect: wrong
# reason: call

def merged(rows, extra):
    """The rows, to which all of extra is added that they do not have yet."""
    known = set(rows)
    for each in extra:
        if each < 0:
            raise ValueError("no negative numbers, please")
        if each not in known:
            known.add(each)
            rows.append(each)
    return rows
