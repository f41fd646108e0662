/** npm run doctor, run as a user would. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#test/open-test-app.ts'
import { openTestProvider, settingOf } from '#test/open-test-provider.ts'

const folder = await mkdtemp(join(tmpdir(), 'pkdex-doctor-'))
const t = await openTestApp()
await t.app.listen({ host: '127.0.0.1', port: 0 })
const port = String((t.app.server.address() as AddressInfo).port)
const publicUrl = `http://127.0.0.1:${port}`
const provider = await openTestProvider(publicUrl)
afterAll(async () => {
  await Promise.all([provider.close(), t.close(), rm(folder, { recursive: true })])
})

async function runDoctor(environment: Record<string, string>) {
  const { PATH, HOME, TMPDIR } = process.env
  const main = fileURLToPath(new URL('doctor.ts', import.meta.url))
  const child = spawn(process.execPath, [main], {
    env: { PATH, HOME, TMPDIR, NODE_NO_WARNINGS: '1', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = text(child.stdout)
  const [code] = await once(child, 'close')
  return { code, said: await said }
}

test('SPEC 27.13: a server that works, its model, proxy, provider and clock pass with exit code 0', async () => {
  const { code, said } = await runDoctor({
    DATA_DIR: join(folder, 'new'),
    PORT: port,
    PUBLIC_URL: publicUrl,
    OIDC_PROVIDERS: JSON.stringify([settingOf(provider, 'Lab')]),
  })
  expect(said.split('\n')).toEqual([
    'ok       Settings: all values are valid.',
    `ok       Server: ready at ${publicUrl}.`,
    `ok       Database: embedded, in DATA_DIR ${folder}/new; the running server uses it.`,
    expect.stringMatching(/^ok {7}Disk: \d+ MiB are free in /),
    expect.stringMatching(/^ok {7}Model: version .*; its files are intact and it opens\.$/),
    expect.stringMatching(/^ok {7}Lab: found at http.*\. Whether client_id and client_secret are/),
    'ok       Clock: agrees with that of Lab.',
    `ok       Proxy: ${publicUrl} reaches pKdex, and no proxy is in between.`,
    '',
    'No problems found.',
    '',
  ])
  expect(code).toBe(0)
}, 60_000)

test('SPEC 27.13: a problem ends with exit code 1', async () => {
  const { code, said } = await runDoctor({ PORT: 'abc', RATE_LIMIT: 'none' })
  expect(said).toContain('PROBLEM  Settings: PORT "abc" is not valid: must be a number')
  expect(said).toContain('note     Everything else: was not checked')
  expect(said).toContain('\n2 problems.')
  expect(code).toBe(1)
})
