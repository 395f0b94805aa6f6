"""Unpacks a tar file from a sandbox: whatever its bytes are, it yields only files, folders and links that stay inside.

A build that runs what it built can write to the descriptor that its copy is packed to. So nothing here relies on the
packer: no compression, no recursion, one pass, as many bytes on disk as were packed. Links are made last, when all
folders are there, so that nothing is ever written through one. Python's own tarfile has let members out by long chains
of links, looped for ever and read gigabytes out of megabytes, in versions that we support.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

BLOCK = 512
LONGEST_NAME, LONGEST_PART = 2048, 255
"""Longest name and longest part of a name, in bytes: paths below a folder of ours must be short enough to open."""
MOST_ENTRIES = 1 << 20
_OCTAL = re.compile(rb"[0-7]{1,11}")
_TIME = re.compile(rb"(\d{1,11})(?:\.(\d{1,9})\d*)?")
_FILES, _HARD_LINK, _LINK, _FOLDER, _RECORDS, _COMMON_RECORDS = (b"0", b"\0", b"7"), b"1", b"2", b"5", b"x", b"g"

Parts = tuple[str, ...]


class MalformedArchive(Exception):
    """The data is not what our packer writes."""


@dataclass(frozen=True)
class _Member:
    kind: bytes
    name: bytes
    link: bytes
    executable: bool
    changed: int
    """Time of change, in nanoseconds since 1970."""
    data: memoryview


def unpack(packed: bytes, target: Path) -> None:
    """Makes the folder `target`: readable by all, owned by us. Malformed or OSError where that cannot be."""
    target.mkdir(parents=True)
    unpacking = _Unpacking(target)
    for member in _members(packed):
        unpacking.add(member)
    unpacking.finish()


class _Unpacking:
    def __init__(self, target: Path) -> None:
        self._target = target
        self._folders: dict[Parts, int | None] = {(): None}
        """Folders that have been made, with the time of change to be set at the end."""
        self._links: dict[Parts, str] = {}
        self._entries = 0

    def add(self, member: _Member) -> None:
        parts = _parts(member.name)
        if not parts:
            return  # the folder itself, or a place outside of it
        if member.kind == _FOLDER:
            self._make_folder(parts)
            self._folders[parts] = member.changed
        elif member.kind == _LINK:
            self._make_folder(parts[:-1])
            self._links[parts] = os.fsdecode(member.link)
        elif member.kind == _HARD_LINK:
            self._make_hard_link(parts, _parts(member.link))
        elif member.kind in _FILES:
            self._make_file(parts, member)

    def finish(self) -> None:
        for parts, link in self._links.items():
            path = self._path(parts)
            if stays_inside(parts, link) and not os.path.lexists(path):
                path.symlink_to(link)
        for parts, changed in reversed(self._folders.items()):
            if changed is not None:
                os.utime(self._path(parts), ns=(changed, changed))

    def _make_folder(self, parts: Parts) -> None:
        for depth in range(1, len(parts) + 1):
            if parts[:depth] not in self._folders:
                self._count()
                self._path(parts[:depth]).mkdir()
                self._path(parts[:depth]).chmod(0o755)
                self._folders[parts[:depth]] = None

    def _make_file(self, parts: Parts, member: _Member) -> None:
        path = self._place_for(parts)
        path.write_bytes(member.data)
        path.chmod(0o755 if member.executable else 0o644)
        os.utime(path, ns=(member.changed, member.changed))

    def _make_hard_link(self, parts: Parts, other: Parts) -> None:
        if other and other != parts and self._path(other).is_file():
            path = self._place_for(parts)
            if self._path(other).is_file():
                path.hardlink_to(self._path(other))

    def _place_for(self, parts: Parts) -> Path:
        """Path for a new file. A file that was there is unlinked, not overwritten: it may have a second name."""
        self._make_folder(parts[:-1])
        self._count()
        self._path(parts).unlink(missing_ok=True)
        return self._path(parts)

    def _path(self, parts: Parts) -> Path:
        return self._target.joinpath(*parts)

    def _count(self) -> None:
        self._entries += 1
        if self._entries > MOST_ENTRIES:
            raise MalformedArchive(f"more than {MOST_ENTRIES} files and folders")


def stays_inside(parts: Parts, link: str) -> bool:
    """True if a link at this place below a folder leads to somewhere below it, whatever other such links there are.

    `..` is allowed at the beginning only, where it leaves real folders: behind a name that may be a link, it could lead
    anywhere.
    """
    steps = [step for step in link.split("/") if step not in ("", ".")]
    up = next((i for i, step in enumerate(steps) if step != ".."), len(steps))
    proper = bool(steps) and not link.startswith("/") and len(os.fsencode(link)) <= LONGEST_NAME
    return proper and up < len(parts) and ".." not in steps[up:]


def _parts(name: bytes) -> Parts:
    """Parts of the path of a place below the folder; none for any other place."""
    if len(name) > LONGEST_NAME:
        raise MalformedArchive(f"a name of {len(name)} bytes")
    parts = tuple(os.fsdecode(part) for part in name.split(b"/") if part not in (b"", b"."))
    if any(len(os.fsencode(part)) > LONGEST_PART for part in parts):
        raise MalformedArchive("a name that no file can have")
    return () if name.startswith(b"/") or ".." in parts else parts


def _members(packed: bytes) -> Iterator[_Member]:
    whole, at = memoryview(packed), 0
    records: dict[bytes, bytes] = {}
    while at + BLOCK <= len(packed):
        head = packed[at : at + BLOCK]
        if not any(head):
            return
        if head[257:262] != b"ustar":
            raise MalformedArchive("a header that is none")
        kind, size = head[156:157], _number(records.get(b"size"), head[124:136])
        at += BLOCK
        data = whole[at : at + size]
        if len(data) < size:
            raise MalformedArchive("it ends too early")
        at += -(-size // BLOCK) * BLOCK
        if kind == _RECORDS:
            records = _read_records(bytes(data))
        elif kind != _COMMON_RECORDS:
            yield _member(head, kind, records, data)
            records = {}


def _member(head: bytes, kind: bytes, records: dict[bytes, bytes], data: memoryview) -> _Member:
    prefix, name = _text(head[345:500]), _text(head[:100])
    name = records.get(b"path", prefix + b"/" + name if prefix else name)
    link = records.get(b"linkpath", _text(head[157:257]))
    if b"\0" in name or b"\0" in link:
        raise MalformedArchive("a name with a NUL byte")
    executable = bool(_number(None, head[100:108]) & 0o111)
    return _Member(kind, name, link, executable, _time(records.get(b"mtime"), head[136:148]), data)


def _text(field: bytes) -> bytes:
    return field.partition(b"\0")[0]


def _number(record: bytes | None, field: bytes) -> int:
    if record is not None:
        if not re.fullmatch(rb"\d{1,15}", record):
            raise MalformedArchive("a size that is none")
        return int(record)
    digits = field.strip(b"\0 ")
    if not _OCTAL.fullmatch(digits):
        raise MalformedArchive("a number that is none")
    return int(digits, 8)


def _time(record: bytes | None, field: bytes) -> int:
    """Time of change in nanoseconds; 0 for times that no build needs: before 1970, or far away."""
    found = _TIME.fullmatch(record) if record is not None else None
    if found:
        return int(found[1]) * 10**9 + int((found[2] or b"0").ljust(9, b"0"))
    digits = field.strip(b"\0 ")
    return int(digits, 8) * 10**9 if record is None and _OCTAL.fullmatch(digits) else 0


def _read_records(data: bytes) -> dict[bytes, bytes]:
    """Records of a tar header.

    Each is its own length, a space, a name, an equals sign, a value and the end of a line.
    """
    found, at = dict[bytes, bytes](), 0
    while at < len(data):
        space = data.find(b" ", at, at + 12)
        length = int(data[at:space]) if space > at and data[at:space].isdigit() else 0
        if not length or length < space - at + 3 or at + length > len(data):
            raise MalformedArchive("records that are none")
        name, _, value = data[space + 1 : at + length - 1].partition(b"=")
        found[name] = value
        at += length
    return found
