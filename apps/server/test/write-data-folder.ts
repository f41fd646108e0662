/**
 * node apps/server/test/write-data-folder.ts FOLDER: an empty product's data folder, to be copied. Creating a database
 * takes several seconds of processor time.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { markAsMade } from '#server/platform/db/embedded/open-folder.ts'
import { templateFile } from './open-test-database.ts'

const [folder = ''] = process.argv.slice(2)
const database = join(folder, 'database')
const loadDataDir = new Blob([await readFile(await templateFile())])
const pglite = new PGlite(database, { loadDataDir })
await pglite.waitReady
await pglite.close()
await markAsMade(database)
