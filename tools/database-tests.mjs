// Which tests of the server open the tests' database, and so may behave otherwise on PostgreSQL: those that import,
// at whatever distance, a file that reads PKDEX_TEST_DATABASE_URL. The others need not run twice.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const SETTING = 'PKDEX_TEST_DATABASE_URL'

/**
 * @param {string} source the folder that `#server/` stands for
 * @returns {string[]}
 */
export function findDatabaseTests(source) {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(source, name))
    .filter((file) => reaches(file, source, new Set()))
    .toSorted()
}

function reaches(file, source, seen) {
  if (seen.has(file) || !existsSync(file)) return false
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  return (
    text.includes(SETTING) ||
    importsOf(text, file, source).some((one) => reaches(one, source, seen))
  )
}

/** Files of the same tree; a package is somebody else's. */
function importsOf(text, file, source) {
  const named = text.matchAll(
    /(?:from|import|import\(|new URL\()\s*'(#server\/|\.{1,2}\/)([^']+\.ts)'/g,
  )
  return [...named].map(([, start, rest]) =>
    start === '#server/' ? join(source, rest) : resolve(dirname(file), start + rest),
  )
}
