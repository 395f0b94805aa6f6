# attack: endless loop that swallows every exception and signal
# task: total_py
# expect: timeout
# reason: time

while True:
    try:
        while True:
            pass
    except BaseException:
        pass
