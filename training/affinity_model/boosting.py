"""Boosted trees: one set on the compound alone, without the protein, and a smaller one on pairs.

For proteins of a family without measurements their error is lower than that of kernel and networks. LightGBM trains
them, torch evaluates them, and the exported graph contains them as ONNX's tree operator.
"""

import itertools
from typing import Any

import lightgbm
import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor, nn

from .data import Pairs, cut_variants
from .settings import SEED_OFFSETS, Settings

BINS = {"max_bin": 63, "min_data_in_bin": 20, "verbose": -1}
COMPOUND_BLOCKS = ("morgan-counts", "maccs")


class Trees(nn.Module):
    """All trees as one list of nodes. The right child follows the left one; a leaf points at itself."""

    roots: Tensor  # trees, int32: root node of each tree
    feature: Tensor  # nodes, int32: index of the input compared
    threshold: Tensor  # nodes: greater inputs go right
    left: Tensor  # nodes, int32: the left child
    value: Tensor  # nodes: value of a leaf, in pKd
    mean: Tensor  # 1, pKd

    def __init__(self, roots: int, nodes: int, depth: int):
        """Allocates the sizes only; `trees_of` fills them."""
        super().__init__()
        self.sizes = roots, nodes, depth
        self.depth = depth
        self.register_buffer("roots", torch.zeros(roots, dtype=torch.int32))
        self.register_buffer("feature", torch.zeros(nodes, dtype=torch.int32))
        self.register_buffer("threshold", torch.full((nodes,), torch.inf))
        self.register_buffer("left", torch.arange(nodes, dtype=torch.int32))
        self.register_buffer("value", torch.zeros(nodes))
        self.register_buffer("mean", torch.zeros(1))

    def forward(self, inputs: Tensor) -> Tensor:
        """n x features to n predictions."""
        if torch.onnx.is_in_onnx_export():
            return Exported.apply(inputs, self)[:, 0]
        return self.walk(inputs)

    def walk(self, inputs: Tensor) -> Tensor:
        """The same prediction, step by step: each row is at one node of every tree."""
        node = inputs[:, :1].long() * 0 + self.roots[None].long()  # n x trees
        feature, left = self.feature.long(), self.left.long()
        for _ in range(self.depth):
            goes_right = inputs.gather(1, feature[node]) > self.threshold[node]
            node = left[node] + goes_right.long()
        return self.value[node].sum(1) + self.mean


class Exported(torch.autograd.Function):
    """Replaces the trees in an exported graph; several times faster there than step-by-step evaluation."""

    @staticmethod
    def forward(_context, inputs: Tensor, trees: Trees) -> Tensor:
        """n x features to n x 1."""
        return trees.walk(inputs)[:, None]

    @staticmethod
    def symbolic(graph, inputs, trees: Trees):
        """The tree operator in the exported graph."""
        walked = graph.op("ai.onnx.ml::TreeEnsembleRegressor", inputs, **tree_attributes(trees))
        walked.setType(inputs.type().with_sizes([None, 1]))
        return walked


def tree_attributes(trees: Trees) -> dict:
    """Trees in ONNX's format: node numbers restart in each tree; leaves add their value to the sum."""
    roots, node = trees.roots.numpy(), np.arange(len(trees.feature))
    tree = np.searchsorted(roots, node, side="right") - 1
    left, is_leaf = trees.left.numpy(), trees.left.numpy() == node
    within = node - roots[tree]
    below = np.where(is_leaf, 0, left - roots[tree])
    return {
        "n_targets_i": 1,
        "base_values_f": [float(trees.mean)],
        "nodes_treeids_i": tree.tolist(),
        "nodes_nodeids_i": within.tolist(),
        "nodes_featureids_i": trees.feature.tolist(),
        "nodes_modes_s": np.where(is_leaf, "LEAF", "BRANCH_LEQ").tolist(),
        "nodes_values_f": np.where(is_leaf, 0, trees.threshold.numpy()).tolist(),
        "nodes_truenodeids_i": below.tolist(),
        "nodes_falsenodeids_i": np.where(is_leaf, 0, below + 1).tolist(),
        "target_ids_i": np.zeros(is_leaf.sum(), int).tolist(),
        "target_treeids_i": tree[is_leaf].tolist(),
        "target_nodeids_i": within[is_leaf].tolist(),
        "target_weights_f": trees.value.numpy()[is_leaf].tolist(),
    }


def fit_compound_trees(inputs: sp.csr_matrix, pairs: Pairs, settings: Settings) -> Trees:
    """inputs: compounds x features. Learns the mean pK of each compound's exact rows."""
    exact = pairs.take(np.flatnonzero(~pairs.is_below))
    rows = np.bincount(exact.compound, minlength=inputs.shape[0])
    used = np.flatnonzero(rows)
    means = np.bincount(exact.compound, exact.y, inputs.shape[0])[used] / rows[used]
    columns = np.flatnonzero(np.diff(inputs[used].tocsc().indptr) >= settings.boosting_bit_min)
    grown = _grow(
        inputs[used][:, columns],
        means - exact.y.mean(),
        rows[used] * rows[used] ** -settings.boosting_compound_discount,
        {
            "learning_rate": 0.05,
            "num_leaves": settings.boosting_leaves,
            "min_data_in_leaf": settings.boosting_leaf_compounds,
            "lambda_l2": 5.0,
            "feature_fraction": 0.1,
            "bagging_fraction": 0.7,
        },
        settings.boosting_rounds,
        settings,
    )
    return trees_of(grown, columns, float(exact.y.mean()))


def fit_pair_trees(
    compounds: Tensor, targets: Tensor, variants: int, pairs: Pairs, settings: Settings
) -> Trees:
    """compounds: all x c; targets: all variants x t. Trained on exact rows, half of them with a cut target."""
    exact = pairs.take(np.flatnonzero(~pairs.is_below))
    generator = np.random.default_rng(settings.seed + SEED_OFFSETS["cuts"])
    shown = cut_variants(exact.target, variants, generator, settings.boosting_cut_share)
    of_compound, of_target = (np.bincount(index)[index] for index in (exact.compound, exact.target))
    weight = of_compound**-settings.boosting_compound_discount * of_target**-settings.boosting_target_discount
    seen = torch.cat(
        [compounds[torch.from_numpy(exact.compound).long()], targets[torch.from_numpy(shown)]], 1
    )
    grown = _grow(
        seen.numpy(),
        exact.y - exact.y.mean(),
        weight,
        {
            "learning_rate": 0.1,
            "max_depth": settings.boosting_pair_depth,
            "min_data_in_leaf": settings.boosting_leaf_pairs,
            "lambda_l2": 100.0,
            "feature_fraction": 0.15,
            "bagging_fraction": 0.5,
        },
        settings.boosting_pair_rounds,
        settings,
    )
    return trees_of(grown, np.arange(seen.shape[1]), float(exact.y.mean()))


def _grow(
    inputs, labels: np.ndarray, weight: np.ndarray, how: dict, rounds: int, settings: Settings
) -> list[list[dict]]:
    """One forest per seed, as many as the settings say."""
    shared = {
        "objective": "l2",
        "bagging_freq": 1,
        "num_threads": settings.threads,
        "deterministic": True,
        "force_col_wise": True,
        "verbose": -1,
    }
    rows = lightgbm.Dataset(inputs, labels, weight=weight / weight.mean(), params=BINS)
    first = settings.seed + SEED_OFFSETS["boosting"]
    seeds = (first + 100 * member for member in range(settings.boosting_members))
    forests = [lightgbm.train(shared | how | {"seed": seed}, rows, rounds) for seed in seeds]
    return [forest.dump_model()["tree_info"] for forest in forests]


def trees_of(forests: list[list[dict]], places: np.ndarray, mean: float) -> Trees:
    """The mean of the forests, as one list of trees. places: index of each booster feature among the inputs."""
    nodes: list[Any] = []
    roots: list[int] = []
    depth = 0
    for tree in itertools.chain(*forests):
        roots.append(len(nodes))
        nodes.append(None)
        waiting = [(tree["tree_structure"], roots[-1], 0)]
        while waiting:
            branch, at, level = waiting.pop()
            depth = max(depth, level)
            if "leaf_value" in branch:
                nodes[at] = (0, np.inf, at, branch["leaf_value"] / len(forests))
                continue
            nodes[at] = (places[branch["split_feature"]], branch["threshold"], len(nodes), 0.0)
            waiting.append((branch["left_child"], len(nodes), level + 1))
            waiting.append((branch["right_child"], len(nodes) + 1, level + 1))
            nodes += [None, None]
    feature, threshold, left, value = (np.array(column) for column in zip(*nodes))
    trees = Trees(len(roots), len(nodes), depth)
    trees.roots.copy_(torch.tensor(roots))
    trees.feature.copy_(torch.from_numpy(feature))
    trees.threshold.copy_(torch.from_numpy(_rounded_down(threshold)))
    trees.left.copy_(torch.from_numpy(left))
    trees.value.copy_(torch.from_numpy(value))
    trees.mean.fill_(mean)
    return trees


def _rounded_down(threshold: np.ndarray) -> np.ndarray:
    """Rounds thresholds to single precision, the inputs' precision, so that each input stays on its side."""
    single = threshold.astype(np.float32)
    return np.where(single > threshold, np.nextafter(single, np.float32(-np.inf)), single)
