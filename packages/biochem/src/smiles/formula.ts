/**
 * Molecular formula and average mass, from the atoms and their hydrogens, and the symbols and standard atomic weights of
 * the elements (IUPAC, abridged).
 */
import type { GraphAtom } from './molecule-graph.ts'

const HYDROGEN = 1

/** Hill order: carbon, hydrogen, then the others by symbol; all by symbol without carbon. */
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

/** In g/mol, to three decimals, with natural isotope abundances. */
export function averageMass(atoms: GraphAtom[]): number {
  const mass = atoms.reduce(
    (sum, atom) => sum + atomicWeight(atom.element) + atom.hydrogens * atomicWeight(HYDROGEN),
    0,
  )
  return Math.round(mass * 1000) / 1000
}

/** Sum of formal charges, in elementary charges. */
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

// The elements by atomic number.

/** `[0]` is the wildcard. For elements without a stable isotope the weight is a mass number. */
const table =
  '* 0|H 1.008|He 4.0026|Li 6.94|Be 9.0122|B 10.81|C 12.011|N 14.007|O 15.999|F 18.998|Ne 20.180|' +
  'Na 22.990|Mg 24.305|Al 26.982|Si 28.085|P 30.974|S 32.06|Cl 35.45|Ar 39.95|K 39.098|Ca 40.078|' +
  'Sc 44.956|Ti 47.867|V 50.942|Cr 51.996|Mn 54.938|Fe 55.845|Co 58.933|Ni 58.693|Cu 63.546|' +
  'Zn 65.38|Ga 69.723|Ge 72.630|As 74.922|Se 78.971|Br 79.904|Kr 83.798|Rb 85.468|Sr 87.62|' +
  'Y 88.906|Zr 91.224|Nb 92.906|Mo 95.95|Tc 97|Ru 101.07|Rh 102.91|Pd 106.42|Ag 107.87|Cd 112.41|' +
  'In 114.82|Sn 118.71|Sb 121.76|Te 127.60|I 126.90|Xe 131.29|Cs 132.91|Ba 137.33|La 138.91|' +
  'Ce 140.12|Pr 140.91|Nd 144.24|Pm 145|Sm 150.36|Eu 151.96|Gd 157.25|Tb 158.93|Dy 162.50|' +
  'Ho 164.93|Er 167.26|Tm 168.93|Yb 173.05|Lu 174.97|Hf 178.49|Ta 180.95|W 183.84|Re 186.21|' +
  'Os 190.23|Ir 192.22|Pt 195.08|Au 196.97|Hg 200.59|Tl 204.38|Pb 207.2|Bi 208.98|Po 209|At 210|' +
  'Rn 222|Fr 223|Ra 226|Ac 227|Th 232.04|Pa 231.04|U 238.03|Np 237|Pu 244|Am 243|Cm 247|Bk 247|' +
  'Cf 251|Es 252|Fm 257|Md 258|No 259|Lr 262|Rf 267|Db 270|Sg 269|Bh 270|Hs 270|Mt 278|Ds 281|' +
  'Rg 281|Cn 285|Nh 286|Fl 289|Mc 289|Lv 293|Ts 293|Og 294'

const elements = table.split('|').map((entry) => {
  const [symbol = '', weight] = entry.split(' ')
  return { symbol, weight: Number(weight) }
})
const numbers = new Map(elements.map(({ symbol }, number) => [symbol, number]))
numbers.delete('*')

/** Whether this is an element symbol, written as `Cl`. */
export function isElement(symbol: string): boolean {
  return numbers.has(symbol)
}

/** Undefined for a text that is no symbol. */
export function elementNumber(symbol: string): number | undefined {
  return numbers.get(symbol)
}

/** `?` for a number that no element has. */
export function elementSymbol(atomicNumber: number): string {
  return elements[atomicNumber]?.symbol ?? '?'
}

function atomicWeight(atomicNumber: number): number {
  return elements[atomicNumber]?.weight ?? 0
}
