/** The text of an import is read on a thread, so that the worst one delays nobody else. */
import { afterAll, expect, test } from 'vitest'
import { openTestMeasurements, openTestOwner } from '#test/open-test-measurements.ts'

const t = await openTestMeasurements()
afterAll(() => t.close())

const fill = (line: string, lines: number) => `${line}\n`.repeat(lines).slice(0, 490_000)
const wide = 'Ki nM,'.repeat(90).slice(0, 489)
const texts = [
  ['wide rows without values', fill(wide, 1000)],
  ['quoted cells', `ID,SMILES,Ki (nM)${',x'.repeat(120)}\n${fill('"1",'.repeat(120), 999)}`],
  [
    'cells of units',
    `ID,SMILES,Ki (nM)${',x'.repeat(160)}\n${fill(`CCO,${'nM,'.repeat(160)}`, 999)}`,
  ],
] as const

/** The longest piece of work between two turns of the event loop, as CPU time: other processes do not count. */
async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = process.threadCpuUsage()
  let isDone = false
  const turn = () => {
    const { user, system } = process.threadCpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.threadCpuUsage()
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isDone = true
  return longest
}

const TURN_MS_MAX = 200

test.each(texts)('a text of %s takes no long turn of the main thread', async (_, text) => {
  const user = await openTestOwner(t, { smiles: 'CCN' })
  const payload = { target: user.pair.target, type: 'Kd', text }
  const longest = await longestTurnMs(async () => {
    expect((await user.send('POST', '/measurements', payload)).statusCode).toBe(200)
  })
  expect(longest).toBeLessThan(TURN_MS_MAX)
})

test.each(['1', ',', 'a,1', '"a"'])(
  'a text of a quarter of a million lines %j is refused unread',
  async (line) => {
    const user = await openTestOwner(t, { smiles: 'CCN' })
    const text = `ID,SMILES,Ki (nM)\n${`${line}\n`.repeat(499_000 / (line.length + 1))}`
    const payload = { target: user.pair.target, type: 'Kd', text }
    const longest = await longestTurnMs(async () => {
      const answer = await user.send('POST', '/measurements', payload)
      expect(answer.json()).toMatchObject({ message: 'It has more than 2,000 lines. Split it.' })
    })
    expect(longest).toBeLessThan(TURN_MS_MAX)
  },
)
