/** Says in sentences what was unusual about a file and what was done about it. */
import type { Built } from './build-chains.ts'
import { counted, nameSome } from './name-some.ts'
import type { Scan } from './scan.ts'
import type { Chain } from './structure.ts'

type Findings = { scan: Scan; built: Built; chains: readonly Chain[]; misfits: readonly string[] }

export function listWarnings(findings: Findings): string[] {
  return sentences.map((sentence) => sentence(findings)).filter((text) => text !== null)
}

const sentences: ((findings: Findings) => string | null)[] = [
  models,
  afterEnd,
  unreadableLines,
  incomplete,
  alternates,
  shared,
  alphaCarbonsOnly,
  unknown,
  renamed,
  scattered,
  misfit,
  short,
]

function models({ scan }: Findings): string | null {
  if (scan.models < 2) return null
  return `The file holds ${scan.models.toLocaleString('en')} models; only the first is read.`
}

function afterEnd({ scan }: Findings): string | null {
  return scan.goesOnAfterEnd ? 'Atoms after the END record are left out.' : null
}

function unreadableLines({ scan }: Findings): string | null {
  if (scan.unreadableAtoms === 0) return null
  const lines = counted(scan.unreadableAtoms, 'atom line')
  return `${lines} could not be read and left out, the first at line ${scan.firstUnreadableLine}.`
}

function incomplete({ built }: Findings): string | null {
  if (built.incomplete.length === 0) return null
  const residues = counted(built.incomplete.length, 'residue')
  return `${residues} without backbone atoms left out: ${nameSome(built.incomplete)}.`
}

function alternates({ built }: Findings): string | null {
  if (built.alternates === 0) return null
  const residues = counted(built.alternates, 'residue')
  return `${residues} with alternate locations: the one with the highest occupancy is used.`
}

function shared({ built }: Findings): string | null {
  if (built.shared.length === 0) return null
  return `More than one residue type at ${nameSome(built.shared)}: the most occupied is used.`
}

function alphaCarbonsOnly({ chains }: Findings): string | null {
  const ids = chains.filter(isAlphaCarbonsOnly).map((chain) => chain.id)
  return ids.length === 0 ? null : `Alpha carbons only: chain ${nameSome(ids)}.`
}

function isAlphaCarbonsOnly(chain: Chain): boolean {
  return chain.kind === 'protein' && chain.residues.every((residue) => residue.atoms.length === 1)
}

function unknown({ chains }: Findings): string | null {
  const names = chains
    .flatMap((chain) => chain.residues)
    .filter((residue) => residue.letter === 'X')
    .map((residue) => residue.name)
  if (names.length === 0) return null
  return `${counted(names.length, 'residue')} of unknown type read as X: ${nameSome(names)}.`
}

function renamed({ built }: Findings): string | null {
  const ids = built.chains.filter((chain) => chain.id !== chain.fileId).map((chain) => chain.id)
  if (ids.length === 0) return null
  return `Chain identifiers are blank or used twice in the file; named here: ${nameSome(ids)}.`
}

function scattered({ chains }: Findings): string | null {
  const ids = chains
    .filter(({ residues, gaps }) => gaps.length > residues.length / 4)
    .map((chain) => chain.id)
  if (ids.length === 0) return null
  return `Many neighbouring residues of chain ${nameSome(ids)} are not bonded: check the coordinates.`
}

function misfit({ misfits }: Findings): string | null {
  if (misfits.length === 0) return null
  return `The residues of chain ${nameSome(misfits)} do not fit its SEQRES records.`
}

function short({ chains }: Findings): string | null {
  const longest = Math.max(0, ...chains.filter(isProtein).map((chain) => chain.residues.length))
  if (longest >= shortMax) return null
  return `The longest protein chain has only ${counted(longest, 'residue')}: too few for a dependable prediction.`
}

const shortMax = 30

function isProtein(chain: Chain): boolean {
  return chain.kind === 'protein'
}
