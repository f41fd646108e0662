/** What becomes of an upload when its user changes while the file is read. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSession } from '#server/auth/open-test-session.ts'
import { openTestDatabase } from '#server/platform/db/open-test-database.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import { openParsingWorkers } from './parsing/service.ts'
import { importUpload } from './import-upload.ts'

const parsingWorkers = openParsingWorkers({ threads: 1 })
let t: OpenDatabase
beforeAll(async () => {
  t = await openTestDatabase()
})
afterAll(async () => {
  await t.close()
  await parsingWorkers.close()
})

test.each([
  ['deleted', 'Session expired. Please login again.'],
  ['switched off', 'This account is switched off.'],
] as const)(
  'an upload whose user is %s while it is read is refused, and nothing is kept',
  async (change, message) => {
    const { userId } = await openTestSession(t.db)
    const meanwhile: typeof parsingWorkers = {
      ...parsingWorkers,
      async readCompounds(...call) {
        const read = await parsingWorkers.readCompounds(...call)
        await (change === 'deleted'
          ? t.db.deleteFrom('users').where('id', '=', userId).execute()
          : t.db.updateTable('users').set({ is_active: false }).where('id', '=', userId).execute())
        return read
      },
    }
    const bytes = Buffer.from('CCO ethanol')
    const sha256 = createHash('sha256').update(bytes).digest()
    const upload = { fileType: 'drug_smiles', filename: 'x.txt', bytes, sha256 } as const
    const dependencies = {
      storedBytesPerUser: 2 ** 30,
      db: t.db,
      parsingWorkers: meanwhile,
      now: () => new Date(),
    }
    await expect(importUpload(dependencies, { userId, upload })).rejects.toThrow(message)
    const kept = t.db.selectFrom('files').select('id').where('user_id', '=', userId)
    expect(await kept.execute()).toEqual([])
  },
)
