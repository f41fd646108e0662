// npm start: prepares the checkout and runs the product until it gets a stop signal. `api` and `worker` run one half of
// it, with a shared PostgreSQL server.
import { join } from 'node:path'
import { environment, prepare, prepareNode, root } from './prepare.mjs'
import { runRole } from './run-role.mjs'

const [role = 'all'] = process.argv.slice(2)
const node = role === 'worker' ? prepareNode() : prepare()
process.exit(await runRole(role, node, { CACHE_DIRECTORY: join(root, '.cache'), ...environment() }))
