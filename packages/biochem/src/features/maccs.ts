/**
 * The public MACCS keys (MDL; Durant et al., J. Chem. Inf. Comput. Sci. 2002, 42, 1273) as RDKit sets them, in a fraction of its
 * time. Keys of isotopes and of several fragments are never set: a standard molecule has neither. Key 118 differs for
 * cyclopropane and spiropentane themselves.
 */
import { countHydrogens, type MoleculeGraph, readRings } from '../smiles/molecule-graph.ts'

/**
 * Number and pattern, after MDL's notation. Atoms: an element; `A` any, `Q` neither carbon nor hydrogen, `X` halogen; with
 * hydrogens `QH`, `NH`, `OH`, `NH2`, `CH2`, `CH3`; `E` CH2 or CH3, `M` a CH2 between two atoms. A following `r`: in a ring.
 * Bonds: none for any, `-` single, `=` double, `T` triple, `%` aromatic, `^` not aromatic, `$` in a ring, `!` in no ring.
 * At the end: `@` the last atom is bonded to the first; `/` the first or the last has a bond to a further atom; `>` more matches are
 * needed, each with other atoms.
 */
const patterns = `
8:QAAA@ 11:AAAA@ 13:ON(C)C 14:S-S 15:OC(O)O 16:QAA@ 17:CTC 19:AAAAAAA@ 20:Si 21:C=C(Q)Q 22:AAA@ 23:NC(O)O 24:N-O
25:NC(N)N 26:C$=C($A)$A 27:I 28:QCH2Q 29:P 30:CQ(C)(C)A 31:QX 32:CSN 33:NS 34:CH2=A 36:Sr 37:NC(O)N 38:NC(C)N
39:OS(O)O 40:S-O 41:CTN 42:F 43:QHAQH 45:C=CN 46:Br 47:SAN 48:OQ(O)O 50:C=C(C)C 51:CSO 52:NN 53:QHAAAQH 54:QHAAQH
55:OSO 56:ON(O)C 57:Or 58:QSQ 59:S^A%A 60:S=O 61:AS(A)A 62:A$A!A$A 63:N=O 64:A$A!S 65:C%N 66:CC(C)(C)A 67:QS 68:QHQH
69:QQH 70:QNQ 71:NO 72:OAAO 73:S=A 74:CH3ACH3 75:A!N$A 76:C=C(A)A 77:NAN 78:C=N 79:NAAN 80:NAAAN 81:SA(A)A 82:ACH2QH
83:QAAAA@ 84:NH2 85:CN(C)C 86:E-Q-E 87:X!A$A 88:S 89:OAAAO 90:QHAAM 91:QHAAAM 92:OC(N)C 93:QCH3 94:QN 95:NAAO
96:AAAAA@ 97:NAAAO 98:QAAAAA@ 99:C=C 100:ACH2N 102:QO 103:Cl 104:QHACH2A 105:A$A($A)$A 106:QA(Q)Q 107:XA(A)A
108:CH3AAACH2A 109:ACH2O 110:NCO 111:NACH2A 112:AA(A)(A)A 113:O^A%A 114:CH3CH2A 115:CH3ACH2A 116:CH3AAM 117:NAO
118:AMM>1 119:N=A 120:Qr>1 121:Nr 122:AN(A)A 123:OCO 124:QQ 126:A!O!A 127:A$A!O>1 128:MAAAM/ 129:MAAM/ 130:QQ>1
131:QH>1 132:OACH2A 133:A$A!N 134:X 135:N^A%A 136:O=A>1 137:Qr 138:QCH2A>1 139:OH 140:O>3 141:CH3>2 142:N>1 143:A$A!O
144:A^A%A^A 145:AAAAAA@>1 146:O>2 147:MM 148:AQ(A)A 149:CH3>1 150:A!A$A!A 151:NH 152:OC(C)C 153:QCH2A 154:C=O
155:A!CH2!A 156:NA(A)A 157:C-O 158:C-N 159:O>1 160:CH3 161:N 163:AAAAAA@ 164:O 165:Ar`

/** Keys of elements. */
const keysOfElements = new Map(
  Object.entries({
    2: [104],
    3: [32, 33, 34, 50, 51, 52, 82, 83, 84],
    4: range(89, 103),
    5: [21, 22, 39, 40, 72],
    6: range(57, 71),
    7: [23, 24, 25, 41, 42, 43, 73, 74, 75],
    9: [26, 27, 28, 44, 45, 46, 76, 77, 78],
    10: [4, 12, 20, 38, 56, 88],
    12: [29, 30, 47, 48, 79, 80],
    18: [5, 13, 31, 49, 81],
    35: [3, 11, 19, 37, 55, 87],
  }).flatMap(([key, elements]) => elements.map((element) => [element, Number(key)] as const)),
)

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

const symbols = { C: 6, N: 7, O: 8, F: 9, Si: 14, P: 15, S: 16, Cl: 17, Br: 35, I: 53 }
const halogens = new Set([9, 17, 35, 53])
const HYDROGEN = 1

/** Kinds of atoms; the place of each is its bit. An atom may be of several. */
const kindNames = [
  ...Object.keys(symbols),
  'Q',
  'X',
  'QH',
  'NH',
  'OH',
  'NH2',
  'CH2',
  'CH3',
  'E',
  'M',
  'r',
]
const bitOf = (kind: string) => (kind === 'A' ? 0 : 1 << kindNames.indexOf(kind))
const IN_RING = bitOf('r')

/** Bits of bonds; a condition holds if the bond has one of its bits. */
const bondBits = { '-': 1, '=': 2, T: 4, '%': 8, '^': 7, $: 16, '!': 32 }
const ORDERS = [0, bondBits['-'], bondBits['='], bondBits.T]

/** `from`: the atom of the pattern that it is bonded to; `bond`, `alsoBond`: conditions. */
type Step = { kind: number; from: number; bond: number; alsoBond: number }
type Pattern = {
  key: number
  steps: Step[]
  /** The last character. */
  end: string
  more: number
  /** The kinds of all atoms. */
  kinds: number
}

const TOKEN = /([-=T%^$!]{0,2})(QH|CH[23]|NH2?|OH|Cl|Br|Si|[ACEFIMNOPQSX])(r?)|[()]/g
const ANY = 63

const compiled = patterns.trim().split(/\s+/).map(compile)

function compile(text: string): Pattern {
  const [key, rest = ''] = text.split(':')
  const [atoms = '', more = 0] = rest.split('>')
  const end = atoms.at(-1) ?? ''
  const steps = readSteps(atoms, end === '@')
  const kinds = steps.reduce((sum, { kind }) => sum | kind, 0)
  return { key: Number(key), steps, end, more: Number(more), kinds }
}

function readSteps(atoms: string, isRing: boolean): Step[] {
  const steps: Step[] = []
  const branches: number[] = []
  let from = 0
  for (const [symbol, conditions = '', kind, suffix] of atoms.matchAll(TOKEN)) {
    if (symbol === '(') branches.push(from)
    if (symbol === ')') from = branches.pop() ?? 0
    if (kind === undefined) continue
    const [bond = isRing ? bondBits.$ : ANY, alsoBond = ANY] = Array.from(
      conditions,
      (condition) => bondBits[condition as keyof typeof bondBits],
    )
    const inRing = isRing || suffix === 'r' ? IN_RING : 0
    from = steps.push({ kind: bitOf(kind) | inRing, from, bond, alsoBond }) - 1
  }
  return steps
}

type Molecule = {
  /** By atom: bits of its kinds; the atoms it is bonded to, and bits of these bonds. */
  kinds: Int32Array
  neighbours: number[][]
  bonds: number[][]
  /** Kinds of all atoms. */
  all: number
}

/** Numbers of the keys that are set, ascending. */
export function maccsKeys(graph: MoleculeGraph): number[] {
  const molecule = readMolecule(graph)
  const keys = new Set<number>()
  for (const pattern of compiled) if (isMatched(pattern, molecule)) keys.add(pattern.key)
  for (const { element, charge, isAromatic } of graph.atoms) {
    const key = keysOfElements.get(element)
    if (key !== undefined) keys.add(key)
    if (!commonElements.has(element)) keys.add(44)
    if (charge !== 0) keys.add(49)
    if (isAromatic) keys.add(162)
  }
  if (hasLargeRing(molecule)) keys.add(101)
  if (countAromaticRings(graph) > 1) keys.add(125)
  return [...keys].toSorted((one, other) => one - other)
}

const commonElements = new Set([HYDROGEN, ...Object.values(symbols)])

function readMolecule(graph: MoleculeGraph): Molecule {
  const { atoms, neighbours } = graph
  const rings = readRings(graph)
  const kinds = Int32Array.from(atoms, (atom, index) => {
    const around = neighbours[index] ?? []
    const inRing = rings.counts[index] === 0 ? 0 : IN_RING
    return inRing | kindsOf(atom.element, countHydrogens(atom, around), around.length)
  })
  return {
    kinds,
    all: kinds.reduce((sum, one) => sum | one, 0),
    neighbours: neighbours.map((around) => around.map(({ index }) => index)),
    bonds: neighbours.map((around, atom) =>
      around.map(({ index, order, isAromatic }) => {
        const place = rings.has(atom, index) ? bondBits.$ : bondBits['!']
        return place | (isAromatic ? bondBits['%'] : (ORDERS[order] ?? 0))
      }),
    ),
  }
}

const known = new Map<number, number>()

/** Bits of an atom with so many hydrogens and neighbours, without those of rings. */
function kindsOf(element: number, hydrogens: number, neighbours: number): number {
  const id = (element * 16 + hydrogens) * 16 + neighbours
  const read = known.get(id) ?? readKinds(element, hydrogens, neighbours)
  known.set(id, read)
  return read
}

function readKinds(element: number, hydrogens: number, neighbours: number): number {
  const { C, N, O } = symbols
  const isHetero = element !== C && element !== HYDROGEN
  const is: Record<string, boolean> = {
    ...Object.fromEntries(Object.entries(symbols).map(([symbol, z]) => [symbol, z === element])),
    Q: isHetero,
    X: halogens.has(element),
    QH: isHetero && hydrogens > 0,
    NH: element === N && hydrogens > 0,
    OH: element === O && hydrogens > 0,
    NH2: element === N && hydrogens === 2,
    CH2: element === C && hydrogens === 2,
    CH3: element === C && hydrogens >= 3,
    E: element === C && hydrogens >= 2,
    M: element === C && hydrogens === 2 && neighbours > 1,
  }
  return kindNames.reduce((sum, kind) => (is[kind] === true ? sum | bitOf(kind) : sum), 0)
}

/** Atoms of the molecule, by atom of the pattern; the longest has seven. Shared, because nothing here waits. */
const placed = new Int32Array(8)

function isMatched(pattern: Pattern, molecule: Molecule): boolean {
  const { steps, more } = pattern
  if ((molecule.all & pattern.kinds) !== pattern.kinds) return false
  const first = steps[0]?.kind ?? 0
  const found = more > 0 ? new Set<string>() : null
  for (let atom = 0; atom < molecule.kinds.length; atom += 1) {
    if (((molecule.kinds[atom] as number) & first) !== first) continue
    placed[0] = atom
    if (isExtended(pattern, molecule, 1, found)) return true
  }
  return false
}

/** Index loops on purpose: they run for every key. */
function isExtended(
  pattern: Pattern,
  molecule: Molecule,
  at: number,
  found: Set<string> | null,
): boolean {
  const step = pattern.steps[at]
  if (step === undefined) {
    if (!isEnded(pattern, molecule, at)) return false
    if (found === null) return true
    found.add(placed.slice(0, at).toSorted().join())
    return found.size > pattern.more
  }
  const origin = placed[step.from] as number
  const around = molecule.neighbours[origin] as number[]
  const ways = molecule.bonds[origin] as number[]
  for (let way = 0; way < around.length; way += 1) {
    const atom = around[way] as number
    const bond = ways[way] as number
    if (((molecule.kinds[atom] as number) & step.kind) !== step.kind) continue
    if ((bond & step.bond) === 0 || (bond & step.alsoBond) === 0) continue
    let place = 0
    while (place < at && placed[place] !== atom) place += 1
    if (place < at) continue
    placed[at] = atom
    if (isExtended(pattern, molecule, at + 1, found)) return true
  }
  return false
}

function isEnded({ end }: Pattern, { neighbours }: Molecule, length: number): boolean {
  if (end !== '@' && end !== '/') return true
  const [first, last] = [placed[0] as number, placed[length - 1] as number]
  if (end === '@') return (neighbours[last] as number[]).includes(first)
  const path = placed.subarray(0, length)
  return [first, last].some((atom) => neighbours[atom]?.some((next) => !path.includes(next)))
}

/** More than ten times what any compound of the training tables needs; clusters of metals would take seconds. */
const SEARCHED_MAX = 25_000

/** Whether any cycle has 8 to 14 atoms, even one around two fused rings. */
function hasLargeRing({ kinds, neighbours, bonds }: Molecule): boolean {
  const path = new Set<number>()
  let searched = 0
  function closes(start: number, atom: number): boolean {
    searched += 1
    if (path.size === 14 || searched > SEARCHED_MAX) return false
    path.add(atom)
    const isClosed = (neighbours[atom] as number[]).some((next, way) => {
      if (((bonds[atom]?.[way] ?? 0) & bondBits.$) === 0) return false
      if (next === start && path.size >= 8) return true
      return next > start && !path.has(next) && closes(start, next)
    })
    path.delete(atom)
    return isClosed
  }
  return kinds.some((kind, atom) => (kind & IN_RING) !== 0 && closes(atom, atom))
}

function countAromaticRings({ neighbours, rings }: MoleculeGraph): number {
  return rings.filter((ring) =>
    ring.every((atom, at) => {
      const next = ring[(at + 1) % ring.length]
      return neighbours[atom]?.some(({ index, isAromatic }) => index === next && isAromatic)
    }),
  ).length
}
