import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelError, readModelVersion } from '#server/inference/service.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pkdex-start-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function start(settings: Record<string, string>) {
  const { PATH, HOME, TMPDIR } = process.env
  const main = fileURLToPath(new URL('all.ts', import.meta.url))
  const child = spawn(process.execPath, [main], {
    env: { PATH, HOME, TMPDIR, PORT: '0', NODE_NO_WARNINGS: '1', ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = text(child.stderr)
  const [code] = await once(child, 'close')
  return { code, said: await said }
}

test('a PostgreSQL server that cannot be reached is named in one sentence, and worth another try', async () => {
  const { code, said } = await start({
    DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/none',
    DATABASE_WAIT_MS: '0',
  })
  expect(said).toMatch(
    /^The PostgreSQL server of DATABASE_URL does not answer: .*ECONNREFUSED.*\n$/,
  )
  expect(code).toBe(1)
  expect(said).not.toContain('secret')
})

test('a data folder that cannot be one is named in one sentence, and starting again is no use', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  const { code, said } = await start({ DATA_DIR: file })
  expect(said).toBe(
    `DATA_DIR ${file} is no folder that this user may write in. Nothing was changed.\n`,
  )
  expect(code).toBe(78)
})

test('a model that is not there is named, with what to do', async () => {
  await expect(readModelVersion(folder)).rejects.toThrow(ModelError)
  await expect(readModelVersion(folder)).rejects.toThrow(
    /^MODEL_DIR .* cannot be used: .*model-card.json\. Put the model back/,
  )
})
