"""Writes predictions for the published series with each series' gene left out, for `npm run replay-next`.

PYTHONPATH=training python3 -m affinity_model.left_out --rows .cache/training/series-scores.tsv [--model models/current]
    [--out .cache/training/series-left-out.tsv]

The rows come from `npm run score-series`. No part of the model was fitted on these compounds except the linear
stage, which is refitted here on series of other genes. Base-model shares and interval widths are those of the
shipped model. Compounds in the training data are skipped.
"""

import argparse
from pathlib import Path

from .final_stage import write_rows
from .outside import load_rows
from .own_values import out_of_fold


def main() -> None:
    """The command."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", type=Path, required=True)
    arguments.add_argument("--model", type=Path, default=Path("models/current"))
    arguments.add_argument("--out", type=Path, default=Path(".cache/training/series-left-out.tsv"))
    asked = arguments.parse_args()
    scored = load_rows(asked.rows)
    half = (scored["upper"] - scored["lower"]) / 2
    answered = out_of_fold(scored | {"half": half}, asked.model)
    predicted, half = answered["predicted"], answered.pop("half")
    write_rows(asked.out, answered | {"lower": predicted - half, "upper": predicted + half})
    print(f"{len(predicted)} compounds: {asked.out}")


if __name__ == "__main__":
    main()
