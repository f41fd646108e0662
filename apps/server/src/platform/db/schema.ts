/** The database as TypeScript sees it. Its tables are in tables.ts. */
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

export type { Tables }
export type Database = Kysely<Tables>
/** Proof that the caller is inside a transaction. Use it for every query until the transaction ends. */
export type Trx = Transaction<Tables>
