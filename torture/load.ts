/** A user with data, and many parallel requests of that user. */
import { readFile } from 'node:fs/promises'
import { type ApiUser, signIn } from '../e2e/api-user.ts'

const sampleStructure = new URL('../samples/1hpv.pdb', import.meta.url)

export async function openLoadUser(
  url: string,
  email: string,
  compounds: number,
): Promise<ApiUser> {
  const user = await signIn(url, email)
  const content = await readFile(sampleStructure)
  await user.upload({ name: 'hiv.pdb', type: 'protein_pdb', content })
  const lines = Array.from({ length: compounds }, (_, at) => `${chain(at)}O alcohol-${at}`)
  await user.upload({ name: 'alcohols.txt', type: 'drug_smiles', content: lines.join('\n') })
  return user
}

/** All different, none long. */
function chain(at: number): string {
  const bits = (at + 2).toString(2).slice(1)
  return `C${Array.from(bits, (bit) => (bit === '1' ? 'N' : 'C')).join('')}C`
}

export type Load = { answers: Record<string, number>; milliseconds: number[] }

/** This many clients, each of which sends its next request after a response, until `signal`. */
export async function pressOn(
  callers: number,
  call: (round: number) => Promise<Response>,
  signal: AbortSignal,
): Promise<Load> {
  const answers: Record<string, number> = {}
  const milliseconds: number[] = []
  let round = 0
  const ask = async () => {
    while (!signal.aborted) {
      const started = performance.now()
      const outcome = await call(round++)
        .then(outcomeOf)
        .catch(() => 'cut off')
      answers[outcome] = (answers[outcome] ?? 0) + 1
      milliseconds.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: callers }, ask))
  return { answers, milliseconds: milliseconds.toSorted((a, b) => a - b) }
}

async function outcomeOf(answer: Response): Promise<string> {
  await answer.arrayBuffer()
  if (answer.status !== 503) return String(answer.status)
  return answer.headers.has('retry-after') ? '503 with Retry-After' : '503 without Retry-After'
}

export function at({ milliseconds }: Load, share: number): number {
  return Math.round(milliseconds[Math.floor(share * (milliseconds.length - 1))] ?? 0)
}
