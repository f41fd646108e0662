"""Differences between compounds of one assay, as the graph that the product runs."""

import lightgbm
import numpy as np
import torch
from torch import Tensor, nn

from .boosting import Trees, trees_of
from .data import block_columns

# Bits per environment: present at least 1, 2, 4 and 8 times.
BITS_OF_COUNT = 4


class Differences(nn.Module):
    """The graph of differences.onnx: counts its own environments, so that both sides send what they have anyway."""

    columns: Tensor  # environments * BITS_OF_COUNT: the bits that are counted, among all bits

    def __init__(self, trees: Trees, columns: np.ndarray):
        super().__init__()
        self.trees = trees
        self.register_buffer("columns", torch.from_numpy(columns))

    def forward(
        self, bits: Tensor, descriptors: Tensor, anchor_bits: Tensor, anchor_descriptors: Tensor
    ) -> Tensor:
        """n x all bits, n x descriptors, the same of m anchors; returns n: mean difference from the anchors in pK."""
        count, anchors = bits.shape[0], anchor_bits.shape[0]

        def pairs(of: Tensor, is_anchor: bool) -> Tensor:
            table = of[None] if is_anchor else of[:, None]
            return table.expand(count, anchors, of.shape[1]).reshape(-1, of.shape[1])

        own, others = pairs(descriptors, False), pairs(anchor_descriptors, True)
        more = pairs(self.counts(bits), False) - pairs(self.counts(anchor_bits), True)
        there = torch.cat([own - others, others, more], 1)
        back = torch.cat([others - own, own, -more], 1)
        found = self.trees(torch.cat([there, back])).reshape(2, -1, anchors)
        return ((found[0] - found[1]) / 2).mean(1)

    def counts(self, bits: Tensor) -> Tensor:
        """n x environments."""
        return bits[:, self.columns].reshape(bits.shape[0], -1, BITS_OF_COUNT).sum(2)


def graph_of(trees: lightgbm.Booster, environments: np.ndarray, spec: dict) -> Differences:
    """environments: the chosen ones, by number among the counts; spec: the feature spec."""
    start = block_columns(spec, "morgan-counts").start
    columns = start + (environments[:, None] * BITS_OF_COUNT + np.arange(BITS_OF_COUNT)).ravel()
    grown = trees.dump_model()["tree_info"]
    return Differences(trees_of([grown], np.arange(trees.num_feature()), 0.0), columns)
