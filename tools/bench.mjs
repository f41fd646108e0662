// npm run bench: prepares the checkout and measures the figures quoted in the docs.
import { environment, prepare, runOrExit } from './prepare.mjs'

runOrExit(prepare(), ['bench/run.ts', ...process.argv.slice(2)], { env: environment() })
