/** From where a structure is seen: what counts as its shape, what must not be hidden, what may hide it. */
import type { Ligand, Structure } from '../../../pdb/structure.ts'
import { place } from '../trace/backbone.ts'
import { chooseOrientation, type Orientation, type Subject } from './orientation.ts'
import type { Stretch } from '../trace/trace.ts'
import { turnToFill } from './turn-to-fill.ts'
import type { Vector } from '../trace/vector.ts'

export type View = { orientation: Orientation; points: readonly Vector[] }

export function chooseView(
  structure: Structure,
  stretches: readonly Stretch[],
  frame: { width: number; height: number },
): View {
  const subject = subjectOf(structure, stretches)
  const orientation = chooseOrientation(subject, frame.height > frame.width)
  return { orientation: turnToFill(orientation, subject.points, frame), points: subject.points }
}

/** Smaller groups are salts and solvents: they are drawn, but do not turn the structure. */
const LIGAND_ATOMS_MIN = 7
/** Larger ones that come from the crystallisation or the purification, or coat the protein. */
const ADDITIVES = new Set(
  'PEG PG4 PGE 1PE P6G PE4 15P EPE MES TRS BTB CIT FLC MPD BOG LMT OLA OLC NAG MAN BMA FUC'.split(
    ' ',
  ),
)
/** Fewer points of a trace have no shape of their own. */
const TRACE_MIN = 4

function subjectOf({ ligands }: Structure, stretches: readonly Stretch[]): Subject {
  const trace = stretches.flatMap((stretch) => stretch.points)
  const places = trace.map((point) => point.place)
  const atoms = atomsOf(ligands.filter(isOfInterest))
  if (places.length < TRACE_MIN) places.push(...atomsOf(ligands))
  if (atoms.length > 0) return { points: places, focus: atoms, cover: places }
  const focus = trace.filter((point) => point.kind !== 'coil').map((point) => point.place)
  const cover = trace.filter((point) => point.kind === 'coil').map((point) => point.place)
  return { points: places, focus, cover }
}

function isOfInterest({ name, atoms }: Ligand): boolean {
  return atoms.length >= LIGAND_ATOMS_MIN && !ADDITIVES.has(name)
}

function atomsOf(ligands: readonly Ligand[]): Vector[] {
  return ligands.flatMap((ligand) => ligand.atoms.map(place))
}
