"""Writes predictions for the published series with each series' gene left out, for `npm run replay-next`.

python3 -m affinity_model left-out --rows .cache/training/series-scores.tsv [--model models/current]

The rows come from `npm run score-series`. No part of the model was fitted on these compounds except the linear
stage, which is refitted here on series of other genes. Base-model shares and interval widths are those of the
shipped model. Compounds in the training data are skipped.
"""

from collections.abc import Sequence

from .final_stage import write_rows
from .folders import options
from .outside import load_rows
from .own_values import out_of_fold


def main(words: Sequence[str]) -> None:
    """The command."""
    asked = options(__doc__, "rows").parse_args(words)
    scored = load_rows(asked.rows)
    half = (scored["upper"] - scored["lower"]) / 2
    answered = out_of_fold(scored | {"half": half}, asked.model)
    predicted, half = answered["predicted"], answered.pop("half")
    write_rows(asked.work.series_left_out, answered | {"lower": predicted - half, "upper": predicted + half})
    print(f"{len(predicted)} compounds: {asked.work.series_left_out}")
