import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listCompounds } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openOwnDisk } from './own-disk.ts'
import { answerOf, asUser, killSpawned, signIn, spawnServer } from './spawned-server.ts'

const disk = openOwnDisk()
afterAll(async () => {
  await killSpawned().catch(() => undefined)
  disk?.close()
})

const start = () =>
  spawnServer({ DATA_DIR: join(disk?.folder ?? '', 'data'), LOG_LEVEL: 'fatal', WORKERS: '1' })

/** A process without its disk ends sooner than this; one that hangs never ends. */
const END_MS_MAX = 20_000

test.skipIf(disk === null)(
  'a disk that becomes read-only stops the product with a sentence, and prevents a start; no acknowledged data is lost',
  async () => {
    const server = await start()
    const key = await signIn(server.url, 'disk@example.org')
    const upload = (name: string) =>
      asUser(server.url, key).upload('drug_smiles', `${name}.txt`, `CCO ${name}`)
    await upload('before')
    disk?.turnReadOnly()
    const started = performance.now()
    const outcome = await Promise.race([upload('after').catch(() => 'not acknowledged'), hang()])
    const answeredMs = performance.now() - started
    expect(outcome).toBe('not acknowledged')
    // Its sockets close before the process ends.
    await sleep(1000)
    await expect(server.stop()).rejects.toThrow(
      /has ended by itself \(SIGKILL\):[^]*The disk of .* became read-only\. pKdex can no longer save data and stops/,
    )
    disk?.mountAgain('read-only')
    await expect(start()).rejects.toThrow(
      /DATA_DIR .* is on a read-only disk\. Nothing was changed\./,
    )
    disk?.mountAgain()
    const again = await start()
    const headers = { 'API-Key': key }
    const list = await answerOf(await fetch(again.url + listCompounds.path, { headers }))
    expect(listCompounds.answer.parse(list).compound_names).toEqual(['before'])
    await again.stop()
    console.log(
      `measured: a disk that turned read-only under the product: ended with a sentence ${Math.round(answeredMs)} ms after the next call, 0 of 1 acknowledged lost; a start on it is refused in a sentence`,
    )
  },
)

function hang(): Promise<string> {
  return sleep(END_MS_MAX, 'no answer')
}
