"""What a training of a generative value model took: steps, loss, seconds and memory, from the logs in its folder."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main(folder: Path) -> None:
    print("part    steps  loss first  loss last  right last  seconds  steps/s  tokens/s  peak MB")
    for part in ("state", "screen"):
        steps = [json.loads(line) for line in (folder / f"{part}.log.jsonl").read_text().splitlines()]
        few = max(len(steps) // 10, 1)
        first = sum(step["loss"] for step in steps[:few]) / few
        last = sum(step["loss"] for step in steps[-few:]) / few
        right = sum(step["right"] for step in steps[-few:]) / few
        seconds = steps[-1]["seconds"]
        tokens = sum(step["tokens"] for step in steps)
        peak = max(step["memory_mb"] for step in steps)
        print(
            f"{part:7} {len(steps):5}  {first:10.3f}  {last:9.3f}  {right:10.0%}  {seconds:7.1f}  "
            f"{len(steps) / seconds:7.2f}  {tokens / seconds:8.0f}  {peak:7}"
        )
    content = json.loads((folder / "model.json").read_text())
    for part in ("state", "screen"):
        rows, cut = content[part]["rows"], content[part]["cut"]
        print(f"{part}: {rows} rows, {cut} of them cut to {content['max_tokens']} tokens")


main(Path(sys.argv[1]))
