"""The client against the running product."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from pkdex import (
    Client,
    Conflict,
    InvalidRequest,
    NotFound,
    NotSignedIn,
    OutOfCredits,
    OwnAlert,
    Screen,
    ScreenRow,
    ScreenTarget,
    TooCostly,
    to_frame,
)

samples = Path(__file__).resolve().parents[3] / "samples"
aspirin = "CC(=O)Oc1ccccc1C(=O)O"
caffeine = "CN1C=NC2=C1C(=O)N(C(=O)N2C)C"


def test_predicting_a_smiles_returns_its_interval_and_costs_one_credit(client: Client) -> None:
    found = client.predict(aspirin, target="1hpv")
    assert found.smiles == aspirin
    assert found.predicted_kd is not None and found.interval is not None and found.domain is not None
    assert found.interval.lower < found.predicted_kd < found.interval.upper
    assert found.best_kd is not None
    assert found.kd_nm == pytest.approx(10 ** (9 - found.best_kd))
    assert client.credits().credits == 99


def test_a_structure_in_the_request_gives_the_same_prediction_and_is_not_stored(client: Client) -> None:
    kept = client.predict(aspirin, target="1hpv", chain="A")
    client.delete_target("1hpv")
    sent = client.predict(aspirin, structure=samples / "1hpv.pdb", chain="A")
    as_text = client.predict(aspirin, structure=(samples / "1hpv.pdb").read_text(), chain="A")
    assert sent == as_text == kept
    assert client.targets() == []


def test_several_smiles_are_predicted_in_order_or_returned_with_a_reason(
    client: Client,
) -> None:
    first, bad, last = client.predict([caffeine, "C1CC", aspirin], target="1hpv")
    assert [first.smiles, bad.smiles, last.smiles] == [caffeine, "C1CC", aspirin]
    assert bad.predicted_kd is None and bad.reason
    assert first.predicted_kd is not None and last.predicted_kd is not None
    assert client.credits().credits == 98


def test_more_smiles_than_the_limit_are_sent_in_several_requests(client: Client) -> None:
    found = client.predict([aspirin] * 501, target="1hpv")
    assert len(found) == 501
    assert set(found) == {found[0]}
    assert client.credits().credits == 99


def test_either_a_target_or_a_structure_is_required(client: Client) -> None:
    with pytest.raises(ValueError, match="either"):
        client.predict(aspirin)
    with pytest.raises(ValueError, match="either"):
        client.predict(aspirin, target="1hpv", structure="ATOM")


def test_a_screen_with_structure_moves_the_best_estimate_or_says_why_not(client: Client) -> None:
    client.upload_compounds(samples / "compounds.txt")
    quote = client.quote("1hpv", structure=True)
    assert quote.structure is not None and quote.structure.poses == 10
    assert client.quote("1hpv").structure is None
    result = client.screen("1hpv", structure=True)
    assert (result.screen.structure_status, result.screen.structure_done) == ("DONE", 10)
    assert any(row.structure_adjusted is not None for row in result.rows)
    for row in result.rows:
        assert (row.structure_adjusted is None) == (row.structure_reason is not None)
        if row.structure_adjusted is not None:
            assert row.structure_adjusted.lower < row.structure_adjusted.value < row.structure_adjusted.upper
            assert row.best_kd == row.structure_adjusted.value


def test_a_screen_of_all_compounds_returns_every_row(client: Client) -> None:
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
    assert list(client.screens(tag="MET")) == []


def test_a_screen_is_shared_until_the_share_ends(client: Client) -> None:
    client.add_compounds({"caffeine": caffeine})
    screen = client.start_screen("1hpv", ["caffeine"])
    (share,) = client.share(screen.id, "ada@example.org", exports=False)
    assert (share.email, share.exports) == ("ada@example.org", False)
    assert client.shared() == []
    client.end_share(screen.id, share.id)
    assert client.shares(screen.id) == []


def test_comments_on_a_screen_and_its_pairs(client: Client) -> None:
    client.add_compounds({"caffeine": caffeine})
    screen = client.start_screen("1hpv", ["caffeine"])
    on_screen = client.add_comment(screen.id, "all of it")
    on_pair = client.add_comment(screen.id, "this pair", row=1, column=1)
    assert (on_pair.compound, on_pair.target, on_screen.row) == ("caffeine", "1hpv", None)
    assert client.edit_comment(screen.id, on_pair.id, "this one").text == "this one"
    assert [one.text for one in client.comments(screen.id)] == ["this one", "all of it"]
    assert [one.id for one in client.comments(screen.id, row=1)] == [on_pair.id]
    client.delete_comment(screen.id, on_screen.id)
    assert [one.id for one in client.comments(screen.id)] == [on_pair.id]
    assert client.read_screen(screen.id).comments == 1


def test_screen_rows_can_be_sorted_and_filtered(client: Client) -> None:
    client.upload_compounds(samples / "compounds.txt")
    screen = client.screen("1hpv").screen
    by_affinity = client.screen_rows(screen.id, sort="affinity")
    numbers = [row.best_kd for row in by_affinity if row.best_kd is not None]
    assert numbers == sorted(numbers, reverse=True) and len(numbers) == 10
    bound = numbers[3]
    assert client.screen_rows(screen.id, sort="affinity", pkd_min=bound) == by_affinity[:4]
    (found,) = client.screen_rows(screen.id, text="amprenavir")
    assert found.compound == "amprenavir"
    inside = client.screen_rows(screen.id, in_domain=True)
    outside = client.screen_rows(screen.id, in_domain=False)
    known = client.screen_rows(screen.id, domain_state="known_on_target")
    assert known == inside
    assert len(inside) + len(outside) == 10 and all(row.in_domain for row in inside)


def test_a_screen_converts_to_a_data_frame_with_one_row_per_pair(client: Client) -> None:
    client.add_compounds({"aspirin": aspirin, "caffeine": caffeine})
    chains = [ScreenTarget("1hpv", "A"), ScreenTarget("1hpv", "B")]
    frame = client.screen(chains, ["caffeine", "aspirin"]).to_frame()
    assert list(frame["compound"]) == ["caffeine", "caffeine", "aspirin", "aspirin"]
    assert list(frame["chain"]) == ["A", "B", "A", "B"]
    assert frame["predicted_kd"].between(frame["lower"], frame["upper"]).all()
    assert "selectivity" in to_frame([], ScreenRow).columns


def test_predictions_convert_to_a_data_frame_with_nested_fields_as_columns(client: Client) -> None:
    frame = to_frame(client.predict([aspirin, caffeine], target="1hpv"))
    assert (frame["interval.lower"] < frame["predicted_kd"]).all()
    assert list(frame["smiles"]) == [aspirin, caffeine]


def test_a_screen_above_credits_max_charges_nothing(client: Client) -> None:
    client.upload_compounds(samples / "compounds.txt")
    with pytest.raises(TooCostly, match="needs 10 credits"):
        client.screen("1hpv", credits_max=9)
    assert client.credits().credits == 100
    assert list(client.screens()) == []


def test_the_same_order_key_returns_the_same_screen_and_conflicts_with_other_input(
    client: Client,
) -> None:
    client.add_compounds({"aspirin": aspirin, "caffeine": caffeine})
    first = client.screen("1hpv", ["aspirin"], order_key="monday")
    again = client.screen("1hpv", ["aspirin"], order_key="monday")
    assert again.screen.id == first.screen.id
    assert client.credits().credits == 99
    with pytest.raises(Conflict, match="different request"):
        client.start_screen("1hpv", ["caffeine"], order_key="monday")


def test_cancelling_a_screen_refunds_pairs_not_predicted(client: Client) -> None:
    client.upload_compounds(samples / "compounds.txt")
    started = client.start_screen("1hpv")
    client.cancel_screen(started.id)
    ended = client.follow(started.id)
    assert ended.status in {"CANCELLED", "DONE"}
    assert client.credits().credits == 100 - ended.credits_charged


def test_an_upload_lists_skipped_lines(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "mixed.txt"
    file.write_text(f"{aspirin} aspirin\nnot-a-molecule bad\n")
    report = client.upload_compounds(file)
    assert report.names == ["aspirin"]
    assert [one.line for one in report.rejected] == [2]
    assert client.upload_compounds(file).unchanged == ["aspirin"]
    client.delete_compound("aspirin")
    assert client.compounds() == []


def test_compounds_are_found_by_a_structure(client: Client) -> None:
    client.add_compounds({"aspirin": aspirin, "ethanol": "CCO"})
    assert client.search_compounds(aspirin) == {"aspirin": 1.0}
    assert list(client.search_compounds("OC(=O)c1ccccc1", kind="substructure")) == ["aspirin"]
    with pytest.raises(InvalidRequest):
        client.search_compounds("C1CC")
    for name in client.compounds():
        client.delete_compound(name)


def test_names_with_slashes_and_percent_signs_are_found(client: Client) -> None:
    name = client.add_compounds({"a/b 50%": aspirin}).names[0]
    assert name == "a/b 50%"
    client.delete_compound(name)
    assert client.compounds() == []


def test_measured_values_are_stored_compared_and_deleted(client: Client) -> None:
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
    assert comparison.use is None and comparison.is_used
    client.delete_measurement(values["aspirin"].id)
    assert [one.compound for one in client.measurements()] == [caffeine]
    assert client.delete_measurements("1hpv") == 1
    assert list(client.measurements()) == []


def test_replicates_are_stored_one_by_one_and_replaced_on_request(client: Client) -> None:
    assert client.add_measurements("1hpv", {caffeine: [50, "70 nM"]}).added == 2
    again = client.add_measurements("1hpv", {caffeine: [50, 90]})
    assert (again.added, again.repeated) == (1, 1)
    replaced = client.add_measurements("1hpv", {caffeine: 60}, replace=True)
    assert (replaced.added, replaced.replaced) == (1, 3)
    client.delete_measurements("1hpv")


def test_measured_values_move_the_best_estimate_of_screen_rows(client: Client) -> None:
    client.add_compounds({"aspirin": aspirin, "caffeine": caffeine})
    (plain,) = client.screen("1hpv", ["caffeine"]).rows
    client.add_measurements("1hpv", {"aspirin": 9}, unit="p")
    # A measured value counts once its compound is predicted.
    client.screen("1hpv", ["aspirin"])
    (row,) = client.screen("1hpv", ["caffeine"]).rows
    assert plain.own_values is None and plain.best_kd == plain.predicted_kd
    assert row.predicted_kd == plain.predicted_kd and row.own_values == 1
    assert row.best_kd is not None and row.predicted_kd is not None
    assert row.best_kd > row.predicted_kd


def test_rows_have_properties_efficiencies_and_alerts(client: Client) -> None:
    client.add_compounds({"aspirin": aspirin, "caffeine": caffeine})
    client.add_measurements("1hpv", {"caffeine": 6.5}, unit="p")
    first, second = client.screen("1hpv", ["aspirin", "caffeine"]).rows
    assert first.mass == pytest.approx(180.16, abs=0.01)
    assert (first.heavy_atoms, first.donors, first.rings, first.charge) == (13, 1, 1, 0)
    assert first.tpsa is not None and first.fsp3 is not None and first.rotatable_bonds is not None
    assert first.alerts == ["Brenk phenol ester"] and second.alerts == []
    assert first.predicted_kd is not None and first.log_p is not None
    assert first.best_kd is not None and second.best_kd is not None
    assert first.ligand_efficiency == pytest.approx(1.37 * first.best_kd / 13, abs=0.01)
    assert first.lipophilic_efficiency == pytest.approx(first.best_kd - first.log_p, abs=0.01)
    assert first.measured_pk is None and second.measured_pk == 6.5
    assert second.ligand_efficiency == pytest.approx(1.37 * second.best_kd / 14, abs=0.01)


def test_rows_are_sorted_and_filtered_by_properties_alerts_and_a_profile(client: Client) -> None:
    report = client.upload_compounds(samples / "compounds.txt")
    assert report.flagged_count is not None and 0 < report.flagged_count < 10
    screen_id = client.screen("1hpv").screen.id
    masses = [row.mass or 0 for row in client.screen_rows(screen_id, sort="mass")]
    assert masses == sorted(masses, reverse=True)
    light = client.screen_rows(screen_id, properties={"mass": (None, 250), "log_p": (0, None)})
    assert {row.compound for row in light} == {"aspirin", "ibuprofen"}
    flagged = client.screen_rows(screen_id, alerts="some")
    assert len(flagged) == report.flagged_count and all(row.alerts for row in flagged)
    scored = client.screen_rows(screen_id, sort="profile", profile="pkd:7..;mass:..700")
    shares = [row.profile_probability for row in scored]
    assert all(share is not None and 0 <= share <= 1 for share in shares)
    assert shares == sorted(shares, key=lambda share: -(share or 0))
    assert scored[0].profile_tied is not None


def test_flagged_compounds_are_counted_in_the_quote_and_left_out_of_a_screen(client: Client) -> None:
    client.add_compounds({"aspirin": aspirin, "caffeine": caffeine})
    quote = client.quote("1hpv")
    assert quote.flagged is not None and quote.left_out == 0
    assert (quote.flagged.count, quote.flagged.by_list.brenk, quote.flagged.by_list.pains) == (1, 1, 0)
    spared = client.quote("1hpv", leave_out=["Brenk"])
    assert (spared.left_out, spared.credits_needed) == (1, 1)
    first, second = client.screen("1hpv", leave_out=["Brenk"], credits_max=1).rows
    assert first.predicted_kd is None and first.reason == "Left out: Brenk phenol ester."
    assert second.predicted_kd is not None
    assert client.credits().credits == 99


def test_predictions_are_quoted_before_they_are_paid(client: Client) -> None:
    client.predict(aspirin, target="1hpv")
    quote = client.quote_predictions([aspirin, caffeine, "C1CC"], target="1hpv")
    assert (quote.total, quote.known, quote.to_predict, quote.credits_needed) == (2, 1, 1, 1)
    assert (quote.unusable_count, quote.credits_left) == (1, 99)
    with pytest.raises(ValueError, match="either"):
        client.quote_predictions(aspirin)


def test_own_alerts_are_checked_stored_and_found(client: Client) -> None:
    acid = OwnAlert("acid", "C(=O)[OX2H1]")
    with pytest.raises(InvalidRequest, match="Pattern 2, “ring”"):
        client.replace_own_alerts([acid, OwnAlert("ring", "c1ccc")])
    assert client.own_alerts() == []
    client.replace_own_alerts([acid])
    assert client.own_alerts() == [acid]
    own = [one for one in client.locate_alerts(aspirin) if one.source == "own"]
    assert [(one.name, len(one.atoms)) for one in own] == [("acid", 3)]
    client.add_compounds({"aspirin": aspirin})
    (row,) = client.screen("1hpv").rows
    assert row.alerts == ["Brenk phenol ester", "acid"]


def test_untested_compounds_are_suggested_with_reasons(client: Client) -> None:
    chains = {f"alcohol {length}": "C" * length + "O" for length in range(2, 8)}
    client.add_compounds(chains)
    result = client.screen("1hpv")
    client.add_measurements("1hpv", {"alcohol 2": 4.1, "alcohol 3": 4.6, "alcohol 4": 5.2}, unit="p")
    screen_id = result.screen.id
    found = client.suggest_next("1hpv", [screen_id])
    while found.waiting > 0:
        time.sleep(0.2)
        found = client.suggest_next("1hpv", [screen_id])
    assert (found.measured, found.goal, found.candidates) == (3, 5.2, 3)
    assert {one.compound for one in found.suggestions} == {"alcohol 5", "alcohol 6", "alcohol 7"}
    assert all("alcohol" in one.reason and 0 <= one.chance < 1 for one in found.suggestions)
    first = found.suggestions[0]
    rest = client.suggest_next("1hpv", [screen_id], goal=1, exclude=[first.smiles])
    assert first.smiles not in {one.smiles for one in rest.suggestions}
    assert rest.goal == 1
    assert found.best is not None and (found.best.compound, found.best.pk) == ("alcohol 4", 5.2)
    assert set(to_frame(found.suggestions)["compound"]) == {"alcohol 5", "alcohol 6", "alcohol 7"}
    combined = {one.names[0]: one.pk for one in client.combined_measurements("1hpv")}
    assert combined == {"alcohol 2": 4.1, "alcohol 3": 4.6, "alcohol 4": 5.2}
    # Both lists of the target are kept in the account; an excluded molecule is not suggested again.
    assert client.change_list("1hpv", "make", [first.smiles]).make == [first.smiles]
    client.change_list("1hpv", "excluded", [first.smiles])
    assert client.target_lists("1hpv").excluded == [first.smiles]
    kept = client.suggest_next("1hpv", [screen_id])
    assert first.smiles not in {one.smiles for one in kept.suggestions}
    assert client.change_list("1hpv", "excluded", [first.smiles], listed=False).excluded == []


def test_a_series_has_a_table_pairs_products_and_clusters(client: Client) -> None:
    series = {
        "CNc1ncnc2cc(F)ccc12": 6.0,
        "CNc1ncnc2cc(Cl)ccc12": 8.2,
        "CCNc1ncnc2cc(F)ccc12": 6.3,
        "CCCCCCCO": None,
    }
    table = client.series_table(list(series), core="c1ccc2ncncc2c1")
    assert [gap.smiles for gap in table.gaps] == ["CCNc1ncnc2cc(Cl)ccc12"]
    assert table.left_out == [3]
    assert table.rows is not None and table.columns is not None
    sides = {table.rows.label: table.rows.groups, table.columns.label: table.columns.groups}
    assert sorted(group.smiles for group in sides["R1"]) == ["CCN[*:1]", "CN[*:1]"]
    turned = client.series_table(list(series), core="c1ccc2ncncc2c1", rows="R1", columns="R2")
    assert turned.rows is not None and turned.rows.label == "R1"
    changes = client.series_pairs(series, target="1hpv").changes
    assert all(len(one.pairs) >= one.measured for one in changes)
    assert any(one.training is not None and one.training.pairs > 1000 for one in changes)
    assert any((one.origin, one.to, one.mean) == ("*Cl", "*F", -2.2) for one in changes) or any(
        (one.origin, one.to, one.mean) == ("*F", "*Cl", 2.2) for one in changes
    )
    products = client.series_products(series, by="changes", windows={"mass": {"max": 500}})
    assert "CCNc1ncnc2cc(Cl)ccc12" in {one.smiles for one in products.products}
    first = products.products[0]
    assert first.change is not None and products.changes[first.change].lower > 0
    assert first.origin is not None and first.heavy_atoms > 10
    assert (products.skipped_groups, products.skipped_changes) == (0, 0)
    ether = client.series_products(series, by="changes", change=("*F", "*OC"))
    assert {one.smiles for one in ether.products} == {"CCNc1ncnc2cc(OC)ccc12", "CNc1ncnc2cc(OC)ccc12"}
    on_core = client.series_products(list(series), core="c1ccc2ncncc2c1")
    assert on_core.core == "c1ccc2ncncc2c1" and on_core.combinations == 4
    assert client.drawing(first.smiles).startswith("data:image/svg+xml")
    clusters = client.clusters(series, pick=2)
    assert clusters.cliffs[0].change == 2.2
    assert 3 in clusters.picked


def test_a_score_is_judged_after_five_measured_values(client: Client) -> None:
    client.add_compounds({"aspirin": aspirin})
    screen_id = client.screen("1hpv").screen.id
    assert client.score("1hpv", [screen_id]).judgement is None
    with pytest.raises(ValueError, match="direction"):
        client.choose_score("1hpv", "Docking")
    client.choose_score("1hpv", "Docking", "lower")
    judgement = client.score("1hpv", [screen_id]).judgement
    assert judgement is not None and judgement.verdict == "too few"
    client.choose_score("1hpv", None)


def test_history_contains_no_pairs_of_screens(client: Client) -> None:
    client.predict(aspirin, target="1hpv")
    assert list(client.history("1hpv")) == []


def test_server_errors_are_exceptions_with_the_server_message(client: Client, url: str) -> None:
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
