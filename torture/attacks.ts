/** Attacks of more than one request: slow readers, files deleted during an export, storage, thousands of targets. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiUser } from '../e2e/api-user.ts'

/** By a user whose address is counted separately; each returns the last response of the attack. */
export type Attacker = { url: string; user: ApiUser }

/** Reads an export of the account after one of its files was deleted. */
export async function deleteDuringExport({ user }: Attacker): Promise<Response> {
  const name = `gone-${crypto.randomUUID()}`
  const lines = Array.from({ length: 20_000 }, (_, at) => `CCO ${name}-${at}`)
  await user.upload({ name: `${name}.txt`, type: 'drug_smiles', content: lines.join('\n') })
  const { files } = await (await user.get('/file_manager/files?page_size=1')).json()
  const exported = user.get('/account/export')
  const { file_id: fileId } = files[0] ?? {}
  if (fileId !== undefined) await user.delete(`/file_manager/files/${fileId}`)
  return exported
}

/** Own columns named like properties of every JavaScript object. */
export async function nameColumnsLikeObjects({ user }: Attacker): Promise<Response> {
  const columns = ['SMILES', 'Name', 'constructor', '__proto__', 'toString']
  const row = (at: number) => [
    `${'C'.repeat(at + 1)}O`,
    `object-${at}`,
    at === 0 ? '' : 'x',
    '',
    '',
  ]
  const rows = [columns, row(0), row(1)]
  const content = rows.map((cells) => cells.join('\t')).join('\n')
  await user.upload({ name: 'objects.txt', type: 'drug_smiles', content })
  const order = { targets: ['hiv'], compounds: ['object-0', 'object-1'] }
  const started = await user.post('/screens', order)
  if (started.status !== 200) return started
  return user.get(`/screens/${(await started.json()).id}/results.xlsx`)
}

/** A screen of unknown names, each of maximum length: ten megabytes for one credit. */
export function fillStorage({ user }: Attacker): Promise<Response> {
  const seed = crypto.randomUUID()
  const names = Array.from({ length: 8000 }, (_, at) => `${seed} ${at} ${'x'.repeat(880)}`)
  return user.post('/screens', { targets: ['hiv'], compounds: ['alcohol-1', ...names] })
}

/** Each is a different protein. */
export async function uploadManyTargets({ user }: Attacker, count: number): Promise<string[]> {
  const names: string[] = []
  for (let at = 0; at < count; at += 1) {
    const content = structureOf(at)
    const name = `many-${at}`
    const answer = await user.upload({ name: `${name}.pdb`, type: 'protein_pdb', content })
    if (answer.status !== 200) throw new Error(await answer.text())
    names.push(name)
  }
  return names
}

const RESIDUES = ['ALA', 'GLY', 'SER', 'LEU', 'VAL', 'LYS', 'GLU', 'ASP', 'THR', 'PRO']

/** A unique sequence of twelve residues. */
function structureOf(at: number): string {
  const digits = String(at).padStart(12, '0')
  const lines = Array.from(digits, (digit, place) => {
    const [x, y, z] = [place * 3.8, 0, 0].map((one) => one.toFixed(3).padStart(8))
    const residue = `${RESIDUES[Number(digit)]} A${String(place + 1).padStart(4)}`
    return `ATOM  ${String(place + 1).padStart(5)}  CA  ${residue}    ${x}${y}${z}  1.00  0.00           C`
  })
  return [...lines, 'END'].join('\n')
}

/** One byte per second, until `signal`. */
export function readSlowly({ url, user }: Attacker, path: string, signal: AbortSignal): void {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  const lines = Object.entries(user.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n${lines.join('')}\r\n`)
  const reading = setInterval(() => void socket.read(1), 1000)
  const stop = () => {
    clearInterval(reading)
    socket.destroy()
  }
  socket.once('close', () => clearInterval(reading))
  signal.addEventListener('abort', stop)
}

/** Does not read the body for longer than a snapshot is kept, then reads all of it. */
export async function pauseReading({ user }: Attacker, signal: AbortSignal): Promise<Response> {
  const answer = await user.get('/account/export')
  await sleep(70_000, undefined, { signal }).catch(() => undefined)
  return answer
}
