/**
 * How large a molecule may be. RDKit.js hangs or corrupts its memory beyond a few hundred atoms, so
 * these are checked on the text before it sees any of it; measured clean, with room to spare.
 */
export const smilesLimits = {
  characters: 2000,
  heavyAtoms: 250,
  /** Written-out hydrogens included. */
  atoms: 400,
  /** Ring closures in all, and therefore rings: C60 has 31, a drug hardly ever more than 14. */
  ringClosures: 40,
  /** Ferrocene has ten on its iron. RDKit overruns its memory at sixteen. */
  atomBonds: 12,
  drawnAtoms: 150,
  fileMolecules: 5000,
  nameCharacters: 200,
} as const
