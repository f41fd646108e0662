/** API and predictions in one process: all that a single machine needs. */
import { runProcess, serveAll } from './run-process.ts'

await runProcess(serveAll, () => undefined)
