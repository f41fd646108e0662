/** Published series with the structure of their target, if PKDEX_SHARED names the folder that contains them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect } from '@playwright/test'
import { type ApiUser, signIn } from './api-user.ts'
import { newEmail } from './steps.ts'

const shared = process.env['PKDEX_SHARED'] ?? ''

export const hasRealSeries = shared !== ''

/** `fep`: the pK by free-energy perturbation. */
export type RealCompound = { name: string; smiles: string; pk: number; fep: number }

/** 27 inhibitors of MET, measured in one assay (CHEMBL3418289). */
export const metSeries = 'ChEMBL_MET_CHEMBL3418289'

/** In table order; names without the measured value. */
export async function readSeries(system: string): Promise<RealCompound[]> {
  return readCompounds((row) => row === system)
}

/** All series of one target, each compound once. */
export async function readTargetSeries(gene: string): Promise<RealCompound[]> {
  const all = await readCompounds((row) => row.startsWith(`ChEMBL_${gene}_`))
  return [...new Map(all.map((one) => [one.name, one])).values()]
}

async function readCompounds(isWanted: (system: string) => boolean): Promise<RealCompound[]> {
  const packed = await readFile(join(shared, 'data/series/ligands.tsv.gz'))
  const rows = gunzipSync(packed)
    .toString('utf8')
    .split('\n')
    .map((line) => line.split('\t'))
  return rows
    .filter(([system = '']) => isWanted(system))
    .map(([, name = '', smiles = '', pk, fep]) => {
      return { name: name.split('_')[0] ?? '', smiles, pk: Number(pk), fep: Number(fep) }
    })
}

type SeriesUser = { user: ApiUser; compounds: RealCompound[]; measured: RealCompound[] }

/** A new user with the first `count` compounds of a series and its structure, and values of the first `measured`. */
export async function openSeriesUser(
  url: string,
  { system = metSeries, count = Infinity, measured: values = 0, hasFep = false } = {},
): Promise<SeriesUser> {
  const user = await signIn(url, newEmail())
  const compounds = (await readSeries(system)).slice(0, count)
  const measured = compounds.slice(0, values)
  await uploadSeries(user, system, { compounds, measured, hasFep })
  return { user, compounds, measured }
}

type Uploaded = {
  compounds: RealCompound[]
  measured: RealCompound[]
  /** With a column `FEP`. */
  hasFep?: boolean
}

/** Uploads the series and its structure, named `MET`, and imports the values of the named compounds. */
export async function uploadSeries(
  user: ApiUser,
  system: string,
  { compounds, measured, hasFep = false }: Uploaded,
): Promise<void> {
  await uploadStructure(user, 'MET', system)
  const lines = hasFep
    ? [
        'SMILES\tName\tFEP',
        ...compounds.map(({ name, smiles, fep }) => `${smiles}\t${name}\t${fep}`),
      ]
    : compounds.map(({ name, smiles }) => `${smiles} ${name}`)
  await user.upload({ name: 'series.txt', type: 'drug_smiles', content: lines.join('\n') })
  const values = measured.map(({ name, pk }) => ({ compound: name, value: pk, unit: 'p' }))
  if (values.length > 0) await user.post('/measurements', { target: 'MET', values })
}

/** Only the structure of a series, as a target with this name. */
export async function uploadStructure(user: ApiUser, name: string, system: string): Promise<void> {
  const content = await readRealStructure(system)
  await user.upload({ name: `${name}.pdb`, type: 'protein_pdb', content })
}

export async function readRealStructure(system: string): Promise<Buffer<ArrayBuffer>> {
  return gunzipSync(await readFile(join(shared, `data/series/structures/${system}.pdb.gz`)))
}

/** A screen of all compounds on these targets, once it has ended. */
export async function screenAll(user: ApiUser, targets: string[]): Promise<string> {
  const started = await user.post('/screens', { targets, compounds: 'all' })
  const { id } = await started.json()
  const statusOf = async () => (await (await user.get(`/screens/${id}`)).json()).status
  await expect.poll(statusOf, { timeout: 180_000 }).toBe('DONE')
  return id
}
