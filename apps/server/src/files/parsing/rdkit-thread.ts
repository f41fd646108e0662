/** The RDKit module of a parsing thread. */
import { drawMolecule, openRdkit, type RdkitModule, standardise } from '@pkdex/biochem'

export const COMPOUND_PICTURE = { width: 640, height: 480 }

let openedRdkit: Promise<RdkitModule> | null = openWarmRdkit()

/** An exception inside WebAssembly leaves the module in an unknown state: the next task gets a fresh one. */
export function dropRdkit(): void {
  openedRdkit = null
}

export function healthyRdkit(): Promise<RdkitModule> {
  openedRdkit ??= openWarmRdkit()
  return openedRdkit
}

/** The first call of a function compiles it; this must not count against the time limit of the first molecule. */
async function openWarmRdkit(): Promise<RdkitModule> {
  const rdkit = await openRdkit()
  standardise(rdkit, 'C[C@H](N)C(=O)[O-].[Na+]')
  drawMolecule(rdkit, 'C[C@H](N)C(=O)O', { ...COMPOUND_PICTURE, theme: 'light' })
  return rdkit
}

/** RDKit may be broken after a failure, so the next task opens it again. */
export async function withRdkit<T>(run: (rdkit: RdkitModule) => T): Promise<T> {
  const rdkit = await healthyRdkit()
  try {
    return run(rdkit)
  } catch (error) {
    dropRdkit()
    throw error
  }
}
