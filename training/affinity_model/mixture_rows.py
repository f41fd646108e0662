"""Writes the inputs of the final stage for compounds whose values were hidden, by year and by number of known values.

python3 -m affinity_model mixture-rows --tables <folder> [--splits chosen-0 chosen-1 ...]

`chosen-*`, the default, are what the final stage is fitted on: the curated Ki rows of the fifth of compounds before the
newest, with both fifths hidden, and targets with 3, 10 or 30 known values, each with another number per fit. `newest` and `few-*`
are for reporting: the newest fifth, and the targets of `regimes`. One table per split, in the work folder's `mixture`;
a minute and a half per fit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from .final_stage import CHOSEN, write_rows
from .fit import prepare
from .folders import options
from .outside import Rows
from .regimes import (
    NEWEST,
    SEED,
    TARGETS,
    Rare,
    newest_of,
    numbers_of,
    of_asked,
    of_few,
    only,
    rare_targets,
)
from .settings import read_settings
from .wide_data import Wide, load_wide
from .wide_parts import WideParts, fit_wide_parts

REPORTED = ("newest", "few-0", "few-1", "few-2")
KEPT = (3, 10, 30)
# Targets that the final stage is fitted on are drawn with another seed than those of `regimes`.
SEED_OF_CHOSEN = SEED + 1


@dataclass
class Asked:
    """Compounds of one target to score, and how many of its values are known; 0: all that are not hidden."""

    split: str
    rare: Rare
    kept: int


def main(words: Sequence[str]) -> None:
    """The command."""
    arguments = options(__doc__, "tables")
    arguments.add_argument("--splits", nargs="+", choices=(*CHOSEN, *REPORTED), default=CHOSEN)
    asked = arguments.parse_args(words)
    settings = read_settings(asked.work.settings)
    torch.set_num_threads(settings.threads)
    wide = load_wide(asked.tables, asked.work)
    prepared = prepare(wide.features, wide.pairs, settings)
    asked.work.mixture.mkdir(parents=True, exist_ok=True)
    for split in asked.splits:
        shown, targets = hide(wide, asked.tables, split)
        if not targets:  # a fraction of the tables may have none
            continue
        parts = fit_wide_parts(only(wide, shown), settings, prepared)
        written = rows_of(parts, wide, targets)
        write_rows(asked.work.mixture / f"{split}.tsv", written)
        print(f"{split}: {len(targets)} targets, {len(written['pk'])} compounds to score", flush=True)


def hide(wide: Wide, tables: Path, split: str) -> tuple[np.ndarray, list[Asked]]:
    """Whether each pair is shown to the parts, and what is asked of them."""
    if split == "newest":
        newest = newest_of(wide, tables)
        return ~of_asked(wide, newest), [Asked("newest", rare, 0) for rare in newest]
    reported = rare_targets(wide, np.random.default_rng(SEED))
    kind, turn = split.split("-")
    if kind == "few":
        few = few_known(reported, int(turn))
        return ~of_few(wide, known_of(few)), few
    before, newest = newest_of(wide, tables, NEWEST), newest_of(wide, tables)
    hidden = of_asked(wide, [*before, *newest])
    drawn = rare_targets(only(wide, ~hidden), np.random.default_rng(SEED_OF_CHOSEN), 3 * TARGETS)
    taken = {rare.stand for rare in reported}
    few = few_known([rare for rare in drawn if rare.stand not in taken][:TARGETS], int(turn))
    rare_stands = {asked.rare.stand for asked in few}
    of_time = [Asked("time", rare, 0) for rare in before if wide.stands[rare.target] not in rare_stands]
    return ~(hidden | of_few(wide, known_of(few))), of_time + few


def few_known(targets: list[Rare], turn: int) -> list[Asked]:
    """Every target with one of the numbers of known values, another in every turn."""
    kept = [KEPT[(turn + at) % len(KEPT)] for at in range(len(targets))]
    return [Asked("few", rare, count) for rare, count in zip(targets, kept)]


def known_of(targets: list[Asked]) -> list[tuple[Rare, int]]:
    """How many values of each target are known."""
    return [(asked.rare, asked.kept) for asked in targets]


def rows_of(parts: WideParts, wide: Wide, targets: list[Asked]) -> Rows:
    """One row per compound to score."""
    counts = [len(asked.rare.asked) for asked in targets]
    compounds, values = (
        np.concatenate([getattr(asked.rare, name) for asked in targets]) for name in ("asked", "of_asked")
    )
    target = np.repeat([asked.rare.target for asked in targets], counts)
    return {
        "split": np.repeat([asked.split for asked in targets], counts),
        "target": target,
        "kept": np.repeat([asked.kept for asked in targets], counts),
        "pk": values,
    } | numbers_of(parts, wide, compounds, target)
