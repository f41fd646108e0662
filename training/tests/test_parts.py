"""What a part adds is what leaving it out costs."""

import numpy as np

from affinity_model.parts import LEFT_OUT, leave_out, loss_lines

SERIES, COMPOUNDS = 20, 10


def rows() -> dict[str, np.ndarray]:
    """Size and the kernel tell the value; the others say nothing."""
    random = np.random.default_rng(0)
    count = SERIES * COMPOUNDS
    columns = {name: np.ones(count) for constant in LEFT_OUT.values() for name in constant}
    columns |= {"heavy_atoms": random.normal(0, 1, count), "kernel": random.normal(0, 0.5, count)}
    noise = random.normal(0, 0.1, count)
    system = np.repeat([f"S{at}" for at in range(SERIES)], COMPOUNDS)
    return columns | {"system": system, "pk": 6 + columns["heavy_atoms"] + columns["kernel"] + noise}


def predict(of: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return of | {"predicted": 6 + of["heavy_atoms"] + of["kernel"]}


def test_a_part_that_tells_the_value_adds_to_both_and_another_adds_nothing() -> None:
    losses = {of.part: of for of in leave_out(rows(), predict)}
    assert losses["heavy atoms"].tau > losses["pair kernel"].tau > 0.05
    assert losses["heavy atoms"].rmse > losses["pair kernel"].rmse > 0.1
    low, high = losses["pair kernel"].tau_interval
    assert 0 < low < losses["pair kernel"].tau < high
    assert losses["pair kernel"].is_worth_keeping
    assert losses["logP"].tau == losses["logP"].rmse == 0
    assert not losses["logP"].is_worth_keeping


def test_the_table_names_every_part() -> None:
    lines = loss_lines(leave_out(rows(), predict))
    assert [line.split("|")[1].strip() for line in lines[2:]] == list(LEFT_OUT)
    assert lines[3].endswith("| no |")
