"""Learns by how much two compounds of one assay differ, without the protein; a part of the structure-adjusted number.

Boosted trees (LightGBM, Ke et al. 2017) on pairs of compounds of one assay, type and target: descriptors of both and the
difference of their atom environments. Compounds and assays of the published series are not among the rows.
"""

import lightgbm
import numpy as np
import scipy.sparse as sp

from .model import tanimoto
from .tables import Compounds, Ints, Rows

# Compounds of an assay, type and target: fewer say little, and of more a sample is paired.
GROUP_MIN, GROUP_MAX = 5, 150
# Partners of a compound: the most similar ones above a similarity, and some at random.
NEAREST, ALIKE_FROM, RANDOM = 6, 0.35, 3
PAIRS_MAX = 400_000
# Most common atom environments of the Morgan counts whose difference is an input.
ENVIRONMENTS = 600
# Bits per environment: present at least 1, 2, 4 and 8 times.
BITS_OF_COUNT = 4
MORGAN_COUNTS = 1
ROUNDS = 350
TREES = {
    "objective": "l2", "learning_rate": 0.06, "num_leaves": 127, "min_data_in_leaf": 30, "lambda_l2": 5.0,
    "feature_fraction": 0.2, "bagging_fraction": 0.6, "bagging_freq": 1, "max_bin": 31, "num_threads": 2,
    "deterministic": True, "force_col_wise": True, "verbose": -1, "seed": 1,
}  # fmt: skip


def fit_differences(compounds: Compounds, rows: Rows) -> tuple[dict, dict]:
    """The trees in the product's format, and some compounds with their differences from each other, in pK."""
    use = np.flatnonzero(~rows.is_bound & (rows.assay >= 0))
    counts = counts_of(compounds.blocks[MORGAN_COUNTS])
    used = np.unique(rows.compound[use])
    common = np.asarray((counts[used] > 0).sum(0))[0]
    environments = np.sort(np.argsort(-common, kind="stable")[:ENVIRONMENTS])
    chosen = counts[:, environments].tocsr()
    one, other, y = draw_pairs(rows.of(use), compounds.blocks[MORGAN_COUNTS])
    grown = lightgbm.train(TREES, lightgbm.Dataset(inputs_of(compounds, chosen, one, other), y), ROUNDS)
    print(f"differences: {len(y):,} pairs")
    some = used[np.linspace(0, len(used) - 1, 8).astype(int)]
    i, j = (at.ravel() for at in np.meshgrid(some, some, indexing="ij"))
    there = np.asarray(grown.predict(inputs_of(compounds, chosen, i, j)))
    back = np.asarray(grown.predict(inputs_of(compounds, chosen, j, i)))
    golden = {
        "smiles": [compounds.smiles[row] for row in some],
        "differences": ((there - back) / 2).reshape(8, 8).round(6).tolist(),
    }
    return flat(grown.dump_model()["tree_info"], environments), golden


def inputs_of(compounds: Compounds, chosen: sp.csr_matrix, one: Ints, other: Ints) -> np.ndarray:
    """Pairs x inputs."""
    described = compounds.descriptors
    return np.hstack(
        [described[one] - described[other], described[other], (chosen[one] - chosen[other]).toarray()]
    )


def counts_of(bits: sp.csr_matrix) -> sp.csr_matrix:
    """Compounds x all environments."""
    fold = np.arange(bits.shape[1])
    summed = sp.csr_matrix((np.ones(len(fold), np.float32), (fold, fold // BITS_OF_COUNT)))
    return sp.csr_matrix(bits @ summed)


def draw_pairs(rows: Rows, bits: sp.csr_matrix) -> tuple[Ints, Ints, np.ndarray]:
    """Compounds of pairs and the difference of their values; bits: the fingerprint by which compounds are similar."""
    random = np.random.default_rng(0)
    group = (rows.assay * 4 + rows.kind) * (int(rows.target.max()) + 1) + rows.target
    order = np.argsort(group, kind="stable")
    cuts = np.flatnonzero(np.diff(group[order])) + 1
    first, second = [], []
    for members in np.split(order, cuts):
        if len(members) < GROUP_MIN:
            continue
        some = members if len(members) <= GROUP_MAX else random.choice(members, GROUP_MAX, replace=False)
        alike = tanimoto(bits[rows.compound[some]], bits[rows.compound[some]])
        np.fill_diagonal(alike, -1)
        nearest = np.argpartition(-alike, min(NEAREST, len(some) - 1) - 1, axis=1)[:, :NEAREST]
        i = np.repeat(np.arange(len(some)), nearest.shape[1])
        i, j = (at[alike[i, nearest.ravel()] > ALIKE_FROM] for at in (i, nearest.ravel()))
        drawn = np.repeat(np.arange(len(some)), RANDOM)
        partner = random.integers(0, len(some), len(drawn))
        first += [some[i], some[drawn[drawn != partner]]]
        second += [some[j], some[partner[drawn != partner]]]
    a, b = np.concatenate(first), np.concatenate(second)
    is_turned = random.random(len(a)) < 0.5
    kept = random.permutation(len(a))[:PAIRS_MAX]
    one, other = np.where(is_turned, b, a)[kept], np.where(is_turned, a, b)[kept]
    return rows.compound[one], rows.compound[other], rows.y[one] - rows.y[other]


def flat(trees: list[dict], environments: np.ndarray) -> dict:
    """Nodes of all trees in a row; `~leaf` ends a path."""
    found: dict[str, list] = {
        name: [] for name in ("roots", "inputs", "thresholds", "below", "above", "leaves")
    }

    def add(node: dict) -> int:
        if "leaf_value" in node:
            found["leaves"].append(round(node["leaf_value"], 7))
            return ~(len(found["leaves"]) - 1)
        place = len(found["inputs"])
        found["inputs"].append(node["split_feature"])
        found["thresholds"].append(float(f"{node['threshold']:.9g}"))
        found["below"].append(0)
        found["above"].append(0)
        found["below"][place] = add(node["left_child"])
        found["above"][place] = add(node["right_child"])
        return place

    for tree in trees:
        found["roots"].append(add(tree["tree_structure"]))
    return {"environments": environments.tolist(), **found}
