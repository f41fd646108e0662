/** From a finished screen to its SAR table, the predicted gaps and a make list. */
import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { signIn } from './api-user.ts'
import { expectNoViolations, expectNoViolationsOnDarkPhone } from './no-violations.ts'
import { test } from './product.ts'
import { screenAll } from './sample-series.ts'
import { creditsOf, enter, newEmail, sampleStructure } from './steps.ts'

const shots = process.env['PKDEX_SHOTS']

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
  'SPEC 31.4, 31.5, 31.10, 31.14: a screen opens as a SAR table; its gaps are predicted, stay part of it and are put on a make list',
  { tag: '@smoke' },
  async ({ page, baseURL }) => {
    const { id } = await openScreen(page, baseURL)
    await page.goto(`/screens/${id}`)
    await page.getByRole('link', { name: 'Analyse series' }).click()

    const table = page.getByRole('table', { name: 'SAR table' })
    await expect(table.getByRole('columnheader')).toHaveCount(4)
    await expect(table.getByRole('button')).toHaveCount(9)
    await expect(table.getByRole('button', { name: 'methyl-Cl, measured 6.50' })).toBeVisible()
    await expect(
      table.getByRole('button', { name: /^phenyl-F, predicted \d\.\d, \d\.\d to/ }),
    ).toBeVisible()
    await expect(page.getByText('Not in the table: 1')).toBeVisible()

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
    await page.getByLabel('Max. MW').fill('230')
    await page.getByRole('button', { name: 'Enumerate', exact: true }).click()
    const found = page.getByRole('region', { name: 'Enumerate' })
    await expect(found.getByText('Tried').locator('..')).toContainText('9')
    await expect(found).toContainText(/\d credits? for \d pairs?, \d already predicted \(free\)/)
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

test('a series is found in the menu by a suggested name; it and its make list are renamed', async ({
  page,
  baseURL,
}) => {
  await openScreen(page, baseURL)
  await page.goto('/screens')
  const shoot = async (name: string) => {
    if (shots === undefined) return
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.screenshot({ path: `${shots}/${name}-${width}.png`, fullPage: true })
    }
    await page.setViewportSize({ width: 1280, height: 900 })
  }
  await page.getByRole('link', { name: 'Series', exact: true }).click()
  await expect(
    page.getByRole('table', { name: 'Series' }).getByRole('link', { name: 'quinazolines × 1hpv' }),
  ).toBeVisible()
  await expectNoViolations(page)
  await shoot('series-list')
  await page.getByRole('link', { name: '1hpv', exact: true }).click()
  await expect(page.getByRole('table', { name: 'SAR table' })).toBeVisible()
  const menu = page.getByRole('navigation', { name: 'Main' })
  await expect(menu.locator('[aria-current=page]')).toHaveText('Series')
  await shoot('series')
  await page.getByRole('button', { name: 'More' }).click()
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Rename' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Quinazolines, first round')
  await page.getByRole('textbox', { name: 'Note' }).fill('Assay of March')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Quinazolines, first round')
  const list = page.getByRole('region', { name: 'Make list' })
  await expect(list.getByRole('heading')).toHaveText('Make list 1hpv 0')
  await list.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'New name' }).fill('To make')
  await page.keyboard.press('Enter')
  await expect(list.getByRole('heading')).toHaveText('To make 0')
  await page.reload()
  await expect(list.getByRole('heading')).toHaveText('To make 0')
  await page.getByRole('link', { name: 'Screen', exact: true }).click()
  await expect(page.getByText('Assay of March')).toBeVisible()
  await shoot('screen')
  await page.getByRole('button', { name: 'Export' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV', exact: true }).click()
  expect((await saved).suggestedFilename()).toBe('Quinazolines, first round.csv')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { name: 'No screens yet' })).toBeVisible()
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

/** A user with the series, one measured value and a finished screen of all, in the browser. */
async function openScreen(page: Page, url: string): Promise<{ id: string }> {
  const user = await signIn(url, newEmail())
  const structure = await readFile(sampleStructure)
  await user.upload({ name: '1hpv.pdb', type: 'protein_pdb', content: structure })
  await user.upload({ name: 'quinazolines.txt', type: 'drug_smiles', content: quinazolines })
  const values = [{ compound: 'methyl-Cl', value: 6.5, unit: 'p' }]
  await user.post('/measurements', { target: '1hpv', values })
  await enter(page, user)
  return { id: await screenAll(user, ['1hpv']) }
}
