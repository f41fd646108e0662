/** Opens RDKit.js, wraps its failures, and limits the size of molecules it gets. One module serves one thread. */
import type { MainModule, Mol } from '@rdkit/rdkit'

/** The opened WASM module. Everything in this package that needs RDKit takes it as its first argument. */
export type RdkitModule = MainModule
/** A molecule in WASM memory: its owner must delete it. */
export type RdkitMolecule = Mol

/** RDKit broke on an input. Its module cannot be trusted after that: open a new one. */
export class RdkitTrap extends Error {
  override readonly name = 'RdkitTrap'
}

/** Takes about 75 ms and 70 MB. Works in Node's main thread and in its worker threads. */
export async function openRdkit(): Promise<RdkitModule> {
  const { default: rdkit } = await import('@rdkit/rdkit')
  // RDKit's log is captured when needed, never printed.
  const module = await rdkit.default({ print: ignore, printErr: ignore })
  module.prefer_coordgen(true)
  // Square-planar and similar marks on a carbon have no stable canonical form, and no drug needs them.
  module.allow_non_tetrahedral_chirality(false)
  return module
}

/** Calls RDKit; anything WASM throws becomes an `RdkitTrap`. */
export function trapped<T>(call: () => T): T {
  try {
    return call()
  } catch (cause) {
    if (cause instanceof RdkitTrap) throw cause
    throw new RdkitTrap('RDKit broke on this molecule.', { cause })
  }
}

const DRAWN_HYDROGEN = /\[\d*H\]/

/**
 * Null if RDKit cannot read it. Hydrogens drawn as atoms are removed. RDKit takes as long to look for them, and for
 * stereochemistry, if there are none, so it is told.
 */
export function readSmiles(rdkit: RdkitModule, smiles: string): RdkitMolecule | null {
  const options = { removeHs: DRAWN_HYDROGEN.test(smiles), assignStereo: isIsomeric(smiles) }
  return rdkit.get_mol(smiles, JSON.stringify(options))
}

/** Whether a SMILES has stereochemistry. */
export function isIsomeric(smiles: string): boolean {
  return /[@/\\]/.test(smiles)
}

function ignore(): void {}

/**
 * Limits on molecules. RDKit.js hangs or corrupts its memory beyond a few hundred atoms, so these are checked on the
 * text before it gets any of it; measured safe, with a margin.
 */
export const smilesLimits = {
  characters: 2000,
  heavyAtoms: 250,
  /** Including explicit hydrogens. */
  atoms: 400,
  /** Ring closures in all, and therefore rings: C60 has 31, a drug rarely more than 14. */
  ringClosures: 40,
  /** Ferrocene has ten on its iron. RDKit overruns its memory at sixteen. */
  atomBonds: 12,
  drawnAtoms: 150,
  fileMolecules: 5000,
  nameCharacters: 200,
} as const
