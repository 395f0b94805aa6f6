"""A sandbox at each level of isolation, with a small program to run in it."""

from __future__ import annotations

import subprocess
import tempfile
import uuid
from pathlib import Path

from maxcode.evaluate.sandbox.memory import copies
from maxcode.evaluate.sandbox.protections import Isolation
from maxcode.evaluate.sandbox.running import Ended
from maxcode.evaluate.sandbox.sandbox import Sandbox
from maxcode.evaluate.sandbox.view import BOX, Caps, View

CAPS = Caps(seconds=5.0, memory_mb=64, output_mb=1, scratch_mb=4)
GUARDS_FILES = (Isolation.OWN_USER, Isolation.NAMESPACES, Isolation.LANDLOCK)
HAS_ROOT_OF_ITS_OWN = (Isolation.OWN_USER, Isolation.NAMESPACES)


class Box:
    """A sandbox at one level of isolation, and the probe to run in it."""

    def __init__(self, sandbox: Sandbox, probe: Path) -> None:
        self.sandbox = sandbox
        self._probe = probe

    @property
    def level(self) -> Isolation:
        return self.sandbox.protections.isolation

    def run(
        self,
        *words: str,
        caps: Caps = CAPS,
        stdin: Path | None = None,
        environment: dict[str, str] | None = None,
        write: dict[str, Path] | None = None,
    ) -> Ended:
        view = View(read={f"{BOX}/probe": self._probe}, write=write or {})
        return self.sandbox.run([f"{BOX}/probe", *words], view, caps, stdin=stdin, environment=environment)

    def say(self, *words: str) -> list[str]:
        ended = self.run(*words)
        assert ended.clean, ended
        return ended.stdout.decode().splitlines()


def compiled(source: Path) -> Path:
    """The program under a name of its own, by which its processes can be found, in a folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix="maxcode-test-probe-"))
    folder.chmod(0o755)
    program = folder / f"probe-{uuid.uuid4().hex[:8]}"
    subprocess.run(["cc", "-O1", "-o", program, source], check=True)
    return program


def processes_of(probe: Path) -> list[str]:
    """Processes that run the probe, whatever name and place it has inside."""
    held = copies()
    same = (held.file(probe) if held else probe).stat()
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and (folder / "exe").stat().st_ino == same.st_ino:
                found.append(folder.name)
        except OSError:
            continue
    return found
