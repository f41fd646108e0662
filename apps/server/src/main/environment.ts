/** Reads settings from environment variables, and secrets from files as well. */
import { readFileSync } from 'node:fs'
import { OperatorError } from '#server/platform/errors.ts'

/** These are never logged, and may come from a file. */
export const secrets: ReadonlySet<string> = new Set([
  'ADMIN_PASSWORD',
  'DATABASE_URL',
  'OIDC_PROVIDERS',
])

/** The variable `NAME_FILE` contains the path of a file, which is how containers receive secrets. */
export function readSecret(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const path = environment[`${name}_FILE`]?.trim()
  if (environment[name]?.trim() || !path) return environment[name]
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`${name}_FILE cannot be read: ${reason}`)
  }
}

/** Settings of earlier versions that no longer exist but are set in this environment. */
export function findRemoved(environment: NodeJS.ProcessEnv): string[] {
  return removed.filter((name) => environment[name])
}

const removed = [
  'DATABASE_WAIT_MS',
  'DISK_BYTES_MIN',
  'METRICS_HOST',
  'PAGE_CLOSE_GRACE_MS',
  'RECEIVING_BYTES_MAX',
  'SAMPLES_DIR',
  'WAITING_MAX',
  'WAITING_MAX_PER_USER',
  'WEB_DIR',
]

/** Equal except for underscores and case, or differing by one added, missing or wrong character. */
function isAlike(one: string, other: string): boolean {
  const [a, b] = [one, other].map((name) => name.replaceAll('_', '').toUpperCase()) as [
    string,
    string,
  ]
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const rest = (text: string, skip: number) => text.slice(start + skip)
  return rest(a, 1) === rest(b, 1) || rest(a, 1) === rest(b, 0) || rest(a, 0) === rest(b, 1)
}

/** Variables that are not settings but look like a misspelt one: pairs of the name found and the name meant. */
export function findMisspelt(environment: NodeJS.ProcessEnv, known: string[]): [string, string][] {
  return Object.keys(environment)
    .filter((name) => !known.includes(name) && !secrets.has(name.replace(/_FILE$/, '')))
    .flatMap((name) => {
      const meant = known.find((one) => isAlike(one, name))
      return meant === undefined ? [] : [[name, meant] as [string, string]]
    })
}
