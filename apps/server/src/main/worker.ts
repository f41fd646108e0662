/** Predictions only; calls are answered by other processes on the same database. */
import { requireServerDatabase, runProcess } from './run-process.ts'

await runProcess((running) => running.startWorker(), requireServerDatabase)
