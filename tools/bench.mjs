// npm run bench: makes the checkout ready and measures the figures that the documents quote.
import { environment, prepare, runOrExit } from './prepare.mjs'

runOrExit(prepare(), ['bench/run.ts', ...process.argv.slice(2)], { env: environment() })
