// npm start: makes the checkout ready and runs the product until it is told to stop.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keepRunning } from './keep-running.mjs'
import { environment, prepare, root } from './prepare.mjs'

const node = prepare()
const flags = JSON.parse(readFileSync(join(root, 'apps/server/node-flags.json'), 'utf8'))
process.exitCode = await keepRunning(node, [...flags, 'apps/server/src/main-all.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: environment({
    NODE_NO_WARNINGS: '1',
    // Compiled once, kept: the next start is faster and takes less memory.
    NODE_COMPILE_CACHE: join(root, '.cache/compiled'),
  }),
})
process.exit()
