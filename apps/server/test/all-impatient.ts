/** The product in one process, as `main/all.ts`, for tests that would wait too long for its timeouts. */
import { runProcess, serveAll } from '#server/main/run-process.ts'

// Ten seconds: longer than a reload may take on a busy machine.
await runProcess(serveAll, () => undefined, { databaseWaitMs: 0, pageCloseGraceMs: 10_000 })
