/**
 * Reads SMARTS as graphs of conditions: the part of the language that the catalogue of alerts uses. Unlike RDKit it knows no
 * chirality, isotopes or atom numbers; it refuses what it does not know. As in RDKit, hydrogens are counts, and rings the smallest ones.
 */
import { elementNumber } from './formula.ts'

/** What conditions on an atom ask for. `rings`: number of smallest rings; `connections`: bonded atoms with hydrogens. */
export type AtomFacts = {
  element: number
  isAromatic: boolean
  hydrogens: number
  connections: number
  degree: number
  valence: number
  charge: number
  rings: number
}

/** `isStartOf`: whether a match of another pattern begins at the atom, `$(…)`. */
export type AtomTest = (atom: {
  facts: AtomFacts
  isStartOf: (smarts: string) => boolean
}) => boolean

/** `atoms`: their conditions, as written. */
export type SmartsGraph = { atoms: string[]; bonds: SmartsBond[] }
/** `mask`: a bit for each kind of bond that fits. */
export type SmartsBond = { one: number; other: number; mask: number }

const AROMATIC = 4
/** Kinds of bonds: other, single, double, triple and aromatic ones, each in no ring and in a ring. */
const bondKinds = Array.from({ length: 10 }, (_, kind) => ({
  order: kind >> 1,
  isInRing: (kind & 1) === 1,
}))

/** All bits are below this. */
export const BOND_BITS = 1 << bondKinds.length

/** The bit of a bond's kind. `order`: of a Kekulé form. */
export function bondBit(order: number, isAromatic: boolean, isInRing: boolean): number {
  const kind = isAromatic ? AROMATIC : [1, 2, 3].includes(order) ? order : 0
  return 1 << (kind * 2 + Number(isInRing))
}

export function readSmarts(smarts: string): SmartsGraph {
  const graph: SmartsGraph = { atoms: [], bonds: [] }
  const branches: number[] = []
  const rings = new Map<string, { atom: number; bond: string }>()
  let [last, bond] = [-1, '']
  for (const token of tokensOf(smarts)) {
    if (token === '(') branches.push(last)
    else if (token === ')') last = branches.pop() ?? -1
    else if (token === '.') last = -1
    else if (/^[-=#:~@!&,;]/.test(token)) bond += token
    else if (/^\d/.test(token)) {
      const opened = rings.get(token)
      if (opened === undefined) rings.set(token, { atom: last, bond })
      else {
        graph.bonds.push({ one: opened.atom, other: last, mask: readBond(opened.bond + bond) })
        rings.delete(token)
      }
      bond = ''
    } else {
      const atom = graph.atoms.push(token.replace(/^\[(.*)\]$/, '$1')) - 1
      if (last !== -1) graph.bonds.push({ one: last, other: atom, mask: readBond(bond) })
      ;[last, bond] = [atom, '']
    }
  }
  return graph
}

/** Atoms, characters of bonds, digits of rings, parentheses and dots. */
function tokensOf(smarts: string): string[] {
  const tokens: string[] = []
  for (let rest = smarts; rest !== ''; rest = rest.slice(tokens.at(-1)?.length)) {
    const end = rest.startsWith('[')
      ? closing(rest, 0, '[', ']') + 1
      : /^(?:Cl|Br)/.test(rest)
        ? 2
        : 1
    tokens.push(rest.slice(0, end))
  }
  return tokens
}

/** The place of the bracket that closes the one at `start`. */
function closing(text: string, start: number, open: string, close: string): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === open) depth += 1
    if (text[at] === close) depth -= 1
    if (depth === 0) return at
  }
  throw new Error(`a bracket is never closed: ${text}`)
}

/** The patterns of all `$(…)` in a condition on an atom. */
export function nestedIn(text: string): string[] {
  const found: string[] = []
  for (let at = text.indexOf('$'); at !== -1; at = text.indexOf('$', at)) {
    const end = closing(text, at + 1, '(', ')')
    found.push(text.slice(at + 2, end))
    at = end
  }
  return found
}

type Test<Of> = (of: Of) => boolean

/** The bits of all kinds that fit. */
function readBond(text: string): number {
  const fits: Test<(typeof bondKinds)[number]> =
    text === ''
      ? ({ order }) => order === 1 || order === AROMATIC
      : readCondition(text, /^[-=#:~@]/, (sign) => {
          if (sign === '@') return ({ isInRing }) => isInRing
          const order = '~-=#:'.indexOf(sign)
          return order === 0 ? () => true : (bond) => bond.order === order
        })
  return bondKinds.reduce((mask, bond, kind) => (fits(bond) ? mask | (1 << kind) : mask), 0)
}

export function readAtom(text: string): AtomTest {
  return readCondition(text, ATOM_TERM, (term) => {
    if (term.startsWith('$')) return ({ isStartOf }) => isStartOf(term.slice(2, -1))
    const test = readTerm(term)
    return ({ facts }) => test(facts)
  })
}

/** `;` and `&`, of which `&` may be missing, are “and”, `,` is “or”, `!` is “not”; `;` binds least and `!` most. */
function readCondition<Of>(
  text: string,
  expected: RegExp,
  readOne: (term: string) => Test<Of>,
): Test<Of> {
  const all = splitOutside(text, ';').map((part) => {
    const any = splitOutside(part, ',').map((terms) => {
      const each = termsOf(terms, expected).map(({ isNegated, term }): Test<Of> => {
        const test = readOne(term)
        return isNegated ? (of) => !test(of) : test
      })
      return (of: Of) => each.every((test) => test(of))
    })
    return (of: Of) => any.some((test) => test(of))
  })
  return (of) => all.every((test) => test(of))
}

/** Splits where no parenthesis is open. */
function splitOutside(text: string, separator: string): string[] {
  const parts = ['']
  for (let at = 0; at < text.length; at += 1) {
    const end = text[at] === '(' ? closing(text, at, '(', ')') : at
    if (text[at] === separator) parts.push('')
    else parts.push((parts.pop() ?? '') + text.slice(at, end + 1))
    at = end
  }
  return parts
}

const ATOM_TERM = /^(?:[#HXRDv+]\d*|-\d*|\*|se|Cl|Br|[ABCFINOPSabcnops])/

function termsOf(text: string, expected: RegExp): { isNegated: boolean; term: string }[] {
  const terms: { isNegated: boolean; term: string }[] = []
  let rest = text
  while (rest !== '') {
    if (rest.startsWith('&')) rest = rest.slice(1)
    const isNegated = rest.startsWith('!')
    if (isNegated) rest = rest.slice(1)
    const term = rest.startsWith('$')
      ? rest.slice(0, closing(rest, 1, '(', ')') + 1)
      : expected.exec(rest)?.[0]
    if (term === undefined) throw new Error(`an unknown condition: ${text}`)
    terms.push({ isNegated, term })
    rest = rest.slice(term.length)
  }
  return terms
}

/** Conditions that name a number; 1 if it is missing. */
const counted = new Map<string, keyof AtomFacts>([
  ['#', 'element'],
  ['H', 'hydrogens'],
  ['X', 'connections'],
  ['D', 'degree'],
  ['v', 'valence'],
  ['R', 'rings'],
  ['+', 'charge'],
  ['-', 'charge'],
])

function readTerm(term: string): Test<AtomFacts> {
  const sign = term.charAt(0)
  if (term === '*') return () => true
  if (term === 'a' || term === 'A') return ({ isAromatic }) => isAromatic === (term === 'a')
  if (term === 'R') return ({ rings }) => rings > 0
  const fact = counted.get(sign)
  if (fact !== undefined) {
    const number = Number(term.slice(1) || 1) * (sign === '-' ? -1 : 1)
    return (facts) => facts[fact] === number
  }
  const element = elementNumber(sign.toUpperCase() + term.slice(1))
  const isLower = sign !== sign.toUpperCase()
  return (facts) => facts.element === element && facts.isAromatic === isLower
}
