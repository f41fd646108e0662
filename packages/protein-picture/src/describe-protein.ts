/** The text alternative of a structure's picture: title, chains, secondary structure and ligands. */
import type { Chain, Structure } from '@pkdex/biochem'
import { assignSecondaryStructure } from './secondary-structure.ts'

const TITLE_LENGTH_MAX = 120
const NAMES_MAX = 4

/** One to four sentences; a structure without chains still has the first. */
export function describeProtein(structure: Structure): string {
  const sentences = [
    `Cartoon of ${titleOf(structure)}.`,
    chainSentence(structure.chains),
    secondarySentence(structure),
    ligandSentence(structure),
  ]
  return sentences.filter((sentence) => sentence !== null).join(' ')
}

function titleOf({ title, pdbCode }: Structure): string {
  const name = title?.trim()
  if (!name) return pdbCode ? `PDB entry ${pdbCode}` : 'a structure without a title'
  const short = shorten(name.replace(/\.$/, ''))
  return pdbCode ? `${short} (PDB ${pdbCode})` : short
}

/** Cut at the end of a word if possible. */
function shorten(title: string): string {
  if (title.length <= TITLE_LENGTH_MAX) return title
  return `${title.slice(0, TITLE_LENGTH_MAX).replace(/\s+\S{0,30}$/, '')} …`
}

function chainSentence(chains: readonly Chain[]): string | null {
  if (chains.length === 0) return null
  const parts = (['protein', 'nucleic acid'] as const).flatMap((kind) => {
    const own = chains.filter((chain) => chain.kind === kind)
    const residues = own.reduce((sum, chain) => sum + chain.residues.length, 0)
    const unit = kind === 'protein' ? 'residue' : 'nucleotide'
    return own.length === 0
      ? []
      : [`${count(own.length, `${kind} chain`)} with ${count(residues, unit)}`]
  })
  const gaps = chains.reduce((sum, chain) => sum + chain.gaps.length, 0)
  return `${parts.join(' and ')}${gaps > 0 ? `, ${count(gaps, 'gap')}` : ''}.`
}

function secondarySentence(structure: Structure): string | null {
  const kinds = assignSecondaryStructure(structure).flat()
  if (kinds.length === 0) return null
  const share = (kind: string) =>
    Math.round((100 * kinds.filter((other) => other === kind).length) / kinds.length)
  const [helix, strand] = [share('helix'), share('strand')]
  if (helix === 0 && strand === 0) return 'No helices or strands.'
  return `${helix}% in helices, ${strand}% in strands.`
}

function ligandSentence({ ligands }: Structure): string | null {
  if (ligands.length === 0) return null
  const counts = new Map<string, number>()
  for (const { name } of ligands) counts.set(name, (counts.get(name) ?? 0) + 1)
  const names = [...counts].map(([name, times]) => (times > 1 ? `${times} × ${name}` : name))
  const rest = names.length - NAMES_MAX
  const shown = names.slice(0, NAMES_MAX).join(', ')
  return `Other molecules: ${shown}${rest > 0 ? ` and ${count(rest, 'other kind')}` : ''}.`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
