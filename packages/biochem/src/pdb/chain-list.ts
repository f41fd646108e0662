/** Gathers runs of residues into chains, each under an identifier of its own of one to four characters. */
import type { Chain, Residue } from './structure.ts'
import type { Run } from './scan.ts'

/** A chain before its gaps and its SEQRES are known. */
export type BuiltChain = {
  /** Unique and never empty. */
  id: string
  /** As in the file: possibly empty, possibly another chain's too. */
  fileId: string
  kind: Chain['kind']
  residues: Residue[]
}

type Members = { kind: Chain['kind']; residues: readonly Residue[] }

type Open = { chain: BuiltChain; positions: Set<string>; isEnded: boolean }

export class ChainList {
  readonly chains: BuiltChain[] = []
  /** The last chain of each identifier and kind. */
  private readonly open = new Map<string, Open>()
  private readonly counts = new Map<string, number>()
  private readonly ids = new Set<string>()

  /** Adds the residues of one run that are of one kind, bonded or not. */
  add(run: Run, { kind, residues }: Members): void {
    for (const piece of run.chainId === '' ? cutAtEnds(residues) : [residues]) {
      this.addPiece(run, { kind, residues: piece })
    }
  }

  /**
   * A piece goes on with the chain of its identifier, as after a TER record at a gap, unless it
   * numbers residues that the chain has already or the chain has ended with its carboxylate.
   */
  private addPiece(run: Run, { kind, residues }: Members): void {
    const key = `${kind} ${run.chainId}`
    const positions = residues.map(({ number, insertionCode }) => `${number}${insertionCode}`)
    const open = this.open.get(key)
    const isCut = run.isClosedByTer || run.chainId === ''
    const isEnded = isCut && hasCarboxylate(residues.at(-1))
    if (open === undefined || open.isEnded || positions.some((at) => open.positions.has(at))) {
      const chain = {
        id: this.newId(run.chainId),
        fileId: run.chainId,
        kind,
        residues: [...residues],
      }
      this.chains.push(chain)
      this.open.set(key, { chain, positions: new Set(positions), isEnded })
      return
    }
    for (const residue of residues) open.chain.residues.push(residue)
    for (const position of positions) open.positions.add(position)
    open.isEnded = isEnded
  }

  /** What a chain without an identifier is called. */
  idFor(fileId: string): string {
    return fileId === '' ? blankId : fileId
  }

  private newId(fileId: string): string {
    const base = this.idFor(fileId)
    let count = (this.counts.get(base) ?? 0) + 1
    while (this.ids.has(numbered(base, count))) count++
    const id = numbered(base, count)
    this.counts.set(base, count)
    this.ids.add(id)
    return id
  }
}

export const blankId = '_'
const idLengthMax = 4

function numbered(base: string, count: number): string {
  if (count === 1) return base
  const suffix = count < 100 ? `.${count}` : String(count)
  return base.slice(0, idLengthMax - suffix.length) + suffix
}

/** Simulation programs often write neither identifiers nor TER: there a carboxylate ends a chain. */
function cutAtEnds(residues: readonly Residue[]): Residue[][] {
  const pieces: Residue[][] = [[]]
  for (const residue of residues) {
    pieces.at(-1)?.push(residue)
    if (hasCarboxylate(residue)) pieces.push([])
  }
  return pieces.filter((piece) => piece.length > 0)
}

/** The second oxygen at the end of a protein, as the PDB, CHARMM and GROMACS call it. */
const carboxylateOxygens = new Set(['OXT', 'OT2', 'OC2'])

function hasCarboxylate(residue: Residue | undefined): boolean {
  return residue?.atoms.some((atom) => carboxylateOxygens.has(atom.name)) === true
}
