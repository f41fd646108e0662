import { readFileSync } from 'node:fs'
import { afterAll, expect, test, vi } from 'vitest'
import { openOwnPostgres } from './own-postgres.ts'
import { asUser, killSpawned, signIn, spawnServer, spawnWorker } from './spawned-server.ts'

const postgres = await openOwnPostgres()
afterAll(async () => {
  // Throws where a process has ended by itself.
  try {
    await killSpawned()
  } finally {
    await postgres?.close()
  }
})

const RESTARTS = 3

test.skipIf(postgres === null)(
  'a PostgreSQL server that restarts under load ends no process, and predictions go on (needs PostgreSQL on this machine)',
  async () => {
    if (postgres === null) throw new Error('no server')
    const settings = { DATABASE_URL: postgres.url, LOG_LEVEL: 'warn', WORKERS: '1' }
    const api = await spawnServer(settings, 'api')
    const worker = spawnWorker(settings)
    const user = asUser(api.url, await signIn(api.url, 'restarts@example.org'))
    const structure = new URL('../../../../../samples/1hpv.pdb', import.meta.url)
    await user.upload('protein_pdb', 'protease.pdb', readFileSync(structure, 'utf8'))
    const molecules = Array.from({ length: 40 }, (_, index) => `${'C'.repeat(index + 1)}O`)
    const { names } = await user.upload('drug_smiles', 'alcohols.txt', molecules.join('\n'))
    const isPredicted = (name: string) =>
      vi.waitFor(
        async () => expect(await user.predict('protease', name)).toHaveProperty('predicted_kd'),
        { timeout: 120_000, interval: 100 },
      )
    // The worker has started.
    await isPredicted(names[0] ?? '')

    for (let round = 0; round < RESTARTS; round++) {
      const load = names.map((name) => user.predict('protease', name).catch(() => null))
      await Promise.race(load)
      await postgres.restart()
      await Promise.all(load)
      await vi.waitFor(
        async () => expect(await user.predict('protease', names[round] ?? '')).toBeTruthy(),
        { timeout: 60_000, interval: 100 },
      )
    }
    for (const name of names) await isPredicted(name)
    // Either throws where the process had ended by itself.
    await api.stop()
    await worker.stop()
  },
)
