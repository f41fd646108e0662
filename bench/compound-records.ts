/**
 * Cost of properties, structural alerts and features at upload: time and stored bytes, for every nth compound of
 * PKDEX_SHARED.
 */
import { describeCompound, openRdkit, packFeatures, readProperties } from '@pkdex/biochem'
import { type Figure, limited } from './figure.ts'
import { readSharedSmiles } from './shared-compounds.ts'

const COMPOUNDS = 1000
const WARM_UP = 50

export async function measureCompoundRecords(shared: string): Promise<Figure[]> {
  const rdkit = await openRdkit()
  const compounds = sampleOf(readSharedSmiles(shared))
  for (const smiles of compounds.slice(0, WARM_UP)) describeCompound(rdkit, smiles)
  let from = processorSeconds()
  for (const smiles of compounds) readProperties(rdkit, smiles)
  const properties = processorSeconds() - from
  from = processorSeconds()
  const described = compounds.flatMap((smiles) => describeCompound(rdkit, smiles) ?? [])
  const all = processorSeconds() - from
  const records = described.map(({ record }) => record.length)
  const features = described.map((one) => packFeatures(one.features).length)
  const mean = features.reduce((sum, bytes) => sum + bytes, 0) / features.length
  return [
    limited('Properties of 1,000 compounds', properties, 's', 4),
    limited('Properties, alerts and features of 1,000 compounds', all, 's', 12),
    limited(
      'Properties and alerts of a compound, largest of 1,000',
      Math.max(...records),
      'bytes',
      120,
    ),
    limited('Features of a compound, mean of 1,000', mean, 'bytes', 1000),
  ]
}

/** CPU time, because other programs may be using the machine. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function sampleOf(all: string[]): string[] {
  const step = Math.floor(all.length / COMPOUNDS)
  return all.filter((_, at) => at % step === 0).slice(0, COMPOUNDS)
}
