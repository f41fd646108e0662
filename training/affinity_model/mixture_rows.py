"""Writes the inputs of the final stage for compounds whose values were hidden in several ways, to choose a mixture on.

python3 -m affinity_model mixture-rows --tables <folder> [--splits chosen newest all few-0 few-1 few-2]

`chosen` is what a mixture may be fitted on: the curated Ki rows of the fifth of compounds before the newest, with both
fifths hidden, and targets with 3, 10 or 30 known values. `newest` and `few-*` are for reporting: the newest fifth,
and the targets of `regimes`, each with another number of known values per fit. `all` hides nothing and has only known
compounds, those of the targets of the published series. One table per split, in the work folder's `mixture`: rows to
score, and known compounds of the same targets as the parts predict them (`asked` is 0).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from .final_stage import SAME_TARGET_FROM, write_rows
from .fit import prepare
from .folders import Work, options
from .neighbours import folded_fingerprints
from .outside import Rows, load_rows
from .regimes import TARGETS, Rare, newest_of, numbers_of, only, rare_targets, values_of
from .settings import read_settings
from .wide_data import Wide, load_wide
from .wide_parts import WideParts, fit_wide_parts

SPLITS = ("chosen", "newest", "all", "few-0", "few-1", "few-2")
KEPT = (3, 10, 30)
# Known compounds written per target.
KNOWN_MAX = 200
# Targets that a mixture may be fitted on are drawn with another seed than those of `regimes`.
SEED_OF_CHOSEN, SEED_OF_REGIMES = 1, 0


@dataclass
class Asked:
    """Compounds of one target to score, and how many of its values are known; 0: all that are not hidden."""

    split: str
    rare: Rare
    kept: int


def main(words: Sequence[str]) -> None:
    """The command."""
    arguments = options(__doc__, "tables")
    arguments.add_argument("--splits", nargs="+", choices=SPLITS, default=SPLITS)
    asked = arguments.parse_args(words)
    settings = read_settings(asked.work.settings)
    torch.set_num_threads(settings.threads)
    wide = load_wide(asked.tables, asked.work)
    prepared = prepare(wide.features, wide.pairs, settings)
    folder = asked.work.folder / "mixture"
    folder.mkdir(exist_ok=True)
    for split in asked.splits:
        shown, targets = hide(wide, asked.tables, asked.work, split)
        parts = fit_wide_parts(only(wide, shown), settings, prepared)
        written = rows_of(parts, only(wide, shown), targets)
        write_rows(folder / f"{split}.tsv", written)
        print(
            f"{split}: {len(targets)} targets, {int(written['asked'].sum())} compounds to score", flush=True
        )


def hide(wide: Wide, tables: Path, work: Work, split: str) -> tuple[np.ndarray, list[Asked]]:
    """Whether each pair is shown to the parts, and what is asked of them."""
    every = np.full(len(wide.pairs), True)
    if split == "all":
        return every, [Asked("all", _nothing(wide, at), 0) for at in targets_of_series(wide, work)]
    if split == "newest":
        newest = newest_of(wide, tables)
        return ~_of_compounds(wide, newest), [Asked("newest", rare, 0) for rare in newest]
    reported = rare_targets(wide, np.random.default_rng(SEED_OF_REGIMES))
    if split.startswith("few"):
        few = few_known(reported, int(split.removeprefix("few-")))
        return every & ~_of_few(wide, few), few
    before, newest = newest_of(wide, tables, 0.2), newest_of(wide, tables)
    hidden = _of_compounds(wide, [*before, *newest])
    drawn = rare_targets(only(wide, ~hidden), np.random.default_rng(SEED_OF_CHOSEN), 3 * TARGETS)
    taken = {rare.stand for rare in reported}
    few = few_known([rare for rare in drawn if rare.stand not in taken][:TARGETS], 0)
    rare_stands = {asked.rare.stand for asked in few}
    of_time = [Asked("time", rare, 0) for rare in before if wide.stands[rare.target] not in rare_stands]
    return ~hidden & ~_of_few(wide, few), of_time + few


def few_known(targets: list[Rare], turn: int) -> list[Asked]:
    """Every target with one of the numbers of known values, another in every turn."""
    kept = [KEPT[(turn + at) % len(KEPT)] for at in range(len(targets))]
    return [Asked("few", rare, count) for rare, count in zip(targets, kept)]


def targets_of_series(wide: Wide, work: Work) -> list[int]:
    """Training targets that are the protein of a series."""
    rows = load_rows(work.series_scores)
    same = set(rows["nearest_target"][rows["target_similarity"] >= SAME_TARGET_FROM])
    return [int(at) for at in wide.known_targets if wide.features.target_names[at] in same]


def rows_of(parts: WideParts, wide: Wide, targets: list[Asked]) -> Rows:
    """wide: with the shown pairs only."""
    random = np.random.default_rng(0)
    exact = np.flatnonzero(wide.is_optimised)
    stand_of = wide.stands[wide.pairs.target[exact]]
    blocks: list[Rows] = []
    for number, asked in enumerate(targets):
        rare = asked.rare
        known, values = values_of(wide, exact[stand_of == wide.stands[rare.target]])
        some = random.permutation(len(known))[:KNOWN_MAX]
        count = len(rare.asked) + len(some)
        blocks.append(
            {
                "split": np.full(count, asked.split),
                "number": np.full(count, number),
                "target": np.full(count, rare.target),
                "name": np.full(count, wide.features.target_names[rare.target]),
                "kept": np.full(count, asked.kept),
                "asked": np.repeat([1, 0], [len(rare.asked), len(some)]),
                "known_values": np.full(count, len(known)),
                "known_mean": np.full(count, values.mean() if len(values) else np.nan),
                "compound": np.concatenate([rare.asked, known[some]]),
                "pk": np.concatenate([rare.of_asked, values[some]]),
            }
        )
    rows = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
    bits = np.packbits(folded_fingerprints(wide.features, rows["compound"]), axis=1)
    return (
        rows
        | numbers_of(parts, wide, rows["compound"], rows["target"])
        | {"fingerprint": np.array([row.tobytes().hex() for row in bits])}
    )


def _nothing(wide: Wide, target: int) -> Rare:
    none = np.zeros(0, np.int64)
    return Rare(int(wide.stands[target]), target, none, none.astype(float), none, none.astype(float))


def _of_compounds(wide: Wide, targets: list[Rare]) -> np.ndarray:
    return np.isin(wide.pairs.compound, np.concatenate([rare.asked for rare in targets]))


def _of_few(wide: Wide, targets: list[Asked]) -> np.ndarray:
    stands, hidden = wide.stands[wide.pairs.target], np.full(len(wide.pairs), False)
    for asked in targets:
        rare = asked.rare
        hidden |= (stands == rare.stand) & ~np.isin(wide.pairs.compound, rare.known[: asked.kept])
    return hidden
