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
import type { Figure } from './figure.ts'
import { readSharedSmiles } from './shared-compounds.ts'

const COMPOUNDS = 1000
const WARM_UP = 50

export async function measureCompoundRecords(): Promise<Figure[]> {
  const { PKDEX_SHARED: shared } = process.env
  if (shared === undefined) {
    console.error('Properties are not measured: PKDEX_SHARED names no folder of compounds.')
    return []
  }
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
  alerts.delete()
  return [
    seconds('Properties of 1,000 compounds', properties, 4),
    seconds('Properties and alerts of 1,000 compounds', both, 8),
    {
      name: 'Properties and alerts of a compound, largest of 1,000',
      measured: Math.max(...bytes),
      unit: 'bytes',
      against: { name: 'limit', value: 120 },
    },
  ]
}

/** CPU time: other programs may use the machine as well. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function seconds(name: string, measured: number, limit: number): Figure {
  return { name, measured, unit: 's', against: { name: 'limit', value: limit } }
}

function sampleOf(all: string[]): string[] {
  const step = Math.floor(all.length / COMPOUNDS)
  return all.filter((_, at) => at % step === 0).slice(0, COMPOUNDS)
}
