"""Where the training reads and writes: the tables, the model folder, and a work folder for everything in between."""

import argparse
from pathlib import Path

WORK, MODEL = Path(".cache/training"), Path("models/current")


class Work:
    """Paths in a work folder. Trainings with different work folders do not touch each other."""

    def __init__(self, folder: Path = WORK):
        self.folder = folder
        self.settings = folder / "settings.json"  # replaces the defaults of settings.py, if it exists
        self.tables = folder / "tables"  # a fraction of the tables
        self.model = folder / "model"  # trained on a fraction
        self.features = folder / "features"
        self.outside = folder / "outside-features"
        self.evaluation = folder / "run/evaluation"
        self.shipped = folder / "run/shipped"
        self.held_back = folder / "held-back.tsv"
        self.folds = folder / "general-folds"
        self.mixture = folder / "mixture"
        # Predictions by the product: parts before the final stage, then the finished model.
        self.series_scores = folder / "series-scores.tsv"
        self.held_back_scores = folder / "held-back-scores.tsv"
        self.shipped_scores = folder / "shipped-scores.tsv"
        self.pose_scores = folder / "pose-scores.tsv"
        # Predictions for the series with their own gene left out: of the final stage, and of the shipped model.
        self.series_folds = folder / "series-folds.tsv"
        self.series_left_out = folder / "series-left-out.tsv"


def options(described: str | None, *required: str) -> argparse.ArgumentParser:
    """Options that commands share, all of them paths; required: names of those that must be given."""
    parser = argparse.ArgumentParser(description=described, formatter_class=argparse.RawTextHelpFormatter)
    shared = {
        "tables": "folder of affinity tables",
        "rows": "table of npm run score-series",
        "poses": "table of npm run score-poses",
        "structures": "folder of PDB files",
    }
    for name in required:
        parser.add_argument(f"--{name}", type=Path, required=True, help=shared[name])
    parser.add_argument("--model", type=Path, default=MODEL, help=f"model folder, default {MODEL}")
    parser.add_argument(
        "--work", type=work_at, default=Work(), help=f"folder for everything in between, default {WORK}"
    )
    return parser


def work_at(folder: str) -> Work:
    """For command lines."""
    return Work(Path(folder))
