/**
 * What is read from files and drawn, off the main thread: slow or hostile input costs its own user
 * time, never the process. Every call takes the user it is for, because users take turns.
 */
import type { Parsed } from '@pkdex/biochem'
import type { CompoundReport, RejectedLine, TargetReport, Theme } from '@pkdex/contract'

export type ReadTarget = {
  report: TargetReport
  /** Protein chains in file order; at least one. */
  chains: ReadChain[]
  /** Identifier of the longest protein chain: what predictions use until the user picks another. */
  chain: string
}

type ReadChain = {
  id: string
  residues: number
  /** The observed sequence, cut at its gaps: what the model gets of the chain. */
  segments: string[]
}

export type ReadCompound = {
  line: number
  name: string
  /** As it was uploaded. */
  smiles: string
  /** `report.standard_smiles` is what the model gets. */
  report: CompoundReport
}

export type ReadCompounds = {
  /** In file order. */
  compounds: ReadCompound[]
  rejected: RejectedLine[]
  /** Names that an earlier line of the file has for another molecule, and what they became. */
  renamed: { line: number; from: string; to: string }[]
}

export type Picture = {
  body: Uint8Array
  mediaType: 'image/webp' | 'image/svg+xml'
  /** What the picture shows, for people who do not see it. */
  alt: string
}

type CompoundFile = {
  bytes: Uint8Array
  /** Names a molecule that has no name. */
  fileStem: string
  /** Aborted where nobody waits any more: reading ends with its reason. */
  gone?: AbortSignal | undefined
}

/**
 * `Parsed` failures are the file's fault: their reason is a sentence for its owner. A user with too
 * much waiting work is refused with `too_many_requests`.
 */
export type Workshop = {
  /** Bytes as uploaded: binary content, character sets and byte order marks are dealt with here. */
  readTarget(userId: string, bytes: Uint8Array): Promise<Parsed<ReadTarget>>
  /** Fails only where no line can be used; a bad line among good ones is in `rejected`. */
  readCompounds(userId: string, file: CompoundFile): Promise<Parsed<ReadCompounds>>
  drawTarget(userId: string, bytes: Uint8Array, theme: Theme): Promise<Parsed<Picture>>
  drawCompound(userId: string, smiles: string, theme: Theme): Promise<Parsed<Picture>>
  close(): Promise<void>
}
