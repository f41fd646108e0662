// npm run backup -- <where to>, npm run restore -- <where from>: everything that must not be lost, while the product runs.
import { environment, prepareNode, runOrExit } from './prepare.mjs'

runOrExit(prepareNode(), ['apps/server/src/main/backup.ts', ...process.argv.slice(2)], {
  env: environment({ NODE_NO_WARNINGS: '1' }),
})
