"""Server responses as frozen data classes. Affinities are pKd: -log10 of Kd in mol/L, so 6 is 1 µM and 9
is 1 nM. Unknown fields of newer servers are ignored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from pkdex.errors import AnswerError

# Fields that have another name in the server's answer, because Python reserves it.
_from = {"name": "from"}


@dataclass(frozen=True)
class Interval:
    """95% prediction interval of one pair, in pKd."""

    lower: float
    upper: float


@dataclass(frozen=True)
class Domain:
    """Applicability domain; similarity to the closest training data, 0 to 1."""

    is_inside: bool
    """Similar compounds were measured on this target."""
    is_ligand_driven: bool
    """No similar training target: the prediction rests mainly on the compound."""
    compound_similarity: float
    target_similarity: float
    state: str | None = None
    """`known_on_target`, `known_on_other_targets` or `outside`."""


@dataclass(frozen=True)
class Prediction:
    """Prediction of one SMILES for one target, or the reason why there is none."""

    smiles: str
    predicted_kd: float | None
    """Predicted pKd from sequence and compound."""
    interval: Interval | None
    domain: Domain | None
    reason: str | None
    best_kd: float | None = None
    """Best estimate: the prediction, moved by poses and by your measured values on the target."""
    best_interval: Interval | None = None

    @property
    def kd_nm(self) -> float | None:
        """Kd of the best estimate, in nM."""
        return None if self.best_kd is None else float(10 ** (9 - self.best_kd))


@dataclass(frozen=True)
class ScreenTarget:
    """A target and its chain."""

    name: str
    chain: str
    reference: str | None = None
    """With `structure=True`: the `id` of the ligand to place on; None for the suggested one."""


@dataclass(frozen=True)
class Predictions:
    """Response of `POST /predict`."""

    status: str
    target: ScreenTarget
    model_version: str
    credits_charged: float
    predictions: list[Prediction]


@dataclass(frozen=True)
class PredictionQuote:
    """Cost of predicting SMILES. Counts are SMILES."""

    total: int
    """Those that can be predicted."""
    known: int
    to_predict: int
    credits_needed: float
    credits_left: float
    unusable_count: int
    """Those that cannot be read."""


@dataclass(frozen=True)
class UnusableRow:
    """A requested target or compound that was skipped."""

    kind: str
    name: str
    reason: str


@dataclass(frozen=True)
class PoseReference:
    """A ligand that compounds can be placed on."""

    id: str
    """`own ligand` for your own ligand."""
    heavy_atoms: int


@dataclass(frozen=True)
class OwnLigand:
    """The reference ligand that you gave for a target."""

    smiles: str
    heavy_atoms: int
    coordinates_of: str | None
    """The ligand of the structure whose coordinates it has; None if it was given with coordinates."""


@dataclass(frozen=True)
class PoseReferences:
    """The ligands of a target, the suggested one first."""

    target: str
    chain: str
    references: list[PoseReference]
    own: OwnLigand | None


@dataclass(frozen=True)
class PoseContact:
    """A contact of a placed compound with the pocket."""

    kind: str
    """`hydrogen bond`, `hydrophobic` or `clash`."""
    residue: str
    chain: str
    atom: str
    compound_atom: int
    """Position in the SMILES, from 1."""
    distance: float
    """In Å, between heavy atoms."""
    words: str


@dataclass(frozen=True)
class PlacedPose:
    """A placed compound. Energies are Vina's, in kcal/mol."""

    energy: float
    mean_energy: float
    """Of this pose, and the mean over the best few poses."""
    reference_energy: float
    relative: float
    """How much better than the reference ligand, from -3 to 6 after clipping; more is better."""
    similarity: float
    """Similarity to the reference ligand, 0 to 1."""
    heavy_atoms: int
    core_atoms: int
    """Atoms placed on atoms of the reference ligand."""
    keeps_stereo: bool
    contacts: list[PoseContact]
    sdf: str


@dataclass(frozen=True)
class Pose:
    """A compound in the pocket of a structure: a model, not an experiment."""

    target: str
    chain: str
    compound: str
    label: str
    references: list[PoseReference]
    reference: str | None
    """The ligand that is used; None if there is none."""
    pose: PlacedPose | None
    reason: str | None
    """Why there is no pose."""
    own_ligand: str | None = None
    """Your own ligand as a molecule file, if it is the one that is used."""


@dataclass(frozen=True)
class PlannedLigand:
    """The ligand of one target of a screen, and those to choose from."""

    target: str
    chain: str
    reference: str
    references: list[PoseReference]


@dataclass(frozen=True)
class StructureQuote:
    """Poses of a screen, the estimated time in seconds after its predictions, and the ligand of each target."""

    poses: int
    seconds: int
    ligands: list[PlannedLigand]


@dataclass(frozen=True)
class FlaggedByList:
    """Compounds with a structural alert, per list."""

    pains: int = field(metadata={"name": "PAINS"})
    brenk: int = field(metadata={"name": "Brenk"})
    own: int


@dataclass(frozen=True)
class FlaggedCompounds:
    """Compounds of a quote with a structural alert, including those left out."""

    count: int
    by_list: FlaggedByList
    unchecked: int
    """Compounds not checked yet; ask again."""


@dataclass(frozen=True)
class ScreenQuote:
    """Quote of a screen. Counts are pairs, except `targets` and `compounds`."""

    targets: int
    compounds: int
    total: int
    known: int
    to_predict: int
    credits_needed: float
    credits_left: float
    unusable: list[UnusableRow]
    unusable_count: int
    duplicates: int
    """Compounds with the structure of another in the request; their pairs are free."""
    model_version: str
    stereoisomers: int | None = None
    """Compounds that differ from another only in stereochemistry: they get the same number, and each is charged."""
    structure: StructureQuote | None = None
    """With `structure=True`: number of poses that will be computed, and about how long they take."""
    flagged: FlaggedCompounds | None = None
    left_out: int | None = None
    """Compounds that `leave_out` skips; they cost nothing."""


@dataclass(frozen=True)
class Screen:
    """A screen; its status is QUEUED, RUNNING, DONE, CANCELLED or FAILED."""

    id: str
    status: str
    total: int
    done: int
    known: int
    credits_charged: float
    targets: list[ScreenTarget]
    compounds: int
    model_version: str
    created_at: str
    finished_at: str | None
    message: str | None
    structure_status: str | None = None
    """Status of the poses: QUEUED, RUNNING, DONE or FAILED; None without `structure`."""
    structure_total: int | None = None
    structure_done: int | None = None
    structure_message: str | None = None

    @property
    def has_ended(self) -> bool:
        """True if the screen is finished, including its poses."""
        unfinished = {"QUEUED", "RUNNING"}
        if self.status in unfinished:
            return False
        return self.structure_status not in unfinished


@dataclass(frozen=True)
class StructureAdjusted:
    """The pKd after the pose has moved it, with the limits of its 95% interval."""

    value: float
    lower: float
    upper: float


@dataclass(frozen=True)
class ScreenRow:
    """One pair of a screen."""

    row: int
    """Position of the compound in the input, from 1."""
    compound: str
    smiles: str
    target: str
    chain: str
    best_kd: float | None
    best_lower: float | None
    best_upper: float | None
    """Best estimate of the pKd with its 95% interval: the prediction, moved by the pose and by your measured values."""
    predicted_kd: float | None
    """Predicted pKd from sequence and compound."""
    lower: float | None
    upper: float | None
    """Limits of its 95% interval, in pKd."""
    in_domain: bool | None
    is_ligand_driven: bool | None
    compound_similarity: float | None
    target_similarity: float | None
    """Similarity to the closest training compound and target, 0 to 1."""
    selectivity: float | None
    """Best estimate minus the compound's highest one on the other targets."""
    reason: str | None
    """Why there is no prediction."""
    own_values: int | None = None
    """Number of your measured values that moved the best estimate; None if none did."""
    structure_adjusted: StructureAdjusted | None = None
    """If a screen with `structure` placed the compound: the prediction moved by the pose."""
    structure_reason: str | None = None
    """Why there is no pose."""
    selectivity_error: float | None = None
    """Half-width of the 95% interval of the selectivity."""
    domain_state: str | None = None
    """`known_on_target`, `known_on_other_targets` or `outside`."""
    model_version: str | None = None
    """Of the model that predicted the row: rows differ if the server was upgraded while the screen ran."""
    mass: float | None = None
    """Average molecular mass in g/mol."""
    log_p: float | None = None
    """cLogP after Crippen."""
    tpsa: float | None = None
    """Polar surface area in Å²."""
    donors: int | None = None
    acceptors: int | None = None
    rotatable_bonds: int | None = None
    rings: int | None = None
    fsp3: float | None = None
    heavy_atoms: int | None = None
    charge: int | None = None
    measured_pk: float | None = None
    """Your measured value for this pair, in pK."""
    ligand_efficiency: float | None = None
    """1.37 x best estimate / heavy atoms."""
    lipophilic_efficiency: float | None = None
    """Best estimate - cLogP."""
    alerts: list[str] | None = None
    """Structural alerts that the compound matches."""
    profile_probability: float | None = None
    """Probability that the compound meets the requested profile."""
    profile_tied: bool | None = None
    """Whether its score is statistically indistinguishable from the best."""


@dataclass(frozen=True)
class OwnAlert:
    """A structural alert of your own."""

    name: str
    smarts: str


@dataclass(frozen=True)
class LocatedAlert:
    """A structural alert of a compound."""

    source: str = field(metadata={"name": "list"})
    """`PAINS`, `Brenk` or `own`."""
    name: str
    smarts: str
    atoms: list[int]
    """Indices of its atoms in the standard SMILES, from 0."""


@dataclass(frozen=True)
class RejectedLine:
    """A skipped input line and the reason. Lines count from 1."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True)
class Upload:
    """Result of an upload; `names` are the names to use in predictions and screens."""

    message: str
    filename: str
    names: list[str]
    unchanged: list[str]
    rejected: list[RejectedLine]
    duplicate_count: int | None = None
    """Compounds whose structure you had before under another name."""
    flagged_count: int | None = None
    """Compounds that match PAINS, Brenk or your own patterns; None if not all were checked yet."""
    own_alerts_checked: bool | None = None
    """False if there was no time for your own patterns: `flagged_count` then covers PAINS and Brenk only."""


@dataclass(frozen=True)
class Measurement:
    """A value you measured."""

    id: str
    target: str
    compound: str
    smiles: str
    type: str
    """Kd, Ki or IC50."""
    value: str
    """As entered: `12 nM`, `> 10 µM`, `7.2`."""
    pk: float
    """-log10 of the value in mol/L."""
    bound: str | None
    """Whether the value is a bound: with `upper` the pK is at most this, with `lower` at least this."""
    created_at: str


@dataclass(frozen=True)
class CombinedMeasurement:
    """All values of one compound on a target, combined as predictions use them."""

    smiles: str
    names: list[str]
    pk: float
    """The mean of the values in pK."""
    bound: str | None
    """Only if all values are bounds."""
    count: int
    spread: float | None
    """Standard deviation of the values in pK; None for one value and for bounds."""


@dataclass(frozen=True)
class ImportedMeasurements:
    """Result of importing measured values."""

    added: int
    replaced: int
    """Values that were deleted because of `replace=True`."""
    repeated: int
    """Values that were already stored and are not stored again."""
    rejected: list[RejectedLine]
    has_header: bool


@dataclass(frozen=True)
class Agreement:
    """Agreement of predicted and measured values: RMSE in pK units and Kendall's tau (-1 to 1)."""

    rmse: float | None
    tau: float | None
    tau_interval: Interval | None
    """95% interval of tau; None with fewer than five compounds."""


@dataclass(frozen=True)
class Comparison:
    """Measured values of one target against predictions without your values, with all but the value compared, and their mean."""

    target: str
    waiting: int
    without_own: Agreement
    with_own: Agreement
    mean_of_own: Agreement
    """Each value predicted as the mean of all others."""
    verdict: str
    summary: str
    use: bool | None
    """Your choice for the target; None: your values are used unless they harm or are no better than their average."""
    is_used: bool


@dataclass(frozen=True)
class RestsOn:
    """A measured value behind a suggestion."""

    compound: str
    pk: float
    similarity: float
    """Tanimoto similarity to the suggested compound."""
    effect: float
    """How much lower the predicted pKd would be without this value."""


@dataclass(frozen=True)
class Suggestion:
    """An untested compound to make or measure next."""

    compound: str
    """Empty for a gap of a SAR table."""
    smiles: str
    predicted_kd: float
    """Predicted pKd with your measured values."""
    lower: float
    upper: float
    predicted_kd_without_own: float
    """Without them; moved by the pose if a screen placed the compound."""
    chance: float
    """Probability that its measured value exceeds the goal, 0 to 1, rounded down to whole percent."""
    reason: str
    rests_on: list[RestsOn]


@dataclass(frozen=True)
class BestCompound:
    """The measured compound with the strongest value."""

    compound: str
    smiles: str
    pk: float


@dataclass(frozen=True)
class ScoreJudgement:
    """What another tool's score adds to your measured values."""

    column: str
    direction: str
    scored: int
    """Compounds with a number in the column."""
    measured: int
    verdict: str
    """Whether it contains information beyond size and prediction: yes, no, cannot tell yet, or too few."""
    summary: str
    weight: float | None
    """Weight of the predictions with the column in the average."""
    tau: float | None
    prediction_tau: float | None
    """Kendall's tau of the column, and of the prediction alone, over the measured compounds."""


@dataclass(frozen=True)
class NextCompounds:
    """A page of five suggestions, the best first."""

    measured: int
    """Compounds with a measured value; suggestions need at least three."""
    waiting: int
    """Measured values that are not predicted yet; ask again."""
    goal: float | None
    """The pK to exceed."""
    uses_own_values: bool
    candidates: int
    untested: int
    suggestions: list[Suggestion]
    best: BestCompound | None = None
    other_score: ScoreJudgement | None = None
    """The column of another tool's scores that counts in the ranking."""


@dataclass(frozen=True)
class TargetLists:
    """The molecules that you keep for a target, as SMILES, oldest first."""

    make: list[str]
    """Your make list."""
    excluded: list[str]
    """Molecules that are not suggested again."""


@dataclass(frozen=True)
class ScoredPrediction:
    """A compound with another tool's score, and its prediction with it."""

    compound: str
    smiles: str
    score: float
    predicted_kd_with_own: float
    predicted_kd: float
    lower: float
    upper: float


@dataclass(frozen=True)
class SeriesScore:
    """Another tool's score on a target."""

    columns: list[str]
    """Columns of your compounds that contain numbers."""
    judgement: ScoreJudgement | None
    predictions: list[ScoredPrediction]


@dataclass(frozen=True)
class SeriesCore:
    """A core that compounds share."""

    smiles: str
    atoms: int
    compounds: int


@dataclass(frozen=True)
class SeriesCell:
    """A cell of a SAR table with its compounds, by their positions in the request."""

    row: int
    column: int
    compounds: list[int]


@dataclass(frozen=True)
class SeriesGap:
    """A combination of groups that no compound has."""

    row: int
    column: int
    smiles: str


@dataclass(frozen=True)
class SeriesGroup:
    """A group at one position of the core."""

    smiles: str
    """With its attachment point, for example `F[*:1]`."""
    compounds: int


@dataclass(frozen=True)
class SeriesSide:
    """One side of a SAR table: a position of the core and the groups there, the most common first."""

    label: str
    groups: list[SeriesGroup]


@dataclass(frozen=True)
class SeriesTable:
    """The SAR table of a series."""

    cores: list[SeriesCore]
    """Cores to choose from, the suggested one first."""
    positions: list[str]
    """Positions at which the compounds differ, the most varied first."""
    cells: list[SeriesCell]
    gaps: list[SeriesGap]
    left_out: list[int]
    rows: SeriesSide | None = None
    columns: SeriesSide | None = None


@dataclass(frozen=True)
class MatchedPair:
    """Two compounds, by their positions in the request, that differ in one group."""

    origin: int = field(metadata=_from)
    to: int
    change: float | None
    """Change in pK; None unless both have a value."""


@dataclass(frozen=True)
class TrainingChange:
    """The same change of a group in the training data, within one assay each."""

    pairs: int
    mean: float
    spread: float


@dataclass(frozen=True)
class GroupChange:
    """A change of one group, and what it did to pK."""

    origin: str = field(metadata=_from)
    """The group before the change, with its attachment point as a star."""
    to: str
    measured: int
    mean: float | None
    spread: float | None
    lower: float | None
    upper: float | None
    gaps: int | None
    """Molecules that the change would add; None for hydrogen, whose positions are not counted."""
    pairs: list[MatchedPair]
    training: TrainingChange | None
    """On all targets of the training data."""
    training_on_target: TrainingChange | None


@dataclass(frozen=True)
class SeriesPairs:
    """Matched pairs of a series."""

    changes: list[GroupChange]
    total: int
    training_target: str | None


@dataclass(frozen=True)
class AppliedChange:
    """A change of one group that was applied to the compounds."""

    origin: str = field(metadata=_from)
    to: str
    lower: float
    """Lower end of the 95% interval of the mean change in pK."""


@dataclass(frozen=True)
class SeriesProduct:
    """A new molecule of a series."""

    smiles: str
    mass: float
    log_p: float
    tpsa: float
    donors: int
    acceptors: int
    rotatable_bonds: int
    rings: int
    fsp3: float
    heavy_atoms: int
    charge: int
    alerts: list[str]
    origin: int | None = field(metadata=_from)
    """Position of the changed compound in the request; None for recombined groups."""
    change: int | None
    """Index of the change in `changes`."""


@dataclass(frozen=True)
class SeriesProducts:
    """New molecules of a series."""

    core: str | None
    changes: list[AppliedChange]
    combinations: int
    skipped_groups: int
    """The rarest groups, skipped because all of them would make more than 5,000 combinations."""
    skipped_changes: int
    """Changes not applied to every compound, because there were 5,000 molecules before."""
    known: int
    impossible: int
    outside: int
    flagged: int
    products: list[SeriesProduct]


@dataclass(frozen=True)
class SeriesCluster:
    """Similar compounds, by their positions in the request."""

    centre: int
    members: list[int]
    best: int | None


@dataclass(frozen=True)
class ActivityCliff:
    """Two similar compounds whose values differ."""

    weaker: int
    stronger: int
    similarity: float
    change: float
    stereoisomers: bool


@dataclass(frozen=True)
class SeriesClusters:
    """Clusters, a diverse selection, and activity cliffs."""

    clusters: list[SeriesCluster]
    picked: list[int]
    cliffs: list[ActivityCliff]
    left_out: list[int]


@dataclass(frozen=True)
class PastPrediction:
    """A past single prediction."""

    task_id: str
    target: str | None
    chain: str
    compound: str | None
    status: str
    message: str | None
    best_kd: float | None
    best_lower: float | None
    best_upper: float | None
    """Best estimate of the pKd with its 95% interval."""
    predicted_kd: float | None
    """Predicted pKd from sequence and compound."""
    lower: float | None
    upper: float | None
    model_version: str | None
    credits_charged: float
    created_at: str


@dataclass(frozen=True)
class Balance:
    """Credits of the account, and the cost of one prediction."""

    credits: float
    credits_per_prediction: float = 1.0


Answer = TypeVar("Answer")


def read_answer(kind: type[Answer], json: object) -> Answer:
    """Parses a data class from JSON; raises `AnswerError` with the field name on a mismatch."""
    if not isinstance(json, Mapping):
        raise AnswerError(f"The server's {kind.__name__} is not an object.")
    hints = get_type_hints(kind)
    read: dict[str, Any] = {}
    for one in fields(kind):  # type: ignore[arg-type]  # every caller names a data class
        name = one.metadata.get("name", one.name)
        if name in json:
            read[one.name] = _read_value(hints[one.name], json[name], f"{kind.__name__}.{one.name}")
        elif one.default is MISSING:
            raise AnswerError(f"The server's answer lacks {kind.__name__}.{one.name}.")
    return kind(**read)


def _read_value(hint: Any, value: object, name: str) -> Any:
    if get_origin(hint) is UnionType:
        if value is None:
            return None
        (hint,) = (one for one in get_args(hint) if one is not type(None))
    if get_origin(hint) is list:
        if not isinstance(value, list):
            raise AnswerError(f"The server's {name} is not a list.")
        return [_read_value(get_args(hint)[0], one, name) for one in value]
    if is_dataclass(hint):
        return read_answer(hint, value)  # type: ignore[arg-type]  # a data class of this file
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not hint:
        raise AnswerError(f"The server's {name} is not of type {hint.__name__}.")
    return value
