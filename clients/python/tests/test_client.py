"""The calls of the client against the running product."""

from __future__ import annotations

from pathlib import Path

import pytest

from pkdex import (
    Client,
    Conflict,
    InvalidRequest,
    NotFound,
    NotSignedIn,
    OutOfCredits,
    Screen,
    ScreenRow,
    ScreenTarget,
    TooCostly,
    to_frame,
)

samples = Path(__file__).resolve().parents[3] / "samples"
aspirin = "CC(=O)Oc1ccccc1C(=O)O"
caffeine = "CN1C=NC2=C1C(=O)N(C(=O)N2C)C"


def test_predicts_a_smiles_with_its_interval_and_takes_one_credit(client: Client) -> None:
    found = client.predict(aspirin, target="1hpv")
    assert found.smiles == aspirin
    assert found.predicted_kd is not None and found.interval is not None and found.domain is not None
    assert found.interval.lower < found.predicted_kd < found.interval.upper
    assert found.kd_nm == pytest.approx(10 ** (9 - found.predicted_kd))
    assert client.credits().credits == 99


def test_a_structure_that_is_sent_along_gives_the_same_number_and_is_not_kept(client: Client) -> None:
    kept = client.predict(aspirin, target="1hpv", chain="A")
    client.delete_target("1hpv")
    sent = client.predict(aspirin, structure=samples / "1hpv.pdb", chain="A")
    as_text = client.predict(aspirin, structure=(samples / "1hpv.pdb").read_text(), chain="A")
    assert sent == as_text == kept
    assert client.targets() == []


def test_several_smiles_are_answered_in_order_with_the_reason_where_there_is_no_number(
    client: Client,
) -> None:
    first, bad, last = client.predict([caffeine, "C1CC", aspirin], target="1hpv")
    assert [first.smiles, bad.smiles, last.smiles] == [caffeine, "C1CC", aspirin]
    assert bad.predicted_kd is None and bad.reason
    assert first.predicted_kd is not None and last.predicted_kd is not None
    assert client.credits().credits == 98


def test_more_smiles_than_one_call_takes_are_sent_in_several(client: Client) -> None:
    found = client.predict([aspirin] * 501, target="1hpv")
    assert len(found) == 501
    assert set(found) == {found[0]}
    assert client.credits().credits == 99


def test_names_either_a_target_or_a_structure(client: Client) -> None:
    with pytest.raises(ValueError, match="either"):
        client.predict(aspirin)
    with pytest.raises(ValueError, match="either"):
        client.predict(aspirin, target="1hpv", structure="ATOM")


def test_screens_all_compounds_and_follows_until_the_last_row(client: Client) -> None:
    client.upload_compounds(samples / "compounds.txt")
    names = client.compounds()
    quote = client.quote("1hpv")
    assert (quote.total, quote.to_predict, quote.credits_needed) == (10, 10, 10)
    states: list[Screen] = []
    result = client.screen("1hpv", on_progress=states.append, credits_max=10)
    assert states[-1] == result.screen
    assert (result.screen.status, result.screen.done, result.screen.credits_charged) == ("DONE", 10, 10)
    assert [row.compound for row in result.rows] == names
    assert all(row.predicted_kd is not None for row in result.rows)
    assert client.quote("1hpv").credits_needed == 0
    assert [one.id for one in client.screens()] == [result.screen.id]


def test_rows_of_a_screen_come_sorted_and_filtered(client: Client) -> None:
    client.upload_compounds(samples / "compounds.txt")
    screen = client.screen("1hpv").screen
    by_affinity = client.screen_rows(screen.id, sort="affinity")
    numbers = [row.predicted_kd for row in by_affinity if row.predicted_kd is not None]
    assert numbers == sorted(numbers, reverse=True) and len(numbers) == 10
    bound = numbers[3]
    assert client.screen_rows(screen.id, sort="affinity", pkd_min=bound) == by_affinity[:4]
    (found,) = client.screen_rows(screen.id, text="amprenavir")
    assert found.compound == "amprenavir"
    inside = client.screen_rows(screen.id, in_domain=True)
    outside = client.screen_rows(screen.id, in_domain=False)
    assert len(inside) + len(outside) == 10 and all(row.in_domain for row in inside)


def test_a_screen_becomes_a_data_frame_with_a_row_for_every_pair(client: Client) -> None:
    client.add_compounds({"aspirin": aspirin, "caffeine": caffeine})
    chains = [ScreenTarget("1hpv", "A"), ScreenTarget("1hpv", "B")]
    frame = client.screen(chains, ["caffeine", "aspirin"]).to_frame()
    assert list(frame["compound"]) == ["caffeine", "caffeine", "aspirin", "aspirin"]
    assert list(frame["chain"]) == ["A", "B", "A", "B"]
    assert frame["predicted_kd"].between(frame["lower"], frame["upper"]).all()
    assert "selectivity" in to_frame([], ScreenRow).columns


def test_predictions_become_a_data_frame_with_nested_fields_as_columns(client: Client) -> None:
    frame = to_frame(client.predict([aspirin, caffeine], target="1hpv"))
    assert (frame["interval.lower"] < frame["predicted_kd"]).all()
    assert list(frame["smiles"]) == [aspirin, caffeine]


def test_nothing_is_spent_on_a_screen_above_the_credits_allowed(client: Client) -> None:
    client.upload_compounds(samples / "compounds.txt")
    with pytest.raises(TooCostly, match="needs 10 credits"):
        client.screen("1hpv", credits_max=9)
    assert client.credits().credits == 100
    assert list(client.screens()) == []


def test_the_same_order_key_is_the_same_screen_and_another_order_under_it_is_a_conflict(
    client: Client,
) -> None:
    client.add_compounds({"aspirin": aspirin, "caffeine": caffeine})
    first = client.screen("1hpv", ["aspirin"], order_key="monday")
    again = client.screen("1hpv", ["aspirin"], order_key="monday")
    assert again.screen.id == first.screen.id
    assert client.credits().credits == 99
    with pytest.raises(Conflict, match="another screen"):
        client.start_screen("1hpv", ["caffeine"], order_key="monday")


def test_a_cancelled_screen_gives_back_what_it_did_not_predict(client: Client) -> None:
    client.upload_compounds(samples / "compounds.txt")
    started = client.start_screen("1hpv")
    client.cancel_screen(started.id)
    ended = client.follow(started.id)
    assert ended.status in {"CANCELLED", "DONE"}
    assert client.credits().credits == 100 - ended.credits_charged


def test_an_upload_says_which_lines_were_not_taken(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "mixed.txt"
    file.write_text(f"{aspirin} aspirin\nnot-a-molecule bad\n")
    report = client.upload_compounds(file)
    assert report.names == ["aspirin"]
    assert [one.line for one in report.rejected] == [2]
    assert client.upload_compounds(file).unchanged == ["aspirin"]
    client.delete_compound("aspirin")
    assert client.compounds() == []


def test_names_with_slashes_and_percent_signs_are_found(client: Client) -> None:
    name = client.add_compounds({"a/b 50%": aspirin}).names[0]
    assert name == "a/b 50%"
    client.delete_compound(name)
    assert client.compounds() == []


def test_own_values_are_kept_compared_and_forgotten(client: Client) -> None:
    client.add_compounds({"aspirin": aspirin})
    kept = client.add_measurements(
        "1hpv", {"aspirin": 50, caffeine: "> 10", "nobody": 3}, unit="µM", type="Ki"
    )
    assert (kept.added, kept.replaced, len(kept.rejected)) == (2, 0, 1)
    values = {one.compound: one for one in client.measurements("1hpv")}
    assert values["aspirin"].pk == pytest.approx(4.301, abs=0.001)
    assert (values["aspirin"].type, values[caffeine].bound) == ("Ki", "upper")
    comparison = client.compare_measurements("1hpv")
    assert comparison.verdict == "too few" and comparison.summary
    client.delete_measurement(values["aspirin"].id)
    assert [one.compound for one in client.measurements()] == [caffeine]
    assert client.delete_measurements("1hpv") == 1
    assert list(client.measurements()) == []


def test_rows_of_a_screen_say_what_own_values_make_of_their_numbers(client: Client) -> None:
    client.add_compounds({"aspirin": aspirin, "caffeine": caffeine})
    (plain,) = client.screen("1hpv", ["caffeine"]).rows
    client.add_measurements("1hpv", {"aspirin": 9}, unit="p")
    (row,) = client.screen("1hpv", ["caffeine"]).rows
    assert plain.own_values is None and plain.predicted_kd_with_own is None
    assert row.predicted_kd == plain.predicted_kd and row.own_values == 1
    assert row.predicted_kd_with_own is not None and row.predicted_kd is not None
    assert row.predicted_kd_with_own > row.predicted_kd


def test_history_holds_no_prediction_of_a_script_that_only_screened(client: Client) -> None:
    client.predict(aspirin, target="1hpv")
    assert list(client.history("1hpv")) == []


def test_refusals_are_exceptions_with_the_sentence_of_the_server(client: Client, url: str) -> None:
    with pytest.raises(NotFound, match="nowhere") as unknown:
        client.predict(aspirin, target="nowhere")
    assert (unknown.value.status, unknown.value.code) == (404, "not_found")
    with pytest.raises(InvalidRequest):
        client.predict(aspirin, structure="no structure")
    with pytest.raises(OutOfCredits, match="needs 101 credits"):
        client.predict(["C" * length for length in range(1, 102)], target="1hpv")
    assert client.credits().credits == 100
    with Client(url, "pkdex_s_nobody") as stranger, pytest.raises(NotSignedIn):
        stranger.credits()
