/** A screen that places its compounds in the structure: the switch, the table, the pocket in 3D, the files. */
import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { signIn } from './api-user.ts'
import { expectNoViolations, expectNoViolationsOnDarkPhone } from './no-violations.ts'
import { test } from './product.ts'
import { enter, newEmail, sampleStructure } from './steps.ts'

const amprenavir = 'CC(C)CN(C[C@H]([C@H](Cc1ccccc1)NC(=O)O[C@H]2CCOC2)O)S(=O)(=O)c3ccc(cc3)N'
const compounds = [
  `${amprenavir} amprenavir`,
  `${amprenavir.replace('c3ccc(cc3)N', 'c3ccc(cc3)OC')} methoxy`,
  `${amprenavir.replace('c3ccc(cc3)N', 'c3ccc(cc3)F')} fluoro`,
  'ClC(Cl)Cl chloroform',
].join('\n')

// Every pixel of the pocket is drawn by the processor.
test.use({ viewport: { width: 820, height: 700 } })

test('SPEC 29.12, 29.19: compounds of a screen are placed in the structure and viewed in the pocket', async ({
  page,
  baseURL,
}) => {
  const user = await signIn(baseURL, newEmail())
  const structure = await readFile(sampleStructure)
  await user.upload({
    name: 'protease.pdb',
    type: 'protein_pdb',
    content: new Uint8Array(structure),
  })
  await user.upload({ name: 'compounds.txt', type: 'drug_smiles', content: compounds })
  await enter(page, user)

  await page.goto('/screens/new')
  const quote = page.getByRole('region', { name: 'Before you start' })
  await expect(quote).toContainText('Poses (free)')
  await expect(quote).toContainText(/4, about \d s after the predictions/)
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Start screen' }).click()

  const table = page.getByRole('table')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'pKd, pose' }).click()
  await page.keyboard.press('Escape')
  await expect(table.getByText('no pose')).toHaveCount(1, { timeout: 30_000 })
  await page.getByRole('button', { name: 'Export' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV', exact: true }).click()
  expect(await readFile(await (await saved).path(), 'utf8')).toContain('pKd (pose)')

  const poses = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download poses (SDF)' }).click()
  const records = await readFile(await (await poses).path(), 'utf8')
  expect(records.match(/^\$\$\$\$$/gm)).toHaveLength(3)
  // The list of exports may cover the row.
  await page.getByRole('button', { name: 'Export' }).click()

  await table.getByRole('row', { name: /methoxy/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Best estimate')
  await expect(dialog.getByText(/^Pose in /)).toBeVisible()
  await dialog.getByRole('button', { name: 'How this was obtained' }).click()
  await expect(dialog.getByRole('table', { name: 'Stages' })).toContainText(
    '+ pose in your structure',
  )
  await expectNoViolations(page)
  await page.keyboard.press('Escape')
  await dialog.getByRole('tab', { name: 'In the pocket' }).click()
  await expect(dialog).toContainText('Placed by common substructure, not an experimental pose.')
  await expect(dialog.getByRole('application')).toHaveAttribute('aria-busy', 'false', {
    timeout: 30_000,
  })
  const contacts = dialog.getByRole('list', { name: 'Contacts' })
  await expect(contacts.getByText(/hydrogen bond/i).first()).toBeVisible()
  await contacts.getByRole('button').first().hover()
  await dialog.getByText('Reference ligand', { exact: true }).click()
  await dialog.getByText('Atom contributions', { exact: true }).last().click()
  await expect(dialog).toContainText('Teal atoms raise the predicted pKd')
  await expectNoViolations(page)
  const sdf = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'SDF' }).click()
  expect(await readFile(await (await sdf).path(), 'utf8')).toContain('not an experimental pose')

  await giveLigand(page, dialog)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(contacts).toBeVisible()
  await expectNoViolations(page)

  await chooseLigand(page)
})

test('SPEC 29.20: New screen takes a ligand for a structure that has none', async ({
  page,
  baseURL,
}) => {
  const user = await signIn(baseURL, newEmail())
  const structure = await readFile(sampleStructure, 'utf8')
  const empty = structure.replaceAll(/^HETATM.*\n/gm, '')
  await user.upload({ name: 'protease.pdb', type: 'protein_pdb', content: structure })
  await user.upload({ name: 'empty.pdb', type: 'protein_pdb', content: empty })
  await user.upload({ name: 'compounds.txt', type: 'drug_smiles', content: compounds })
  const placed = await user.get('/poses/file?target=protease&compound=amprenavir&format=sdf')
  const sdf = await placed.text()
  await enter(page, user)

  await page.goto('/screens/new')
  const quote = page.getByRole('region', { name: 'Before you start' })
  await expect(quote).toContainText(/4, about \d s after the predictions/)
  const group = page.getByRole('group', { name: 'No ligand: empty' })
  await group.getByText('Your own ligand').click()
  await expectNoViolationsOnDarkPhone(page)
  await group.getByLabel('SDF or SMILES').fill('CCOc1ccccc1')
  await group.getByRole('button', { name: 'Use this ligand' }).click()
  await expect(group.getByRole('alert')).toContainText('A SMILES has no coordinates')
  await group.getByLabel('SDF or SMILES').fill(sdf)
  await group.getByRole('button', { name: 'Use this ligand' }).click()
  await expect(group).toBeHidden()
  await expect(quote).toContainText(/8, about \d s after the predictions/)
})

/** In the pocket view: a SMILES that is not a ligand of the structure is refused; the ligand itself is used. */
async function giveLigand(page: Page, dialog: Locator): Promise<void> {
  await dialog.getByText('Your own ligand').click()
  const given = dialog.getByLabel('SDF or SMILES')
  await given.fill('CCOc1ccccc1')
  await dialog.getByRole('button', { name: 'Use this ligand' }).click()
  await expect(dialog.getByRole('alert')).toContainText('A SMILES has no coordinates')
  await given.fill(amprenavir)
  await dialog.getByRole('button', { name: 'Use this ligand' }).click()
  const reference = dialog.getByRole('combobox', { name: 'Reference ligand' })
  await expect(reference.getByRole('option').first()).toHaveText('Your ligand (35 heavy atoms)')
  await expect(dialog).toContainText('heavy atoms are placed on your ligand')
  await expect(dialog.getByRole('application')).toHaveAttribute('aria-busy', 'false', {
    timeout: 30_000,
  })
}

/** New screen: the user's own ligand and the one of the structure. */
async function chooseLigand(page: Page): Promise<void> {
  await page.goto('/screens/new')
  const ligand = page.getByRole('combobox', { name: /^Ligand of protease/ })
  await ligand.selectOption({ label: '478 200 (35 heavy atoms)' })
  await expect(ligand).toHaveValue('478 200 _')
}
