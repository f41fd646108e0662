/** Serves the API only; other processes on the same database make the predictions. */
import { requireServerDatabase, runProcess, serveApi } from './run-process.ts'

await runProcess(serveApi, requireServerDatabase)
