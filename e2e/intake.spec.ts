/** Uploads without the drop boxes: pasted and drawn molecules, tables with selectable columns, a workbook, an SD file, many files. */
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { expectNoViolations } from './no-violations.ts'
import { test } from './product.ts'
import {
  newEmail,
  reading,
  sampleCompounds,
  sampleStructure,
  select,
  signIn,
  textFile,
} from './steps.ts'
import { writeWorkbook } from './workbook.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Paste or import compounds' })

test('pasted SMILES become compounds', async ({ page }) => {
  await openImport(page)
  await dialog(page)
    .getByLabel('SMILES or a table')
    .fill('CC(=O)Oc1ccccc1C(=O)O aspirin\nCn1cnc2c1c(=O)n(C)c(=O)n2C caffeine\n')
  await expectNoViolations(page)
  await dialog(page).getByRole('button', { name: 'Upload 2 compounds' }).click()
  await expectCompounds(page, ['aspirin', 'caffeine'])
})

test('SPEC 19.16: a pasted sequence becomes a target for predictions, without a structure', async ({
  page,
}) => {
  await openPrompt(page)
  await page.getByRole('button', { name: 'Paste a sequence' }).click()
  const form = page.getByRole('dialog', { name: 'Paste a sequence' })
  await form.getByLabel('Protein sequence').fill(`>HIV-1 protease\n${protease}\n`)
  await expectNoViolations(page)
  await form.getByRole('button', { name: 'Upload 99 residues' }).click()
  await expect(page.getByText('2 targets uploaded')).toBeVisible()
  await page
    .getByLabel('Drug(s) files')
    .setInputFiles(textFile('aspirin.txt', 'CC(=O)Oc1ccccc1C(=O)O aspirin\n'))
  await expect(page).toHaveURL(/\/results/)
  await select(page, 'Targets', 'HIV-1 protease')
  await select(page, 'Compounds', 'aspirin')
  await expect(reading(page).getByText(/^pKd = \d+\.\d\d ± 1\.5$/)).toBeVisible()
  await expect(page.getByText('Sequence only, no structure')).toBeVisible()
  await expect(page.getByRole('button', { name: /3D/ })).toHaveCount(0)
})

const protease =
  'PQVTLWQRPLVTIKIGGQLKEALLDTGADDTVLEEMSLPGRWKPKMIGGIGGFIKVRQYDQILIEICGHKAIGTVLVGPTPVNIIGRNLLTQIGCTLNF'

test(
  'an imported table shows the columns it uses, and others can be selected',
  { tag: '@smoke' },
  async ({ page }) => {
    await openImport(page)
    await chooseTable(
      page,
      'series.csv',
      'ID;SMILES;Alias\nA-1;CCO;ethanol\nA-2;;nothing\nA-3;CCN;ethylamine\n',
    )
    await expect(dialog(page).getByLabel('SMILES column')).toHaveValue('1')
    await dialog(page).getByLabel('Name column').selectOption('Alias')
    await expect(dialog(page).getByText('1 row without SMILES skipped.')).toBeVisible()
    await expectNoViolations(page)
    await dialog(page).getByRole('button', { name: 'Upload 2 compounds' }).click()
    await expectCompounds(page, ['ethanol', 'ethylamine'])
  },
)

test('a skipped row of a table without a heading has the line number of the file', async ({
  page,
}) => {
  await openImport(page)
  await chooseTable(page, 'plate.csv', 'CCO,ethanol,12\nC1CC,broken,13\nCCN,ethylamine,14\n')
  await dialog(page).getByRole('button', { name: 'Upload 3 compounds' }).click()
  await expectCompounds(page, ['ethanol', 'ethylamine'])
  const skipped = page.getByRole('list', { name: 'Skipped lines' })
  await expect(skipped).toHaveText(/^Line 2 C1CC broken/)
})

test('a table inside a .txt can be imported as a table', async ({ page }) => {
  await openPrompt(page)
  await page
    .getByLabel('Drug(s) files')
    .setInputFiles(textFile('export.txt', 'smiles,name\nCCO,ethanol\nCCN,ethylamine\n'))
  await page.getByRole('button', { name: 'Import it as a table' }).click()
  await dialog(page).getByRole('button', { name: 'Upload 2 compounds' }).click()
  await expectCompounds(page, ['ethanol', 'ethylamine'])
})

test('an Excel workbook is imported', async ({ page }) => {
  await openImport(page)
  const rows = [
    ['Name', 'SMILES'],
    ['propane', 'CCC'],
  ]
  await chooseTable(page, 'book.xlsx', writeWorkbook({ Series: rows }))
  await dialog(page).getByRole('button', { name: 'Upload 1 compound' }).click()
  await expectCompounds(page, ['propane'])
})

test('own columns appear next to the predictions of a screen', async ({ page }) => {
  await openImport(page)
  const [one, other] = (await readFile(sampleCompounds, 'utf8'))
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.split(' ', 1).join(''))
  const rows = [
    'ID,Structure,IC50 (nM),Chemist,target',
    `first,${one},12,"Rowe, A.",PR`,
    `second,${other},,Iqbal,`,
  ]
  await chooseTable(page, 'series.csv', rows.join('\n'))
  const kept = dialog(page).getByRole('group', { name: 'Columns to keep' })
  await expect(kept.getByRole('checkbox', { checked: true })).toHaveCount(3)
  await kept.getByLabel('Chemist').uncheck()
  await dialog(page).getByRole('button', { name: 'Upload 2 compounds' }).click()
  await expectCompounds(page, ['first', 'second'])
  const csv = await page.evaluate(startScreenAndRead)
  const ours = (csv[0]?.split(',').indexOf('Screen') ?? -1) + 1
  expect(csv.map((line) => line.split(',').slice(ours).join(','))).toEqual([
    'IC50 (nM),target (input)',
    '12,PR',
    ',',
  ])
})

test('an SD file is imported: molecules with stereochemistry, titles as names, fields as columns', async ({
  page,
}) => {
  await openImport(page)
  await chooseTable(page, 'series.sdf', alanine('L-alanine', 1) + alanine('D-alanine', 6))
  await expect(dialog(page).getByLabel('Name column')).toHaveValue('1')
  await expect(dialog(page).getByLabel('Batch')).toBeChecked()
  await expectNoViolations(page)
  await dialog(page).getByRole('button', { name: 'Upload 2 compounds' }).click()
  await expectCompounds(page, ['L-alanine', 'D-alanine'])
  const smiles = await page.evaluate(async () => {
    const headers = { 'API-Key': localStorage.getItem('API-key') ?? '' }
    const read = async (name: string) =>
      (await fetch(`/file_manager/compounds/${name}`, { headers })).json()
    return [await read('L-alanine'), await read('D-alanine')].map(
      ({ report }) => report.standard_smiles,
    )
  })
  expect(smiles).toEqual(['C[C@H](N)C(=O)O', 'C[C@@H](N)C(=O)O'])
})

test('a drawn molecule becomes a compound', async ({ page }) => {
  const refused: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text())
  })
  await openPrompt(page)
  await page.getByRole('button', { name: 'Draw a molecule' }).click()
  const drawing = page.getByRole('dialog', { name: 'Draw a molecule' })
  await expect(drawing.getByText('Nothing drawn yet.')).toBeVisible()
  await expect(drawing.getByRole('button', { name: 'Upload this compound' })).toBeDisabled()
  await expectNoViolations(page)
  await drawBond(page)
  await expect(drawing.getByText('Nothing drawn yet.')).toBeHidden()
  await drawing.getByLabel('Name').fill('sketch 1')
  await drawing.getByRole('button', { name: 'Upload this compound' }).click()
  await expectCompounds(page, ['sketch 1'])
  expect(refused).toEqual([])
})

test('fifty files have one progress bar, and their report does not push the page down', async ({
  page,
}) => {
  await signIn(page, newEmail())
  const region = page.getByRole('region', { name: 'Drug(s)' })
  const files = Array.from({ length: 50 }, (_, at) =>
    textFile(`plate ${at + 1}.txt`, `${'C'.repeat(at + 1)} alkane ${at + 1}\nC1CC broken\n`),
  )
  const mostBars = page.evaluate(countBars)
  await page.getByLabel('Drug(s) files').setInputFiles(files)
  await expect(region.getByText('50 compounds uploaded')).toBeVisible({ timeout: 120_000 })
  await expect(region.getByText('1 line of plate 50.txt skipped')).toBeAttached()
  await expect(page.locator('progress')).toHaveCount(0)
  await page.evaluate(() => window.dispatchEvent(new Event('looked')))
  expect(await mostBars).toBe(1)
  const box = await region.boundingBox()
  expect(box?.height).toBeLessThan(1300)
  await expectNoViolations(page)
})

async function openPrompt(page: Page): Promise<void> {
  await signIn(page, newEmail())
  await page.getByLabel('Target(s) files').setInputFiles(sampleStructure)
  await expect(page.getByText('1 target uploaded')).toBeVisible()
}

async function openImport(page: Page): Promise<void> {
  await openPrompt(page)
  await page.getByRole('button', { name: 'Paste or import compounds' }).click()
  await expect(dialog(page).getByLabel('SMILES or a table')).toBeVisible()
}

async function chooseTable(page: Page, name: string, content: string | Buffer): Promise<void> {
  await dialog(page).getByLabel('Compound table').setInputFiles(textFile(name, content))
}

/** The page continues automatically once both boxes have what they need. */
async function expectCompounds(page: Page, names: string[]): Promise<void> {
  await expect(page).toHaveURL(/\/results$/)
  const options = page.getByRole('listbox', { name: 'Compounds' }).getByRole('option')
  await expect(options).toHaveCount(names.length)
  for (const name of names) await expect(options.filter({ hasText: name })).toBeVisible()
}

/** Orders a screen of all compounds on the target, and returns its table as lines. */
async function startScreenAndRead(): Promise<string[]> {
  const headers = {
    'API-Key': localStorage.getItem('API-key') ?? '',
    'Content-Type': 'application/json',
  }
  const body = JSON.stringify({ targets: ['1hpv'], compounds: 'all' })
  const started = await fetch('/screens', { method: 'POST', headers, body })
  const { id } = await started.json()
  const table = await fetch(`/screens/${id}/results.csv`, { headers })
  return (await table.text()).trimEnd().split('\r\n')
}

/** The largest number of progress bars on the page at a time, until the page gets the event `looked`. */
function countBars(): Promise<number> {
  return new Promise((resolve) => {
    let bars = 0
    const look = () => {
      bars = Math.max(bars, document.querySelectorAll('progress').length)
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { childList: true, subtree: true })
    window.addEventListener('looked', () => resolve(bars), { once: true })
  })
}

/** A record of an SD file; the wedge to the nitrogen goes up (1) or down (6). */
function alanine(title: string, wedge: number): string {
  const atoms = ['C 0 0', 'N 1.3 -0.75', 'C -1.3 -0.75', 'C 0 1.5', 'O 1.3 2.25', 'O -1.3 2.25']
  const places = atoms.map((atom) => {
    const [symbol, ...place] = [...atom.split(' '), '0']
    const text = place.map((one) => Number(one).toFixed(4).padStart(10)).join('')
    return `${text} ${symbol}   0  0`
  })
  const bonds = [
    `  1  2  1  ${wedge}`,
    '  1  3  1  0',
    '  1  4  1  0',
    '  4  5  2  0',
    '  4  6  1  0',
  ]
  const counts = '  6  5  0  0  0  0  0  0  0  0999 V2000'
  const data = `>  <Batch>\nB-${wedge}\n\n$$$$\n`
  return [title, '', '', counts, ...places, ...bonds, 'M  END', data].join('\n')
}

/** The editor starts with the tool for single bonds: a click on empty space draws one. */
async function drawBond(page: Page): Promise<void> {
  const box = await page.getByRole('group', { name: 'Structure editor' }).boundingBox()
  if (box === null) throw new Error('the editor is not drawn')
  await page.mouse.click(box.x + box.width * 0.6, box.y + box.height * 0.5)
}
