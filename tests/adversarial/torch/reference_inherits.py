"""Derives from the original and changes nothing."""

import torch
import torch.nn as nn


class ModelNew(Model):
    pass
