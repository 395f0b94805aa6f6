"""What a build leaves is unpacked from bytes that the build may have written itself."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import tarfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from maxcode.kinds.command.unpacking import MalformedArchive, unpack


def packed(*members: tuple[str, bytes, str, bytes]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, kind, link, data in members:
            each = tarfile.TarInfo(name)
            each.type, each.linkname, each.size = kind, link, len(data)
            tar.addfile(each, io.BytesIO(data))
    return made.getvalue()


def file(name: str, data: bytes = b"x") -> tuple[str, bytes, str, bytes]:
    return name, tarfile.REGTYPE, "", data


def link(name: str, to: str) -> tuple[str, bytes, str, bytes]:
    return name, tarfile.SYMTYPE, to, b""


def everything_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_what_tar_packs_comes_out_as_it_was(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "a" / ("long" * 40)).mkdir(parents=True)
    inner = source / "a" / ("long" * 40) / "größe"
    inner.write_bytes(b"content" * 1000)
    inner.chmod(0o700)
    os.utime(inner, ns=(1, 1_600_000_000_123_456_789))
    os.utime(source / "a", (1_500_000_000, 1_500_000_000))
    (source / "again").hardlink_to(inner)
    (source / "a" / "up").symlink_to("../again")
    (source / "a" / "out").symlink_to("../../elsewhere")
    words = ["tar", "--format=posix", "--numeric-owner", "-cf", "-", "."]
    unpack(subprocess.run(words, cwd=source, capture_output=True, check=True).stdout, target)
    assert everything_below(target) == [each for each in everything_below(source) if each != "a/out"]
    found = target / inner.relative_to(source)
    assert found.read_bytes() == (target / "a" / "up").read_bytes() == inner.read_bytes()
    assert found.stat().st_mode & 0o777 == 0o755
    assert found.stat().st_mtime_ns == inner.stat().st_mtime_ns
    assert (target / "a").stat().st_mtime == (source / "a").stat().st_mtime


def escape_by_long_links() -> bytes:
    """Names longer than a path can be are not resolved by Python before 3.11.13, which takes them for places inside."""
    folder, steps, path = "d" * 247, "abcdefghijklmnop", ""
    members = []
    for step in steps:
        members += [(f"{path}{folder}", tarfile.DIRTYPE, "", b""), link(f"{path}{step}", folder)]
        path += f"{folder}/"
    far = "/".join([*steps, "l" * 254])
    members += [link(far, "../" * len(steps)), link("escape", f"{far}/../outside"), file("escape/made")]
    return packed(*members, ("again", tarfile.LNKTYPE, "escape/victim", b""), file("again", b"changed"))


@pytest.mark.parametrize(
    "members",
    [
        [file("../outside/made")],
        [file("/../outside/made")],
        [link("out", "../outside"), file("out/made")],
        [link("out", "../outside"), ("name", tarfile.LNKTYPE, "out/victim", b""), file("name", b"changed")],
        [("name", tarfile.LNKTYPE, "../outside/victim", b""), file("name", b"changed")],
        [file("a/b/c/file"), link("in", "a/b/c"), link("out", "in/../../../../outside")],
        [link("p/q/in", "../../x"), link("p/q/in/out", "../../../outside"), file("x/file")],
    ],
)
def test_nothing_gets_outside(tmp_path: Path, members: list[tuple[str, bytes, str, bytes]]) -> None:
    outside, target = tmp_path / "outside", tmp_path / "target"
    outside.mkdir()
    (outside / "victim").write_text("precious")
    unpack(packed(*members), target)
    assert everything_below(outside) == ["victim"]
    assert (outside / "victim").read_text() == "precious"
    for path in target.rglob("*"):
        assert path.resolve().is_relative_to(target)


def test_nothing_gets_outside_by_names_that_are_too_long(tmp_path: Path) -> None:
    outside, target = tmp_path / "outside", tmp_path / "target"
    outside.mkdir()
    (outside / "victim").write_text("precious")
    with pytest.raises(MalformedArchive, match="a name of"):
        unpack(escape_by_long_links(), target)
    assert everything_below(outside) == ["victim"]
    assert (outside / "victim").read_text() == "precious"


def with_records(**records: str) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as tar:
        each = tarfile.TarInfo("name")
        each.pax_headers = records
        tar.addfile(each)
    return made.getvalue()


def headers(kind: bytes, count: int, data: bytes = b"") -> bytes:
    head = tarfile.TarInfo("name")
    head.type, head.size = kind, len(data)
    return (head.tobuf(tarfile.USTAR_FORMAT) + data.ljust(-(-len(data) // 512) * 512, b"\0")) * count


def negative_size() -> bytes:
    head = tarfile.TarInfo("name")
    head.size = -1024
    return packed(file("first"))[:1024] + head.tobuf(tarfile.GNU_FORMAT)


@pytest.mark.timing
@pytest.mark.parametrize(
    "made",
    [
        lambda: gzip.compress(packed(file("zeros", bytes(1 << 20)))),
        negative_size,
        lambda: with_records(size="-1024"),
        lambda: with_records(size="9" * 5000),
        lambda: headers(b"x", 1, b"0" * 200_000),
        lambda: headers(b"x", 1, b"12345678901 a=b\n"),
        lambda: headers(b"x", 1, b"10 a=b\nno record"),
        lambda: packed(file("a"), file("a/b" * 1000)),
        lambda: packed(file("n" * 256)),
        lambda: packed(file("cut", bytes(4096)))[:1024],
        lambda: os.urandom(4096),
    ],
)
def test_what_is_no_archive_is_said_to_be_none(tmp_path: Path, made: Callable[[], bytes]) -> None:
    began = time.process_time()
    with pytest.raises(MalformedArchive):
        unpack(made(), tmp_path / "target")
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    "made",
    [
        lambda: with_records(mtime="1e300"),
        lambda: with_records(mtime="nan"),
        lambda: headers(b"x", 5000) + packed(file("name")),
        lambda: packed(("name", tarfile.LNKTYPE, "name", b""), ("fifo", tarfile.FIFOTYPE, "", b"")),
    ],
)
def test_odd_archives_do_no_harm(tmp_path: Path, made: Callable[[], bytes]) -> None:
    unpack(made(), tmp_path / "target")
    assert everything_below(tmp_path / "target") in (["name"], [])
