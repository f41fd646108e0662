"""What the level of a target's values adds to the linear stage: accuracy on rows that it was not fitted on.

python3 -m affinity_model mixture --rows .cache/training/series-scores.tsv [--model models/current]

The series are predicted by a stage fitted on series of other genes, with the base model's shares of the model folder;
the newest fifth of the curated Ki rows and targets with few known values, by a stage fitted on all series and on the
`chosen-*` tables of `mixture-rows`, without the base model: it has seen them. Intervals are 90%, over series or targets.
"""

from collections.abc import Sequence

import numpy as np

from .final_stage import Level, Line, base_share, fit_line, load_chosen, read_stage, take
from .folders import Work, options
from .metrics import interval, kendall, resampled, rmse
from .mixture_rows import KEPT, REPORTED
from .outside import SERIES_MIN, Rows, gene_folds, load_rows, members_of

PLAIN, MOVED, KERNEL = "stack alone", "with the level", "kernel alone"
Answers = dict[str, np.ndarray]


def main(words: Sequence[str]) -> None:
    """The command."""
    asked = options(__doc__, "rows").parse_args(words)
    series, chosen = load_rows(asked.rows), load_chosen(asked.work)
    stage = read_stage(asked.model / "final-stage.json")
    answers, levels = of_other_genes(series, chosen)
    share = base_share(series, stage.shares)
    mixed = {
        name: np.minimum(share * series["base"] + (1 - share) * said, series["highest"])
        for name, said in answers.items()
    }
    new = series["in_training"] == 0
    lines = [
        *series_lines("series, without the base model", series, answers, new),
        *series_lines("series", series, mixed, new),
    ]
    sides = {"with values in ChEMBL": series["mostly"] != "other", "others": series["mostly"] == "other"}
    for name, of in sides.items():
        lines += series_lines(f"series, targets {name}", series, mixed, new & of)
    line, _ = fit_line(series, chosen)
    for name, rows in {**of_chosen(chosen), **reported(asked.work)}.items():
        lines += target_lines(name, rows, said_of(line, rows))
    print(
        "\n".join(["| | predictor | RMSE | macro RMSE | tau | bias |", "|---|---|---|---|---|---|", *lines])
    )
    print(f"levels of the folds: {levels}\nlevel of all: {line.level}\nstack: {line.stack}")


def of_other_genes(series: Rows, chosen: Sequence[Rows]) -> tuple[Answers, list[Level]]:
    """Each series by a line fitted on series of other genes, with and without its level; and the levels."""
    fold = gene_folds(series["gene"])
    answers, levels = {name: np.zeros(len(fold)) for name in (PLAIN, MOVED)}, []
    for held in np.unique(fold):
        line, _ = fit_line(take(series, fold != held), chosen)
        levels.append(line.level)
        said = said_of(line, take(series, fold == held))
        for name, answer in answers.items():
            answer[fold == held] = said[name]
    return answers, levels


def said_of(line: Line, rows: Rows) -> Answers:
    """Predictions of the line with and without its level, and of the kernel."""
    return {PLAIN: Line(line.stack, Level()).of(rows), MOVED: line.of(rows), KERNEL: rows["kernel"]}


def of_chosen(chosen: Sequence[Rows]) -> dict[str, Rows]:
    """The rows that the level was fitted on."""
    if not chosen:
        return {}
    time, few = chosen
    return {"fitted on: fifth before the newest": time} | {
        f"fitted on: {kept} values": take(few, few["kept"] == kept) for kept in KEPT
    }


def reported(work: Work) -> dict[str, Rows]:
    """Rows that nothing was fitted on."""
    tables = {name: load_rows(path) for name in REPORTED if (path := work.mixture / f"{name}.tsv").exists()}
    found = {"newest fifth": tables.pop("newest")} if "newest" in tables else {}
    for kept in KEPT if tables else ():
        some = [take(rows, rows["kept"] == kept) for rows in tables.values()]
        found[f"{kept} values"] = {name: np.concatenate([rows[name] for rows in some]) for name in some[0]}
    return found


def series_lines(title: str, rows: Rows, answers: Answers, of: np.ndarray) -> list[str]:
    """A line per predictor, and the difference of the last two."""
    said = {name: answer[of] for name, answer in answers.items()}
    return _lines(title, rows["pk"][of], members_of(rows["system"][of]), said)


def target_lines(title: str, rows: Rows, answers: Answers) -> list[str]:
    """The same over targets."""
    return _lines(title, rows["pk"], members_of(rows["target"]), answers)


def _lines(title: str, y: np.ndarray, members: list[np.ndarray], answers: Answers) -> list[str]:
    if len(y) == 0:
        return []
    figures = {name: _figures(y, members, said) for name, said in answers.items()}
    lines = []
    for name, said in answers.items():
        [squared, macro, tau] = figures[name]
        lines.append(
            f"| {title} | {name} | {rmse(y, said):.3f} | {macro.mean():.3f} | {np.nanmean(tau):.3f} "
            f"| {np.mean(said - y):+.2f} |"
        )
    drawn, sizes = resampled(len(members)), np.array([len(of) for of in members])
    (squared, macro, tau), (before, macro_before, tau_before) = figures[MOVED], figures[PLAIN]
    roots = [np.sqrt(of[drawn].sum(1) / sizes[drawn].sum(1)) for of in (squared, before)]
    gains = [
        interval(roots[0] - roots[1]),
        interval((macro - macro_before)[drawn].mean(1)),
        interval(np.nanmean((tau - tau_before)[drawn], 1)),
    ]
    spans = " | ".join(f"{low:+.3f} to {high:+.3f}" for low, high in gains)
    return [*lines, f"| | difference | {spans} | |"]


def _figures(y: np.ndarray, members: list[np.ndarray], said: np.ndarray) -> tuple[np.ndarray, ...]:
    """Per member: squared error, RMSE, tau."""
    return (
        np.array([((y[of] - said[of]) ** 2).sum() for of in members]),
        np.array([rmse(y[of], said[of]) for of in members]),
        np.array([kendall(y[of], said[of]) if len(of) >= SERIES_MIN else np.nan for of in members]),
    )
