"""Learns by how much two compounds of one assay differ, without the protein, and scores what that adds to poses.

python3 -m affinity_model differences --tables <folder> --poses .cache/training/pose-scores.tsv [--strict]

Trained on pairs of compounds of one ChEMBL assay, without any compound or assay of the published series. The product
does not use it yet: `LOG.md` has the result.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import lightgbm
import numpy as np
import scipy.sparse as sp

from .data import Features, feature_keys, load_features, read_tsv
from .folders import options
from .measured import tanimoto
from .metrics import interval, kendall, resampled, rmse
from .outside import SERIES_MIN, gene_folds, members_of

# Compounds of an assay, type and target: fewer say little, and of more a sample is paired.
GROUP_MIN, GROUP_MAX = 5, 150
# Partners of a compound: the most similar ones above a similarity, and some at random.
NEAREST, ALIKE_FROM, RANDOM = 6, 0.35, 3
PAIRS_MAX = 400_000
# Most common atom environments of the Morgan counts whose difference is an input.
ENVIRONMENTS = 600
# Bits per environment: present at least 1, 2, 4 and 8 times.
BITS_OF_COUNT = 4
ROUNDS = 350
TREES = {
    "objective": "l2", "learning_rate": 0.06, "num_leaves": 127, "min_data_in_leaf": 30, "lambda_l2": 5.0,
    "feature_fraction": 0.2, "bagging_fraction": 0.6, "bagging_freq": 1, "max_bin": 31, "num_threads": 1,
    "deterministic": True, "force_col_wise": True, "verbose": -1, "seed": 1,
}  # fmt: skip
# Compounds that a compound is compared with.
ANCHORS_MAX = 50
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


def inputs_of(features: Features, used: np.ndarray) -> Inputs:
    """used: compounds among which the most common environments are chosen."""
    bits = features.block("morgan-counts")
    fold = np.arange(bits.shape[1])
    summed = sp.csr_matrix((np.ones(len(fold), np.float32), (fold, fold // BITS_OF_COUNT)))
    counts = sp.csr_matrix(bits @ summed)
    common = np.asarray((counts[used] > 0).sum(0))[0]
    chosen = np.sort(np.argsort(-common, kind="stable")[:ENVIRONMENTS])
    return Inputs(features.descriptors.astype(np.float32), counts[:, chosen].toarray().astype(np.float32))


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
    found = np.asarray(trees.predict(inputs.of(one, other))) - np.asarray(
        trees.predict(inputs.of(other, one))
    )
    return (found / 2).reshape(len(compounds), len(anchors)).mean(1)


def similar_targets(tables: Path, chains: list[str]) -> set[str]:
    """Targets of the general table that any of the chains resembles, gaps as `/`."""
    words = [_words(chain) for chain in set(chains)]
    found = set()
    for row in read_tsv(tables / "general/targets.tsv.gz"):
        own = _words(row["sequence"])
        if any(len(own & of) > STRICT_FROM * max(1, min(len(own), len(of))) for of in words):
            found.add(row["target_id"])
    return found


Rows = dict[str, np.ndarray]


def adjusted(rows: Rows, names: list[str]) -> np.ndarray:
    """The plain prediction plus features centred on their series; weights by least squares on other genes."""
    series = members_of(rows["system"])
    features = _centred(np.stack([rows[name] for name in names], 1), series)
    error = _centred(rows["pk"] - rows["plain"], series)
    fold, moved = gene_folds(rows["gene"]), rows["plain"].copy()
    for held in np.unique(fold):
        known = fold != held
        moved[~known] += features[~known] @ np.linalg.lstsq(features[known], error[known])[0]
    return moved


def report(rows: Rows, sets: dict[str, list[str]]) -> str:
    """A line per set of features, with its gain over the line before and 90% intervals over series."""
    series = [of for of in members_of(rows["system"]) if len(of) >= SERIES_MIN]
    lines, before = [], None
    for title, names in sets.items():
        predicted = adjusted(rows, names) if names else rows["plain"]
        found = [_taus(rows, predicted, series, beyond) for beyond in (False, True)]
        inside = np.mean(np.abs(rows["pk"] - predicted) <= rows["half"])
        line = (
            f"{title}: tau {found[0].mean():.3f}, beyond size {found[1].mean():.3f}, "
            f"RMSE {rmse(rows['pk'], predicted):.3f}, inside {inside:.1%}"
        )
        if before is not None:
            gains = [_with_interval(now - then) for now, then in zip(found, before)]
            line += f"; gain {gains[0]}, beyond size {gains[1]}"
        lines.append(line)
        before = found
    return "\n".join(lines)


def _taus(rows: Rows, predicted: np.ndarray, series: list[np.ndarray], beyond_size: bool) -> np.ndarray:
    taus = []
    for of in series:
        y, p, size = rows["pk"][of], predicted[of], rows["heavyAtoms"][of]
        if beyond_size and np.ptp(size) > 0:
            y, p = (values - np.polyval(np.polyfit(size, values, 1), size) for values in (y, p))
        taus.append(kendall(y, p))
    return np.nan_to_num(taus)


def _with_interval(gains: np.ndarray) -> str:
    low, high = interval(gains[resampled(len(gains))].mean(1))
    return f"{gains.mean():+.3f} ({low:+.3f} to {high:+.3f})"


def _centred(values: np.ndarray, series: list[np.ndarray]) -> np.ndarray:
    out = values.astype(float)
    for of in series:
        out[of] -= out[of].mean(0)
    return out


def _words(sequence: str) -> set[str]:
    return {
        part[at : at + STRICT_WORD]
        for part in sequence.split("/")
        for at in range(len(part) - STRICT_WORD + 1)
    }


def main(words: Sequence[str]) -> None:
    """The command: prints the report, and writes the trees in LightGBM's format."""
    arguments = options(__doc__, "tables", "poses")
    arguments.add_argument("--strict", action="store_true", help="leave out all targets of the series")
    asked = arguments.parse_args(words)
    features = load_features(asked.work.outside)
    hidden = similar_targets(asked.tables, features.target_sequences) if asked.strict else set()
    assays = load_assays(asked.tables, features, hidden)
    print(f"{len(assays.y):,} values in {len(np.unique(assays.group)):,} assays", flush=True)
    inputs = inputs_of(features, np.unique(assays.compound))
    trees = fit_differences(assays, inputs, features.block("morgan"))
    trees.save_model(asked.work.folder / "differences.txt")
    table = read_tsv(asked.poses)
    texts = ("system", "gene", "name")
    rows = {
        name: np.array([row[name] if name in texts else float(row[name]) for row in table])
        for name in table[0]
    }
    place = {smiles: at for at, smiles in enumerate(features.compound_ids)}
    smiles = {(r["system"], r["name"]): r["smiles"] for r in read_tsv(asked.tables / "series/ligands.tsv.gz")}
    compound = np.array([place[smiles[row["system"], row["name"]]] for row in table])
    rows["difference"] = np.zeros(len(table))
    for of in members_of(rows["system"]):
        rows["difference"][of] = differences_of(trees, inputs, compound[of])
    sets: dict[str, list[str]] = {
        "plain": [],
        "and pose and similarity": ["mean", "similarity"],
        "and differences": ["mean", "similarity", "difference"],
    }
    print(report(rows, sets))
