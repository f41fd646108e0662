import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../apps/web/src/', import.meta.url))
const read = (pattern: string) =>
  globSync(pattern, { cwd: folder })
    .map((path) => readFileSync(folder + path, 'utf8'))
    .join('\n')

test('every colour and size that a style names is declared', () => {
  const styles = read('**/*.css')
  const declared = new Set(
    [...(styles + read('**/*.{ts,tsx}')).matchAll(/(--[\w-]+)['"\]]*\s*:/g)].map(([, one]) => one),
  )
  const named = new Set([...styles.matchAll(/var\((--[\w-]+)/g)].map(([, one]) => one))
  expect(named.size).toBeGreaterThan(30)
  const unknown = [...named].filter((one) => !declared.has(one) && !one?.startsWith('--mantine-'))
  expect(unknown).toEqual([])
})
