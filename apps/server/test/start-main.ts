/** Starts the product's process with settings that it refuses. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** Returns its exit code and output, once it has ended. `entry`: a file of `src/main`. */
export async function start(settings: Record<string, string>, entry = 'all.ts') {
  const { PATH, HOME, TMPDIR } = process.env
  const main = fileURLToPath(new URL(`../src/main/${entry}`, import.meta.url))
  const child = spawn(process.execPath, [main], {
    env: { PATH, HOME, TMPDIR, PORT: '0', NODE_NO_WARNINGS: '1', ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = text(child.stderr)
  const [code] = await once(child, 'close')
  return { code, said: await said }
}
