/** A published series with some of its values: what to make next, another tool's score, matched pairs, clusters, new molecules. */
import { NextCompounds } from '@pkdex/contract'
import { expect, type Page } from '@playwright/test'
import { expectNoViolations } from './no-violations.ts'
import { test } from './product.ts'
import { openSeriesUser, screenAll } from './sample-series.ts'
import { creditsOf, enter } from './steps.ts'

const MEASURED = 12

test('SPEC 31.3, 33.1, 33.2, 33.3, 33.4: a series is read in its views, and reading them uses no credits', async ({
  page,
  baseURL,
}) => {
  const { user, measured } = await openSeriesUser(baseURL, { values: MEASURED })
  const id = await screenAll(user, ['MET'])
  const askNext = async () => {
    const answer = await user.post('/series/next', { screens: [id], target: 'MET' })
    return NextCompounds.parse(await answer.json()).waiting
  }
  await expect.poll(askNext).toBe(0)
  await enter(page, user)
  await page.goto(`/screens/${id}/series`)
  const credits = await creditsOf(page)

  const strongest = Math.max(...measured.map(({ pk }) => pk)).toFixed(2)
  await test.step('What to make next', () => chooseNext(page, strongest))
  await test.step('Another tool’s score', () => judgeScore(page))
  await test.step('Matched pairs', () => readPairs(page))
  await test.step('Clusters', () => readClusters(page))
  await test.step('Enumerate', () => applyChanges(page))
  expect(await creditsOf(page)).toBe(credits)
})

/** By pointer and by key; the goal changes the chances. */
async function chooseNext(page: Page, strongest: string): Promise<void> {
  await page.getByRole('link', { name: 'What to make next' }).click()
  const list = page.getByRole('list', { name: 'Suggestions' })
  const first = list.getByRole('listitem').first()
  await expect(first).toContainText(
    /Your values (raise|lower|leave) .*CHEMBL\d+ \(\d\.\d\d, similarity/,
  )
  await expect(first).toContainText(new RegExp(`\\d+%.*chance of exceeding ${strongest}`))
  const name = ((await first.getByRole('heading').textContent()) ?? '').replace('Select ', '')
  await page.getByRole('button', { name: `Add to make list: ${name}` }).click()
  const makeList = page.getByRole('region', { name: 'Make list' })
  await expect(makeList.getByRole('listitem')).toHaveCount(1)
  await page.getByRole('button', { name: `Exclude ${name}` }).click()
  await expect(list.getByRole('heading', { name })).toHaveCount(0)
  await page.getByRole('button', { name: 'Include again' }).click()
  await page.getByRole('button', { name: `On the list: ${name}` }).focus()
  await page.keyboard.press('m')
  await expect(makeList.getByRole('listitem')).toHaveCount(0)
  await page.getByLabel('Goal (pK)').fill('7')
  await page.getByRole('button', { name: 'Set' }).click()
  await expect(first).toContainText('chance of exceeding 7.00')
  await expectNoViolations(page)
}

async function judgeScore(page: Page): Promise<void> {
  const panel = page.getByRole('region', { name: 'Another tool’s score' })
  await panel.getByLabel('Column').selectOption('FEP')
  await expect(panel).toContainText('FEP is not used yet. Select its direction.')
  await panel.getByLabel('Direction').selectOption('higher')
  await expect(panel).toContainText(
    /FEP adds .*tau .* on 12 measured compounds, the prediction alone/,
  )
  await expect(panel).toContainText(/it counts for \d+% of the average/)
  await expect(page.getByText(/With FEP, it is \d\.\d\./).first()).toBeVisible()
  await panel.getByLabel('Column').selectOption('None')
  await expect(page.getByText(/With FEP/)).toHaveCount(0)
}

async function readPairs(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Matched pairs' }).click()
  const table = page.getByRole('table', { name: 'Matched pairs' })
  const first = table.getByRole('row').nth(1)
  await expect(first).toContainText(/[+−]\d\.\d\d/)
  await expect(table.getByRole('columnheader', { name: 'Training, this target' })).toBeVisible()
  const all = await table.getByRole('row').count()
  // The first entry is all compounds; a compound without a matched pair is not listed.
  const choice = page.getByLabel('Compound')
  const compound = (await choice.getByRole('option').nth(1).textContent()) ?? ''
  await choice.selectOption(compound)
  await expect.poll(() => table.getByRole('row').count()).toBeLessThan(all)
  await first.getByRole('group').locator('summary').click()
  await expect(first.getByText(compound).first()).toBeVisible()
}

async function readClusters(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Clusters' }).click()
  const clusters = page.getByRole('list', { name: 'Clusters' }).getByRole('listitem')
  await expect(clusters.first()).toContainText(/\d+ compounds.*Best \d\.\d\d/)
  const all = await clusters.count()
  const diverse = page.getByRole('list', { name: 'Diverse compounds' }).getByRole('listitem')
  await expect(diverse).toHaveCount(10)
  await page.getByLabel('How many').selectOption('5')
  await expect(diverse).toHaveCount(5)
  await page.getByLabel('Similarity at least').selectOption('0.5')
  const cliffs = page.getByRole('table', { name: 'Activity cliffs' })
  await expect(cliffs.getByRole('row').nth(1)).toContainText(
    /CHEMBL\d+ \d\.\d\d.*CHEMBL\d+ \d\.\d\d/,
  )
  await page.getByLabel('Similarity at least').selectOption('0.8')
  await expect.poll(() => clusters.count()).toBeGreaterThan(all)
}

/** New molecules by the changes that helped most: quoted, not predicted. */
async function applyChanges(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Enumerate' }).click()
  const found = page.getByRole('region', { name: 'Enumerate' })
  await found.getByLabel('Made by').selectOption('Apply the changes that helped most')
  await found.getByRole('button', { name: 'Enumerate' }).click()
  await expect(found.getByText(/^Changes applied: .* → /)).toBeVisible()
  await expect(found.getByText(/^\d+ credits? for \d+ pairs?, \d+ already predicted/)).toBeVisible()
}
