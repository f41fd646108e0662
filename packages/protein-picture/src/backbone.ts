/** The backbone atoms of a chain, residue by residue, and where the chain is continuous. */
import type { Atom, Chain, Residue } from '@pkdex/biochem'
import { type Vector, squaredDistance } from './geometry.ts'

export type BackboneResidue = {
  n: Vector | null
  c: Vector | null
  o: Vector | null
  /** The ribbon's path: the alpha carbon, or the sugar of a nucleotide. */
  anchor: Vector | null
  /** Bonded to the previous residue: no gap in the file, and a distance that a bond can span. */
  joined: boolean
  isProline: boolean
}

/** Minimum and maximum distance of neighbouring anchors, in Å: below, atoms coincide; above is a break. */
const REACH = { protein: [1.5, 4.8], 'nucleic acid': [2, 9] } as const

const ANCHORS = { protein: ['CA'], 'nucleic acid': ["C3'", 'C3*', "C4'", 'P'] } as const

/** One entry per residue, in chain order; missing atoms are null. */
export function readBackbone(chain: Chain): BackboneResidue[] {
  const gapsAfter = new Set(chain.gaps.map((gap) => gap.index))
  const [nearest, farthest] = REACH[chain.kind]
  let previous: BackboneResidue | null = null
  return chain.residues.map((residue, index) => {
    const current = readResidue(residue, ANCHORS[chain.kind])
    if (previous?.anchor && current.anchor && !gapsAfter.has(index - 1)) {
      const squared = squaredDistance(previous.anchor, current.anchor)
      current.joined = squared > nearest ** 2 && squared < farthest ** 2
    }
    previous = current
    return current
  })
}

function readResidue(residue: Residue, anchors: readonly string[]): BackboneResidue {
  const find = (name: string) => {
    const atom = residue.atoms.find((other) => other.name === name)
    return atom ? place(atom) : null
  }
  return {
    n: find('N'),
    c: find('C'),
    o: find('O'),
    anchor: anchors.map(find).find((found) => found !== null) ?? null,
    joined: false,
    isProline: residue.parent === 'PRO',
  }
}

/** In Å, as in the file. */
export function place(atom: Atom): Vector {
  return [atom.x, atom.y, atom.z]
}

/** Secondary structure of a residue; anything but helix and strand is coil. */
export type SecondaryKind = 'helix' | 'strand' | 'coil'
