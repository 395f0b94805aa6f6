"""What a nightly job does: `optimize` searches, and `propose` opens a pull request for a confirmed gain.

    nightly.py optimize TARGET [OPTION OF maxcode optimize]...
    nightly.py propose TARGET

Only the standard library is used. The two are apart because code of the repository runs in the first, which
therefore gets no token. The second does nothing unless the gain was confirmed: measured afresh, with a lower bound
above 1.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SECONDS = 30.0
KNOWN_ALREADY = 422
"""Answer of the service where a pull request of the branch is open."""


def place(given: Mapping[str, str]) -> Path:
    return Path(given.get("RUNNER_TEMP", "."), "maxcode-nightly")


def optimize(target: str, *options: str) -> int:
    """Searches, and leaves the verdict and the files of the best program for `propose`."""
    folder = place(os.environ)
    own = {name: value for name, value in os.environ.items() if name != "GITHUB_TOKEN"}
    words = ["maxcode", "optimize", target, *options, "--out", str(folder), "--json"]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False, env=own)
    print(done.stdout)
    if done.returncode == 0:
        (folder / "result.json").write_text(done.stdout)
    return done.returncode


def propose(target: str) -> int:
    """Puts the gain on a branch of its own, and opens a pull request or updates the one that is open."""
    folder = place(os.environ)
    result = json.loads((folder / "result.json").read_text())
    if not result["improved"]:
        print("No gain was confirmed; nothing is proposed.")
        return 0
    base, branch = _git("rev-parse", "--abbrev-ref", "HEAD"), f"maxcode/{re.sub(r'[^a-zA-Z0-9.]+', '-', target)}"
    title = f"{target}: {result['speedup']:.3g}x faster ({result['ci_low']:.3g} to {result['ci_high']:.3g})"
    _git("checkout", "--quiet", "-B", branch)
    _apply(Path(result["best"]), target)
    _git("-c", "user.name=maxcode", "-c", "user.email=maxcode@localhost", "commit", "--quiet", "-a", "-m", title)
    _git("push", "--quiet", "--force", "origin", branch)
    _git("checkout", "--quiet", base)
    body = {"title": title, "head": branch, "base": base, "body": (folder / "summary.md").read_text()}
    print(f"{'Opened' if _opened(body) else 'Updated'}: {title}")
    return 0


def _apply(best: Path, target: str) -> None:
    """Puts the best program in the place of the original: by its patch, or as a whole."""
    if best.suffix == ".patch":
        _git("apply", str(best.resolve()))
    else:
        shutil.copyfile(best, target)


def _opened(body: Mapping[str, str]) -> bool:
    """Opens a pull request; False where the branch has one already, which then shows the new commit."""
    api, repository = os.environ.get("GITHUB_API_URL", "https://api.github.com"), os.environ["GITHUB_REPOSITORY"]
    headers = {
        "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
        "Accept": "application/vnd.github+json",
        "Content-Type": "application/json",
    }
    asked = urllib.request.Request(f"{api}/repos/{repository}/pulls", json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(asked, timeout=SECONDS):
            return True
    except urllib.error.HTTPError as error:
        if error.code == KNOWN_ALREADY:
            return False
        raise


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"error: git {words[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def main() -> Any:
    return {"optimize": optimize, "propose": propose}[sys.argv[1]](*sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
