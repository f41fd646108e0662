/** Reads the molecule block of an SD file as SMILES. */
import { type RdkitModule, smilesLimits, trapped } from './rdkit.ts'

/** Null if it cannot be read, or is too large for RDKit. */
export function readMolblock(rdkit: RdkitModule, block: string): string | null {
  if (!isWithinLimits(block)) return null
  return trapped(() => {
    using molecule = rdkit.get_mol(block)
    return molecule === null ? null : molecule.get_smiles()
  })
}

/** By the counts, which must be those of the lines: RDKit reads as many. */
function isWithinLimits(block: string): boolean {
  const lines = block.split('\n')
  const isV3000 = /V3000/.test(lines[3] ?? '')
  const [atoms, bonds] = isV3000 ? countV3000(lines) : countV2000(lines[3] ?? '')
  const rings = bonds - atoms
  return atoms <= smilesLimits.atoms && rings < smilesLimits.ringClosures && lines.length < 4000
}

function countV2000(counts: string): [atoms: number, bonds: number] {
  const [atoms, bonds] = [counts.slice(0, 3), counts.slice(3, 6)].map(Number)
  return [atoms || 0, bonds || 0]
}

function countV3000(lines: string[]): [atoms: number, bonds: number] {
  const counts = lines.map((line) => /^M {2}V30 COUNTS +(\d{1,6}) +(\d{1,6})/.exec(line))
  const [, atoms = '0', bonds = '0'] = counts.find((count) => count !== null) ?? []
  return [Number(atoms), Number(bonds)]
}
