import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { signIn } from '../e2e/api-user.ts'
import { startProduct } from '../e2e/start-product.ts'

const EMAIL = 'disk@example.org'
const MEGABYTE = 2 ** 20

let isMounted = false
const folder = await mkdtemp(join(tmpdir(), 'pkdex-folders-'))
const disk = join(folder, 'disk')
await mkdir(disk)
isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=600m', 'tmpfs', disk]).status === 0
afterAll(async () => {
  if (isMounted) spawnSync('umount', ['-l', disk])
  await rm(folder, { recursive: true, force: true })
})

const settings = (more: Record<string, string>) => ({ LOG_LEVEL: 'fatal', ...more })

test('on a full disk, uploads fail with a message, other requests work, and no acknowledged data is lost', async ({
  skip,
}) => {
  if (!isMounted) return skip('a file system of its own cannot be mounted here')
  const product = await startProduct(settings({ DATA_DIR: disk }))
  const user = await signIn(product.url, EMAIL)
  const acknowledged: string[] = []
  let refusal = ''
  let longestMs = 0
  for (let round = 0; round < 120 && refusal === ''; round++) {
    const started = performance.now()
    // Random, so that compression does not make it smaller.
    const noise = Buffer.from(
      Array.from({ length: 5 * MEGABYTE }, () => 33 + Math.floor(Math.random() * 90)),
    )
    const content = Buffer.concat([Buffer.from(`CCO compound-${round}\n#`), noise])
    const answer = await user.upload({
      name: `${round}.txt`,
      type: 'drug_smiles',
      content: new Uint8Array(content),
    })
    longestMs = Math.max(longestMs, performance.now() - started)
    if (answer.ok) acknowledged.push(`compound-${round}`)
    else refusal = `${answer.status}: ${(await answer.json()).message}`
  }
  const credits = (await user.get('/dta/credits')).status
  await product.stop()
  spawnSync('mount', ['-o', 'remount,size=1500m', disk])
  const again = await startProduct(settings({ DATA_DIR: disk }))
  const sameUser = await signIn(again.url, EMAIL)
  const lost: string[] = []
  for (const name of acknowledged) {
    if ((await sameUser.get(`/file_manager/compounds/${name}`)).status !== 200) lost.push(name)
  }
  await again.stop()
  console.log(
    `measured: a disk of 600 MB filled by uploads of 5 MB: ${acknowledged.length} kept, then ${refusal}; ` +
      `longest answer ${Math.round(longestMs)} ms, a read meanwhile ${credits}; with room again ${lost.length} lost`,
  )
  expect(refusal).toMatch(/^503: The server has no room on its disk/)
  expect(credits).toBe(200)
  expect(lost).toEqual([])
})

test('a second start on the same folder or port fails with a one-sentence error and does no harm', async () => {
  const dataDir = join(folder, 'one')
  const product = await startProduct(settings({ DATA_DIR: dataDir }))
  const port = new URL(product.url).port
  expect(say({ DATA_DIR: dataDir })).toMatch(/is in use by another pKdex process/)
  expect(say({ DATA_DIR: join(folder, 'other'), PORT: port })).toMatch(
    /^PORT \d+ on .* is in use by another program/,
  )
  const user = await signIn(product.url, EMAIL)
  expect((await user.get('/dta/credits')).status).toBe(200)
  await product.stop()
})

test('a changed model file is rejected by name', async () => {
  const model = join(folder, 'model')
  await cp(fileURLToPath(new URL('../models/current', import.meta.url)), model, { recursive: true })
  const part = join(model, 'pair.onnx')
  const bytes = await readFile(part)
  bytes[1000] = (bytes[1000] ?? 0) ^ 255
  await writeFile(part, bytes)
  expect(say({ DATA_DIR: join(folder, 'one'), MODEL_DIR: model })).toMatch(
    /^MODEL_DIR .* is not valid: .*pair\.onnx does not match the hash in its model card/,
  )
})

/** Its path in Debian and Ubuntu; PKDEX_LIBFAKETIME overrides it. */
const fakeTime =
  process.env['PKDEX_LIBFAKETIME'] ?? '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

test.skipIf(!existsSync(fakeTime)).each([-1, 1])(
  'a clock that jumps by %i day loses nothing (needs libfaketime)',
  async (days) => {
    const dataDir = join(folder, 'clock')
    const product = await startProduct(settings({ DATA_DIR: dataDir }))
    const user = await signIn(product.url, EMAIL)
    await user.upload({ name: `${days}.txt`, type: 'drug_smiles', content: `CCO day-${days}` })
    await product.stop()
    const jumped = await startProduct(
      settings({
        DATA_DIR: dataDir,
        LD_PRELOAD: fakeTime,
        FAKETIME: `${days > 0 ? '+' : ''}${days}d`,
      }),
    )
    const later = await signIn(jumped.url, EMAIL)
    expect((await later.get(`/file_manager/compounds/day-${days}`)).status).toBe(200)
    await jumped.stop()
  },
)

/** Output of a start that must fail; it exits without a signal. */
function say(more: Record<string, string>): string {
  const { PATH = '', HOME = '' } = process.env
  const main = fileURLToPath(new URL('../apps/server/src/main/all.ts', import.meta.url))
  const { stderr } = spawnSync(process.execPath, [main], {
    env: { PATH, HOME, PORT: '0', NODE_NO_WARNINGS: '1', ...settings(more) },
    encoding: 'utf8',
    timeout: 120_000,
  })
  return stderr
}
