/** Makes predictions only; other processes on the same database serve the API. */
import { requireServerDatabase, runProcess } from './run-process.ts'

await runProcess(async (running, { workers }) => {
  await running.startWorker()
  console.info(`pKdex worker is ready: ${workers} ${workers === 1 ? 'thread' : 'threads'}.`)
}, requireServerDatabase)
