/** Says why a file without a protein chain cannot be a target, by what it holds instead. */
import { type Parsed, unreadable } from '../parsed.ts'
import type { Built } from './build-chains.ts'
import { counted, nameSome } from './name-some.ts'
import { aminoAcidParent } from './residue-names.ts'
import type { Scan } from './scan.ts'
import { type Chain, knownResidues, type Structure } from './structure.ts'

type Findings = { structure: Structure; scan: Scan; built: Built; target: Chain | null }

export function refusalWithoutProtein(findings: Findings): Parsed<never> {
  const { scan, target } = findings
  if (scan.unreadableAtoms > scan.atoms) return unreadableAtoms(scan)
  if (scan.atoms + scan.waters === 0) {
    return unreadable(0, scan.records > 0 ? onlyHeader : notPdb)
  }
  if (target !== null) {
    const residues = counted(knownResidues(target), 'residue')
    const known = knownResidues(target) < target.residues.length ? ' of known type' : ''
    const least = `a target needs at least ${targetResiduesMin}`
    return unreadable(0, `The longest protein chain has only ${residues}${known}; ${least}.`)
  }
  return unreadable(0, `${holding(findings)}; ${needsProtein}`)
}

/** Residues that a protein chain needs at least to be a target. */
export const targetResiduesMin = 4

const needsProtein = 'a target needs a protein chain.'

function unreadableAtoms({ unreadableAtoms: count, firstUnreadableLine }: Scan): Parsed<never> {
  const lines = count === 1 ? 'an atom line' : counted(count, 'atom line')
  const place = 'PDB files keep coordinates in columns 31 to 54'
  return unreadable(firstUnreadableLine, `The coordinates of ${lines} cannot be read: ${place}.`)
}

const onlyHeader = 'This PDB file holds no atoms; a target needs coordinates.'
const notPdb = 'This is not a PDB file: it holds no ATOM records.'

function holding({ structure, scan, built }: Findings): string {
  const acids = nucleicAcidsOf(structure.chains)
  if (acids !== null) return `This file holds ${acids} only`
  const names = built.ligands.map((ligand) => ligand.name)
  if (built.incomplete.length > 0) {
    const residues = counted(built.incomplete.length, 'residue')
    return `The file holds ${residues} without alpha carbons (${nameSome(built.incomplete)})`
  }
  if (names.length > 0 && names.every(isAminoAcid)) {
    return `This file holds ${counted(names.length, 'single amino acid')} only (${nameSome(names)})`
  }
  if (names.length > 0) return `This file holds small molecules or ions only (${nameSome(names)})`
  return scan.waters > 0 ? 'This file holds water only' : 'This file holds no protein'
}

function isAminoAcid(name: string): boolean {
  return aminoAcidParent(name, new Map()) !== null
}

function nucleicAcidsOf(chains: readonly Chain[]): string | null {
  const nucleic = chains.filter((chain) => chain.kind === 'nucleic acid')
  if (nucleic.length === 0) return null
  const dna = nucleic.filter(isDna).length
  if (dna === 0) return 'RNA'
  return dna === nucleic.length ? 'DNA' : 'DNA and RNA'
}

/** Old files give both the same names; DNA has thymine and no 2' oxygen. */
function isDna(chain: Chain): boolean {
  return !chain.residues.some((residue) => residue.atoms.some((atom) => atom.name === "O2'"))
}
