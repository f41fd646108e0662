/** A published series in the lists of Predict and in the views of a screen: stars, names, columns, structures. */
import { readFile } from 'node:fs/promises'
import { readScreenResults, type ScreenRow } from '@pkdex/contract'
import { expect, type Locator, type Page } from '@playwright/test'
import type { ApiUser } from './api-user.ts'
import { test } from './product.ts'
import { hasRealSeries, openSeriesUser, screenAll, uploadStructure } from './real-series.ts'
import { enter, sampleCompounds, sampleStructure, select } from './steps.ts'

test.skip(!hasRealSeries, 'PKDEX_SHARED does not name the folder with the published series')

test('SPEC 19.13, 19.14: targets and compounds of a series are renamed and deleted in their lists, and starred ones exported', async ({
  page,
  baseURL,
}) => {
  const { user, compounds } = await openSeriesUser(baseURL, { count: 6 })
  await uploadStructure(user, 'CDK8', 'ChEMBL_CDK8_CHEMBL3803436')
  const [first, second, third] = compounds.map(({ name }) => name)
  if (!first || !second || !third) throw new Error('the series has too few compounds')
  await enter(page, user)

  await page.goto('/results')
  await select(page, 'Targets', 'CDK8')
  const target = page.getByRole('region', { name: 'Target', exact: true })
  await rename(page, target, 'Cyclin C')
  await expect(option(target, 'Cyclin C')).toHaveAttribute('aria-selected', 'true')
  await remove(page, target)
  await expect(options(target)).toHaveText([/^MET/])

  const compound = page.getByRole('region', { name: 'Compound', exact: true })
  await select(page, 'Compounds', first)
  await rename(page, compound, 'lead 1')
  await expect(option(compound, 'lead 1')).toHaveAttribute('aria-selected', 'true')
  await select(page, 'Compounds', second)
  await remove(page, compound)
  await expect(options(compound)).toHaveCount(5)
  await expect(option(compound, second)).toHaveCount(0)

  // The list and the other pages have the same stars.
  for (const name of ['lead 1', third]) await option(compound, name).locator('[data-star]').click()
  await page.reload()
  await expect(option(compound, 'lead 1').getByText('starred')).toBeAttached()
  const saving = page.waitForEvent('download')
  await compound.getByRole('button', { name: 'Shortlist (2)' }).click()
  const file = await saving
  expect(file.suggestedFilename()).toBe('shortlist.csv')
  const [heading, ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(heading).toBe('name,smiles,formula,mass')
  expect(lines.map((line) => line.split(',').length)).toEqual([4, 4])
  expect(lines.map((line) => line.split(',', 1).join())).toEqual(['lead 1', third])
})

/** Renames the selected item of one of the lists. */
async function rename(page: Page, side: Locator, name: string): Promise<void> {
  await side.getByRole('button', { name: 'Rename' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('New name').fill(name)
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await expect(dialog).toBeHidden()
}

async function remove(page: Page, side: Locator): Promise<void> {
  await side.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('This cannot be undone')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog).toBeHidden()
}

function options(side: Locator): Locator {
  return side.getByRole('listbox').getByRole('option')
}

function option(side: Locator, name: string): Locator {
  return options(side).filter({ hasText: name })
}

test('SPEC 30.1, 30.11: columns of a screen are chosen and moved, differences within error are not printed, and every card has a structure', async ({
  page,
  baseURL,
}) => {
  const { user, compounds } = await openSeriesUser(baseURL, { count: 12, measured: 6 })
  // Inhibitors of HIV protease bind one target and not the other.
  const protease = await readFile(sampleStructure)
  await user.upload({ name: 'HIV-PR.pdb', type: 'protein_pdb', content: protease })
  const drugs = await readFile(sampleCompounds)
  await user.upload({ name: 'drugs.txt', type: 'drug_smiles', content: drugs })
  const id = await screenAll(user, ['MET', 'HIV-PR'])
  const rows = await rowsOf(user, id)
  await enter(page, user)
  await page.goto(`/screens/${id}`)
  const table = page.getByRole('table')

  await expect(page.getByText('22 compounds', { exact: true })).toBeVisible()
  await expectDifferences(table, rows)
  await expectMuted(table)
  expect(await table.locator('button[aria-label^="Open"]').evaluateAll(readCut)).toEqual([])
  // The measured value, and the adjusted predictions of the others, are shown next to the prediction.
  await expect(table.getByText(/^with 6 values$/).first()).toBeVisible()
  await expect(table.getByText('Measured', { exact: false }).first()).toBeVisible()
  await expectChosenColumns(page, table)
  const star = table.getByRole('button', { name: `Star ${compounds[0]?.name}` })
  await star.click()
  await expect(star).toHaveAttribute('aria-pressed', 'true')

  await page.goto(`/screens/${id}?view=map`)
  const map = page.getByRole('region', { name: /^Heat map cells/ })
  const selected = page.getByRole('complementary', { name: 'Selected pair' })
  const heading = selected.getByRole('heading')
  await map.hover({ position: { x: 320, y: 100 } })
  const pointed = await heading.innerText()
  await map.hover({ position: { x: 320, y: 200 } })
  await expect(heading).not.toHaveText(pointed)
  await expect(selected.locator('img')).toBeVisible()
  await page.goto(`/screens/${id}?view=charts`)
  const chart = page.getByRole('group', { name: /points\. The arrow keys/ })
  await chart.focus()
  await page.keyboard.press('ArrowRight')
  await expect(chart.locator('img')).toBeVisible()

  await user.post('/dta/predict', { protein_id: 'MET', compound_id: compounds[0]?.name })
  await page.goto('/history')
  const pair = page.getByRole('row', { name: new RegExp(`${compounds[0]?.name} on MET`) })
  await expect(pair.locator('img')).toBeVisible()
  await page.goto('/measurements?target=MET')
  await expect(page.getByRole('table', { name: 'Values' }).locator('img')).toHaveCount(6)
  await page.goto('/results')
  const list = page.getByRole('listbox', { name: 'Compounds' })
  await expect(list.getByRole('option').first().locator('img')).toBeVisible()
})

async function rowsOf(user: ApiUser, id: string): Promise<ScreenRow[]> {
  const answer = await user.get(`/screens/${id}/results?page=1&page_size=100`)
  return readScreenResults.answer.parse(await answer.json()).rows
}

/** One compound of each kind: the server says whether its difference exceeds the error. */
async function expectDifferences(table: Locator, rows: ScreenRow[]): Promise<void> {
  const isBeyond = ({ selectivity, selectivity_error: error }: ScreenRow) =>
    selectivity !== null && error !== null && Math.abs(selectivity) > error
  const strongest = [...Map.groupBy(rows, ({ compound }) => compound).values()].flatMap((pairs) =>
    pairs.toSorted((a, b) => (b.predicted_kd ?? 0) - (a.predicted_kd ?? 0)).slice(0, 1),
  )
  const heads = await table.getByRole('columnheader').allInnerTexts()
  const cellOf = (row: ScreenRow | undefined) =>
    table
      .getByRole('row')
      .filter({ has: table.page().getByText(row?.compound ?? '', { exact: true }) })
      .getByRole('cell')
      .nth(heads.indexOf('Selectivity'))
  const different = strongest.find(isBeyond)
  await expect(cellOf(different)).toHaveText(`HIV-PR +${different?.selectivity?.toFixed(1)}`)
  await expect(cellOf(strongest.find((row) => !isBeyond(row)))).toHaveText('within error')
}

/** Values outside the domain are paler than known ones, and not bold. */
async function expectMuted(table: Locator): Promise<void> {
  const [outside, known] = ['outside', 'known_on_target'].map((state) =>
    table.locator(`[data-state="${state}"] > span`).first(),
  )
  const lookOf = (cell: Locator | undefined) =>
    cell?.evaluate((element) => {
      const { color, fontWeight } = getComputedStyle(element)
      return { color, fontWeight }
    })
  const [muted, usual] = [await lookOf(outside), await lookOf(known)]
  expect(muted?.color).not.toBe(usual?.color)
  expect(Number(muted?.fontWeight)).toBeLessThan(Number(usual?.fontWeight))
}

/** One column is hidden, one shown and one moved; this survives a reload, until it is reset. */
async function expectChosenColumns(page: Page, table: Locator): Promise<void> {
  const heads = () => table.getByRole('columnheader').allInnerTexts()
  const before = await heads()
  await page.getByRole('button', { name: 'Columns' }).click()
  const panel = page.getByRole('group', { name: 'Columns' })
  await panel.getByRole('checkbox', { name: 'Closest target' }).uncheck()
  await panel.getByRole('checkbox', { name: 'TPSA' }).check()
  await panel.getByRole('button', { name: 'Move MW left' }).click()
  const places = (names: string[]) => [names.indexOf('MW'), names.indexOf('Alerts')]
  await expect.poll(async () => places(await heads())).not.toEqual(places(before))
  await page.reload()
  await expect(table.getByRole('columnheader', { name: 'TPSA' })).toBeVisible()
  expect(await heads()).not.toContain('Closest target')
  await page.getByRole('button', { name: 'Columns' }).click()
  await panel.getByRole('button', { name: 'Reset' }).click()
  await expect.poll(heads).toEqual(before)
}

/** Names that are wider than their button. */
function readCut(names: Element[]): string[] {
  const brush = document.createElement('canvas').getContext('2d')
  return names.flatMap((name) => {
    if (brush === null) return []
    brush.font = getComputedStyle(name).font
    const isCut = brush.measureText(name.textContent).width > name.clientWidth + 1
    return isCut ? [name.textContent] : []
  })
}
