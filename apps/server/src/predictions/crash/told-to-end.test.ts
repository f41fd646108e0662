/** The short form of torture `processes`, which restarts every process and leaves the time of a real balancer. */
import { afterAll, expect, test } from 'vitest'
import { openTestDatabase } from '#server/platform/db/open-test-database.ts'
import { type Balancer, openBalancer } from './balancer.ts'
import { openPressingUser, pressOn, settingsOf } from './pressed-processes.ts'
import { killSpawned, spawnServer } from './spawned-server.ts'

const LOOK_MS = 100
/** Ended by SIGINT, as soon as the balancer has noticed. */
const SHUTDOWN_GRACE_MS = '240000'

const onServer = process.env.PKDEX_TEST_DATABASE_URL ? await openTestDatabase() : null
let balancer: Balancer | undefined
afterAll(async () => {
  await balancer?.close()
  await killSpawned()
  await onServer?.close()
})

test.skipIf(onServer === null)(
  'one of two processes that answer calls is told to end under load, and no call fails (needs PostgreSQL)',
  async () => {
    if (onServer?.source.kind !== 'server') throw new Error('no server')
    const settings = { ...settingsOf(onServer.source.url), SHUTDOWN_GRACE_MS }
    const apis = await Promise.all([spawnServer(settings, 'api'), spawnServer(settings, 'api')])
    const [going, staying] = apis
    const at = (balancer = await openBalancer(LOOK_MS))
    await Promise.all(apis.map(({ url }) => at.add(url)))
    const load = pressOn(() => at.url, await openPressingUser(at.url, 'told@example.org'))
    await load.until(({ uploaded }) => uploaded.length > 0)
    const gone = going.stop()
    await at.untilOut(going.url)
    going.hurry()
    await gone
    await load.more(10)
    const { failures } = await load.end()
    expect(failures).toEqual([])
    await staying.kill()
  },
)
