"""python3 -m affinity_model --tables DIR [--work .cache/training] [--model models/current] [--from STAGE] [--until STAGE]"""

import argparse
from pathlib import Path

from .retrain import Folders, retrain


def main() -> None:
    """The command."""
    asked = argparse.ArgumentParser(prog="retrain", description="From the tables to the model folder.")
    asked.add_argument(
        "--tables", type=Path, required=True, help="the folder of tables; see training/TABLES.md"
    )
    asked.add_argument("--work", type=Path, default=Path(".cache/training"))
    asked.add_argument("--model", type=Path, default=Path("models/current"))
    asked.add_argument("--from", dest="first", metavar="STAGE", help="repeats this stage and all later ones")
    asked.add_argument("--until", metavar="STAGE", help="ends after this stage")
    chosen = asked.parse_args()
    retrain(Folders(chosen.tables, chosen.work, chosen.model), chosen.first, chosen.until)


main()
