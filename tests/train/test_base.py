"""Base models by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from maxcode.core import InputError
from maxcode.train.base import base_of, load_base, main, save_adapter, tiny_model

torch = pytest.importorskip("torch", reason="training needs 'maxcode[train]'")
pytest.importorskip("transformers", reason="training needs 'maxcode[train]'")
peft = pytest.importorskip("peft", reason="training needs 'maxcode[train]'")


def logits(model: Any, tokenizer: Any, text: str = "for (int i = 0;") -> Any:
    with torch.no_grad():
        return model(**tokenizer(text, return_tensors="pt").to(model.device)).logits.float()


def adapter(folder: Path, base: str = "tiny") -> tuple[Any, Any]:
    """A LoRA adapter that changes what its base says."""
    model, tokenizer = load_base(base, device="cpu")
    adapted = peft.get_peft_model(model, peft.LoraConfig(r=2, target_modules="all-linear", task_type="CAUSAL_LM"))
    for name, weights in adapted.named_parameters():
        if "lora_B" in name:
            torch.nn.init.constant_(weights, 0.1)
    save_adapter(adapted, folder)
    return adapted, tokenizer


def test_the_tiny_model_is_the_same_every_time() -> None:
    (one, tokenizer), (other, _) = tiny_model(), tiny_model()
    assert torch.equal(logits(one, tokenizer), logits(other, tokenizer))


def test_making_the_tiny_model_leaves_the_random_numbers_alone() -> None:
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    tiny_model()
    assert torch.equal(torch.rand(2), expected)


@pytest.mark.parametrize("text", ["", "int x = 3;\n\tx += 1;", "größer ≥ 🚀", "0 1 2 3 4"])
def test_bytes_come_back_as_they_were(text: str) -> None:
    _, tokenizer = tiny_model()
    tokens = tokenizer(text)["input_ids"]
    assert len(tokens) == len(text.encode())
    assert tokenizer.decode(tokens) == text


def test_a_chat_is_marked_by_single_tokens() -> None:
    _, tokenizer = tiny_model()
    text = tokenizer.apply_chat_template(
        [{"role": "user", "content": "hi"}], tokenize=False, add_generation_prompt=True
    )
    assert text == "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n"
    assert len(tokenizer(text)["input_ids"]) == len("user\nhi\nassistant\n") + 3


def test_a_written_folder_is_the_same_model(tmp_path: Path) -> None:
    assert main(["tiny", "-o", str(tmp_path), "--dtype", "fp32"]) == 0
    first, tokenizer = load_base("tiny", device="cpu")
    second, again = load_base(str(tmp_path), device="cpu")
    assert torch.equal(logits(first, tokenizer), logits(second, again))


def test_an_adapter_is_loaded_onto_its_base(tmp_path: Path) -> None:
    trained, tokenizer = adapter(tmp_path)
    assert base_of(tmp_path) == "tiny"
    loaded, again = load_base(str(tmp_path), device="cpu")
    assert torch.equal(logits(trained, tokenizer), logits(loaded, again))
    assert not torch.equal(logits(loaded, again), logits(*load_base("tiny", device="cpu")))


def test_an_adapter_can_be_trained_further(tmp_path: Path) -> None:
    adapter(tmp_path)
    frozen, _ = load_base(str(tmp_path), device="cpu")
    further, _ = load_base(str(tmp_path), device="cpu", trainable=True)
    assert not any(weights.requires_grad for weights in frozen.parameters())
    assert all(weights.requires_grad == ("lora" in name) for name, weights in further.named_parameters())


def test_a_merged_adapter_says_the_same(tmp_path: Path) -> None:
    trained, tokenizer = adapter(tmp_path / "adapter")
    assert main([str(tmp_path / "adapter"), "-o", str(tmp_path / "merged"), "--dtype", "fp32"]) == 0
    merged, again = load_base(str(tmp_path / "merged"), device="cpu")
    assert torch.allclose(logits(trained, tokenizer), logits(merged, again), atol=1e-4)


def test_names_are_looked_up_in_the_folder_of_bases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main(["tiny", "-o", str(tmp_path / "some/model"), "--dtype", "fp32"])
    monkeypatch.setenv("MAXCODE_BASES", str(tmp_path))
    model, _ = load_base("some/model", device="cpu")
    assert model.name_or_path == "some/model"


def test_the_hub_is_not_asked_for_what_is_missing_in_a_folder_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="model out/warm: no such folder"):
        load_base("out/warm")


def test_what_is_no_model_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match=r"nothing.gguf: no such file"):
        load_base(str(tmp_path / "nothing.gguf"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty: cannot be loaded"):
        load_base(str(tmp_path / "empty"))
    with pytest.raises(InputError, match=r"none: no such folder"):
        load_base(str(tmp_path / "none"))
    (tmp_path / "empty/run.json").touch()
    with pytest.raises(InputError, match=r"is the folder of a training; name a model in it, as .*empty/final"):
        load_base(str(tmp_path / "empty"))
    (tmp_path / "empty/run.json").unlink()
    assert main([str(tmp_path / "empty"), "-o", str(tmp_path / "out")]) == 2
    assert "cannot be loaded" in capsys.readouterr().err
