// npm run admin -- create|reset-password|delete|list: manages administrator accounts from the console.
import { environment, prepareNode, runOrExit } from './prepare.mjs'

runOrExit(prepareNode(), ['apps/server/src/main/admin.ts', ...process.argv.slice(2)], {
  env: environment({ NODE_NO_WARNINGS: '1' }),
})
