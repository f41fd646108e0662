"""The model card for people: `card_template.md`, and `appendix_template.md` with all tables in full, filled with the
figures of a run's card.

The templates contain no figures themselves; a field in braces is read from model-card.json or from a constant of the
model.
"""

import itertools
from pathlib import Path

from . import outside
from .card_beside import family_lines, structure_lines
from .measured import NEAREST
from .model import CORRECTION_KNOTS

TEMPLATE, APPENDIX_TEMPLATE = (
    Path(__file__).with_name(f"{name}_template.md") for name in ("card", "appendix")
)
# Said of figures and shares that `final_stage --kept` takes from an earlier version.
FOLDS_KEPT = (
    "These figures are those of version {}, which has the same base model and an earlier final stage."
)
SHARES_KEPT = "The first row is that of version {}, fitted on all series."
# As `general_folds` names what the product predicts.
FINAL = "final prediction"


def readable(card: dict) -> str:
    """card: contents of model-card.json, and of the files beside it by name (`card.read_figures`). Returns Markdown;
    KeyError if the card lacks a figure."""
    in_series = outside.tables(card["series"])
    first_stratum = in_series.index("")
    return TEMPLATE.read_text().format(
        **card,
        series_table=_table(in_series[: in_series.index("", first_stratum + 1)]),
        values_table=_table(outside.strata_tables(card["series"]["strata"][:1])[1:]),
        family_table=_table(family_lines(card.get("accuracy"))),
        structure_table=_table(structure_lines(card.get("structure"))),
        adjusted_own_values_table=_table(
            _own_values_lines((card.get("structure") or {}).get("ownValues", []))
        ),
        own_values_table=_table(_own_values_lines(card.get("ownValues", []))),
        held_back_table=_table(_held_back_lines(card["heldBack"])),
        kept_folds=_kept(card, FOLDS_KEPT),
        kept_shares=_kept(card, SHARES_KEPT),
        general_fold_summary=_table(general_fold_lines(_predictions(card, is_final=True))),
        share_table=_share_table(card["finalStage"]),
        known_compound=card["finalStage"]["knownCompound"],
        neighbours=in_words(NEAREST),
        known_target_similarity=CORRECTION_KNOTS[-1],
        training_minutes=_minutes(card["training"]),
        evaluation_minutes=_minutes(card["evaluation"]),
        limits_list=_table([f"- {limit}" for limit in card["limits"]]),
        source_table=_table(_source_lines(card["sources"])),
    )


def appendix(card: dict) -> str:
    """The tables that the card leaves out, from the same figures."""
    return APPENDIX_TEMPLATE.read_text().format(
        **card,
        series_tables=_table(outside.strata_tables(card["series"]["strata"][1:])[1:]),
        held_back_strata=_table(_held_back_strata(card["heldBack"])),
        ki_width_table=_width_table(card["finalStage"], "Ki"),
        ic50_width_table=_width_table(card["finalStage"], "IC50"),
        other_width_table=_width_table(card["finalStage"], "other"),
        kept_folds=_kept(card, FOLDS_KEPT),
        general_fold_table=_table(general_fold_lines(_predictions(card, is_final=False))),
        regime_tables=_table(regime_lines(card.get("regimes", {"few": {}, "newest": {}}))),
    )


def _kept(card: dict, sentence: str) -> str:
    """The sentence with the version that something was kept from; nothing if everything is new."""
    kept = card.get("keptFrom")
    return f"\n{sentence.format(kept)}\n" if kept else ""


def _predictions(card: dict, *, is_final: bool) -> dict[str, dict]:
    """The scores on each fold: of what the product predicts, or of its parts."""
    return {
        fold: {name: of for name, of in scores.items() if (name == FINAL) == is_final}
        for fold, scores in card.get("generalFolds", {}).items()
    }


def _own_values_lines(counts: list[dict]) -> list[str]:
    return [
        "| own values | series | RMSE | tau inside a series | tau beyond size | inside the 95% interval | mean half-width |",
        "|---|---|---|---|---|---|---|",
        *(
            f"| {of['count']} | {of['series']} | {of['rmse']:.3f} | {of['tau']:.3f} ({_range(of['tauInterval'])}) "
            f"| {of['tauBeyondSize']:.3f} ({_range(of['tauBeyondSizeInterval'])}) "
            f"| {of['coverage']:.1%} | {of['halfWidth']:.2f} |"
            for of in counts
        ),
    ]


def _range(ends: list[float]) -> str:
    return f"{ends[0]:.3f} to {ends[1]:.3f}"


def _held_back_lines(kinds: dict) -> list[str]:
    return [
        "| type | compounds | base model RMSE | RMSE | bias | mean half-width | inside |",
        "|---|---|---|---|---|---|---|",
        *(
            f"| {name} | {of['compounds']:,} | {of['baseRmse']:.3f} | {of['rmse']:.3f} | {of['bias']:+.2f} "
            f"| {of['halfWidth']:.2f} | {of['coverage']:.1%} |"
            for name, of in kinds.items()
        ),
    ]


def _held_back_strata(kinds: dict) -> list[str]:
    lines = []
    for name, of in kinds.items():
        named = [stratum | {"by": f"{name}, {stratum['by']}"} for stratum in of["strata"]]
        lines += outside.strata_tables(named)
    return lines[1:]


def general_fold_lines(found: dict[str, dict]) -> list[str]:
    """A Markdown table of the scores from `general_folds`."""
    lines = [
        "| fold | predictor | rows | RMSE | R | bias | tau inside a protein | inside the 95% interval |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for fold, scores in found.items():
        for name, of in scores.items():
            inside = f"{of['coverage']:.1%}" if "coverage" in of else ""
            lines.append(
                f"| {fold} | {name} | {int(of['compounds']):,} | {of['rmse']:.3f} | {of['r']:.2f} | {of['bias']:+.2f} "
                f"| {of['tau']:.3f} | {inside} |"
            )
    return lines


def regime_lines(found: dict[str, dict]) -> list[str]:
    """Two Markdown tables of the scores from `regimes`."""
    few = [
        _regime_line(kept, name, of) for kept, scores in found["few"].items() for name, of in scores.items()
    ]
    newest = [_regime_line("newest fifth", name, of) for name, of in found["newest"].items()]
    titles = "predictor | macro RMSE | RMSE | bias | tau inside a target |"
    dashes = "|---|---|---|---|---|---|"
    return [f"| values kept | {titles}", dashes, *few, "", f"| compounds | {titles}", dashes, *newest]


def _regime_line(first: str, name: str, of: dict[str, float]) -> str:
    return f"| {first} | {name} | {of['macroRmse']:.3f} | {of['rmse']:.3f} | {of['bias']:+.2f} | {of['tau']:.3f} |"


def _share_table(stage: dict) -> str:
    labels, similar = ([str(knot) for knot in stage[f"{of}Knots"]] for of in ("label", "similarity"))
    return _table(_by_labels(labels, similar, stage["shares"]))


def _width_table(stage: dict, side: str) -> str:
    labels, similar = (_bin_titles(stage[f"{of}Edges"]) for of in ("label", "similarity"))
    return _table(_by_labels(labels, similar, stage["halfWidths"][side]))


def _by_labels(labels: list[str], similar: list[str], table: list[list[float]]) -> list[str]:
    return [
        "| measured compounds \\ similarity | " + " | ".join(similar) + " |",
        "|---" * (len(similar) + 1) + "|",
        *(
            f"| {title} | " + " | ".join(f"{value:.2f}" for value in values) + " |"
            for title, values in zip(labels, table)
        ),
    ]


def in_words(count: int) -> str:
    """A number below ten as a word; IndexError from ten on."""
    words = "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"
    return words[count]


def _table(lines: list[str]) -> str:
    return "\n".join(lines)


def _minutes(run: dict) -> float:
    return sum(run["seconds"].values()) / 60


def _source_lines(sources: list[dict]) -> list[str]:
    return [
        "| source | licence | cite |",
        "|---|---|---|",
        *[f"| {s['name']} | {s['licence']} | {s['citation']} |" for s in sources],
    ]


def _bin_titles(edges: list[float]) -> list[str]:
    inner = [f"{low} to {high}" for low, high in itertools.pairwise(edges)]
    return [f"below {edges[0]}", *inner, f"{edges[-1]} and more"]
