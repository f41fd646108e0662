export * from './parsed.ts'
export * from './pdb/structure.ts'
export * from './features/compound-features.ts'
export * from './features/feature-spec.ts'
export * from './features/target-features.ts'
export * from './smiles/rdkit.ts'
export * from './smiles/scan-smiles.ts'
export * from './smiles/standardise.ts'
export * from './pdb/read-structure.ts'
export { defaultChain } from './pdb/pocket.ts'
export { reportTarget, type ReportedChain, type ReportedTarget } from './pdb/report-target.ts'
export {
  readCompoundLines,
  type CompoundLine,
  type CompoundLines,
  type RejectedCompoundLine,
} from './smiles/compound-file.ts'
export * from './smiles/compound-name.ts'
export { type OwnCell } from './smiles/own-columns.ts'
export { readProperties, type MoleculeProperties } from './smiles/properties.ts'
export {
  drawMolecule,
  drawPlaced,
  type DrawingOptions,
  type DrawingTheme,
  type MoleculeDrawing,
  type PlacedDrawing,
} from './draw/draw-molecule.ts'
export { writeMolblock } from './draw/write-molblock.ts'
export { hideAtoms, visibleFeatures } from './features/hidden-atoms.ts'
export { matchSubstructure } from './smiles/substructure.ts'
export { commonPart, type CommonPart } from './smiles/common-part.ts'
