"""The generative reward-to-go model: a language model with LoRA adapters that answers with a class, 0 to 4."""
