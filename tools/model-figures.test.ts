/** Model figures quoted on pages are those of the shipped model card. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test('the sign-in page states the model card’s error on published series', () => {
  const [, inCard] = /\| the model \| (\d\.\d{3}) \|/.exec(read('models/current/README.md')) ?? []
  const page = read('apps/web/src/routes/login/login-page.tsx')
  const [, onPage] = /SERIES_RMSE = '([\d.]+)'/.exec(page) ?? []
  expect(Number(inCard)).toBeGreaterThan(0)
  expect(onPage).toBe(Number(inCard).toFixed(2))
})

test('SPEC 22.6: the API guide has the errors of the model card by number of measured values', () => {
  const table = /\| values measured on the target \|[^\n]*\n\|[-|]+\|\n((?:\|.*\n)+)/
  const guide = /\| measured values on the protein \|[^\n]*\n\|[-|]+\|\n((?:\|.*\n)+)/
  // Compounds and RMSE.
  const figures = (page: string, of: RegExp) =>
    (of.exec(page)?.[1] ?? '')
      .trim()
      .split('\n')
      .map((row) => row.split('|').slice(2, 4).join('|'))
  const inCard = figures(read('models/current/README.md'), table)
  expect(inCard).toHaveLength(7)
  expect(figures(read('docs/api.md'), guide)).toEqual(inCard)
})
