/**
 * Cost of properties and structural alerts at upload: time and stored bytes, for every nth compound of PKDEX_SHARED.
 */
import {
  alertCatalogue,
  openAlerts,
  openRdkit,
  readProperties,
  recordCompound,
} from '@pkdex/biochem'
import { type Figure, limited } from './figure.ts'
import { readSharedSmiles } from './shared-compounds.ts'

const COMPOUNDS = 1000
const WARM_UP = 50

export async function measureCompoundRecords(shared: string): Promise<Figure[]> {
  const rdkit = await openRdkit()
  const alerts = openAlerts(rdkit, alertCatalogue)
  const compounds = sampleOf(readSharedSmiles(shared))
  for (const smiles of compounds.slice(0, WARM_UP)) recordCompound(rdkit, alerts, smiles)
  let from = processorSeconds()
  for (const smiles of compounds) readProperties(rdkit, smiles)
  const properties = processorSeconds() - from
  from = processorSeconds()
  const bytes = compounds.map((smiles) => recordCompound(rdkit, alerts, smiles)?.length ?? 0)
  const both = processorSeconds() - from
  const largest = Math.max(...bytes)
  alerts.delete()
  return [
    limited('Properties of 1,000 compounds', properties, 's', 4),
    limited('Properties and alerts of 1,000 compounds', both, 's', 8),
    limited('Properties and alerts of a compound, largest of 1,000', largest, 'bytes', 120),
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
