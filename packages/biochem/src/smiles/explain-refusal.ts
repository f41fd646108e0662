/** Says why RDKit cannot read a SMILES, in a chemist's words. */
import type { RdkitModule } from './open-rdkit.ts'

const FALLBACK = 'This SMILES cannot be read as a molecule.'

const explanations: readonly (readonly [
  pattern: RegExp,
  explain: (match: RegExpExecArray) => string,
])[] = [
  [
    /Explicit valence for atom # (\d+) (\w+), (\d+), is greater/,
    ([, atom, symbol, bonds]) =>
      `Atom ${count(atom)} (${symbol}) has ${bonds} bonds, more than its valence allows.`,
  ],
  [
    /kekulize mol\.\s+Unkekulized atoms: ([\d ]+)/,
    ([, atoms]) =>
      `The aromatic ring through atoms ${countAll(atoms)} has no valid pattern of double bonds; ` +
      'perhaps one of its nitrogens should be [nH].',
  ],
  [
    /non-ring atom (\d+) marked aromatic/,
    ([, atom]) => `Atom ${count(atom)} is written in lower case (aromatic) but is in no ring.`,
  ],
]

/** Reads the SMILES once more, with RDKit's log captured. It has passed our own scan before. */
export function explainRefusal(rdkit: RdkitModule, smiles: string): string {
  using log = rdkit.set_log_capture('rdApp.error')
  using molecule = rdkit.get_mol(smiles)
  if (molecule || !log) return FALLBACK
  const message = log.get_buffer()
  for (const [pattern, explain] of explanations) {
    const match = pattern.exec(message)
    if (match) return explain(match)
  }
  return FALLBACK
}

/** RDKit counts atoms from 0, a person from 1. */
function count(atom: string | undefined): number {
  return Number(atom) + 1
}

function countAll(atoms: string | undefined): string {
  const numbers = (atoms ?? '').trim().split(' ').map(count)
  return numbers.length > 8 ? `${numbers.slice(0, 8).join(', ')}, …` : numbers.join(', ')
}
