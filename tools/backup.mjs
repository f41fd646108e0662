// npm run backup -- <to>, npm run restore -- <from>: backs up all data while the product runs, and restores it.
import { environment, prepareNode, runOrExit } from './prepare.mjs'

runOrExit(prepareNode(), ['apps/server/src/main/backup.ts', ...process.argv.slice(2)], {
  env: environment({ NODE_NO_WARNINGS: '1' }),
})
