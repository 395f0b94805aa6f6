"""What the action does: `compare` compares base and head, `comment` keeps one comment of the pull request up to date.

Settings are variables of the environment: COMPARE_BENCH and others of action.yml, and those that the service sets. Only
the standard library is used; `maxcode` is looked for in PATH. The two are apart because the code of the pull request
runs in the first, which therefore has no token.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MARK = "<!-- maxcode compare -->"
"""Invisible line by which the comment is found again."""
PAGE = 100
SECONDS = 30.0
KEPT_BACK = ("GITHUB_TOKEN", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_STEP_SUMMARY")
"""Variables that the compared code does not get: with them it could change what later steps do."""


def commits(event: Mapping[str, Any], given: Mapping[str, str]) -> tuple[str, str]:
    """Base and head: as given, or of the pull request. The base is where the branch leaves it, not where it is now."""
    pull = event.get("pull_request", {})
    head = given.get("COMPARE_HEAD") or pull.get("head", {}).get("sha") or "HEAD"
    base = given.get("COMPARE_BASE") or pull.get("base", {}).get("sha")
    if not base:
        raise SystemExit("error: not a pull request; set the input `base`.")
    return _git("merge-base", base, head) or base, head


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], capture_output=True, text=True, check=False).stdout.strip()


def command(base: str, head: str, given: Mapping[str, str]) -> list[str]:
    words = ["maxcode", "compare", "--git", base, head, "--markdown"]
    for name in ("results", "fail-on", "max-seconds", "metric"):
        value = given.get(f"COMPARE_{name.upper().replace('-', '_')}")
        words += [f"--{name}", value] if value else []
    return [*words, "--names", f"{base[:10]},{head[:10]}", "--", given.get("COMPARE_BUILD", ""), given["COMPARE_BENCH"]]


def text_of(done: subprocess.CompletedProcess[str], base: str, head: str) -> str:
    """The comment: the table, or what went wrong."""
    shown = done.stdout if done.returncode in (0, 1) and done.stdout else f"```\n{done.stderr.strip()}\n```\n"
    titles = {0: "Speed", 1: "Speed: slower"}
    title = titles.get(done.returncode, "Speed: could not be compared")
    return f"{MARK}\n### {title}\n\n{shown}\n`{base[:10]}` and `{head[:10]}` in turns, on one machine.\n"


def put_comment(text: str, event: Mapping[str, Any], given: Mapping[str, str]) -> None:
    """Writes the comment, or updates the one that is there."""
    number, repository = event.get("pull_request", {}).get("number"), given.get("GITHUB_REPOSITORY")
    if not (number and repository and given.get("GITHUB_TOKEN")):
        return
    base = f"{given.get('GITHUB_API_URL', 'https://api.github.com')}/repos/{repository}/issues"
    known = _known_comment(f"{base}/{number}/comments", given)
    if known is None:
        _ask("POST", f"{base}/{number}/comments", given, {"body": text})
    else:
        _ask("PATCH", f"{base}/comments/{known}", given, {"body": text})


def _known_comment(url: str, given: Mapping[str, str]) -> int | None:
    page = 1
    while found := _ask("GET", f"{url}?per_page={PAGE}&page={page}", given):
        for each in found:
            if MARK in (each.get("body") or ""):
                return int(each["id"])
        page += 1
    return None


def _ask(method: str, url: str, given: Mapping[str, str], body: Mapping[str, Any] | None = None) -> Any:
    headers = {
        "Authorization": f"Bearer {given['GITHUB_TOKEN']}",
        "Accept": "application/vnd.github+json",
        "Content-Type": "application/json",
    }
    data = json.dumps(body).encode() if body is not None else None
    asked = urllib.request.Request(url, data=data, headers=headers, method=method)
    with urllib.request.urlopen(asked, timeout=SECONDS) as answer:
        return json.load(answer)


def compare(event: Mapping[str, Any], given: Mapping[str, str]) -> int:
    """Compares, and leaves the text in a file and in the summary of the job; the exit code of the comparison."""
    base, head = commits(event, given)
    own = {name: value for name, value in given.items() if name not in KEPT_BACK}
    done = subprocess.run(command(base, head, given), capture_output=True, text=True, check=False, env=own)
    sys.stderr.write(done.stderr)
    text = text_of(done, base, head)
    print(text)
    text_file(given).write_text(text)
    if summary := given.get("GITHUB_STEP_SUMMARY"):
        with Path(summary).open("a") as file:
            file.write(text)
    return done.returncode


def comment(event: Mapping[str, Any], given: Mapping[str, str]) -> int:
    """Writes the text as a comment. Where that is not permitted, as from forks, it is a warning."""
    if not text_file(given).exists():
        return 0
    try:
        put_comment(text_file(given).read_text(), event, given)
    except (OSError, ValueError) as error:  # URLError is an OSError
        print(f"::warning::the comment could not be written ({error}); the table is in the summary of the job")
    return 0


def text_file(given: Mapping[str, str]) -> Path:
    return Path(given.get("RUNNER_TEMP", "."), "maxcode-compare.md")


def main() -> int:
    file = os.environ.get("GITHUB_EVENT_PATH")
    event = json.loads(Path(file).read_text()) if file else {}
    return {"compare": compare, "comment": comment}[sys.argv[1]](event, os.environ)


if __name__ == "__main__":
    sys.exit(main())
