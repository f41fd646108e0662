/**
 * Opens RDKit.js, names what it throws when it breaks, and says how large a molecule it is given. One
 * module serves one thread.
 */
import type { MainModule, Mol } from '@rdkit/rdkit'

/** The opened WASM module. Everything in this package that needs RDKit takes it as its first argument. */
export type RdkitModule = MainModule
/** A molecule in WASM memory: its holder deletes it. */
export type RdkitMolecule = Mol

/** RDKit broke on an input. Its module cannot be trusted after that: open a fresh one. */
export class RdkitTrap extends Error {
  override readonly name = 'RdkitTrap'
}

/** Takes about 75 ms and 70 MB. Works in Node's main thread and in its worker threads. */
export async function openRdkit(): Promise<RdkitModule> {
  const { default: rdkit } = await import('@rdkit/rdkit')
  // What RDKit has to say about an input is captured where it is needed, never printed.
  const module = await rdkit.default({ print: ignore, printErr: ignore })
  module.prefer_coordgen(true)
  // Square-planar and similar marks on a carbon have no stable canonical form, and no drug needs them.
  module.allow_non_tetrahedral_chirality(false)
  return module
}

/** Runs what calls RDKit; whatever WASM throws comes out as an `RdkitTrap`. */
export function trapped<T>(call: () => T): T {
  try {
    return call()
  } catch (cause) {
    if (cause instanceof RdkitTrap) throw cause
    throw new RdkitTrap('RDKit broke on this molecule.', { cause })
  }
}

function ignore(): void {}

/**
 * How large a molecule may be. RDKit.js hangs or corrupts its memory beyond a few hundred atoms, so these
 * are checked on the text before it sees any of it; measured clean, with room to spare.
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
