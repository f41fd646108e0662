/** Reading large files on the upload page, in the browser: time until the upload is offered, and the longest stall. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRdkit } from '@pkdex/biochem'
import { chromium } from '@playwright/test'
import { signIn } from '../e2e/api-user.ts'
import { browserLaunch, unpackBrowser } from '../e2e/browser.ts'
import { timeImport } from '../e2e/time-import.ts'
import { API_KEY_HEADER } from '@pkdex/contract'
import { type Figure, limited } from './figure.ts'
import { compound, onProduct } from './on-product.ts'

const COMPOUNDS = 5000
const SDF_BYTES = 20 * 1024 * 1024
const STALL_MS_MAX = 200

export async function measureImports(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pkdex-bench-imports-'))
  const files = { csv: join(folder, 'series.csv'), sdf: join(folder, 'series.sdf') }
  await writeFile(files.csv, csv())
  await writeFile(files.sdf, await sdf())
  try {
    return await onProduct({}, async ({ url }) => {
      await unpackBrowser()
      const browser = await chromium.launch(browserLaunch)
      try {
        const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
        const user = await signIn(url, 'bench@example.org')
        await page.goto(url)
        const { [API_KEY_HEADER]: key = '' } = user.headers
        await page.evaluate((value) => localStorage.setItem('API-key', value), key)
        const table = await timeImport(page, url, files.csv)
        const records = await timeImport(page, url, files.sdf)
        const [ofTable, ofRecords] = ['a CSV of 5,000 compounds', 'an SD file of 20 MB']
        return [
          limited(`upload page reads ${ofTable}`, table.ms, 'ms', 2000),
          limited(`upload page reads ${ofTable}: longest stall`, table.stallMs, 'ms', STALL_MS_MAX),
          limited(`upload page reads ${ofRecords}`, records.ms, 'ms', 10_000),
          limited(
            `upload page reads ${ofRecords}: longest stall`,
            records.stallMs,
            'ms',
            STALL_MS_MAX,
          ),
        ]
      } finally {
        await browser.close()
      }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function csv(): string {
  const rows = Array.from(
    { length: COMPOUNDS },
    (_, at) => `B-${at + 1},${compound(at)},${(at % 97) + 0.5},second batch`,
  )
  return ['ID,SMILES,IC50 (nM),Note', ...rows, ''].join('\n')
}

/** Molecules as RDKit draws them, each with two fields, until the file is large enough. */
async function sdf(): Promise<string> {
  const rdkit = await openRdkit()
  const blocks = Array.from({ length: 1000 }, (_, at) => {
    using molecule = rdkit.get_mol(compound(at))
    return molecule?.get_molblock().trimEnd() ?? ''
  })
  const records: string[] = []
  let bytes = 0
  for (let at = 0; bytes < SDF_BYTES; at += 1) {
    const block = blocks[at % blocks.length] ?? ''
    const [, ...lines] = block.split('\n')
    const record = [`B-${at + 1}`, ...lines, '>  <IC50 (nM)>', '12.5', '', '>  <Note>', 'x', '']
    records.push(`${record.join('\n')}\n$$$$\n`)
    bytes += records.at(-1)?.length ?? 0
  }
  return records.join('')
}
