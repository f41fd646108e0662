/** The training data's lookups: similarity to known compounds and targets, and measured values. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { indexMeasured, type MeasuredCompounds, type MeasuredFiles } from './measured-compounds.ts'
import { indexFingerprints, type CompoundNeighbours } from './fingerprints.ts'
import { readHalves, readNumbers } from './read-numbers.ts'
import type { Share } from './shared-arrays.ts'
import {
  indexTargets,
  readTrainingTargets,
  type TargetNeighbours,
  type TrainingTargets,
} from './nearest-targets.ts'

export type TrainingData = {
  compounds: CompoundNeighbours
  targets: TargetNeighbours
  measured: MeasuredCompounds
  files: MeasuredFiles
  /** By place: names and numbers of values. */
  entries: TrainingTargets
  /** Sequences of the targets, in order; null if the model folder has none. */
  sequences: string[] | null
}

export function openTrainingData(directory: string, share: Share): TrainingData {
  const numbersIn = (file: string) => share(Uint32Array, () => readNumbers(join(directory, file)))
  const files = {
    fingerprints: numbersIn('compound-fingerprints.bin.gz'),
    packed: numbersIn('measured.bin.gz'),
    residuals: share(Float16Array, () => readHalves(join(directory, 'residuals.bin.gz'))),
  }
  const targets = readTrainingTargets(join(directory, 'targets.json'))
  const counts = targets.map(({ measured }) => measured)
  const sequences = readSequences(join(directory, 'target-sequences.txt.gz'))
  if (sequences !== null) {
    expectPerTarget('target-sequences.txt.gz', sequences, targets.length)
  }
  return {
    compounds: indexFingerprints(files.fingerprints, { share }),
    targets: indexTargets(targets, numbersIn('target-words.bin.gz'), share),
    measured: indexMeasured(files, counts, share),
    files,
    entries: targets,
    sequences,
  }
}

/** Files list targets by their place in targets.json: with another list, a protein would get another one's values. */
function expectPerTarget(file: string, entries: unknown[], targets: number): void {
  if (entries.length === targets) return
  throw new Error(
    `files of the model folder do not match: ${file} lists ${entries.length} targets, targets.json ${targets}`,
  )
}

/** One per line. */
function readSequences(file: string): string[] | null {
  if (!existsSync(file)) return null
  return gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n')
}
