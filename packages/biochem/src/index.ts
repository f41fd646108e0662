export * from './parsed.ts'
export * from './pdb/structure.ts'
export * from './features/compound-features.ts'
export { describeCompound, type DescribedCompound } from './features/describe-compound.ts'
export * from './features/feature-spec.ts'
export {
  kernelDescriptorNames,
  kernelFeatures,
  type KernelFeatures,
} from './features/kernel-descriptors.ts'
export * from './features/packed-features.ts'
export * from './features/target-features.ts'
export * from './smiles/flat-smiles.ts'
export * from './smiles/rdkit.ts'
export * from './smiles/scan-smiles.ts'
export * from './smiles/standardise.ts'
export * from './pdb/read-structure.ts'
export { defaultChain } from './pdb/pocket.ts'
export { reportTarget, type ReportedChain, type ReportedTarget } from './pdb/report-target.ts'
export {
  readCompoundLines,
  type CompoundFileRow,
  type CompoundLine,
  type CompoundLines,
  type RejectedCompoundLine,
} from './smiles/compound-file.ts'
export * from './smiles/compound-name.ts'
export { readMolblock } from './smiles/read-molblock.ts'
export { type OwnCell } from './smiles/own-columns.ts'
export { readProperties, type MoleculeProperties } from './smiles/properties.ts'
export {
  alertCatalogue,
  type AlertPattern,
  type AlertSearch,
  checkSmarts,
  locateAlerts,
  openAlerts,
} from './smiles/alerts.ts'
export { type CompoundRecord, unpackRecord } from './smiles/compound-record.ts'
export {
  drawMolecule,
  drawPlaced,
  type DrawingOptions,
  type DrawingTheme,
  type MoleculeDrawing,
  type PlacedDrawing,
} from './draw/draw-molecule.ts'
export { findCore, type CommonCore } from './draw/common-core.ts'
export { writeMolblock } from './draw/write-molblock.ts'
export { hideAtoms, visibleFeatures } from './features/hidden-atoms.ts'
export { matchSubstructure } from './smiles/substructure.ts'
export { commonPart, type CommonPart } from './smiles/common-part.ts'
export {
  countGaps,
  findMatchedPairs,
  HYDROGEN_GROUP,
  type MatchedPair,
  orient,
  readContexts,
} from './series/matched-pairs.ts'
export {
  type Cliff,
  type Cluster,
  findCliffs,
  findClusters,
  pickDiverse,
  readFingerprints,
} from './series/cluster.ts'
export { searchStructure, type StructureSearch } from './series/structure-search.ts'
export { cutMolecule } from './series/cut-molecule.ts'
export { withoutOpposites } from './series/opposite-configuration.ts'
export {
  buildSeriesTable,
  drawGroup,
  type FoundSeries,
  type SeriesTable,
  type SeriesTableRequest,
} from './series/table.ts'
export { similarityWithoutOrders } from './pose/environments.ts'
export { listContacts, type PoseContact } from './pose/contacts.ts'
export {
  placeCompound,
  type PlacedPose,
  poseFeature,
  relaxedReferenceEnergy,
  type Site,
} from './pose/place.ts'
export { preparePocket } from './pose/pocket-atoms.ts'
export { listReferences, readReference, type ReferenceChoice } from './pose/reference-ligand.ts'
export { readParts } from './pose/molecule-parts.ts'
export {
  findMisplacement,
  layOntoLigand,
  type OwnLigand,
  readOwnSdf,
  referenceOf,
  withoutOverlapping,
} from './pose/own-ligand.ts'
export { writeComplexPdb, writePoseSdf } from './pose/write-pose.ts'
export { enumerateSeries, type Enumeration, PRODUCTS_MAX } from './series/enumerate.ts'
export { type AppliedChange, applyChanges, type ChangedMolecule } from './series/apply-changes.ts'
