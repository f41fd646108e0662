/** From a finished screen to its SAR table, the predicted gaps and a make list. */
import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { type ApiUser, signIn } from './api-user.ts'
import { expectNoViolations, expectNoViolationsOnDarkPhone } from './no-violations.ts'
import { test } from './product.ts'
import { screenAll } from './real-series.ts'
import { creditsOf, enter, newEmail, sampleStructure } from './steps.ts'

/** Three amines by three substituents; two of the nine combinations were not made. */
const quinazolines = `CNc1ncnc2cc(F)ccc12 methyl-F
CNc1ncnc2cc(Cl)ccc12 methyl-Cl
CNc1ncnc2cc(OC)ccc12 methyl-OMe
c1ccccc1Nc1ncnc2cc(F)ccc12 phenyl-F
c1ccccc1Nc1ncnc2cc(Cl)ccc12 phenyl-Cl
C1CC1Nc1ncnc2cc(F)ccc12 cyclopropyl-F
C1CC1Nc1ncnc2cc(OC)ccc12 cyclopropyl-OMe
CCO ethanol`

test(
  'SPEC 31.5, 31.14: a screen opens as a SAR table; its gaps are predicted, stay part of it and are put on a make list',
  { tag: '@smoke' },
  async ({ page, baseURL }) => {
    const { id } = await openScreen(page, baseURL)
    await page.goto(`/screens/${id}`)
    await page.getByRole('link', { name: 'SAR table' }).click()

    const table = page.getByRole('table', { name: 'SAR table' })
    await expect(table.getByRole('columnheader')).toHaveCount(4)
    await expect(table.getByRole('button')).toHaveCount(9)
    await expect(table.getByRole('button', { name: 'methyl-Cl, measured 6.50' })).toBeVisible()
    await expect(
      table.getByRole('button', { name: /^phenyl-F, predicted \d\.\d, \d\.\d to/ }),
    ).toBeVisible()
    await expect(page.getByText('Not in the table: 1')).toBeVisible()
    await expectNoViolations(page)

    const credits = await creditsOf(page)
    await page.getByRole('button', { name: 'Predict 2 gaps · up to 2 credits' }).click()
    const gaps = table.getByRole('button', { name: /^Gap, predicted \d\.\d, \d\.\d to \d/ })
    await expect(gaps).toHaveCount(2)
    await expect.poll(() => creditsOf(page)).toBe(credits - 2)

    await gaps.first().click()
    await page.getByRole('button', { name: 'Add to make list' }).click()
    await gaps.last().press(' ')
    const list = page.getByRole('region', { name: 'Make list' })
    await expect(list.getByRole('listitem')).toHaveCount(2)
    // The server stores both: no address is needed to see them again.
    await page.goto(`/screens/${id}/series?view=products`)
    await page.getByRole('button', { name: 'Enumerate', exact: true }).click()
    await page.getByRole('button', { name: /^Predict \d+$/ }).click()
    await expect(page).toHaveURL(/view=next/)
    await page.goto(`/screens/${id}/series`)
    await expect(gaps).toHaveCount(2)
    await expect(list.getByRole('listitem').filter({ hasText: /^\d\.\d\d\.\d–\d/ })).toHaveCount(2)
    const saved = page.waitForEvent('download')
    await list.getByRole('button', { name: 'Export list' }).click()
    const file = await readFile(await (await saved).path(), 'utf8')
    expect(file.split('\r\n')).toHaveLength(4)
    expect(file).toMatch(/^SMILES,pKd,Lower 95%,Upper 95%,pKd now,[^\r]+\r\n[^,\s]+,\d+\.\d+,/)

    await expectNoViolationsOnDarkPhone(page)
    await page.getByRole('button', { name: 'Edit core' }).click()
    const editor = page.getByRole('dialog', { name: 'Edit core' })
    await expectWhole(editor.getByRole('group', { name: 'Structure editor' }))
    await expectNoViolations(page)
    await editor.getByLabel('SMILES').fill('c1cc')
    await editor.getByRole('button', { name: 'Use this core' }).click()
    await expect(page.getByText('The core is not a valid structure.')).toBeVisible()
  },
)

test('SPEC 31.14: what was predicted for a series is found from Screens, the ledger and the screen, and in its export', async ({
  page,
  baseURL,
}) => {
  const { id, user } = await openScreen(page, baseURL)
  await user.post('/predict', { smiles: ['CCN', 'CCS'], target: '1hpv', screen: id })
  await page.goto('/screens')
  await page.getByRole('link', { name: '1hpv × 2 compounds' }).click()
  await page.getByRole('link', { name: 'SAR table' }).click()
  await expect(page).toHaveURL(`/screens/${id}/series`)
  await page.goto(`/screens/${id}`)
  await expect(page.getByText('Predicted for its series: 1hpv × 2 compounds')).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const file = await readFile(await (await saved).path(), 'utf8')
  expect(file.trim().split('\r\n').at(-1)).toContain('CCS')
  await page.goto('/account')
  await page
    .getByRole('region', { name: 'Credits' })
    .getByRole('link', { name: 'screen' })
    .first()
    .click()
  await expect(page.getByRole('heading', { name: '1hpv × 2 compounds' })).toBeVisible()
})

/** What the editor draws on is not wider than its frame. */
async function expectWhole(frame: Locator): Promise<void> {
  await expect(async () => {
    const [outer, inner] = [
      await frame.boundingBox(),
      await frame.locator('canvas').last().boundingBox(),
    ]
    if (outer === null || inner === null) throw new Error('the editor has no size')
    expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width)
  }).toPass()
}

test('a finished screen is deleted after confirmation', async ({ page, baseURL }) => {
  const { user, id } = await openScreen(page, baseURL)
  await page.goto(`/screens/${id}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog', { name: 'Delete screen' })
  await expect(question.getByText(/\d predicted pairs? (is|are) deleted/)).toBeVisible()
  await expectNoViolations(page)
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL(/\/screens$/)
  await expect(page.getByText('No screens yet')).toBeVisible()
  expect((await user.get(`/screens/${id}`)).status).toBe(404)
})

test('SPEC 31.4, 31.10: groups are recombined, and the new molecules are predicted after a quote', async ({
  page,
  baseURL,
}) => {
  const { id } = await openScreen(page, baseURL)
  await page.goto(`/screens/${id}/series`)
  const credits = await creditsOf(page)
  await page.getByRole('link', { name: 'Enumerate' }).click()
  await page.getByLabel('Max. MW').fill('230')
  await page.getByRole('button', { name: 'Enumerate' }).click()
  const found = page.getByRole('region', { name: 'Enumerate' })
  await expect(found.getByText('Tried').locator('..')).toContainText('9')
  await expect(found.getByText('Outside the limits').locator('..')).toContainText('1')
  await expectNoViolations(page)
  await expect(found).toContainText(
    `1 credit for 1 pair, 0 already predicted (free). You have ${credits}.`,
  )
  await page.getByRole('button', { name: 'Predict 1' }).click()
  await expect(page).toHaveURL(/view=next/)
  await expect.poll(() => creditsOf(page)).toBe(credits - 1)
})

test('arrow keys, Home and End move through a SAR table', async ({ page, baseURL }) => {
  const { id } = await openScreen(page, baseURL)
  await page.goto(`/screens/${id}/series`)
  const cells = page.getByRole('table', { name: 'SAR table' }).getByRole('button')
  await expect(cells).toHaveCount(9)
  await cells.first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(cells.nth(1)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(cells.nth(4)).toBeFocused()
  await page.keyboard.press('End')
  await expect(cells.nth(5)).toBeFocused()
  await page.keyboard.press('Home')
  await expect(cells.nth(3)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Selected' })).toBeVisible()
})

/** A user with the series, one measured value and a finished screen of all, in the browser. */
async function openScreen(page: Page, url: string): Promise<{ user: ApiUser; id: string }> {
  const user = await signIn(url, newEmail())
  const structure = await readFile(sampleStructure)
  await user.upload({ name: '1hpv.pdb', type: 'protein_pdb', content: structure })
  await user.upload({ name: 'quinazolines.txt', type: 'drug_smiles', content: quinazolines })
  const values = [{ compound: 'methyl-Cl', value: 6.5, unit: 'p' }]
  await user.post('/measurements', { target: '1hpv', values })
  await enter(page, user)
  return { user, id: await screenAll(user, ['1hpv']) }
}
