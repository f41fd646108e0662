"""What each part of the final prediction adds: accuracy on new series with the part left out.

python3 -m affinity_model parts --rows .cache/training/series-scores.tsv [--model models/current]

The linear stage is refitted without the part, on series of other genes; the base model's shares are those of the model
folder, which were fitted with all parts. Intervals are from resampled series.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from .folders import options
from .metrics import interval, kendall, resampled, rmse
from .outside import SERIES_MIN, Rows, load_rows, members_of
from .own_values import out_of_fold

# A part that adds less than this to both is not worth its place.
WORTH = 0.005
# Stands in every row when a column is left out: the stack cannot use a constant.
LEFT_OUT = {
    "heavy atoms": {"heavy_atoms": 0.0},
    "logP": {"logp": 0.0},
    "pooled trees": {"pooled": 0.0},
    "analogues": {"analogues": 0.0},
    "pair kernel": {"kernel": 0.0},
    # Without measured compounds nearby, the base model has no share.
    "base model": {"base_labels": 0.0, "base_similarity": 0.0, "compound_similarity": 0.0},
}


@dataclass(frozen=True)
class Loss:
    """What leaving a part out costs; positive if the part helps."""

    part: str
    tau: float
    tau_interval: tuple[float, float]
    rmse: float
    rmse_interval: tuple[float, float]

    @property
    def is_worth_keeping(self) -> bool:
        """Whether the part adds enough to either figure."""
        return max(self.tau, self.rmse) >= WORTH


def main(words: Sequence[str]) -> None:
    """The command."""
    asked = options(__doc__, "rows").parse_args(words)
    rows = load_rows(asked.rows)
    half = (rows["upper"] - rows["lower"]) / 2
    losses = leave_out(rows | {"half": half}, lambda of: out_of_fold(of, asked.model))
    print("\n".join(loss_lines(losses)))


def leave_out(rows: Rows, predict: Callable[[Rows], Rows]) -> list[Loss]:
    """`predict` returns the compounds to score with `predicted`, from a stage fitted on other genes."""
    whole = predict(rows)
    count = len(rows["pk"])
    return [
        _loss(part, whole, predict(rows | {name: np.full(count, value) for name, value in constant.items()}))
        for part, constant in LEFT_OUT.items()
    ]


def _loss(part: str, whole: Rows, without: Rows) -> Loss:
    members = members_of(whole["system"])
    tau, squared, counts = [], [], []
    for of in members:
        y = whole["pk"][of]
        errors = [(rows["predicted"][of] - y) ** 2 for rows in (whole, without)]
        squared.append([error.sum() for error in errors])
        counts.append(len(of))
        ranks = [kendall(y, rows["predicted"][of]) for rows in (whole, without)]
        tau.append(ranks[0] - ranks[1] if len(of) >= SERIES_MIN else np.nan)
    sums, sizes, taus = np.array(squared), np.array(counts), np.array(tau)
    drawn = resampled(len(members))
    roots = np.sqrt(sums[drawn].sum(1) / sizes[drawn].sum(1)[:, None])
    return Loss(
        part,
        float(np.nanmean(taus)),
        interval(np.nanmean(taus[drawn], 1)),
        rmse(whole["pk"], without["predicted"]) - rmse(whole["pk"], whole["predicted"]),
        interval(roots[:, 1] - roots[:, 0]),
    )


def loss_lines(losses: list[Loss]) -> list[str]:
    """A Markdown table."""
    return [
        "| part | tau it adds | RMSE it takes off | keep |",
        "|---|---|---|---|",
        *(
            f"| {of.part} | {of.tau:+.3f} ({of.tau_interval[0]:+.3f} to {of.tau_interval[1]:+.3f}) "
            f"| {of.rmse:+.3f} ({of.rmse_interval[0]:+.3f} to {of.rmse_interval[1]:+.3f}) "
            f"| {'yes' if of.is_worth_keeping else 'no'} |"
            for of in losses
        ),
    ]
