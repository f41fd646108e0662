/**
 * A compound's properties and alerts as stored: 24 bytes, and two per alert. The first byte identifies the layout and
 * the alert list, so that a record of an older list is computed again.
 */
import type { AlertSearch } from './alerts.ts'
import { propertiesOf, type MoleculeProperties } from './properties.ts'
import { trapped, type RdkitModule } from './rdkit.ts'

/** Raise it with every change of the layout or the alert list. */
const RECORD_VERSION = 1

/** `alerts`: indices into the list of alerts. */
export type CompoundRecord = { properties: MoleculeProperties; alerts: number[] }

/** Four bytes each, then one byte each, then the charge. */
const wide = ['mass', 'logP', 'tpsa', 'fsp3'] as const
const small = ['donors', 'acceptors', 'rotatableBonds', 'rings'] as const

const SMALL_AT = 1 + wide.length * 4
const HEAVY_ATOMS_AT = SMALL_AT + small.length
const CHARGE_AT = HEAVY_ATOMS_AT + 2
const ALERTS_AT = CHARGE_AT + 1

export function packRecord({ properties, alerts }: CompoundRecord): Uint8Array {
  const bytes = new Uint8Array(ALERTS_AT + alerts.length * 2)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, RECORD_VERSION)
  for (const [at, name] of wide.entries()) view.setFloat32(1 + at * 4, properties[name], true)
  for (const [at, name] of small.entries()) {
    view.setUint8(SMALL_AT + at, Math.min(properties[name], 255))
  }
  view.setUint16(HEAVY_ATOMS_AT, properties.heavyAtoms, true)
  view.setInt8(CHARGE_AT, Math.max(-128, Math.min(properties.charge, 127)))
  for (const [at, alert] of alerts.entries()) view.setUint16(ALERTS_AT + at * 2, alert, true)
  return bytes
}

/** Null for a record of another version. */
export function unpackRecord(bytes: Uint8Array): CompoundRecord | null {
  if (bytes[0] !== RECORD_VERSION) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const alerts = Array.from({ length: (bytes.length - ALERTS_AT) / 2 }, (_, at) =>
    view.getUint16(ALERTS_AT + at * 2, true),
  )
  const [mass, logP, tpsa, fsp3] = wide.map((_, at) => shorten(view.getFloat32(1 + at * 4, true)))
  const [donors, acceptors, rotatableBonds, rings] = small.map((_, at) => bytes[SMALL_AT + at] ?? 0)
  const heavyAtoms = view.getUint16(HEAVY_ATOMS_AT, true)
  const charge = view.getInt8(CHARGE_AT)
  const properties = { mass, logP, tpsa, fsp3, donors, acceptors, rotatableBonds, rings }
  return { properties: { ...properties, heavyAtoms, charge } as MoleculeProperties, alerts }
}

/** A stored number has seven digits; the rest is noise. */
function shorten(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

/** Packed; null if the compound cannot be read. Takes a standard SMILES. */
export function recordCompound(
  rdkit: RdkitModule,
  alerts: AlertSearch,
  smiles: string,
): Uint8Array | null {
  return trapped(() => {
    using molecule = rdkit.get_mol(smiles)
    if (!molecule) return null
    return packRecord({ properties: propertiesOf(molecule), alerts: alerts.find(molecule) })
  })
}
