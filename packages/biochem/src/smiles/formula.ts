/** Molecular formula and average mass, from the atoms and their hydrogens. */
import { atomicWeight, elementSymbol } from './elements.ts'
import type { GraphAtom } from './molecule-graph.ts'

const HYDROGEN = 1

/** Hill order: carbon, hydrogen, then the others by symbol; all by symbol where there is no carbon. */
export function writeFormula(atoms: GraphAtom[]): string {
  const counts = countElements(atoms)
  const first = counts.has('C') ? ['C', 'H'] : []
  const others = [...counts.keys()].filter((symbol) => !first.includes(symbol)).toSorted()
  const body = [...first, ...others]
    .filter((symbol) => counts.has(symbol))
    .map((symbol) => `${symbol}${writeCount(counts.get(symbol) ?? 0)}`)
    .join('')
  return body + writeCharge(netCharge(atoms))
}

/** In g/mol, to three places, of the elements as they occur in nature. */
export function averageMass(atoms: GraphAtom[]): number {
  const mass = atoms.reduce(
    (sum, atom) => sum + atomicWeight(atom.element) + atom.hydrogens * atomicWeight(HYDROGEN),
    0,
  )
  return Math.round(mass * 1000) / 1000
}

export function netCharge(atoms: GraphAtom[]): number {
  return atoms.reduce((sum, atom) => sum + atom.charge, 0)
}

function countElements(atoms: GraphAtom[]): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (symbol: string, count: number) => {
    if (count > 0) counts.set(symbol, (counts.get(symbol) ?? 0) + count)
  }
  for (const atom of atoms) {
    add(elementSymbol(atom.element), 1)
    add('H', atom.hydrogens)
  }
  return counts
}

function writeCount(count: number): string {
  return count === 1 ? '' : String(count)
}

function writeCharge(charge: number): string {
  if (charge === 0) return ''
  const size = Math.abs(charge)
  return `${charge > 0 ? '+' : '-'}${size === 1 ? '' : size}`
}
