"""The one entry point of the training: python3 -m affinity_model <command> [options]; `<command> --help` explains each.

`retrain` runs everything from the tables to the model folder; the others are its stages, and reports on a finished model.
"""

import sys
from importlib import import_module

STAGES = (
    "fraction", "train", "export-onnx", "held-back", "wide-model", "general-folds", "mixture-rows", "final-stage", "regimes",
    "sequences", "own-values", "families", "differences", "own-poses", "card",
)  # fmt: skip
REPORTS = ("outside", "parts", "left-out", "mixture")
COMMANDS = ("retrain", *STAGES, *REPORTS)


def main(words: list[str]) -> None:
    """Runs the named command with the words after its name."""
    if not words or words[0] not in COMMANDS:
        raise SystemExit(f"python3 -m affinity_model <command>, one of: {', '.join(COMMANDS)}")
    import_module(f"affinity_model.{words[0].replace('-', '_')}").main(words[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
