"""The library's attention, which does not write the scores to memory."""

import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def forward(self, query, key, value):
        # On a GPU the heads of the result may lie side by side in memory; the original's do not.
        return F.scaled_dot_product_attention(query, key, value).contiguous()
