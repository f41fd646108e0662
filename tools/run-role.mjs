// Runs one role of the product until it gets a stop signal: `all`, `api` or `worker`. The image starts with this; npm
// start prepares the checkout first. The flags of Node are in apps/server/node-flags.json, those of glibc's allocator
// in apps/server/malloc.json (docs/decisions/067), for all roles and the tests.
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { keepRunning } from './keep-running.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Returns the exit code to end with. */
export async function runRole(role, node, env) {
  if (!['all', 'api', 'worker'].includes(role)) {
    console.error(`Unknown role ${role}. Use all, api or worker.`)
    return 1
  }
  // The compile cache makes the next start faster and smaller in memory. systemd sets CACHE_DIRECTORY.
  const { NODE_COMPILE_CACHE, CACHE_DIRECTORY = tmpdir() } = env
  const compiled = NODE_COMPILE_CACHE ?? join(CACHE_DIRECTORY, 'pkdex-compiled')
  const flags = readServerJson('node-flags')
  return keepRunning(node, [...flags, `apps/server/src/main/${role}.ts`], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...readServerJson('malloc'),
      ...env,
      NODE_NO_WARNINGS: '1',
      NODE_COMPILE_CACHE: compiled,
    },
  })
}

function readServerJson(name) {
  return JSON.parse(readFileSync(join(root, `apps/server/${name}.json`), 'utf8'))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exit(await runRole(process.argv[2] ?? 'all', process.execPath, process.env))
}
