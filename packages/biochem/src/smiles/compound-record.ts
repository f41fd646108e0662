/**
 * A compound's properties and alerts as stored: a byte that identifies layout and alert list, four bytes per property
 * (two if it is a whole number), and two per alert. A record of another layout or list is computed again.
 */
import { findAlerts } from './alerts.ts'
import type { MoleculeGraph } from './molecule-graph.ts'
import { descriptors, mapProperties, propertiesOf, type MoleculeProperties } from './properties.ts'
import type { Descriptors } from './descriptors.ts'

/** Raise it with every change of the alert list or of how a property is computed. */
const LIST_VERSION = 2

/** `alerts`: indices into the list of alerts. */
export type CompoundRecord = { properties: MoleculeProperties; alerts: number[] }

const layout = Object.entries(descriptors)
const ALERTS_AT = layout.reduce((at, [, { isWhole }]) => at + (isWhole ? 2 : 4), 1)
const RECORD_VERSION = identify(layout.map(([name]) => name))

/** A byte that changes with the names and their order. */
function identify(names: string[]): number {
  const text = `${LIST_VERSION} ${names.join()}`
  return Array.from(text, (letter) => letter.charCodeAt(0)).reduce(
    (sum, code) => (sum * 31 + code) % 251,
    0,
  )
}

export function packRecord({ properties, alerts }: CompoundRecord): Uint8Array {
  const bytes = new Uint8Array(ALERTS_AT + alerts.length * 2)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, RECORD_VERSION)
  let at = 1
  for (const [name, { isWhole }] of layout) {
    const value = properties[name as keyof MoleculeProperties]
    if (isWhole) view.setInt16(at, Math.max(-32_768, Math.min(value, 32_767)), true)
    else view.setFloat32(at, value, true)
    at += isWhole ? 2 : 4
  }
  for (const [place, alert] of alerts.entries()) view.setUint16(at + place * 2, alert, true)
  return bytes
}

/** Null for a record of another version. */
export function unpackRecord(bytes: Uint8Array): CompoundRecord | null {
  if (bytes[0] !== RECORD_VERSION) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 1
  const properties = mapProperties(({ isWhole }) => {
    const value = isWhole ? view.getInt16(at, true) : shorten(view.getFloat32(at, true))
    at += isWhole ? 2 : 4
    return value
  })
  const alerts = Array.from({ length: (bytes.length - at) / 2 }, (_, place) =>
    view.getUint16(at + place * 2, true),
  )
  return { properties, alerts }
}

/** A stored number has seven digits; the rest is noise. */
function shorten(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

/** Packed; `values`: the molecule's descriptors. */
export function recordMolecule(graph: MoleculeGraph, values: Descriptors): Uint8Array {
  return packRecord({ properties: propertiesOf(graph, values), alerts: findAlerts(graph) })
}
