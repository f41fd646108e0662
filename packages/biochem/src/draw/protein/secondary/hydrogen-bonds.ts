/**
 * Backbone hydrogen bonds after Kabsch and Sander (1983): electrostatic energy of the C=O and N-H groups
 * below -0.5 kcal/mol. A donor keeps its two best acceptors, as in DSSP, so the result is never larger
 * than the chain.
 */
import type { BackboneResidue } from '../trace/backbone.ts'
import { buildSpatialGrid, visitNear } from '../trace/spatial-grid.ts'
import { distance, minus, plus, squaredDistance, times, type Vector } from '../trace/vector.ts'

/** For each residue as donor of N-H: the residues whose C=O accepts, at most two. */
export type HydrogenBonds = readonly (readonly number[])[]

const ENERGY_MAX = -0.5
const ENERGY_FACTOR = 27.9
const ANCHOR_DISTANCE_MAX = 9
/** Real proteins have at most a dozen alpha carbons in a cell of 9 Å. */
const PER_CELL_MAX = 24

type Bond = { acceptor: number; energy: number }

export function findHydrogenBonds(residues: readonly BackboneResidue[]): HydrogenBonds {
  const anchors = residues.map((residue) => residue.anchor)
  const grid = buildSpatialGrid(anchors, {
    cellSize: ANCHOR_DISTANCE_MAX,
    perCellMax: PER_CELL_MAX,
  })
  return residues.map((donor, index) => {
    const hydrogen = hydrogenOf(donor, residues[index - 1])
    if (hydrogen === null || donor.anchor === null || donor.n === null) return []
    const best: Bond[] = []
    const { anchor, n } = donor
    visitNear(grid, anchor, (acceptor) => {
      if (acceptor === index || acceptor === index - 1) return
      const energy = bondEnergy({ n, hydrogen, anchor }, residues[acceptor])
      if (energy < ENERGY_MAX) keepTwoBest(best, { acceptor, energy })
    })
    return best.map((bond) => bond.acceptor)
  })
}

/** The amide hydrogen lies 1 Å from N, against the direction of the C=O before it; proline has none. */
function hydrogenOf(donor: BackboneResidue, before: BackboneResidue | undefined): Vector | null {
  if (!donor.joined || donor.isProline || donor.n === null) return null
  if (!before?.c || !before.o) return null
  const length = distance(before.c, before.o)
  return length > 0.5 ? plus(donor.n, times(minus(before.c, before.o), 1 / length)) : null
}

function bondEnergy(
  donor: { n: Vector; hydrogen: Vector; anchor: Vector },
  acceptor: BackboneResidue | undefined,
): number {
  if (!acceptor?.anchor || !acceptor.c || !acceptor.o) return 0
  if (squaredDistance(donor.anchor, acceptor.anchor) > ANCHOR_DISTANCE_MAX ** 2) return 0
  const attraction = 1 / distance(acceptor.o, donor.hydrogen) + 1 / distance(acceptor.c, donor.n)
  const repulsion = 1 / distance(acceptor.o, donor.n) + 1 / distance(acceptor.c, donor.hydrogen)
  return ENERGY_FACTOR * (repulsion - attraction)
}

function keepTwoBest(best: Bond[], bond: Bond): void {
  best.push(bond)
  best.sort((a, b) => a.energy - b.energy)
  if (best.length > 2) best.pop()
}
