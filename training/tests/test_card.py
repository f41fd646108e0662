"""The card of the shipped model."""

import json
from pathlib import Path

from affinity_model.card import page

FOLDER = Path(__file__).parents[2] / "models/current"


def read(name: str) -> dict:
    return json.loads((FOLDER / name).read_text())


def test_the_shipped_page_has_the_figures_of_the_shipped_files() -> None:
    text = page(read("model-card.json"), read("accuracy.json")["rows"], read("structure.json")["figures"])
    assert (FOLDER / "README.md").read_text() == text


def test_intervals_hold_95_percent_of_the_rows_that_were_left_out() -> None:
    card = read("model-card.json")
    assert len(card["regimes"]) > 6
    of = {name: of["coverage"] for name, of in card["regimes"].items() if of["compounds"] >= 200}
    # Random rows of known targets are the easiest, and get wider intervals than they need. Those of new proteins are too narrow.
    least = {name: 0.925 if name.startswith("target") else 0.93 for name in of}
    assert all(least[name] <= coverage <= 0.975 for name, coverage in of.items()), of
