// npm start: makes the checkout ready and runs the product until it is told to stop. `api` and `worker` run one
// half of it, where a PostgreSQL server is shared. The flags of Node stand in apps/server/node-flags.json, those of glibc's
// allocator in apps/server/malloc.json (docs/decisions/067), for all of these and the tests.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keepRunning } from './keep-running.mjs'
import { environment, prepare, prepareNode, root } from './prepare.mjs'

const [role = 'all'] = process.argv.slice(2)
if (!['all', 'api', 'worker'].includes(role)) {
  console.error(`There is no role ${role}: npm start, npm run start:api or npm run start:worker.`)
  process.exit(1)
}
const node = role === 'worker' ? prepareNode() : prepare()
const flags = readServerJson('node-flags')
process.exitCode = await keepRunning(node, [...flags, `apps/server/src/main/${role}.ts`], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...readServerJson('malloc'),
    ...environment({
      NODE_NO_WARNINGS: '1',
      // Compiled once, kept: the next start is faster and takes less memory.
      NODE_COMPILE_CACHE: join(root, '.cache/compiled'),
    }),
  },
})
process.exit()

function readServerJson(name) {
  return JSON.parse(readFileSync(join(root, `apps/server/${name}.json`), 'utf8'))
}
