"""Scores the parts and the linear stage on targets with few known values, and on compounds published later.

python3 -m affinity_model regimes --tables <folder> [--model models/current]

For each of TARGETS targets all values but 0 to 100 are hidden; those kept are whole groups of similar compounds, so
that they say little about the scored ones. On the targets of ChEMBL's curated Ki rows, the fifth of compounds with
the newest registrations is hidden on every target. The parts are refitted for each; the linear stage is that of the
published series, moved on targets with values as the model folder says. Nothing is tuned here; results go into the card
of the model folder. The base model has seen all of these values and is not used.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from .card import finish_card
from .card_text import regime_lines
from .data import read_tsv
from .final_stage import Line, choose_stack, read_stage, stacked_columns, take
from .folders import options
from .golden import compounds_of, targets_of
from .measured import tanimoto
from .metrics import kendall, rmse
from .neighbours import folded_fingerprints
from .outside import Rows, load_rows
from .own_values import Series, Shares, update
from .settings import read_settings
from .wide_data import FURTHER_GROUPS, Wide, load_wide
from .wide_parts import MEANS, WideParts, fit_wide_parts

TARGETS, KEPT, SEED = 36, (0, 1, 3, 10, 30, 100), 0
# Per target: minimum number of compounds, and maximum examined and scored.
COMPOUNDS_MIN, COMPOUNDS_MAX, SCORED_MAX = 300, 800, 150
# Compounds with this Tanimoto similarity (folded Morgan bits) are kept or scored together.
ALIKE_FROM = 0.4
NEWEST = 0.2
# Own values as in the product, with an interval of typical width.
OWN_SHARES, HALF_WIDTH = Shares(0.3, 0.5, 0, 0.2), 2.3

LINE, OWN_VALUES = "linear stage", "linear stage without the values, then added as own values"
Scores = dict[str, dict[str, float]]


@dataclass
class Rare:
    """A target with hidden values; rows of `wide.features` and pK."""

    stand: int
    target: int
    known: np.ndarray  # compounds, similar ones adjacent: the first ones are kept
    of_known: np.ndarray
    asked: np.ndarray  # from groups without known values
    of_asked: np.ndarray


def main(words: Sequence[str]) -> None:
    """The command: prints both tables and writes their figures."""
    asked = options(__doc__, "tables").parse_args(words)
    settings = read_settings(asked.work.settings)
    torch.set_num_threads(settings.threads)
    series = load_rows(asked.work.series_scores)
    line = Line(
        choose_stack(series, stacked_columns(series)), read_stage(asked.model / "final-stage.json").level
    )
    wide = load_wide(asked.tables, asked.work)

    def fit(shown: np.ndarray) -> WideParts:
        return fit_wide_parts(only(wide, shown), settings)

    rare, newest = rare_targets(wide, np.random.default_rng(SEED)), newest_of(wide, asked.tables)
    # A fraction of the tables may have no such target.
    found = {
        "few": score_few(wide, rare, fit, line) if rare else {},
        "newest": score_newest(wide, newest, fit, line) if newest else {},
    }
    finish_card(asked.model, {"regimes": found}, [])
    print("\n".join(regime_lines(found)))


Fit = Callable[[np.ndarray], WideParts]


def rare_targets(wide: Wide, random: np.random.Generator, count: int = TARGETS) -> list[Rare]:
    """Drawn from the targets with enough compounds."""
    exact = np.flatnonzero(wide.is_optimised)
    stand_of = wide.stands[wide.pairs.target[exact]]
    has_place = np.isin(stand_of, wide.stands[wide.known_targets])
    drawn: list[Rare] = []
    for stand in random.permutation(np.unique(stand_of[has_place])):
        if len(drawn) < count:
            rare = _rare(wide, exact[stand_of == stand], int(stand), random)
            drawn += [] if rare is None else [rare]
    return drawn


def _rare(wide: Wide, rows: np.ndarray, stand: int, random: np.random.Generator) -> Rare | None:
    compounds, values = values_of(wide, rows)
    if len(compounds) < COMPOUNDS_MIN:
        return None
    some = random.permutation(len(compounds))[:COMPOUNDS_MAX]
    compounds, values = compounds[some], values[some]
    group = groups_of_alike(folded_fingerprints(wide.features, compounds))
    order = np.lexsort([random.permutation(len(group)), random.permutation(group.max() + 1)[group]])
    known = order[: max(KEPT)]
    others = order[~np.isin(group[order], group[known])][:SCORED_MAX]
    if len(others) < SCORED_MAX // 3:
        return None
    return Rare(stand, stand, compounds[known], values[known], compounds[others], values[others])


def values_of(wide: Wide, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compounds of the pairs and their mean value; IC50 only for compounds without other values."""
    pairs = wide.pairs.take(rows)
    is_ic50 = pairs.groups[:, -len(FURTHER_GROUPS) :][:, 1] > 0
    compounds, at = np.unique(pairs.compound, return_inverse=True)
    has_other = np.bincount(at, ~is_ic50) > 0
    counts = ~is_ic50 | ~has_other[at]
    return compounds, np.bincount(at, pairs.y * counts) / np.bincount(at, counts)


def groups_of_alike(fingerprints: np.ndarray) -> np.ndarray:
    """Group of each compound: that of the first leader it is similar to, or a new group it leads."""
    similarity = tanimoto(fingerprints, fingerprints)
    group, leaders = np.full(len(fingerprints), -1), 0
    for row in range(len(fingerprints)):
        if group[row] < 0:
            group[(similarity[row] >= ALIKE_FROM) & (group < 0)] = leaders
            group[row] = leaders
            leaders += 1
    return group


def score_few(wide: Wide, targets: list[Rare], fit: Fit, line: Line) -> dict[str, dict]:
    """By number of values kept: every target is scored with every number, in as many fits as there are numbers."""
    answers: dict[int, list[Rows]] = {kept: [] for kept in KEPT}
    unknown: dict[int, Rows] = {}
    for turn in range(len(KEPT)):
        plan = [KEPT[(turn + at) % len(KEPT)] for at in range(len(targets))]
        parts = fit(~of_few(wide, zip(targets, plan)))
        print(f"fit {turn + 1} of {len(KEPT)}", flush=True)
        for at, (rare, kept) in enumerate(zip(targets, plan)):
            every = np.concatenate([rare.asked, rare.known])
            numbers = numbers_of(parts, wide, every, np.full(len(every), rare.target))
            answers[kept].append(answered(take(numbers, np.arange(len(rare.asked))), rare, kept, line))
            if kept == 0:
                unknown[at] = numbers
    found = {kept: scored(answers[kept]) for kept in KEPT}
    for kept in KEPT[1:]:
        own = [own_values(rare, unknown[at], kept, line, wide) for at, rare in enumerate(targets)]
        found[kept][OWN_VALUES] = macro(own)
    return {str(kept): of for kept, of in found.items()}


def answered(numbers: Rows, rare: Rare, kept: int, line: Line) -> Rows:
    """Predictions of each predictor for the scored compounds."""
    said = {
        "pk": rare.of_asked,
        LINE: line.of(numbers),
        "pair kernel alone": numbers["kernel"],
    }
    if kept == 0:
        return said
    mean = np.full(len(rare.of_asked), rare.of_known[:kept].mean())
    return said | {
        "their mean": mean,
        "mean of the values, trees, analogues": mean + numbers["pooled"] + numbers["analogues"],
    }


def own_values(rare: Rare, numbers: Rows, kept: int, line: Line, wide: Wide) -> Rows:
    """numbers: predictions for the scored compounds, then the known ones, by parts that know no value of the target."""
    every = np.concatenate([rare.asked, rare.known])
    fingerprints = folded_fingerprints(wide.features, every)
    series = Series(
        0,
        0,
        np.concatenate([rare.of_asked, rare.of_known]),
        line.of(numbers),
        np.full(len(every), HALF_WIDTH),
        tanimoto(fingerprints, fingerprints),
        np.eye(len(every)),
        np.zeros(len(every)),
    )
    rest = np.arange(len(rare.asked))
    updated = update(series, len(rest) + np.arange(kept), rest, OWN_SHARES)
    return {"pk": rare.of_asked, OWN_VALUES: updated.predicted}


def newest_of(wide: Wide, tables: Path, newer: float = 0) -> list[Rare]:
    """Per target of the curated rows, the compounds with the highest ChEMBL numbers; all their values are hidden.

    newer: share of still newer compounds to leave out.
    """
    place = {smiles: row for row, smiles in enumerate(wide.features.compound_smiles)}
    target = {key: row for row, key in enumerate(wide.features.target_ids)}
    rows = [row for row in read_tsv(tables / "chembl32/pairs.tsv.gz") if row["set"] == "simpd"]
    answer: list[Rare] = []
    nothing = np.zeros(0, np.int64)
    for name in sorted({row["target_id"] for row in rows}):
        of_target = sorted(
            (int(row["compound"].removeprefix("CHEMBL")), place[row["smiles"]], float(row["pK"]))
            for row in rows
            if row["target_id"] == name and row["smiles"] in place
        )
        start, stop = (int(len(of_target) * (1 - share)) for share in (newer + NEWEST, newer))
        newest = of_target[start:stop]
        compounds, values = np.array([row for _, row, _ in newest]), np.array([pk for *_, pk in newest])
        at = target[name.split("|")[0]]
        answer.append(Rare(at, at, nothing, nothing.astype(float), compounds, values))
    return answer


def score_newest(wide: Wide, targets: list[Rare], fit: Fit, line: Line) -> dict:
    """Hides all values of all scored compounds together."""
    parts = fit(~of_asked(wide, targets))
    seen = [numbers_of(parts, wide, rare.asked, np.full(len(rare.asked), rare.target)) for rare in targets]
    return scored(
        [
            {
                "pk": rare.of_asked,
                LINE: line.of(numbers),
                "pair kernel alone": numbers["kernel"],
                "mean of these compounds": np.full(len(rare.of_asked), rare.of_asked.mean()),
            }
            for rare, numbers in zip(targets, seen)
        ]
    )


def numbers_of(parts: WideParts, wide: Wide, compounds: np.ndarray, targets: np.ndarray) -> Rows:
    """Predicts as the product does: each compound on its target, both as rows of `wide.features`."""
    asked, row = np.unique(compounds, return_inverse=True)
    proteins, column = np.unique(targets, return_inverse=True)
    with torch.no_grad():
        encoded = parts.encode_compounds(*compounds_of(wide.features, asked)).numpy()
        shown = parts.encode_targets(*targets_of(wide.features, proteins)).numpy()
    fingerprints, known = folded_fingerprints(wide.features, asked), parts.analogues
    analogues, similarity, labels = np.zeros((3, len(row)))
    mostly, means = np.full(len(row), "other"), np.zeros((len(row), len(MEANS)))
    for at, place in enumerate(wide.places_of(proteins)):
        of, group = np.flatnonzero(column == at), known.group[place]
        analogues[of], similarity[of] = known.of(fingerprints[row[of]], int(place))
        labels[of], mostly[of] = known.starts[group + 1] - known.starts[group], known.mostly[group]
        means[of] = parts.means[group]
    names = wide.features.manifest["featureSpec"]["compound"]["descriptors"]
    return {
        "kernel": (encoded[row, :-1] * shown[column]).sum(1),
        "pooled": encoded[row, -1],
        "analogues": analogues,
        "wide_similarity": similarity,
        "labels": labels,
        "mostly": mostly,
        "heavy_atoms": wide.features.descriptors[compounds, names.index("NumHeavyAtoms")],
        "logp": wide.features.descriptors[compounds, names.index("CrippenClogP")],
    } | {f"mean_{name}": column for name, column in zip(MEANS, means.T)}


def only(wide: Wide, shown: np.ndarray) -> Wide:
    """shown: whether each pair is kept."""
    kept = replace(
        wide, pairs=wide.pairs.take(shown), assay=wide.assay[shown], is_optimised=wide.is_optimised[shown]
    )
    # The targets are the same, and looking for twins takes a while.
    kept.stands = wide.stands
    return kept


def of_few(wide: Wide, targets: Iterable[tuple[Rare, int]]) -> np.ndarray:
    """Whether each pair is on one of the targets, but not among as many known values as are kept there."""
    stands, hidden = wide.stands[wide.pairs.target], np.full(len(wide.pairs), False)
    for rare, kept in targets:
        hidden |= (stands == rare.stand) & ~np.isin(wide.pairs.compound, rare.known[:kept])
    return hidden


def of_asked(wide: Wide, targets: Sequence[Rare]) -> np.ndarray:
    """Whether each pair has a compound that is scored on one of the targets."""
    compounds = [rare.asked for rare in targets]
    return np.isin(wide.pairs.compound, np.concatenate([*compounds, np.zeros(0, np.int64)]))


def scored(answers: list[Rows]) -> Scores:
    """Concatenates each predictor's per-target rows."""
    names = [name for name in answers[0] if name != "pk"]
    return {name: macro([{"pk": rows["pk"], name: rows[name]} for rows in answers]) for name in names}


def macro(answers: list[Rows]) -> dict[str, float]:
    """Scores over targets; each has pK and one predictor's predictions."""
    pairs = [tuple(rows.values()) for rows in answers]
    every, said = (np.concatenate(of) for of in zip(*pairs))
    figures = {
        "targets": len(pairs),
        "compounds": len(every),
        "macroRmse": np.mean([rmse(y, of) for y, of in pairs]),
        "rmse": rmse(every, said),
        "bias": np.mean(said - every),
        "tau": np.mean([kendall(y, of) for y, of in pairs]),
    }
    return {name: round(float(value), 3) for name, value in figures.items()}
