/** npm run doctor: checks the settings and everything that the server needs, in sentences. Changes nothing. */
import { examine, toText } from './examine.ts'

const findings = await examine(process.env)
console.info(toText(findings))
process.exitCode = findings.some(({ state }) => state === 'problem') ? 1 : 0
