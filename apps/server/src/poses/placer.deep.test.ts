/** Slow compounds: a turn on a thread ends after a few seconds, whatever they are, and gets on each time. */
import { readFile } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { openPlacer } from './placer.ts'

const placer = openPlacer({ threads: 1 })
afterAll(() => placer.close())

const content = await readFile(new URL('../../../../samples/1hpv.pdb', import.meta.url), 'utf8')
const place = async (smiles: string[]) => {
  const answer = await placer.place({ content, chain: '', reference: null, own: null, smiles })
  if ('reason' in answer) throw new Error(answer.reason)
  return answer.compounds
}
/** An aniline with a chain of so many carbons. */
const chain = (length: number) => `Nc1ccccc1${'C'.repeat(length)}`

test('a block of quick compounds is placed in one turn', async () => {
  const compounds = await place(Array.from({ length: 25 }, (_, at) => chain(1 + (at % 3))))
  expect(compounds).toHaveLength(25)
})

test('a turn with slow compounds ends early, and goes on with the others the next time', async () => {
  const slow = Array.from({ length: 25 }, (_, at) => chain(60 - at))
  const started = performance.now()
  const first = await place(slow)
  expect(first.length).toBeGreaterThan(0)
  expect(first.length).toBeLessThan(25)
  const second = await place(slow.slice(first.length))
  expect(second.length).toBeGreaterThan(0)
  console.log(
    `measured: ${first.length} and ${second.length} of 25 slow compounds in two turns, ${Math.round(performance.now() - started)} ms`,
  )
})
