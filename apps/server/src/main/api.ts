/** Calls only; predictions are made by other processes on the same database. */
import { requireServerDatabase, runProcess, serveApi } from './run-process.ts'

await runProcess(serveApi, requireServerDatabase)
