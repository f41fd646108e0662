/** What a person should know about a molecule before they trust its prediction, as sentences. */
import { elementSymbol } from './elements.ts'
import { netCharge } from './formula.ts'
import type { GraphAtom } from './molecule-graph.ts'

/** Elements that the training molecules are made of; each other one occurs in a handful at most. */
const familiar = new Set(['H', 'C', 'N', 'O', 'F', 'P', 'S', 'Cl', 'Br', 'I'])

const nonMetals = 'H He B C N O F Ne Si P S Cl Ar Ge As Se Br Kr Te I Xe At Rn'
const counterIons = 'Li Na K Rb Cs Fr Be Mg Ca Sr Ba Ra Al Zn'
/** Elements that are left out without a word about them; every other one is a metal that binds ligands. */
const ordinary = new Set(`${nonMetals} ${counterIons}`.split(' '))

type Observed = {
  /** Atoms of the molecule that is used. */
  atoms: GraphAtom[]
  /** Atoms of the fragments that were left out. */
  leftOut: GraphAtom[]
  /** Isotope labels that were left out. */
  isotopes: number
  /** Organic molecules of similar size that were left out, as SMILES. */
  rivals: string[]
}

export function collectWarnings({ atoms, leftOut, isotopes, rivals }: Observed): string[] {
  return [
    warnOfElements(atoms),
    warnOfMetals(leftOut),
    warnOfUnpaired(atoms),
    warnOfCharge(netCharge(atoms)),
    warnOfIsotopes(isotopes),
    warnOfRivals(rivals),
  ].flatMap((warning) => warning ?? [])
}

function warnOfElements(atoms: GraphAtom[]): string | null {
  const rare = symbolsBeside(familiar, atoms)
  if (rare.length === 0) return null
  return `Contains ${rare.join(', ')}, which the predictor has hardly ever seen.`
}

function warnOfMetals(leftOut: GraphAtom[]): string | null {
  const metals = symbolsBeside(ordinary, leftOut)
  if (metals.length === 0) return null
  return `Left out ${metals.join(', ')}: if this is a metal complex, only one organic part of it is used.`
}

/** Those of the atoms that are not among the known ones, each once. */
function symbolsBeside(known: Set<string>, atoms: GraphAtom[]): string[] {
  const symbols = new Set(atoms.map((atom) => elementSymbol(atom.element)))
  return [...symbols].filter((symbol) => !known.has(symbol)).toSorted()
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
