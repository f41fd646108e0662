/** Calls and predictions in one process: all that a single machine needs. */
import { runProcess, serveApi } from './run-process.ts'

await runProcess(
  async (running, config) => {
    await serveApi(running, config)
    await running.startWorker()
  },
  () => undefined,
)
