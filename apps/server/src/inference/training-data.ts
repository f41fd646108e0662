/** What is known of the training data: how near a compound or a target is, and what was measured there. */
import { join } from 'node:path'
import { indexMeasured, type MeasuredCompounds } from './measured-compounds.ts'
import { indexFingerprints, type CompoundNeighbours } from './nearest-compound.ts'
import { indexTargets, readTrainingTargets, type TargetNeighbours } from './nearest-targets.ts'
import { readWords } from './read-words.ts'

export type TrainingData = {
  compounds: CompoundNeighbours
  targets: TargetNeighbours
  measured: MeasuredCompounds
}

export function openTrainingData(directory: string): TrainingData {
  const fingerprints = readWords(join(directory, 'compound-fingerprints.bin.gz'))
  const targets = readTrainingTargets(join(directory, 'targets.json'))
  const counts = targets.map(({ measured }) => measured)
  return {
    compounds: indexFingerprints(fingerprints),
    targets: indexTargets(targets, readWords(join(directory, 'target-words.bin.gz'))),
    measured: indexMeasured(fingerprints, readWords(join(directory, 'measured.bin.gz')), counts),
  }
}
