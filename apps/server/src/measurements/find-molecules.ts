/** Finds the molecule that each line of an import refers to, by one of the user's names or by SMILES. */
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import { findCompounds } from '#server/files/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { readPacked } from './fingerprints.ts'
import type { MeasuredLine, MeasuredLines } from './read-values.ts'
import type { NewMeasurement } from './store.ts'

type Dependencies = {
  db: Database
  parsingWorkers: Pick<ParsingWorkers, 'readMolecules' | 'readFingerprints'>
}

export type Found = { found: NewMeasurement[]; rejected: MeasuredLines['rejected'] }

export async function findMolecules(
  dependencies: Dependencies,
  userId: string,
  { lines, rejected }: MeasuredLines,
): Promise<Found> {
  const molecules = await readMolecules(dependencies, userId, lines)
  const read = [...molecules.values()].flatMap((one) => (one.ok ? [one.smiles] : []))
  const fingerprints = await readPacked(dependencies.parsingWorkers, userId, read)
  const all: Found = { found: [], rejected: [...rejected] }
  for (const { line, text, compound, molecule: named, measured } of lines) {
    const reject = (reason: string) => all.rejected.push({ line, text, reason })
    const molecule = molecules.get(named) ?? { ok: false, reason: 'It is not valid SMILES.' }
    if (!molecule.ok) {
      reject(molecule.reason)
      continue
    }
    const { smiles } = molecule
    const fingerprint = fingerprints.get(smiles)
    if (fingerprint === undefined) reject('The compound cannot be processed.')
    else all.found.push({ ...measured, compound, smiles, fingerprint })
  }
  return { found: all.found, rejected: all.rejected.toSorted((a, b) => a.line - b.line) }
}

type Molecule = { ok: true; smiles: string } | { ok: false; reason: string }

/** Keyed by how a line names its compound. */
async function readMolecules(
  dependencies: Dependencies,
  userId: string,
  lines: MeasuredLine[],
): Promise<Map<string, Molecule>> {
  const listed = [...new Set(lines.map(({ molecule }) => molecule))]
  const rows = await findCompounds(dependencies.db, userId, listed)
  const named = new Map(rows.map(({ name, standard_smiles }) => [name, standard_smiles]))
  const molecules = new Map<string, Molecule>()
  for (const compound of listed) {
    const smiles = named.get(compound.normalize('NFC'))
    if (smiles !== undefined) molecules.set(compound, { ok: true, smiles })
  }
  const others = listed.filter((compound) => !molecules.has(compound))
  const read = await readSmiles(dependencies, userId, others)
  for (const [place, compound] of others.entries()) {
    molecules.set(compound, read.get(place + 1) ?? { ok: false, reason: notFound(compound) })
  }
  return molecules
}

/** Keyed by line number, from 1. */
async function readSmiles(
  { parsingWorkers }: Dependencies,
  userId: string,
  texts: string[],
): Promise<Map<number, Molecule>> {
  const molecules = new Map<number, Molecule>()
  if (texts.length === 0) return molecules
  const named = texts.map((text, at) => ({ line: at + 1, smiles: withoutName(text), name: '' }))
  const read = await parsingWorkers.readMolecules(userId, named)
  for (const { line, reason } of read.rejected) {
    molecules.set(line, { ok: false, reason: notFound(texts[line - 1] ?? '', reason) })
  }
  for (const { line, report } of read.compounds) {
    molecules.set(line, { ok: true, smiles: report.standard_smiles })
  }
  return molecules
}

/** The SMILES with its extension; a pasted line may have a name after it. */
function withoutName(text: string): string {
  return /^\S+(?:\s+\|[^|]*\|)?/.exec(text)?.[0] ?? text
}

const NAME_CHARACTERS_SHOWN = 60

function notFound(compound: string, reason?: string): string {
  const name = compound.slice(0, NAME_CHARACTERS_SHOWN)
  const told = `You have no compound named “${name}”, and it is not SMILES that can be read`
  return reason === undefined ? `${told}.` : `${told}: ${reason}`
}
