/**
 * Another user, in a process of its own so that the test's own work does not count as waiting: looks at
 * lists and credits, and uploads a structure now and then, until its input ends; then prints the waits.
 * node bystander.ts <address>
 */
import { readFileSync } from 'node:fs'
import { listCompounds, listTargets, readCredits } from '@pkdex/contract'
import { signIn } from './api-user.ts'

const PAUSE_MS = 15
const CALLS_BETWEEN_UPLOADS = 40

const [url = ''] = process.argv.slice(2)
const user = await signIn(url, `bystander-${process.pid}@example.org`)
const content = readFileSync(new URL('../samples/1hpv.pdb', import.meta.url))
const upload = () => user.upload({ name: 'own.pdb', type: 'protein_pdb', content })
const paths = [readCredits.path, listTargets.path, listCompounds.path]
const waits: { calls: number[]; uploads: number[]; failed: number } = {
  calls: [],
  uploads: [],
  failed: 0,
}

let isAsked = true
process.stdin.on('end', () => (isAsked = false)).resume()
await upload()
console.log('ready')
for (let call = 1; isAsked; call += 1) {
  const isUpload = call % CALLS_BETWEEN_UPLOADS === 0
  const before = performance.now()
  const answer = await (isUpload ? upload() : user.get(paths[call % paths.length] ?? ''))
  await answer.arrayBuffer()
  waits[isUpload ? 'uploads' : 'calls'].push(performance.now() - before)
  if (!answer.ok) waits.failed += 1
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}
console.log(JSON.stringify(waits))
