// npm run doctor: checks settings, database, disk, model, clock, reverse proxy and sign-in providers; exit code 0 or 1.
import { environment, prepareNode, runOrExit } from './prepare.mjs'

runOrExit(prepareNode(), ['apps/server/src/main/doctor.ts'], {
  env: environment({ NODE_NO_WARNINGS: '1' }),
})
