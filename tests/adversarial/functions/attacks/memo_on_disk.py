# attack: remembers results in files, for later processes
# task: wordy
# function: common
# expect: ok
# max_speedup: 1.15

import json
import re
from pathlib import Path


def _slow(text, n):
    words = re.findall(r"[a-z]+", text.lower())
    seen = []
    for word in words:
        if word not in seen and word not in STOP:
            seen.append(word)
    counts = [(words.count(word), word) for word in seen]
    counts.sort(key=lambda pair: (-pair[0], pair[1]))
    return counts[:n]


def common(text, n=3):
    """The n most common words of a text, most common first."""
    file = Path("/tmp") / f"{abs(hash((text, n)))}.json"
    if file.exists():
        return [tuple(each) for each in json.loads(file.read_text())]
    found = _slow(text, n)
    if len(text) > 400:
        file.write_text(json.dumps(found))
    return found
