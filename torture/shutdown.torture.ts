import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { signIn } from '../e2e/api-user.ts'
import { startProduct } from '../e2e/start-product.ts'
import { openLoadUser } from './load.ts'

const ROUNDS = Number(process.env['PKDEX_SHUTDOWN_ROUNDS'] ?? 10)
const EMAIL = 'shutdown@example.org'

const folder = await mkdtemp(join(tmpdir(), 'pkdex-shutdown-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

test('on a stop signal under load, the product answers all accepted requests and loses none of their data', async () => {
  const settings = { DATA_DIR: folder, LOG_LEVEL: 'fatal', INITIAL_CREDITS: '100000' }
  const acknowledged: string[] = []
  const outcomes: Record<string, number> = {}
  const milliseconds: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const product = await startProduct(settings)
    const user =
      round === 0 ? await openLoadUser(product.url, EMAIL, 4000) : await signIn(product.url, EMAIL)
    const note = async (name: string, answer: Promise<Response>) => {
      const outcome = await answer.then(
        async (it) => {
          if (it.ok) acknowledged.push(name)
          await it.arrayBuffer()
          return String(it.status)
        },
        () => 'cut off',
      )
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    }
    const calls = Array.from({ length: 30 }, (_, at) => {
      const name = `compound-${round}-${at}`
      return at % 2 === 0
        ? note(
            name,
            user.upload({ name: `${name}.txt`, type: 'drug_smiles', content: `CCO ${name}` }),
          )
        : note(
            '',
            user.post('/dta/predict', {
              protein_id: 'hiv',
              compound_id: `alcohol-${round * 30 + at}`,
            }),
          )
    })
    // By then the server has accepted some of them.
    await calls[round % 4]
    const started = performance.now()
    await product.stop()
    milliseconds.push(Math.round(performance.now() - started))
    await Promise.all(calls)
  }
  const product = await startProduct(settings)
  const user = await signIn(product.url, EMAIL)
  const lost: string[] = []
  for (const name of acknowledged.filter(Boolean)) {
    const { status } = await user.get(`/file_manager/compounds/${name}`)
    if (status !== 200) lost.push(name)
  }
  await product.stop()
  console.log(
    `measured: SIGTERM under load, ${ROUNDS} rounds of 30 calls: ${JSON.stringify(outcomes)}; ended after ${Math.min(...milliseconds)} to ${Math.max(...milliseconds)} ms; ${lost.length} of ${acknowledged.length} acknowledged calls lost`,
  )
  expect(lost).toEqual([])
  expect(Object.keys(outcomes).filter((outcome) => !['200', '503'].includes(outcome))).toEqual([])
})
