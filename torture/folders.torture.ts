import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
