import { readFileSync } from 'node:fs'
import { afterAll, expect, test, vi } from 'vitest'
import { openTestDatabase } from '#test/open-test-database.ts'
import { asUser, killSpawned, signIn, spawnServer, spawnWorker } from './spawned-server.ts'

/** Processes that share the work need a server; the embedded database belongs to one process. */
const onServer = process.env.PKDEX_TEST_DATABASE_URL ? await openTestDatabase() : null
afterAll(async () => {
  await killSpawned()
  await onServer?.close()
})

const TASKS = 60

test.skipIf(onServer === null)(
  'SPEC 15.11: a worker that dies gives its tasks to another process (needs PKDEX_TEST_DATABASE_URL)',
  async () => {
    if (onServer?.source.kind !== 'server') throw new Error('not on a server')
    const { db } = onServer
    const settings = { DATABASE_URL: onServer.source.url, LOG_LEVEL: 'warn', WORKERS: '1' }
    const api = await spawnServer(settings, 'api')
    const user = asUser(api.url, await signIn(api.url, 'worker-dies@example.org'))
    const structure = new URL('../../../../samples/1hpv.pdb', import.meta.url)
    await user.upload('protein_pdb', 'protease.pdb', readFileSync(structure, 'utf8'))
    const molecules = Array.from({ length: TASKS }, (_, index) => `${'C'.repeat(index + 1)}O`)
    const { names } = await user.upload('drug_smiles', 'alcohols.txt', molecules.join('\n'))
    await Promise.all(names.map((name) => user.predict('protease', name)))

    const started = () => countTasks(['STARTED', 'SUCCESS'])
    const countTasks = async (statuses: ('PENDING' | 'STARTED' | 'SUCCESS')[]) =>
      (await db.selectFrom('tasks').select('id').where('status', 'in', statuses).execute()).length
    const doomed = spawnWorker(settings)
    await vi.waitFor(async () => expect(await started()).toBeGreaterThan(0), waiting(90_000, 5))
    await doomed.kill()
    const heirs = [spawnWorker(settings), spawnWorker(settings)]
    await vi.waitFor(
      async () => expect(await countTasks(['SUCCESS'])).toBe(TASKS),
      waiting(120_000, 200),
    )
    const charges = await db
      .selectFrom('ledger')
      .select('delta')
      .where('task_id', 'is not', null)
      .execute()
    expect(charges.map(({ delta }) => delta)).toEqual(Array(TASKS).fill(-1))
    await Promise.all([api, ...heirs].map((process) => process.stop()))
  },
)

function waiting(timeout: number, interval: number) {
  return { timeout, interval }
}
