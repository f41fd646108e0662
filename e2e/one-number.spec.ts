/** A pair that a pose and own values moved has one number: every page and file shows the same digits. */
import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import type { Screen, ScreenRow } from '@pkdex/contract'
import { type ApiUser, signIn } from './api-user.ts'
import { test } from './product.ts'
import { enter, newEmail, reading, sampleStructure, select } from './steps.ts'

const amprenavir = 'CC(C)CN(C[C@H]([C@H](Cc1ccccc1)NC(=O)O[C@H]2CCOC2)O)S(=O)(=O)c3ccc(cc3)N'
const groups = ['N', 'OC', 'F', 'C', 'Cl', 'O']
const compounds = groups.map((group, at) => `${amprenavir.replace(/N$/, group)} A-${at}`)

/** A placed compound of a screen on a target with five measured values. */
async function preparePair(user: ApiUser): Promise<{ id: string; row: ScreenRow }> {
  const structure = new Uint8Array(await readFile(sampleStructure))
  await user.upload({ name: 'protease.pdb', type: 'protein_pdb', content: structure })
  await user.upload({ name: 'series.txt', type: 'drug_smiles', content: compounds.join('\n') })
  const asked = { targets: ['protease'], compounds: 'all', structure: true }
  const { id } = (await (await user.post('/screens', asked)).json()) as Screen
  await expect(async () => {
    const screen = (await (await user.get(`/screens/${id}`)).json()) as Screen
    expect(screen.structure_status).toBe('DONE')
  }).toPass({ timeout: 60_000 })
  const values = groups
    .slice(1)
    .map((_, at) => ({ compound: `A-${at + 1}`, value: `${6 + at / 4}` }))
  await user.post('/measurements', { target: 'protease', type: 'Ki', unit: 'p', values })
  await user.put('/measurements/use', { target: 'protease', use: true })
  const answer = await (await user.get(`/screens/${id}/results`)).json()
  const row = (answer as { rows: ScreenRow[] }).rows.find(({ compound }) => compound === 'A-0')
  if (row === undefined) throw new Error('the screen lost a row')
  return { id, row }
}

test('SPEC 29.21: every page and file shows the same digits for a pair', async ({
  page,
  baseURL,
}) => {
  const user = await signIn(baseURL, newEmail())
  const { id, row } = await preparePair(user)
  const best = row.best_kd ?? Number.NaN
  const [hundredths, tenths] = [best.toFixed(2), best.toFixed(1)]
  const stages = [row.predicted_kd, row.structure_adjusted?.value].map((one) => one?.toFixed(1))
  expect([row.own_values, stages.includes(tenths)]).toEqual([5, false])
  await enter(page, user)

  await page.goto('/results')
  await select(page, 'Targets', 'protease')
  await select(page, 'Compounds', 'A-0')
  await expect(reading(page)).toContainText(hundredths)

  await page.goto(`/screens/${id}`)
  await expect(page.getByRole('row', { name: /A-0/ })).toContainText(tenths)
  await page.getByRole('row', { name: /A-0/ }).click()
  await expect(page.getByRole('dialog')).toContainText(hundredths)

  await page.goto(`/screens/${id}/report`)
  await expect(page.getByRole('row', { name: /A-0/ })).toContainText(tenths)
  await page.goto('/history')
  await expect(page.getByRole('row', { name: /A-0/ })).toContainText(tenths)

  for (const name of ['results.csv', 'results.sdf']) {
    const text = await (await user.get(`/screens/${id}/${name}`)).text()
    expect(text, name).toContain(String(row.best_kd))
  }
})
