/** What a person should know about a molecule before they trust its prediction, as sentences. */
import { elementSymbol } from './elements.ts'
import { netCharge } from './formula.ts'
import type { GraphAtom } from './molecule-graph.ts'

/** Elements that the training molecules are made of; each other one occurs in a handful at most. */
const familiar = new Set(['H', 'C', 'N', 'O', 'F', 'P', 'S', 'Cl', 'Br', 'I'])

type Observed = {
  /** Atoms of the molecule that is used. */
  atoms: GraphAtom[]
  /** Isotope labels that were left out. */
  isotopes: number
  /** Organic molecules of similar size that were left out, as SMILES. */
  rivals: string[]
}

export function collectWarnings({ atoms, isotopes, rivals }: Observed): string[] {
  return [
    warnOfElements(atoms),
    warnOfUnpaired(atoms),
    warnOfCharge(netCharge(atoms)),
    warnOfIsotopes(isotopes),
    warnOfRivals(rivals),
  ].flatMap((warning) => warning ?? [])
}

function warnOfElements(atoms: GraphAtom[]): string | null {
  const symbols = new Set(atoms.map((atom) => elementSymbol(atom.element)))
  const rare = [...symbols].filter((symbol) => !familiar.has(symbol)).toSorted()
  if (rare.length === 0) return null
  return `Contains ${rare.join(', ')}, which the predictor has hardly ever seen.`
}

function warnOfUnpaired(atoms: GraphAtom[]): string | null {
  const unpaired = atoms.reduce((sum, atom) => sum + atom.unpaired, 0)
  if (unpaired === 0) return null
  return `Has ${counted(unpaired, 'unpaired electron')}: perhaps a hydrogen is missing in brackets.`
}

function warnOfCharge(charge: number): string | null {
  if (charge === 0) return null
  return `Carries a charge of ${charge > 0 ? '+' : '−'}${Math.abs(charge)} that no hydrogen can balance.`
}

function warnOfIsotopes(isotopes: number): string | null {
  if (isotopes === 0) return null
  return `${counted(isotopes, 'isotope label')} left out: formula and mass are those without.`
}

function warnOfRivals(rivals: string[]): string | null {
  const [first] = rivals
  if (first === undefined) return null
  const shown = first.length > 60 ? `${first.slice(0, 60)}…` : first
  return `Another molecule of similar size was left out, ${shown}: check that the right one is used.`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
