"""Learns by how much two compounds of one assay differ, without the protein; a part of the structure-adjusted number.

python3 -m affinity_model differences --tables <folder> [--model models/current]
python3 -m affinity_model differences --tables <folder> --poses .cache/training/pose-scores.tsv [--strict]

Trained on pairs of compounds of one ChEMBL assay, without any compound or assay of the published series. The first
command writes the product's graph, the second prints what the differences add to poses and writes nothing.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import lightgbm
import numpy as np
import scipy.sparse as sp
import torch

from .data import Features, feature_keys, load_features, read_tsv
from .difference_graph import BITS_OF_COUNT, graph_of
from .difference_report import Rows, report
from .export_onnx import export_graph
from .folders import options
from .golden import golden_compounds, load_golden
from .measured import tanimoto
from .outside import members_of

# Compounds of an assay, type and target: fewer say little, and of more a sample is paired.
GROUP_MIN, GROUP_MAX = 5, 150
# Partners of a compound: the most similar ones above a similarity, and some at random.
NEAREST, ALIKE_FROM, RANDOM = 6, 0.35, 3
PAIRS_MAX = 400_000
# Most common atom environments of the Morgan counts whose difference is an input.
ENVIRONMENTS = 600
ROUNDS = 350
TREES = {
    "objective": "l2", "learning_rate": 0.06, "num_leaves": 127, "min_data_in_leaf": 30, "lambda_l2": 5.0,
    "feature_fraction": 0.2, "bagging_fraction": 0.6, "bagging_freq": 1, "max_bin": 31, "num_threads": 1,
    "deterministic": True, "force_col_wise": True, "verbose": -1, "seed": 1,
}  # fmt: skip
# Compounds that a compound is compared with.
ANCHORS_MAX = 50
GRAPH, GOLDEN = "differences.onnx", "differences-golden.json"
# A target counts as one of the series if it shares this much of the smaller one's words of this length.
STRICT_FROM, STRICT_WORD = 0.4, 5


@dataclass
class Assays:
    """One value per compound and group; a group is an assay, type and target."""

    compound: np.ndarray  # row of Features
    y: np.ndarray
    group: np.ndarray


@dataclass
class Inputs:
    """What the trees see of each compound."""

    descriptors: np.ndarray
    environments: np.ndarray

    def of(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Pairs x inputs, for rows of both compounds."""
        own, others = self.descriptors[one], self.descriptors[other]
        return np.hstack([own - others, others, self.environments[one] - self.environments[other]])


def load_assays(tables: Path, features: Features, hidden_targets: Collection[str] = ()) -> Assays:
    """features: of the exporter's outside folder. Compounds that differ only in stereochemistry are one."""
    place = {smiles: row for row, smiles in enumerate(features.compound_ids)}
    keys = feature_keys(features, np.arange(len(place)))
    first: dict[bytes, int] = {}
    same = [first.setdefault(keys[row], row) for row in range(len(place))]
    of_series = {
        same[place[row["smiles"]]]
        for row in read_tsv(tables / "series/ligands.tsv.gz")
        if row["smiles"] in place
    }
    assays = {row["assay"] for row in read_tsv(tables / "series/systems.tsv")} | {""}
    values: dict[tuple[str, str, str], dict[int, list[float]]] = {}
    for row in read_tsv(tables / "chembl32/pairs.tsv.gz"):
        if row["smiles"] not in place or row["assay"] in assays:
            continue
        compound = same[place[row["smiles"]]]
        if compound in of_series or not set(row["target_id"].split("|")).isdisjoint(hidden_targets):
            continue
        group = values.setdefault((row["assay"], row["type"], row["target_id"]), {})
        group.setdefault(compound, []).append(float(row["pK"]))
    kept = [group for group in values.values() if len(group) >= GROUP_MIN]
    return Assays(
        compound=np.array([compound for group in kept for compound in group], int),
        y=np.array([np.mean(of) for group in kept for of in group.values()]),
        group=np.repeat(np.arange(len(kept)), [len(group) for group in kept]),
    )


def counts_of(features: Features) -> sp.csr_matrix:
    """compounds x all environments."""
    bits = features.block("morgan-counts")
    fold = np.arange(bits.shape[1])
    summed = sp.csr_matrix((np.ones(len(fold), np.float32), (fold, fold // BITS_OF_COUNT)))
    return sp.csr_matrix(bits @ summed)


def choose_environments(features: Features, used: np.ndarray) -> np.ndarray:
    """The most common ones among the used compounds, by number, ascending."""
    common = np.asarray((counts_of(features)[used] > 0).sum(0))[0]
    return np.sort(np.argsort(-common, kind="stable")[:ENVIRONMENTS])


def inputs_of(features: Features, environments: np.ndarray) -> Inputs:
    """environments: from `choose_environments`."""
    counts = counts_of(features)[:, environments].toarray()
    return Inputs(features.descriptors.astype(np.float32), counts.astype(np.float32))


def draw_pairs(assays: Assays, bits: sp.csr_matrix) -> tuple[np.ndarray, np.ndarray]:
    """Rows of `assays`, two of one group each; bits: the fingerprint by which compounds are similar."""
    random = np.random.default_rng(0)
    one, other = [], []
    for members in members_of(assays.group):
        rows = members if len(members) <= GROUP_MAX else random.choice(members, GROUP_MAX, replace=False)
        shown = bits[assays.compound[rows]].toarray() > 0
        alike = tanimoto(shown, shown)
        np.fill_diagonal(alike, -1)
        nearest = np.argpartition(-alike, min(NEAREST, len(rows) - 1) - 1, axis=1)[:, :NEAREST]
        i = np.repeat(np.arange(len(rows)), nearest.shape[1])
        i, j = (at[alike[i, nearest.ravel()] > ALIKE_FROM] for at in (i, nearest.ravel()))
        drawn = np.repeat(np.arange(len(rows)), RANDOM)
        partner = random.integers(0, len(rows), len(drawn))
        one += [rows[i], rows[drawn[drawn != partner]]]
        other += [rows[j], rows[partner[drawn != partner]]]
    a, b = np.concatenate(one), np.concatenate(other)
    is_turned = random.random(len(a)) < 0.5
    order = random.permutation(len(a))[:PAIRS_MAX]
    return np.where(is_turned, b, a)[order], np.where(is_turned, a, b)[order]


def fit_differences(assays: Assays, inputs: Inputs, bits: sp.csr_matrix) -> lightgbm.Booster:
    """A minute and a half on one core."""
    one, other = draw_pairs(assays, bits)
    seen = inputs.of(assays.compound[one], assays.compound[other])
    return lightgbm.train(TREES, lightgbm.Dataset(seen, assays.y[one] - assays.y[other]), ROUNDS)


def anchors_of(count: int) -> np.ndarray:
    """Places evenly among `count` compounds, all of them if they are few."""
    return np.unique(np.linspace(0, count - 1, min(count, ANCHORS_MAX)).round().astype(int))


def differences_of(trees: lightgbm.Booster, inputs: Inputs, compounds: np.ndarray) -> np.ndarray:
    """Mean difference in pK of each compound from the anchors among them; the anchors' own mean is 0."""
    anchors = compounds[anchors_of(len(compounds))]
    one, other = np.repeat(compounds, len(anchors)), np.tile(anchors, len(compounds))
    return between(trees, inputs, one, other).reshape(len(compounds), len(anchors)).mean(1)


def between(trees: lightgbm.Booster, inputs: Inputs, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """By how much each first compound is above the second, in pK; swapped, the sign changes."""
    there, back = (np.asarray(trees.predict(inputs.of(*of))) for of in ((one, other), (other, one)))
    return (there - back) / 2


def similar_targets(tables: Path, chains: list[str]) -> set[str]:
    """Targets of the general table that any of the chains resembles, gaps as `/`."""
    words = [_words(chain) for chain in set(chains)]
    found = set()
    for row in read_tsv(tables / "general/targets.tsv.gz"):
        own = _words(row["sequence"])
        if any(len(own & of) > STRICT_FROM * max(1, min(len(own), len(of))) for of in words):
            found.add(row["target_id"])
    return found


def _words(sequence: str) -> set[str]:
    return {
        part[at : at + STRICT_WORD]
        for part in sequence.split("/")
        for at in range(len(part) - STRICT_WORD + 1)
    }


def export_differences(trees: lightgbm.Booster, environments: np.ndarray, manifest: dict, out: Path) -> None:
    """Writes the graph and LightGBM's own values between the golden compounds."""
    spec = manifest["featureSpec"]
    graph = graph_of(trees, environments, spec)
    one, two = (
        (
            torch.zeros(rows, manifest["sizes"]["compoundBits"]),
            torch.zeros(rows, len(spec["compound"]["descriptors"])),
        )
        for rows in (2, 3)
    )
    names = ["bits", "descriptors", "anchor_bits", "anchor_descriptors"]
    export_graph(graph, (*one, *two), names, "differences", out / GRAPH)
    (out / GOLDEN).write_text(json.dumps(golden_differences(trees, graph.columns.numpy())) + "\n")


def golden_differences(trees: lightgbm.Booster, columns: np.ndarray) -> list[list[float]]:
    """Golden compounds x golden compounds: by how much the first is above the second, in pK."""
    bits, descriptors = (of.numpy() for of in golden_compounds(load_golden()))
    counts = bits[:, columns].reshape(len(bits), -1, BITS_OF_COUNT).sum(2)
    one, other = (grid.ravel() for grid in np.mgrid[: len(bits), : len(bits)])
    found = between(trees, Inputs(descriptors, counts), one, other)
    return found.reshape(len(bits), -1).round(6).tolist()


def main(words: Sequence[str]) -> None:
    """The command."""
    arguments = options(__doc__, "tables")
    arguments.add_argument("--poses", type=Path, help="table of npm run score-poses: print what they add")
    arguments.add_argument("--strict", action="store_true", help="leave out all targets of the series")
    asked = arguments.parse_args(words)
    if asked.strict and asked.poses is None:
        arguments.error("--strict is for the report on --poses")
    features = load_features(asked.work.outside)
    hidden = similar_targets(asked.tables, features.target_sequences) if asked.strict else set()
    assays = load_assays(asked.tables, features, hidden)
    print(f"{len(assays.y):,} values in {len(np.unique(assays.group)):,} assays", flush=True)
    environments = choose_environments(features, np.unique(assays.compound))
    inputs = inputs_of(features, environments)
    trees = fit_differences(assays, inputs, features.block("morgan"))
    if asked.poses is None:
        export_differences(trees, environments, features.manifest, asked.model)
    else:
        print_report(trees, inputs, features, read_poses(asked.poses, asked.tables))


def read_poses(poses: Path, tables: Path) -> Rows:
    """Columns of the table of poses, and each compound's SMILES."""
    table = read_tsv(poses)
    texts = ("system", "gene", "name")
    rows = {
        name: np.array([row[name] if name in texts else float(row[name]) for row in table])
        for name in table[0]
    }
    smiles = {(r["system"], r["name"]): r["smiles"] for r in read_tsv(tables / "series/ligands.tsv.gz")}
    return rows | {"smiles": np.array([smiles[row["system"], row["name"]] for row in table])}


def print_report(trees: lightgbm.Booster, inputs: Inputs, features: Features, rows: Rows) -> None:
    """What the differences add to the plain prediction with pose and similarity."""
    place = {smiles: at for at, smiles in enumerate(features.compound_ids)}
    compound = np.array([place[smiles] for smiles in rows["smiles"]])
    rows = rows | {"difference": np.zeros(len(compound))}
    for of in members_of(rows["system"]):
        rows["difference"][of] = differences_of(trees, inputs, compound[of])
    sets: dict[str, list[str]] = {
        "plain": [],
        "and pose and similarity": ["mean", "similarity"],
        "and differences": ["mean", "similarity", "difference"],
    }
    print(report(rows, sets))
