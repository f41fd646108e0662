/** What a new visitor's browser downloads before the sign-in button appears, measured on the build of `npm run setup`. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const dist = fileURLToPath(new URL('../apps/web/dist', import.meta.url))
const page = await readFile(join(dist, 'index.html'), 'utf8')

const BYTES_MAX = {
  // 116 kB when this was written, 141 kB before routes were loaded on demand.
  scripts: 120_000,
  styles: 6500,
  page: 1000,
}

test('the scripts of the first page stay below their transfer limit', async () => {
  const scripts = addresses(/<(?:script|link)[^>]*(?:src|href)="\/(assets\/[^"]+\.js)"/g)
  expect(scripts.length).toBeGreaterThan(0)
  expect(await bytesOf(scripts)).toBeLessThan(BYTES_MAX.scripts)
})

test('its style sheets and the page stay below their limits', async () => {
  const styles = addresses(/href="\/([^"]+\.css)"/g)
  expect(styles).toContain('shell.css')
  expect(await bytesOf(styles)).toBeLessThan(BYTES_MAX.styles)
  expect(await bytesOf(['index.html'])).toBeLessThan(BYTES_MAX.page)
})

test('only the shell and its script block the first paint', () => {
  const [head = ''] = page.split('</head>')
  const sheets = [...head.matchAll(/<link rel="stylesheet"[^>]*href="([^"]+)"/g)]
  const scripts = [...head.matchAll(/<script(?! type="module")[^>]*src="([^"]+)"/g)]
  expect([...sheets, ...scripts].map(([, address]) => address)).toEqual([
    '/shell.css',
    '/first-paint.js',
  ])
  expect(page).not.toMatch(/<script(?![^>]*src=)/)
})

test('each compressed file matches its original', async () => {
  for (const name of ['index.html', ...addresses(/src="\/(assets\/[^"]+\.js)"/g)]) {
    const file = await readFile(join(dist, name))
    expect(brotliDecompressSync(await readFile(join(dist, `${name}.br`))).equals(file)).toBe(true)
    expect(gunzipSync(await readFile(join(dist, `${name}.gz`))).equals(file)).toBe(true)
  }
})

function addresses(pattern: RegExp): string[] {
  return [...page.matchAll(pattern)].map(([, address = '']) => address)
}

/** Transferred to a browser that supports Brotli. A file too small to be compressed is sent as it is. */
async function bytesOf(names: string[]): Promise<number> {
  const files = names.map((name) => join(dist, name))
  const sent = await Promise.all(
    files.map((file) => readFile(existsSync(`${file}.br`) ? `${file}.br` : file)),
  )
  return sent.reduce((sum, { length }) => sum + length, 0)
}
