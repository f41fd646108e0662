"""Answers of the server, written by `npm run client-types` from its OpenAPI document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pkdex.reading import InNanomolar, Progress


@dataclass(frozen=True)
class News:
    """What you have not seen of a screen."""

    screen_id: str
    screen: str | None
    """Name of the screen."""
    comments: int
    """Comments by others since you last looked at them."""
    has_finished: bool
    """Whether it finished since you last looked at it."""


@dataclass(frozen=True)
class OwnAlert:
    """A structural alert of your own."""

    name: str
    smarts: str


@dataclass(frozen=True)
class LocatedAlert:
    """A structural alert of a compound."""

    source: str
    """One of `PAINS`, `Brenk`, `own`."""
    name: str
    smarts: str
    atoms: list[int]
    """Indices of its atoms in the picture and in the standard SMILES, from 0."""


@dataclass(frozen=True)
class PredictionQuote:
    """Cost of predicting SMILES. Counts are SMILES."""

    total: int
    """SMILES that can be predicted."""
    known: int
    """Of these, already predicted, which is free."""
    to_predict: int
    credits_needed: float
    credits_left: float
    unusable_count: int
    """SMILES that cannot be read."""


@dataclass(frozen=True)
class ScreenTarget:
    """A target and its chain."""

    name: str
    chain: str
    reference: str | None = None
    """With `structure=True`: the `id` of the ligand to place on; None for the suggested one."""


@dataclass(frozen=True)
class Interval:
    """95% prediction interval of one pair, in pKd."""

    lower: float
    upper: float


@dataclass(frozen=True)
class Domain:
    """Applicability domain; similarity to the closest training data, 0 to 1."""

    is_inside: bool
    state: str | None
    is_ligand_driven: bool
    compound_similarity: float
    target_similarity: float


@dataclass(frozen=True)
class Prediction(InNanomolar):
    """Prediction of one SMILES for one target, or the reason why there is none."""

    smiles: str
    predicted_kd: float | None
    """Predicted pKd (−log10 of Kd in mol/L) from sequence and compound."""
    best_kd: float | None
    """Best estimate: the prediction moved by poses and your measured values on the target, if there are any."""
    interval: Interval | None
    """95% prediction interval of `predicted_kd`."""
    best_interval: Interval | None
    """95% interval of the best estimate."""
    domain: Domain | None
    """Applicability domain, and similarity to the closest training data (0 to 1)."""
    reason: str | None
    """Why there is no prediction."""


@dataclass(frozen=True)
class UnusableRow:
    """A requested target or compound that was skipped."""

    kind: str
    """One of `target`, `compound`."""
    name: str
    reason: str


@dataclass(frozen=True)
class FlaggedByList:
    """Compounds with a structural alert, per list."""

    pains: int
    brenk: int
    own: int


@dataclass(frozen=True)
class FlaggedCompounds:
    """Compounds of a quote with a structural alert, including those left out."""

    count: int
    by_list: FlaggedByList
    unchecked: int
    """Compounds not checked yet; ask again."""


@dataclass(frozen=True)
class PoseReference:
    """A ligand that compounds can be placed on."""

    id: str
    heavy_atoms: int


@dataclass(frozen=True)
class PlannedLigand:
    """The ligand of one target of a screen, and those to choose from."""

    target: str
    chain: str
    reference: str
    references: list[PoseReference]


@dataclass(frozen=True)
class TargetChain:
    """A chain of a target."""

    target: str
    chain: str


@dataclass(frozen=True)
class StructureQuote:
    """Poses of a screen, the estimated time in seconds after its predictions, and the ligand of each target."""

    poses: int
    seconds: int
    ligands: list[PlannedLigand]
    without_ligand: list[TargetChain]
    """Targets whose compounds get no pose."""


@dataclass(frozen=True)
class SharedBy:
    """The owner of a screen that was shared with you."""

    owner: str
    """Name of the owner."""
    exports: bool
    """Whether viewers may download and copy."""


@dataclass(frozen=True)
class StructureAdjusted:
    """The pKd after the pose has moved it, with the limits of its 95% interval."""

    value: float
    lower: float
    upper: float


@dataclass(frozen=True)
class PoseContact:
    """A contact of a placed compound with the pocket."""

    kind: str
    """One of `hydrogen bond`, `hydrophobic`, `clash`."""
    residue: str
    """Of the pocket, for example `MET 318`, with its chain and atom."""
    chain: str
    atom: str
    compound_atom: int
    """Of the compound: atom number in its SMILES, from 1."""
    distance: float
    """In Å, between heavy atoms."""
    words: str


@dataclass(frozen=True)
class PlacedPose:
    """A placed compound. Energies are Vina's, in kcal/mol."""

    energy: float
    """Vina's energy with the pocket in kcal/mol; of this pose, and the mean over the best few."""
    mean_energy: float
    reference_energy: float
    """Energy of the reference ligand, relaxed in place."""
    relative: float
    """How much better than the reference, from the mean energy, clipped to −6 to 3; more is better."""
    similarity: float
    """To the reference ligand, without bond orders, from 0 to 1."""
    heavy_atoms: int
    core_atoms: int
    """Number of atoms placed on atoms of the reference ligand."""
    keeps_stereo: bool
    """False if a stereocentre or a double bond of the pose has the wrong configuration."""
    contacts: list[PoseContact]
    sdf: str
    """A record with coordinates, hydrogens implicit."""


@dataclass(frozen=True)
class OwnLigand:
    """The reference ligand that you gave for a target."""

    smiles: str
    heavy_atoms: int
    coordinates_of: str | None
    """The ligand of the structure whose coordinates it has; null if it has its own."""


@dataclass(frozen=True)
class RejectedLine:
    """A skipped input line and the reason. Lines count from 1."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True)
class ComparedEstimate:
    """A prediction with the limits of its 95% interval, in pKd."""

    lower: float
    upper: float
    predicted: float


@dataclass(frozen=True)
class Agreement:
    """Agreement of predicted and measured values: RMSE in pK units and Kendall's tau (-1 to 1)."""

    rmse: float | None
    """Root mean square error in pK."""
    tau: float | None
    """Kendall's tau b: 1 for the right order, 0 for a random one."""
    tau_interval: Interval | None
    """95% interval of `tau`; null with fewer than five compounds."""


@dataclass(frozen=True)
class CombinedMeasurement:
    """All values of one compound on a target, combined as predictions use them."""

    smiles: str
    """Standard SMILES."""
    names: list[str]
    """Name of the compound in its values: a name of yours, or its SMILES as entered."""
    pk: float
    """The mean of several values, which is the geometric mean of the concentrations."""
    bound: str | None
    """Only if all values of the compound are bounds; `pk` is the closest of them."""
    count: int
    """Values that went into `pk`: Kd and Ki before IC50, exact ones before bounds."""
    spread: float | None
    """Standard deviation of these values in pK; null for one value and for bounds."""


@dataclass(frozen=True)
class Measurement:
    """A value you measured."""

    id: str
    target: str
    compound: str
    """Name of the compound, or its SMILES as entered."""
    smiles: str
    """Standard SMILES of the molecule."""
    type: str
    """One of `Kd`, `Ki`, `IC50`."""
    value: str
    """As entered: `12 nM`, `> 10 µM`, `7.2`."""
    pk: float
    """Negative decimal logarithm of the value in mol/L."""
    bound: str | None
    """`upper`: the pK is at most this (entered as `>` a concentration); `lower`: at least this."""
    created_at: str


@dataclass(frozen=True)
class BestCompound:
    """The measured compound with the strongest value."""

    compound: str
    smiles: str
    pk: float


@dataclass(frozen=True)
class ScoreSlope:
    """Change in pK per unit of the score, with its 95% interval."""

    mean: float
    lower: float
    upper: float


@dataclass(frozen=True)
class RestsOn:
    """A measured value behind a suggestion."""

    compound: str
    pk: float
    similarity: float
    """Tanimoto similarity to the suggested compound."""
    effect: float
    """How much lower the predicted pKd would be without this value; negative: higher."""


@dataclass(frozen=True)
class ListedNumber:
    """The number that a molecule was added to the list with."""

    predicted_kd: float
    lower: float
    upper: float


@dataclass(frozen=True)
class SeriesCore:
    """A core that compounds share."""

    smiles: str
    atoms: int
    """Heavy atoms."""
    compounds: int
    """Number of compounds that have it."""


@dataclass(frozen=True)
class DrawnCore:
    """The core of a series, and its drawing."""

    smiles: str
    svg: str


@dataclass(frozen=True)
class SeriesGroup:
    """A group at one position of the core."""

    smiles: str
    """With its attachment point, for example `F[*:1]`."""
    compounds: int
    svg: str | None
    """A drawing; null if the group cannot be drawn."""


@dataclass(frozen=True)
class SeriesSide:
    """One side of a SAR table: a position of the core and the groups there, the most common first."""

    label: str
    groups: list[SeriesGroup]


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
class MatchedPair:
    """Two compounds, by their positions in the request, that differ in one group."""

    origin: int
    to: int
    change: float | None


@dataclass(frozen=True)
class TrainingChange:
    """The same change of a group in the training data, within one assay each."""

    pairs: int
    mean: float
    """Mean change in pK, and its standard deviation over pairs."""
    spread: float
    assays: int | None = None


@dataclass(frozen=True)
class AppliedChange:
    """A change of one group that was applied to the compounds."""

    origin: str
    to: str
    lower: float


@dataclass(frozen=True)
class SeriesProduct:
    """A new molecule of a series."""

    mass: float
    log_p: float
    tpsa: float
    donors: int
    acceptors: int
    rotatable_bonds: int
    rings: int
    aromatic_rings: int
    fsp3: float
    heavy_atoms: int
    charge: int
    smiles: str
    alerts: list[str]
    """Structural alerts, for example `Brenk nitro_group`."""
    origin: int | None
    """By changes: the changed compound, and the index of the change in `changes`."""
    change: int | None


@dataclass(frozen=True)
class SeriesCluster:
    """Similar compounds, by their positions in the request."""

    centre: int
    """Similar to every member."""
    members: list[int]
    best: int | None
    """The member with the highest `pk`; null if none has one."""


@dataclass(frozen=True)
class ActivityCliff:
    """Two similar compounds whose values differ."""

    weaker: int
    stronger: int
    similarity: float
    change: float
    stereoisomers: bool
    """Whether they differ in configuration only."""


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
class Share:
    """With whom a screen is shared."""

    id: str
    email: str | None
    """Null: everyone who is signed in and has the link."""
    exports: bool
    created_at: str
    viewers: list[str]
    """Names of those who opened the link, first come first, at most 100; else empty."""


@dataclass(frozen=True)
class Comment:
    """A comment on a screen, or on a compound or pair in it."""

    id: str
    author: str | None
    """Name of the author; null once the account was deleted."""
    is_own: bool
    """Whether you may edit and delete it."""
    text: str
    """Plain text."""
    row: int | None
    """The row of its compound in the screen; null for the screen."""
    column: int | None
    """The target of its pair in the screen, from 1; null for the compound on all targets."""
    compound: str | None
    target: str | None
    chain: str | None
    created_at: str
    edited_at: str | None


@dataclass(frozen=True)
class SharedScreen:
    """A screen that another user shares with you."""

    id: str
    name: str | None
    owner: str
    targets: int
    compounds: int
    exports: bool
    shared_at: str


@dataclass(frozen=True)
class CopiedScreen:
    """How much of a shared screen is in your library."""

    targets: int
    compounds: int
    measured_values: int


@dataclass(frozen=True)
class Renamed:
    """A name that was taken, and the one given instead."""

    origin: str
    to: str


@dataclass(frozen=True)
class ChainGap:
    """Neighbours of a gap in a chain, and the number of missing residues."""

    after: str
    before: str
    missing: int | None


@dataclass(frozen=True)
class Pocket:
    """The ligand in the pocket, the chain that lines it, and its other neighbours."""

    ligand: str
    chain: str
    residues: int
    """Residues of that chain within 4.5 Å of the ligand."""
    metals: list[str]
    """Names as in the file, for example `ZN`, `NAP`."""
    cofactors: list[str]


@dataclass(frozen=True)
class MappedResidue:
    """A modified residue that is read as its standard parent."""

    origin: str
    to: str
    count: int


@dataclass(frozen=True)
class CompoundReport:
    """What was read of a compound."""

    formula: str
    """Molecular formula in Hill order, of the molecule used."""
    mass: float
    """Average molecular mass in g/mol."""
    heavy_atoms: int
    standard_smiles: str
    """The molecule used, as canonical SMILES."""
    stripped: list[str]
    """Removed fragments, as SMILES."""
    neutralised: int
    """Number of neutralised charges."""
    warnings: list[str]


@dataclass(frozen=True)
class CompoundProperties:
    """Properties of a compound, without salts and neutralised."""

    mass: float
    log_p: float
    tpsa: float
    donors: int
    acceptors: int
    rotatable_bonds: int
    rings: int
    aromatic_rings: int
    fsp3: float
    heavy_atoms: int
    charge: int


@dataclass(frozen=True)
class Duplicate:
    """A compound that was listed twice."""

    name: str
    same_as: str


@dataclass(frozen=True)
class FlaggedUpload:
    """An uploaded compound with structural alerts."""

    name: str
    alerts: list[str]


TaskStatus: TypeAlias = str


@dataclass(frozen=True)
class Balance:
    """Credits of the account, and the cost of one prediction."""

    credits: float
    credits_per_prediction: float | None = None
    """What one prediction costs, so that a screen can show it before it is charged."""
    news: list[News] | None = None
    """Screens with comments by others, or that have finished, since you last looked; the latest screens first, at most 100. Left out if there are none."""


@dataclass(frozen=True)
class Predictions:
    """Response of `POST /predict`."""

    id: str | None
    """Id of the screen that stores the predictions; null if no SMILES could be used."""
    status: str
    """DONE unless it took too long or was cancelled: repeat the request with the same key, or read the screen."""
    target: ScreenTarget
    model_version: str
    """Several are separated by commas, as in a screen."""
    credits_charged: float
    predictions: list[Prediction]


@dataclass(frozen=True)
class ScreenQuote:
    """Quote of a screen. Counts are pairs, except `targets` and `compounds`."""

    targets: int
    """Number of usable items."""
    compounds: int
    total: int
    """Pairs: each usable compound, as often as it was named, with each usable target."""
    known: int
    """Free pairs: already predicted by this model for you, listed twice, or a stereoisomer of another compound."""
    duplicates: int
    """Compounds with the structure of another in this request: their pairs are free."""
    stereoisomers: int
    """Compounds that differ from another only in stereochemistry, which the model ignores: they get the same number, and their pairs are free."""
    to_predict: int
    """Pairs that are charged."""
    credits_needed: float
    credits_left: float
    unusable: list[UnusableRow]
    """The first ones; `unusable_count` counts all."""
    unusable_count: int
    model_version: str
    flagged: FlaggedCompounds | None = None
    left_out: int | None = None
    """Compounds skipped because of `leave_out`."""
    structure: StructureQuote | None = None


@dataclass(frozen=True)
class Screen(Progress):
    """A screen; its status is QUEUED, RUNNING, DONE, CANCELLED or FAILED."""

    id: str
    follow_up_of: str | None
    """Set for molecules predicted later for the series of a screen: the id of that screen."""
    shared_by: SharedBy | None
    """Null for your own."""
    comments: int
    commented_at: str | None
    """When a comment was last added, edited or deleted; null if never."""
    name: str | None
    """Suggested from files and targets when a screen starts; null without one."""
    note: str
    """Your note on it."""
    tags: list[str]
    """Your tags on it."""
    status: str
    """One of `QUEUED`, `RUNNING`, `DONE`, `CANCELLED`, `FAILED`."""
    total: int
    """Pairs, and the number finished, with or without a prediction."""
    done: int
    known: int
    credits_charged: float
    """The cost; reduced by refunds once it has finished."""
    targets: list[ScreenTarget]
    """Only the first few in a list of screens."""
    target_count: int
    compounds: int
    """Rows of the input, including those without a prediction."""
    model_version: str
    """Several are separated by commas, if the server was upgraded while the screen ran."""
    created_at: str
    finished_at: str | None
    message: str | None
    """A note on how the screen ended."""
    structure_status: str | None
    """Progress of the poses; null without `structure`. They start when the predictions have finished."""
    structure_total: int | None
    """Pairs to place, and the number finished, with or without a pose."""
    structure_done: int | None
    structure_message: str | None
    """A note on how they ended."""
    is_shared: bool | None = None
    """Whether others may read it; left out in a list of screens."""


@dataclass(frozen=True)
class ScreenRow:
    """One pair of a screen."""

    row: int
    """Row number of the compound in the input, from 1."""
    compound: str
    """Name of the compound."""
    smiles: str
    """As uploaded; empty for an unknown compound."""
    target: str
    """Name of the target."""
    chain: str
    """Chain of the target that is predicted on."""
    best_kd: float | None
    """Best estimate of the pKd: the prediction from sequence and compound, moved by the pose and by your measured values on the target where there are any. Null without a prediction, or until there is one."""
    best_lower: float | None
    """Lower end of its 95% interval."""
    best_upper: float | None
    """Upper end of its 95% interval."""
    predicted_kd: float | None
    """Predicted pKd from sequence and compound. It never changes for a pair and a model version."""
    lower: float | None
    """Lower end of the 95% interval of `predicted_kd`."""
    upper: float | None
    """Upper end of the 95% interval of `predicted_kd`."""
    own_values: int | None
    """Number of your measured values on the target that the best estimate uses; null if none."""
    in_domain: bool | None
    """Whether similar compounds were measured on this target."""
    domain_state: str | None
    """`in_domain` is true for `known_on_target`; null if the pair was predicted before there were three states."""
    is_ligand_driven: bool | None
    """Whether the prediction rests mainly on the compound: no training target is similar."""
    compound_similarity: float | None
    """Similarity to the closest training compound, 0 to 1."""
    target_similarity: float | None
    """Similarity to the closest training target, 0 to 1."""
    selectivity: float | None
    """Best estimate minus the highest best estimate of the compound on the other targets."""
    selectivity_error: float | None
    """Half-width of the 95% interval of `selectivity`: a smaller difference is within error."""
    reason: str | None
    """Why there is no prediction."""
    model_version: str
    """Of the model that predicted the row: rows differ if the server was upgraded while the screen ran."""
    mass: float | None = None
    """Average molecular mass in g/mol."""
    log_p: float | None = None
    """Octanol-water logP after Crippen."""
    tpsa: float | None = None
    """Topological polar surface area in Å²."""
    donors: int | None = None
    """As RDKit defines them, which is not Lipinski's count of N and O."""
    acceptors: int | None = None
    """As RDKit defines them, which is not Lipinski's count of N and O."""
    rotatable_bonds: int | None = None
    """Rotatable bonds."""
    rings: int | None = None
    """Rings."""
    aromatic_rings: int | None = None
    """Aromatic rings."""
    fsp3: float | None = None
    """Share of carbon atoms with four single bonds, 0 to 1."""
    heavy_atoms: int | None = None
    """Atoms other than hydrogen."""
    charge: int | None = None
    """Formal charge."""
    measured_pk: float | None = None
    """Your measured values for exactly this pair: the mean of the exact ones in pK."""
    ligand_efficiency: float | None = None
    """1.37 × best estimate / heavy atoms, in kcal/mol per heavy atom."""
    lipophilic_efficiency: float | None = None
    """Best estimate − cLogP."""
    alerts: list[str] | None = None
    """Structural alerts that the compound matches, such as `PAINS azo_A(324)`, and your own patterns."""
    structure_adjusted: StructureAdjusted | None = None
    """If one of your screens placed the compound in the structure: the prediction moved by the pose, by the similarity to the reference ligand and by learnt differences between compounds, each compared with the other compounds of that screen. Your measured values move it further. Null if there is no pose."""
    structure_reason: str | None = None
    """Why there is no pose."""
    profile_probability: float | None = None
    """Probability that the pair meets the profile, 0 to 1."""
    profile_lower: float | None = None
    """The lowest over the pKd's interval."""
    profile_upper: float | None = None
    """The highest over the pKd's interval."""
    profile_tied: bool | None = None
    """Tied with the best score of the screen on this target."""


@dataclass(frozen=True)
class Pose:
    """A compound in the pocket of a structure: a model, not an experiment."""

    target: str
    chain: str
    compound: str
    label: str
    references: list[PoseReference]
    """Ligands to choose from, the suggested one first."""
    reference: str | None
    """The one that is used; null if there is none."""
    own_ligand: str | None
    """The user's own ligand as a molecule file, if it is the one that is used."""
    pose: PlacedPose | None
    """Null if the compound cannot be placed."""
    reason: str | None
    """Why there is no pose."""


@dataclass(frozen=True)
class PoseReferences:
    """The ligands of a target, the suggested one first."""

    target: str
    chain: str
    references: list[PoseReference]
    """The suggested one first: the user's own if there is one, otherwise a large one that touches the chain."""
    own: OwnLigand | None


@dataclass(frozen=True)
class ImportedMeasurements:
    """Result of importing measured values."""

    added: int
    replaced: int
    """Values deleted because the import replaces those of its compounds."""
    repeated: int
    """Values that are stored already, for example when an import is sent twice; they are not stored again."""
    rejected: list[RejectedLine]
    has_header: bool
    """Whether the text has a header line: send it again with corrected lines."""


@dataclass(frozen=True)
class ComparedMeasurement:
    """One of your values, and the prediction for it without and with your other values."""

    id: str
    """Id of its first value."""
    compound: str
    smiles: str
    pk: float
    """The mean of several values, which is the geometric mean of the concentrations."""
    bound: str | None
    """Only if all values of the compound are bounds; `pk` is the closest of them."""
    count: int
    """Values that went into `pk`: Kd and Ki before IC50, exact ones before bounds."""
    spread: float | None
    """Standard deviation of these values in pK; null for one value and for bounds."""
    without_own: ComparedEstimate | None
    """Null without a prediction of this pair: predict it to see it here."""
    with_own: ComparedEstimate | None


@dataclass(frozen=True)
class ScoreJudgement:
    """What another tool's score adds to your measured values."""

    column: str
    direction: str
    """One of `higher`, `lower`."""
    scored: int
    """Compounds with a score, and the measured ones among them."""
    measured: int
    verdict: str
    """Whether it carries information beyond molecular size and the prediction."""
    summary: str
    """The verdict as a sentence."""
    tau: float | None
    """Kendall's tau of the column, and of the prediction alone, over these measured compounds; null with too few values."""
    prediction_tau: float | None
    slope: ScoreSlope | None
    """In pK per standard deviation of the part that neither size nor the prediction explains; null with too few values."""
    weight: float | None
    """Weight of predictions with the column in the average, from 0 to 1; null with too few values."""


@dataclass(frozen=True)
class Suggestion:
    """An untested compound to make or measure next."""

    compound: str
    """Name of the compound; empty for a gap of a SAR table."""
    smiles: str
    predicted_kd: float
    """pKd with the user's values, and its 95% interval; from the pKd after the pose if a screen placed it."""
    lower: float
    upper: float
    predicted_kd_without_own: float
    """pKd without them, after the pose if a screen placed it."""
    chance: float
    """Probability of a measured value above the goal, 0 to 1; rounded down to whole percent."""
    reason: str
    """A sentence with the measured values behind the prediction."""
    rests_on: list[RestsOn]


@dataclass(frozen=True)
class TargetLists:
    """The molecules that you keep for a target, as SMILES, oldest first."""

    make_name: str | None
    """The name of the make list; null without one."""
    make_tags: list[str]
    """The tags of the make list."""
    make: list[str]
    added_with: list[ListedNumber | None]
    """What each molecule of `make` was predicted at when it was added; null if it had no prediction."""
    excluded: list[str]


@dataclass(frozen=True)
class SeriesTable:
    """The SAR table of a series."""

    cores: list[SeriesCore]
    """Cores to choose from, the suggested one first."""
    core: DrawnCore | None
    """The core used, with a drawing of its positions; null without a common core."""
    positions: list[str]
    """Labels of the positions at which the compounds differ, most varied first."""
    rows: SeriesSide | None
    """Groups at one position, most common first, at most 30; null if the compounds differ at fewer than two."""
    columns: SeriesSide | None
    """Null if the compounds do not differ."""
    cells: list[SeriesCell]
    """`compounds`: indices in the request, from 0."""
    gaps: list[SeriesGap]
    """Combinations without a compound, with the molecule they represent."""
    left_out: list[int]
    """Indices of compounds without this core, or with a group beyond the first 30."""


@dataclass(frozen=True)
class GroupChange:
    """A change of one group, and what it did to pK."""

    origin: str
    """With the attachment point as a star, for example `[H]*` and `*F`."""
    to: str
    pairs: list[MatchedPair]
    """Compounds by index in the request; the change in pK is null unless both have a value."""
    pair_count: int
    """Pairs found, those beyond the first 200 included."""
    measured: int
    """Pairs with a change in pK; the next four are null without one."""
    mean: float | None
    spread: float | None
    lower: float | None
    """95% interval of the mean; for one pair, from the usual spread in the training data."""
    upper: float | None
    gaps: int | None
    """Molecules that the change would add to the series; null for a hydrogen, whose positions are not counted."""
    training: TrainingChange | None
    """The same change in the training data, within one assay each: on all targets, and on this one."""
    training_on_target: TrainingChange | None


@dataclass(frozen=True)
class SeriesProducts:
    """New molecules of a series."""

    core: str | None
    """By groups: the core whose positions were filled; null without a common core."""
    changes: list[AppliedChange]
    """By changes: those applied, with their sort key: the lower end of the 95% interval of the mean change."""
    combinations: int
    """Molecules tried."""
    skipped_groups: int
    """By groups: the rarest groups, skipped because all of them would make more than 5,000 combinations."""
    skipped_changes: int
    """By changes: changes not applied to every compound, because there were 5,000 new molecules before."""
    known: int
    """Those that are compounds of the series."""
    impossible: int
    """Those that are not valid molecules, for example a double-bonded group on a core with a single bond there."""
    repeated: int
    """Those that another combination or change had made before."""
    outside: int
    """New molecules outside a property window."""
    flagged: int
    """New molecules inside the windows, but with an excluded alert."""
    products: list[SeriesProduct]


@dataclass(frozen=True)
class SeriesClusters:
    """Clusters, a diverse selection, and activity cliffs."""

    clusters: list[SeriesCluster]
    picked: list[int]
    """A diverse choice: the centre of the largest cluster, then always the compound least similar to those before."""
    cliffs: list[ActivityCliff]
    cliffs_total: int
    """Number of cliffs found, including those beyond the first 100."""
    left_out: list[int]
    """Indices of compounds that cannot be read."""


@dataclass(frozen=True)
class SeriesScore:
    """Another tool's score on a target."""

    columns: list[str]
    """Columns of your compounds that contain numbers."""
    judgement: ScoreJudgement | None
    """The column selected for the target, with its verdict; null without one."""
    predictions: list[ScoredPrediction]


@dataclass(frozen=True)
class ChainReport:
    """What was read of a chain."""

    id: str
    kind: str
    """One of `protein`, `nucleic acid`."""
    residues: int
    missing: int | None
    """Residues in SEQRES without coordinates; null without SEQRES."""
    gaps: list[ChainGap]
    gap_count: int | None = None
    """Total number of breaks, if `gaps` is cut."""


@dataclass(frozen=True)
class Compound:
    """A compound of the library."""

    name: str
    filename: str
    smiles: str
    """The SMILES as uploaded."""
    report: CompoundReport
    file_id: str | None = None
    log_p: float | None = None
    """The same as in `properties`; for a single compound, not in lists."""
    tpsa: float | None = None
    properties: CompoundProperties | None = None
    """Missing until they are computed."""
    alerts: list[str] | None = None
    """Structural alerts that it matches, for example `PAINS azo_A(324)`."""


@dataclass(frozen=True)
class PastPrediction:
    """A past single prediction."""

    task_id: str
    target: str | None
    """Current name of the target; null if it was deleted."""
    chain: str
    compound: str | None
    """Current name of the compound; null if it was deleted."""
    smiles: str | None
    """The predicted molecule; null if the compound was deleted."""
    status: TaskStatus
    message: str | None
    """Why there is no prediction, if it failed."""
    best_kd: float | None
    """The best estimate and its interval, see `best_estimate` of a result."""
    best_lower: float | None
    best_upper: float | None
    predicted_kd: float | None
    """From sequence and compound, with the ends of its calibrated interval, in pKd."""
    lower: float | None
    upper: float | None
    measured_pk: float | None
    """Your measured values for exactly this pair: the mean of the exact ones in pK."""
    model_version: str | None
    credits_charged: float
    """Credits it cost: 0 after a refund."""
    created_at: str


@dataclass(frozen=True)
class Comparison:
    """Measured values of one target against predictions without your values, with all but the value compared, and their mean."""

    target: str
    compared: list[ComparedMeasurement]
    """Strongest first."""
    waiting: int
    """Values whose compound the model has not predicted yet; ask again."""
    without_own: Agreement
    with_own: Agreement
    """Each value predicted from all others."""
    mean_of_own: Agreement
    """Each value predicted as the mean of all others."""
    verdict: str
    """One of `too few`, `helps`, `no difference`, `no better than the average`, `harms`."""
    summary: str
    """The verdict as a sentence."""
    use: bool | None
    """The user's choice for the target; null: own values are used unless they harm or are no better than their average."""
    is_used: bool
    """Whether predictions on the target use your values now."""


@dataclass(frozen=True)
class NextCompounds:
    """A page of five suggestions, the best first."""

    measured: int
    """Compounds with a measured value that the model has predicted too; suggestions need at least three."""
    waiting: int
    """Measured values that the model has not predicted yet; ask again."""
    best: BestCompound | None
    """The strongest measured value."""
    goal: float | None
    """The pK to beat: yours, or the strongest measured value."""
    uses_own_values: bool
    """False if your values make predictions worse, or you disabled them: then predictions without them are ranked."""
    other_score: ScoreJudgement | None
    """The column of another tool's scores selected for the target, as used in the ranking; null without one."""
    candidates: int
    """Ranked compounds, those on other pages included."""
    untested: int
    """Untested compounds with a prediction; more than `candidates` where there are more than 2,000."""
    suggestions: list[Suggestion]


@dataclass(frozen=True)
class SeriesPairs:
    """Matched pairs of a series."""

    changes: list[GroupChange]
    total: int
    """Changes found, those beyond the first 100 included."""
    training_target: str | None
    """The training target that is this protein; null if there is none."""
    drawings: dict[str, Any]
    """Drawings of the groups, by their SMILES; a group that cannot be drawn has none."""


@dataclass(frozen=True)
class TargetReport:
    """What was read of a structure."""

    title: str | None
    pdb_code: str | None
    chains: list[ChainReport]
    mapped: list[MappedResidue]
    """Modified residues that were read as their parent, for example `MSE` as `MET`, with their number."""
    dropped: list[str]
    """What the prediction ignores, in chemists' words: `2 ligands (STI)`, `168 waters`."""
    warnings: list[str]
    """Sentences about anything unusual: further models, alternate locations, alpha carbons only."""
    default_chain: str | None = None
    """The default chain; missing in reports of older uploads."""
    pocket: Pocket | None = None
    mapped_count: int | None = None
    """Total number of kinds of modified residues, if `mapped` is cut."""


@dataclass(frozen=True)
class Target:
    """A target of the library."""

    name: str
    filename: str
    size_bytes: int
    chain: str
    """Identifier of the chain that predictions use."""
    residues: int
    """Residues of that chain."""
    report: TargetReport
    file_id: str | None = None
    """The file it was read from: several may have the same name."""


@dataclass(frozen=True)
class Upload:
    """Result of an upload; `names` are the names to use in predictions and screens."""

    message: str
    file_type: str
    """One of `protein_pdb`, `drug_smiles`."""
    filename: str
    names: list[str]
    """Names as in the lists, in file order."""
    renamed: list[Renamed]
    """Names that were taken by another structure or molecule, and the names stored instead."""
    unchanged: list[str]
    """Names that existed already with the same content: nothing was stored twice."""
    targets: list[Target]
    compounds: list[Compound]
    """The first ones; `names` contains all."""
    rejected: list[RejectedLine]
    duplicate_count: int | None = None
    """Number of these compounds whose structure you had before under another name, and the first of them."""
    duplicates: list[Duplicate] | None = None
    rejected_count: int | None = None
    """Total number of skipped lines, if `rejected` is cut."""
    flagged_count: int | None = None
    """Number of compounds that match a structural alert; missing until all are checked."""
    flagged: list[FlaggedUpload] | None = None
    """The first of them, with the names of their alerts: PAINS, Brenk and the user's own patterns."""
    own_alerts_checked: bool | None = None
    """False if there was no time for the user's own patterns: `flagged` then contains only PAINS and Brenk."""


Sort = Literal[
    "input",
    "affinity",
    "interval",
    "compound_similarity",
    "target_similarity",
    "selectivity",
    "mass",
    "log_p",
    "tpsa",
    "donors",
    "acceptors",
    "rotatable_bonds",
    "rings",
    "aromatic_rings",
    "fsp3",
    "heavy_atoms",
    "charge",
    "ligand_efficiency",
    "lipophilic_efficiency",
    "profile",
    "nearest",
]
