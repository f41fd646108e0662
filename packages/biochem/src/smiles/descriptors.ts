/** RDKit's descriptors of a molecule, by its names, in a fraction of its time. */
import { crippen, crippenPatterns } from './crippen.ts'
import { type ElementData, HYDROGEN, readElements } from './element-data.ts'
import { type MoleculeGraph, readRings, type Rings } from './molecule-graph.ts'
import { type RdkitMolecule, trapped } from './rdkit.ts'
import { shapeIndices } from './shape-indices.ts'
import { openSmarts, type SmartsSearch } from './smarts.ts'
import { surfaces } from './surfaces.ts'

export type Descriptors = Record<string, number>

const [CARBON, NITROGEN, OXYGEN] = [6, 7, 8]

/** Not an end, an atom of a triple bond, or a carbon with three methyl groups or three equal halogens. */
const rotor = '!$(*#*)&!D1&!$(C(F)(F)F)&!$(C(Cl)(Cl)Cl)&!$(C(Br)(Br)Br)&!$(C([CH3])([CH3])[CH3])'
/** Not an atom of the C-N or C-O bond of an amide, ester or amidine. */
const looseRotor =
  '!$([CD3](=[N,O,S])-!@[#7,O,S!D1])&!$([#7,O,S!D1]-!@[CD3]=[N,O,S])&!$([CD3](=[N+])-!@[#7!D1])&!$([#7!D1]-!@[CD3]=[N+])'
/** Of single atoms, as in RDKit. */
const patterns = [
  '[N&!H0&v3,N&!H0&+1&v4,O&H1&+0,S&H1&+0,n&H1&+0]',
  '[$([O,S;H1;v2]-[!$(*=[O,N,P,S])]),$([O,S;H0;v2]),$([O,S;-]),$([N;v3;!$(N-*=!@[O,N,P,S])]),$([nH0X2,o,s;+0])]',
  `[${rotor}&${looseRotor}]`,
  `[${rotor}]`,
]
const [DONOR, ACCEPTOR, LOOSE_ROTOR, ROTOR] = [0, 1, 2, 3]

let opened: SmartsSearch | null = null

/** With the first molecule: most processes and threads that load this file describe none. */
function openPatterns(): SmartsSearch {
  opened ??= openSmarts([...patterns, ...crippenPatterns])
  return opened
}

/** `begins`: whether a match of a pattern begins at an atom; `data`: by atom. */
type Molecule = MoleculeGraph & {
  data: ElementData[]
  ringsOf: Rings
  begins: (pattern: number, atom: number) => boolean
}

/** `graph`: of the molecule. */
export function readDescriptors(molecule: RdkitMolecule, graph: MoleculeGraph): Descriptors {
  return (
    descriptorsOf(graph) ?? trapped(() => JSON.parse(molecule.get_descriptors()) as Descriptors)
  )
}

/** Null for a molecule that is left to RDKit. */
export function descriptorsOf(graph: MoleculeGraph): Descriptors | null {
  const data = readElements(graph)
  if (data === null) return null
  const begins = openPatterns().beginnings(graph)
  const molecule = { ...graph, data, begins, ringsOf: readRings(graph) }
  const { logP, refractivity } = crippen(graph, (pattern, atom) =>
    begins(patterns.length + pattern, atom),
  )
  return {
    ...countAtoms(molecule),
    ...countRings(molecule),
    NumRotatableBonds: countRotatable(molecule),
    NumAmideBonds: countAmides(molecule),
    CrippenClogP: logP,
    CrippenMR: refractivity,
    ...surfaces(graph, data),
    ...shapeIndices(graph, data),
  }
}

function countAtoms({ atoms, neighbours, data, begins }: Molecule): Descriptors {
  const count = (isCounted: (at: number) => boolean) =>
    atoms.reduce((sum, _, at) => sum + Number(isCounted(at)), 0)
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const carbons = count((at) => atoms[at]?.element === CARBON)
  const saturated = atoms.filter(
    ({ element, hydrogens }, at) =>
      element === CARBON && hydrogens + (neighbours[at]?.length ?? 0) === 4,
  )
  const onHetero = atoms.filter(({ element }) => element === NITROGEN || element === OXYGEN)
  const hydrogensOf = (some: typeof atoms) => sum(some.map(({ hydrogens }) => hydrogens))
  return {
    amw: sum(data.map(({ weight }) => weight)) + hydrogensOf(atoms) * HYDROGEN.weight,
    NumHeavyAtoms: atoms.length,
    NumHeteroatoms: atoms.length - carbons,
    FractionCSP3: carbons === 0 ? 0 : saturated.length / carbons,
    lipinskiHBD: hydrogensOf(onHetero),
    NumHBD: count((at) => begins(DONOR, at)),
    NumHBA: count((at) => begins(ACCEPTOR, at)),
  }
}

/** Bonds in no ring with a rotor on both sides, one of them loose. */
function countRotatable({ neighbours, ringsOf, begins }: Molecule): number {
  let count = 0
  for (const [one, around] of neighbours.entries()) {
    for (const { index: other, order, isAromatic } of around) {
      if (one > other || (order !== 1 && !isAromatic) || ringsOf.has(one, other)) continue
      const isRotatable =
        (begins(LOOSE_ROTOR, one) && begins(ROTOR, other)) ||
        (begins(ROTOR, one) && begins(LOOSE_ROTOR, other))
      if (isRotatable) count += 1
    }
  }
  return count
}

/** Pairs of a nitrogen and an oxygen at one carbon, none of them aromatic. */
function countAmides({ atoms, neighbours, ringsOf }: Molecule): number {
  return neighbours.reduce((sum, around, at) => {
    if (atoms[at]?.element !== CARBON || atoms[at].isAromatic) return sum
    const oxygens = around.filter(
      ({ atom, index, order }) =>
        atom.element === OXYGEN && order === 2 && ringsOf.counts[index] === 0,
    )
    const nitrogens = around.filter(
      ({ atom, order }) => atom.element === NITROGEN && !atom.isAromatic && order === 1,
    )
    return sum + oxygens.length * nitrogens.length
  }, 0)
}

type Ring = { isAromatic: boolean; isSaturated: boolean; isHetero: boolean }

function countRings(molecule: Molecule): Descriptors {
  const { atoms, neighbours, rings } = molecule
  const kinds = rings.map((ring): Ring => {
    const bonds = ring.map((atom, at) => {
      const next = ring[(at + 1) % ring.length]
      return neighbours[atom]?.find(({ index }) => index === next)
    })
    return {
      isAromatic: bonds.every((bond) => bond?.isAromatic === true),
      isSaturated: bonds.every((bond) => bond?.isAromatic === false && bond.order === 1),
      isHetero: ring.some((atom) => atoms[atom]?.element !== CARBON),
    }
  })
  const count = (isCounted: (ring: Ring) => boolean) => kinds.filter(isCounted).length
  return {
    NumRings: rings.length,
    NumAromaticRings: count(({ isAromatic }) => isAromatic),
    NumAliphaticRings: count(({ isAromatic }) => !isAromatic),
    NumSaturatedRings: count(({ isSaturated }) => isSaturated),
    NumHeterocycles: count(({ isHetero }) => isHetero),
    NumAromaticHeterocycles: count(({ isAromatic, isHetero }) => isAromatic && isHetero),
    NumAliphaticHeterocycles: count(({ isAromatic, isHetero }) => !isAromatic && isHetero),
    NumSaturatedHeterocycles: count(({ isSaturated, isHetero }) => isSaturated && isHetero),
    ...countJoints(rings),
  }
}

/** Atoms that are all that two rings share, and the ends of what two rings share if that is more than a bond. */
function countJoints(rings: number[][]): Descriptors {
  const spiro = new Set<number>()
  const bridgeheads = new Set<number>()
  for (const [at, ring] of rings.entries()) {
    for (const other of rings.slice(at + 1)) {
      const shared = ring.filter((atom) => other.includes(atom))
      if (shared.length === 1) spiro.add(shared[0] ?? 0)
      if (shared.length > 2) endsOfShared(ring, other).forEach((atom) => bridgeheads.add(atom))
    }
  }
  return { NumSpiroAtoms: spiro.size, NumBridgeheadAtoms: bridgeheads.size }
}

/** Atoms with one of the bonds that both rings have, if there are several. */
function endsOfShared(ring: number[], other: number[]): number[] {
  const bonds = ring.flatMap((atom, at) => {
    const next = ring[(at + 1) % ring.length] ?? 0
    const place = other.indexOf(atom)
    const isShared =
      place !== -1 && (other[(place + 1) % other.length] === next || other.at(place - 1) === next)
    return isShared ? [[atom, next]] : []
  })
  const atoms = bonds.flat()
  const isEnd = (atom: number) => atoms.indexOf(atom) === atoms.lastIndexOf(atom)
  return bonds.length > 1 ? atoms.filter(isEnd) : []
}
