/** Published series with the structure of their target, from samples/series. */
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { expect } from '@playwright/test'
import { type ApiUser, signIn } from './api-user.ts'
import { newEmail } from './steps.ts'

/** `fep`: the pK by free-energy perturbation. */
export type PublishedCompound = { name: string; smiles: string; pk: number; fep: number }

/** Inhibitors measured in one assay: 27 of MET, 45 of CDK8, 42 of BACE1. */
export const metSeries = 'ChEMBL_MET_CHEMBL3418289'
export const cdk8Series = 'ChEMBL_CDK8_CHEMBL3803436'
export const bace1Series = 'ChEMBL_BACE1_CHEMBL1109071'

/** In table order; names without the measured value. */
export async function readSeries(system: string): Promise<PublishedCompound[]> {
  return readCompounds((row) => row === system)
}

/** All series of one target, each compound once. */
export async function readTargetSeries(gene: string): Promise<PublishedCompound[]> {
  const all = await readCompounds((row) => row.startsWith(`ChEMBL_${gene}_`))
  return [...new Map(all.map((compound) => [compound.name, compound])).values()]
}

async function readCompounds(isWanted: (system: string) => boolean): Promise<PublishedCompound[]> {
  const text = await readFile(pathOf('compounds.tsv'), 'utf8')
  const rows = text.split('\n').map((line) => line.split('\t'))
  return rows
    .filter(([system = '']) => isWanted(system))
    .map(([, name = '', smiles = '', pk, fep]) => {
      return { name: name.split('_')[0] ?? '', smiles, pk: Number(pk), fep: Number(fep) }
    })
}

type SeriesUser = { user: ApiUser; compounds: PublishedCompound[]; measured: PublishedCompound[] }

/**
 * A new user with the structure of MET and the first `count` inhibitors of it, values of the first `values`, and
 * another tool's score of each in the column `FEP`.
 */
export async function openSeriesUser(
  url: string,
  { count = Infinity, values = 0 } = {},
): Promise<SeriesUser> {
  const user = await signIn(url, newEmail())
  const compounds = (await readSeries(metSeries)).slice(0, count)
  const measured = compounds.slice(0, values)
  await uploadStructure(user, 'MET', metSeries)
  const rows = compounds.map(({ name, smiles, fep }) => `${smiles}\t${name}\t${fep}`)
  await uploadCompounds(user, ['SMILES\tName\tFEP', ...rows])
  if (values > 0) {
    const body = measured.map(({ name, pk }) => ({ compound: name, value: pk, unit: 'p' }))
    await user.post('/measurements', { target: 'MET', values: body })
    // The model predicts MET so well that it would not use them by itself.
    await user.put('/measurements/use', { target: 'MET', use: true })
  }
  return { user, compounds, measured }
}

export async function uploadCompounds(user: ApiUser, lines: string[]): Promise<void> {
  await user.upload({ name: 'series.txt', type: 'drug_smiles', content: lines.join('\n') })
}

/** The structure of a series, as a target with this name. */
export async function uploadStructure(user: ApiUser, name: string, system: string): Promise<void> {
  const content = await readSeriesStructure(system)
  await user.upload({ name: `${name}.pdb`, type: 'protein_pdb', content })
}

export async function readSeriesStructure(system: string): Promise<Buffer<ArrayBuffer>> {
  return gunzipSync(await readFile(pathOf(`${system}.pdb.gz`)))
}

function pathOf(name: string): URL {
  return new URL(`../samples/series/${name}`, import.meta.url)
}

/** A screen of all compounds on these targets, once it has ended. */
export async function screenAll(user: ApiUser, targets: string[]): Promise<string> {
  const started = await user.post('/screens', { targets, compounds: 'all' })
  const { id } = await started.json()
  const statusOf = async () => (await (await user.get(`/screens/${id}`)).json()).status
  await expect.poll(statusOf, { timeout: 180_000 }).toBe('DONE')
  return id
}
