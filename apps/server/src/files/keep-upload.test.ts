/** What becomes of an upload when its user changes while the file is read. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSession } from '#server/auth/open-test-session.ts'
import { openTestDatabase } from '#server/db/open-test-database.ts'
import type { OpenDatabase } from '#server/db/open.ts'
import { openWorkshop } from '#server/workshop/open-workshop.ts'
import { keepUpload } from './keep-upload.ts'

const workshop = openWorkshop({ threads: 1 })
let t: OpenDatabase
beforeAll(async () => {
  t = await openTestDatabase()
})
afterAll(async () => {
  await t.close()
  await workshop.close()
})

test.each([
  ['deleted', 'Session expired. Please login again.'],
  ['switched off', 'This account is switched off.'],
] as const)(
  'an upload whose user is %s while it is read is refused, and nothing is kept',
  async (change, message) => {
    const { userId } = await openTestSession(t.db)
    const meanwhile: typeof workshop = {
      ...workshop,
      async readCompounds(...call) {
        const read = await workshop.readCompounds(...call)
        await (change === 'deleted'
          ? t.db.deleteFrom('users').where('id', '=', userId).execute()
          : t.db.updateTable('users').set({ is_active: false }).where('id', '=', userId).execute())
        return read
      },
    }
    const bytes = Buffer.from('CCO ethanol')
    const sha256 = createHash('sha256').update(bytes).digest()
    const upload = { fileType: 'drug_smiles', filename: 'x.txt', bytes, sha256 } as const
    const parts = { db: t.db, workshop: meanwhile, now: () => new Date() }
    await expect(keepUpload(parts, { userId, upload })).rejects.toThrow(message)
    const kept = t.db.selectFrom('files').select('id').where('user_id', '=', userId)
    expect(await kept.execute()).toEqual([])
  },
)
