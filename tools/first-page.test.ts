/** What a newcomer's browser has to fetch before the sign-in button: measured on the files that the build writes. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environment, scriptOf } from './prepare.mjs'

let dist: string
let page: string
beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'pkdex-dist-'))
  const args = [scriptOf('vite'), 'build', '--outDir', dist, '--emptyOutDir', '--logLevel', 'warn']
  const cwd = fileURLToPath(new URL('../apps/web', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd,
    env: environment({ NODE_ENV: 'production' }),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  page = await readFile(join(dist, 'index.html'), 'utf8')
})
afterAll(() => rm(dist, { recursive: true, force: true }))

const BYTES_MAX = {
  // 116 kB when this was written, 141 kB before the routes came later.
  scripts: 120_000,
  styles: 6500,
  page: 1000,
}

test('the scripts of the first page stay below their limit on the wire', async () => {
  const scripts = addresses(/<(?:script|link)[^>]*(?:src|href)="\/(assets\/[^"]+\.js)"/g)
  expect(scripts.length).toBeGreaterThan(0)
  expect(await bytesOf(scripts)).toBeLessThan(BYTES_MAX.scripts)
})

test('so do its style sheets and the page itself', async () => {
  const styles = addresses(/href="\/([^"]+\.css)"/g)
  expect(styles).toContain('shell.css')
  expect(await bytesOf(styles)).toBeLessThan(BYTES_MAX.styles)
  expect(await bytesOf(['index.html'])).toBeLessThan(BYTES_MAX.page)
})

test('nothing but the shell and its script holds back the first paint', () => {
  const [head = ''] = page.split('</head>')
  const sheets = [...head.matchAll(/<link rel="stylesheet"[^>]*href="([^"]+)"/g)]
  const scripts = [...head.matchAll(/<script(?! type="module")[^>]*src="([^"]+)"/g)]
  expect([...sheets, ...scripts].map(([, address]) => address)).toEqual([
    '/shell.css',
    '/first-paint.js',
  ])
  expect(page).not.toMatch(/<script(?![^>]*src=)/)
})

test('what was compressed is what stands beside it', async () => {
  for (const name of ['index.html', ...addresses(/src="\/(assets\/[^"]+\.js)"/g)]) {
    const file = await readFile(join(dist, name))
    expect(brotliDecompressSync(await readFile(join(dist, `${name}.br`))).equals(file)).toBe(true)
    expect(gunzipSync(await readFile(join(dist, `${name}.gz`))).equals(file)).toBe(true)
  }
})

function addresses(pattern: RegExp): string[] {
  return [...page.matchAll(pattern)].map(([, address = '']) => address)
}

/** On the wire, to a browser that takes Brotli. */
async function bytesOf(names: string[]): Promise<number> {
  const files = await Promise.all(names.map((name) => readFile(join(dist, `${name}.br`))))
  return files.reduce((sum, { length }) => sum + length, 0)
}
