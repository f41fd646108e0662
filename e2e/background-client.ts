/**
 * Another user, in a separate process so that the test's own work does not count as waiting: reads
 * lists and credits, and uploads a structure now and then, until its input ends; then prints the waits.
 * node background-client.ts <address>
 */
import { readFileSync } from 'node:fs'
import { setInterval } from 'node:timers/promises'
import { listCompounds, listTargets, readCredits } from '@pkdex/contract'
import { signIn } from './api-user.ts'

/** Minimum time between two requests: a user's pace. */
const PACE_MS = 15
const CALLS_BETWEEN_UPLOADS = 40

const [url = ''] = process.argv.slice(2)
const user = await signIn(url, `background-${process.pid}@example.org`)
const content = readFileSync(new URL('../samples/1hpv.pdb', import.meta.url))
const upload = () => user.upload({ name: 'own.pdb', type: 'protein_pdb', content })
const paths = [readCredits.path, listTargets.path, listCompounds.path]
const waits: { calls: number[]; uploads: number[]; failed: number } = {
  calls: [],
  uploads: [],
  failed: 0,
}

const asked = new AbortController()
process.stdin.on('end', () => asked.abort()).resume()
await upload()
console.log('ready')
let call = 0
for await (const _ of setInterval(PACE_MS)) {
  if (asked.signal.aborted) break
  call += 1
  const isUpload = call % CALLS_BETWEEN_UPLOADS === 0
  const before = performance.now()
  const answer = await (isUpload ? upload() : user.get(paths[call % paths.length] ?? ''))
  await answer.arrayBuffer()
  waits[isUpload ? 'uploads' : 'calls'].push(performance.now() - before)
  if (!answer.ok) waits.failed += 1
}
console.log(JSON.stringify(waits))
