/** A placed compound as files: an SDF record of the compound, and a PDB file of the complex without the reference ligand. */
import type { Ligand, Structure } from '../pdb/structure.ts'
import { properSymbol } from './contacts.ts'
import type { PlacedPose } from './place.ts'
import { at, distance, type Points } from './points.ts'

/** `fields`: data fields of the record; `remark`: its comment line. Hydrogens are implicit. */
export function writePoseSdf(
  { parts, x }: Pick<PlacedPose, 'parts' | 'x'>,
  { name, remark, fields }: { name: string; remark: string; fields: Record<string, string> },
): string {
  const atoms = parts.elements.map(
    (element, i) =>
      `${[0, 1, 2]
        .map((axis) =>
          at(x, 3 * i + axis)
            .toFixed(4)
            .padStart(10),
        )
        .join('')} ${properSymbol(element).padEnd(3)} 0  0  0  0  0  0  0  0  0  0  0  0`,
  )
  const bonds = parts.bonds.map(
    ({ a, b, order }) => `${[a + 1, b + 1, order].map(three).join('')}  0`,
  )
  const charged = parts.charges.flatMap((charge, i) => (charge === 0 ? [] : [[i + 1, charge]]))
  const charges = charged.map(([i = 0, charge = 0]) => `M  CHG  1 ${three(i)} ${three(charge)}`)
  const data = Object.entries(fields).flatMap(([field, value]) => [
    `>  <${field}>`,
    dataLine(value),
    '',
  ])
  const counts = `${three(atoms.length)}${three(bonds.length)}  0  0  1  0  0  0  0  0999 V2000`
  const head = [oneLine(name), '  pKdex           3D', oneLine(remark), counts]
  return [...head, ...atoms, ...bonds, ...charges, 'M  END', ...data, '$$$$', ''].join('\n')
}

function three(value: number): string {
  return String(value).padStart(3)
}

/** A line of the head, which has at most 80 characters. */
function oneLine(text: string): string {
  return dataLine(text.replaceAll(/\s+/g, ' ').trim().slice(0, 80))
}

/** One line that cannot end the record (`$$$$`) or begin a field. */
function dataLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').replace(/^(?=\$\$\$\$|>)/, ' ')
}

const NEAR_CHAIN = 16
const POSE_RESIDUE = 'LIG'
const SERIALS = 100_000
const NUMBERS = 10_000
const chainLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefghijklmnopqrstuvwxyz'.split('')

/**
 * Chains and hetero groups within 16 Å of the pose, whole, and the compound as residue LIG. The format has one
 * character per chain: a longer name gets a free letter, listed in a remark.
 */
export function writeComplexPdb(
  structure: Structure,
  { parts, x }: PlacedPose,
  { name, remark, reference }: { name: string; remark: string; reference: Ligand | null },
): string {
  const isNear = (atoms: { x: number; y: number; z: number }[]) =>
    atoms.some((atom) => nearestTo(x, atom) < NEAR_CHAIN)
  const chains = structure.chains.filter(({ residues }) =>
    residues.some((residue) => isNear(residue.atoms)),
  )
  const others = structure.ligands.filter((ligand) => ligand !== reference && isNear(ligand.atoms))
  const letterOf = lettersFor([...chains.map(({ id }) => id), ...others.map((one) => one.chainId)])
  let serial = 0
  const record = (kind: 'ATOM' | 'HETATM', place: Place) => writeAtom(kind, (serial += 1), place)
  const ofChains = chains.flatMap(({ id, residues }) => [
    ...residues.flatMap(({ name: residue, number, insertionCode, atoms }) =>
      atoms.map((atom) =>
        record('ATOM', { ...atom, residue, chain: letterOf(id), number, insertionCode }),
      ),
    ),
    'TER',
  ])
  const ofOthers = others.flatMap(({ name: residue, number, chainId, atoms }) =>
    atoms.map((atom) =>
      record('HETATM', { ...atom, residue, chain: letterOf(chainId), number, insertionCode: '' }),
    ),
  )
  const first = serial
  const ofPose = parts.elements.map((element, i) => {
    const [px, py, pz] = [at(x, 3 * i), at(x, 3 * i + 1), at(x, 3 * i + 2)]
    const position = { name: `${element}${i + 1}`, element, x: px, y: py, z: pz }
    const place = { residue: POSE_RESIDUE, chain: 'Z', number: 1, insertionCode: '' }
    return record('HETATM', { ...position, ...place })
  })
  const connections = parts.bonds.map(
    ({ a, b }) => `CONECT${serialText(first + a + 1)}${serialText(first + b + 1)}`,
  )
  const remarks = [
    `${remark}`,
    `Compound: ${name}`,
    ...renamed(
      letterOf,
      chains.map(({ id }) => id),
    ),
  ]
  return [
    ...remarks.map((text) => `REMARK   3 ${oneLine(text)}`),
    ...ofChains,
    ...ofOthers,
    ...ofPose,
    ...connections,
    'END',
    '',
  ].join('\n')
}

function renamed(letterOf: (id: string) => string, ids: string[]): string[] {
  return ids
    .filter((id) => letterOf(id) !== id && id !== '_')
    .map((id) => `Chain ${id} is named ${letterOf(id)} here.`)
}

function nearestTo(x: Points, atom: { x: number; y: number; z: number }): number {
  const point = Float64Array.of(atom.x, atom.y, atom.z)
  let least = Infinity
  for (let i = 0; i < x.length / 3; i++) least = Math.min(least, distance(x, i, point, 0))
  return least
}

/** A blank chain name is read as `_`; Z is the compound's. */
function lettersFor(ids: string[]): (id: string) => string {
  const unique = [...new Set(ids)]
  const taken = new Set([...unique.filter((id) => id.length === 1 && id !== 'Z'), 'Z'])
  const letters = new Map<string, string>()
  for (const id of unique) {
    const free = chainLetters.find((letter) => !taken.has(letter)) ?? 'Z'
    const isKept = id.length === 1 && id !== 'Z'
    const letter = isKept ? id.replace('_', ' ') : free
    letters.set(id, letter)
    if (!isKept) taken.add(free)
  }
  return (id) => letters.get(id) ?? 'Z'
}

type Place = {
  name: string
  element: string
  x: number
  y: number
  z: number
  residue: string
  chain: string
  number: number
  insertionCode: string
}

function writeAtom(kind: 'ATOM' | 'HETATM', serial: number, place: Place): string {
  const { name, element, residue, chain, number, insertionCode } = place
  const atom = name.length < 4 && element.length < 2 ? ` ${name}` : name
  const position = [place.x, place.y, place.z].map((value) => value.toFixed(3).padStart(8)).join('')
  const where = `${chain}${String(number % NUMBERS).padStart(4)}${(insertionCode || ' ').slice(0, 1)}`
  return `${kind.padEnd(6)}${serialText(serial)} ${atom.slice(0, 4).padEnd(4)} ${residue.slice(0, 3).padStart(3)} ${where}   ${position}  1.00  0.00          ${element.padStart(2)}`
}

function serialText(serial: number): string {
  return String(serial % SERIALS).padStart(5)
}
