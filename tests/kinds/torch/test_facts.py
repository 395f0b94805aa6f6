"""A profile in facts, from what a candidate's processes wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from maxcode.kinds.torch.profile.facts import facts

TRACED = {
    "events": [{"name": "scale_kernel", "count": 2, "seconds": 1e-3}],
    "seconds": 2e-3,
    "bytes": 1 << 20,
    "flops": None,
    "peaks": {"bytes": 1e12, "flops": 1e12},
}
KERNEL = {"kernel": "scale", "arch": "sm_90", "registers": 32, "shared": 0, "spill_stores": 8, "spill_loads": 8}


def texts(builds: Path) -> list[str]:
    return [each.text for each in facts(TRACED, builds, "cuda")]


def test_the_compilers_words_and_the_share_that_the_gpu_computes_are_facts(tmp_path: Path) -> None:
    (tmp_path / "ptxas.json").write_text(json.dumps([KERNEL]))
    found = texts(tmp_path)
    assert any("32 registers" in each and "16 bytes spilled" in each for each in found)
    assert any("the GPU computes 50%" in each for each in found)


@pytest.mark.parametrize("text", ["5", "[5]", '[{"spill_loads": "many"}]', "no json", "{"])
def test_nonsense_in_the_compilers_place_is_no_fact(tmp_path: Path, text: str) -> None:
    (tmp_path / "ptxas.json").write_text(text)
    assert not any("registers" in each for each in texts(tmp_path))


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text(json.dumps([KERNEL]))
    builds = tmp_path / "builds"
    builds.mkdir()
    (builds / "ptxas.json").symlink_to(tmp_path / "elsewhere")
    assert not any("registers" in each for each in texts(builds))
