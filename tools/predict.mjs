// npm run predict -- --target a.pdb --compounds b.csv --out c.csv: predictions without a server.
import { join } from 'node:path'
import { environment, prepareNode, root, runOrExit } from './prepare.mjs'

const entry = join(root, 'apps/server/src/main/predict.ts')
// Paths are relative to the folder where the command was run, not to the checkout.
runOrExit(prepareNode(), [entry, ...process.argv.slice(2)], {
  cwd: process.env.INIT_CWD ?? process.cwd(),
  env: environment({ NODE_NO_WARNINGS: '1' }),
})
