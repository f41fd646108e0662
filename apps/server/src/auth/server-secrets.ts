/** Secrets shared by all processes on one database; created by the first process that needs one. */
import type { Database } from '#server/platform/db/schema.ts'

export async function readSecret(
  db: Database,
  name: string,
  make: () => string | Promise<string>,
): Promise<string> {
  const known = await findSecret(db, name)
  if (known !== undefined) return known.value
  const value = await make()
  await db
    .insertInto('server_secrets')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // Another process may have been first.
  return (await findSecret(db, name))?.value ?? value
}

function findSecret(db: Database, name: string) {
  return db.selectFrom('server_secrets').select('value').where('name', '=', name).executeTakeFirst()
}
