/** Every migration, in order. Names are never changed once released. */
import type { Migration } from 'kysely/migration'
import { up as firstLight } from './0001-first-light.ts'
import { up as administration } from './0002-administration.ts'

export const migrations: Record<string, Migration> = {
  '0001-first-light': { up: firstLight },
  '0002-administration': { up: administration },
}
