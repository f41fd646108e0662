/** Runs once before all tests: the browser, and a data folder that every product starts from. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unpackBrowser } from './browser.ts'

const script = fileURLToPath(new URL('../apps/server/test/write-data-folder.ts', import.meta.url))

// oxlint-disable-next-line import/no-default-export -- the tool calls the default export
export default async function prepare(): Promise<() => Promise<void>> {
  await unpackBrowser()
  const folder = await mkdtemp(join(tmpdir(), 'pkdex-template-'))
  const { status } = spawnSync(process.execPath, [script, folder], { stdio: 'inherit' })
  if (status !== 0) throw new Error('the data folder was not written')
  process.env['PKDEX_TEMPLATE'] = folder
  return () => rm(folder, { recursive: true })
}
