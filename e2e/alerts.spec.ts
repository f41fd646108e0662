/** The user's own structural alerts: entered, checked, and used in the quote and the table of a screen. */
import { expect } from '@playwright/test'
import { expectNoViolations } from './no-violations.ts'
import { test } from './product.ts'
import { newEmail, sampleCompounds, signIn, uploadSamples } from './steps.ts'

test('SPEC 32.9: own patterns are checked and saved, and count in a quote and in a screen', async ({
  page,
}) => {
  await signIn(page, newEmail())
  await uploadSamples(page)
  await page.goto('/account')
  await page.getByRole('link', { name: 'Add patterns' }).click()
  await expect(page.getByRole('heading', { name: 'Structural alerts' })).toBeVisible()
  const lines = page.getByLabel('Patterns', { exact: true })
  const save = page.getByRole('button', { name: 'Check and save' })
  await lines.fill('[OX2H1]c phenol\n\nC(=O)[OX2H1 acid')
  await save.click()
  await expect(page.getByRole('alert')).toContainText(
    'Pattern 2, “acid”: This is not valid SMARTS.',
  )
  await lines.fill('[OX2H1]c phenol\nC(=O)[OX2H1] carboxylic acid')
  await save.click()
  await expect(page.getByText('2 patterns saved.')).toBeVisible()
  await expectNoViolations(page)
  await page.reload()
  await expect(lines).toHaveValue('[OX2H1]c phenol\nC(=O)[OX2H1] carboxylic acid')

  await page.goto('/screens/new')
  const quote = page.getByRole('region', { name: 'Before you start' })
  const own = quote.getByLabel(/^Leave out \d+ flagged by your patterns$/)
  await expect(own).toBeVisible()
  await expect(quote.getByRole('link', { name: 'Edit your patterns' })).toBeVisible()
  await page.getByRole('button', { name: 'Start screen' }).click()
  await expect(page.getByText('Done, started')).toBeVisible()
  const table = page.getByRole('table')
  const aspirin = table.getByRole('row').filter({ hasText: 'aspirin' })
  await aspirin.getByRole('button', { name: /^\d alerts?$/ }).click()
  const alerts = page.getByRole('dialog', { name: 'Structural alerts' })
  await alerts.getByRole('button', { name: 'Your pattern: carboxylic acid, 3 atoms' }).click()
  await expect(alerts.locator('circle')).toHaveCount(3)
  await expectNoViolations(page)
})

test('SPEC 32.10: an upload says how many compounds have alerts, own patterns included, and links to each', async ({
  page,
}) => {
  await signIn(page, newEmail())
  await page.goto('/account/alerts')
  await page.getByLabel('Patterns', { exact: true }).fill('C(=O)[OX2H1] carboxylic acid')
  await page.getByRole('button', { name: 'Check and save' }).click()
  await expect(page.getByText('1 pattern saved.')).toBeVisible()
  await page.goto('/')
  await page.getByLabel('Drug(s) files').setInputFiles(sampleCompounds)
  const box = page.getByRole('region', { name: 'Drug(s)' })
  const summary = box.getByText(/^\d of 10 match a structural alert$/)
  await expect(summary).toBeVisible()
  await summary.click()
  const list = box.getByRole('list', { name: 'Compounds with alerts' })
  await expect(list.getByText('Brenk phenol ester, carboxylic acid')).toBeVisible()
  await expectNoViolations(page)
  await list.getByRole('link', { name: 'aspirin' }).click()
  await expect(page).toHaveURL(/\/results\?compound=aspirin$/)
  await expect(
    page.getByRole('listbox', { name: 'Compounds' }).getByRole('option', { selected: true }),
  ).toContainText('aspirin')
})
