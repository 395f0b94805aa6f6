"""Settings of models, in one typed file (TOML). Secrets come from the environment only and are never stored or shown.

[models."qwen2.5-coder"]            # used as --policy openai:qwen2.5-coder
base_url = "http://localhost:8000/v1"
temperature = 0.6
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from maxcode.core import Frozen, InputError
from maxcode.system.home import home

ProtocolName = Literal["chat", "messages"]
"""chat: chat completions, which most endpoints speak; messages: Anthropic's own."""


class Price(Frozen):
    """What a model costs, and how much it reads."""

    prompt: float
    """USD per million prompt tokens."""
    completion: float
    """USD per million completion tokens."""
    cached: float | None = None
    """USD per million prompt tokens that the endpoint had kept; as others when absent."""
    context: int | None = None
    """Tokens of prompt and answer together."""


class ModelSettings(Frozen):
    """How to ask one model. Everything has a default that suits hosted endpoints."""

    model: str | None = None
    """The endpoint's name for it; the name of the table when absent."""
    base_url: str | None = None
    """Any compatible endpoint; OPENAI_BASE_URL when absent."""
    api_key_env: str = "OPENAI_API_KEY"
    """Name of the environment variable that holds the key; that of the provider when absent."""
    needs_key: bool = False
    """Whether there is no asking without a key; as the provider has it when absent."""
    protocol: ProtocolName = "chat"
    """How the endpoint is asked: chat completions, or Anthropic's messages; as the provider has it when absent."""
    stream: bool = False
    """Has answers sent piece by piece, for endpoints that end a silent connection."""
    takes_seeds: bool = True
    """Whether requests have a seed; as the provider has it when absent."""
    marks: bool = False
    """Marks in requests what the endpoint should keep; as the provider has it when absent."""
    temperature: float | None = 0.6
    """Randomness of the answers, as the endpoint takes it."""
    reasoning_effort: str | None = None
    """low, medium or high, for models that know it."""
    max_tokens: int | None = None
    """Tokens an answer may have; the endpoint's own limit when absent."""
    answer: Literal["whole", "edits"] = "whole"
    """Whole programs, or search/replace edits."""
    prompt_budget: int = 16_000
    """Tokens a prompt may have."""
    together: bool = True
    """Asks for several samples in one request where the endpoint can. With false each is a request of its own: the
    first is judged sooner, and an endpoint may charge for the prompt each time."""
    concurrency: int = Field(default=8, ge=1)
    """Requests at a time."""
    timeout: float = Field(default=300.0, gt=0)
    """Seconds that one request may take."""
    retries: int = Field(default=6, ge=0)
    """How often a request that failed is sent again."""
    price_prompt: float | None = None
    """USD per million prompt tokens; those of the table of prices when absent."""
    price_completion: float | None = None
    """USD per million completion tokens."""
    price_cached: float | None = None
    """USD per million prompt tokens that the endpoint had kept; as others when absent."""
    context: int | None = None
    """Tokens of prompt and answer together; prompts stay within three quarters of it."""
    extra: dict[str, object] = Field(default_factory=dict)
    """Further fields of the request body, as the endpoint wants them."""

    @property
    def has_prices(self) -> bool:
        return self.price_prompt is not None and self.price_completion is not None


class ClusterSettings(Frozen):
    """Cluster that `--engine ray` uses, and the machines of it."""

    address: str | None = None
    """HOST:PORT of the head; --address and RAY_ADDRESS come first."""
    machine_class: str | None = None
    """The class of machines to measure on; the one with the most slots when absent."""
    patience: float = Field(default=60.0, ge=0)
    """Seconds to wait for a machine to join before giving up."""


class Config(Frozen):
    models: dict[str, ModelSettings] = Field(default_factory=dict)
    """How to ask each model, by its name: `NAME`, or `PROVIDER:NAME`."""
    prices: dict[str, Price] = Field(default_factory=dict)
    """Prices by `PROVIDER:NAME`, in place of those that come with MaxCode."""
    prompts: Path | None = None
    """A folder of prompt texts that replace the built-in ones of the same name."""
    cluster: ClusterSettings = ClusterSettings()
    """Machines that `--engine ray` uses."""

    def model(self, name: str) -> ModelSettings:
        return self.models.get(name, ModelSettings())


def load_config(path: Path | None = None) -> Config:
    """The given file, or ./maxcode.toml, or config.toml in MAXCODE_HOME, or the defaults."""
    for file in [path] if path else [Path("maxcode.toml"), home() / "config.toml"]:
        if file.is_file():
            return _read(file)
        if path:
            raise InputError(f"--config {path}: no such file.")
    return Config()


def _read(file: Path) -> Config:
    try:
        return Config.model_validate(tomllib.loads(file.read_text()))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{file}: not valid TOML: {error}") from None
    except ValidationError as error:
        problems = [f"{file}: {'.'.join(map(str, p['loc']))}: {p['msg']}" for p in error.errors()]
        raise InputError("\n".join(problems)) from None
