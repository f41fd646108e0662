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
    # Random rows of known targets are the easiest, and get wider intervals than they need.
    assert all(0.93 <= coverage <= 0.975 for coverage in of.values()), of


def test_order_on_proteins_without_values_is_better_than_by_heavy_atoms() -> None:
    new = read("model-card.json")["series"]["strata"][0]["rows"][0]
    assert new["range"] == "below 1"
    assert new["tau"] > new["tauOfHeavyAtoms"]
