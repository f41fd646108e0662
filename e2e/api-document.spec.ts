/** docs/api.md is correct: it contains every user endpoint, and its examples work as shown. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from '@playwright/test'
import {
  type Example,
  findDifferences,
  readCommand,
  readExamples,
  type Variables,
} from './documented-calls.ts'
import { signIn } from './api-user.ts'
import { test } from './product.ts'

const documentFile = fileURLToPath(new URL('../docs/api.md', import.meta.url))
const scriptFile = fileURLToPath(new URL('call-from-typescript.ts', import.meta.url))
const LOOK_INTERVAL_MS = 200

test('SPEC 28.5: every example of the API guide runs as written, in order, and no user endpoint is missing', async ({
  baseURL,
}) => {
  const text = await readFile(documentFile, 'utf8')
  // The user of the document is a new one each time.
  const document = text.replaceAll('ada@lab.example', `${randomUUID()}@lab.example`)
  const variables: Variables = { URL: baseURL }
  const shown = new Set<string>()
  for (const example of readExamples(document)) {
    shown.add(await test.step(example.command, () => runExample(example, variables)))
  }
  const wanted = await readUserCalls(baseURL)
  expect(wanted.filter(({ pattern }) => ![...shown].some((call) => pattern.test(call)))).toEqual([])
  expect(wanted.length).toBeGreaterThan(50)
})

test('SPEC 28.6: the guide’s TypeScript runs as written, and predicts', async ({ baseURL }) => {
  const script = await readFile(scriptFile, 'utf8')
  expect(await readFile(documentFile, 'utf8')).toContain(`\`\`\`ts\n${script}\`\`\``)
  const user = await signIn(baseURL, `${randomUUID()}@lab.example`)
  const structure = await readFile(new URL('../samples/1hpv.pdb', import.meta.url))
  await user.upload({ name: '1hpv.pdb', type: 'protein_pdb', content: new Uint8Array(structure) })
  const KEY = user.headers['API-Key'] ?? ''
  const env = { ...process.env, URL: baseURL, KEY }
  const { stdout } = await promisify(execFile)(process.execPath, [scriptFile], { env })
  expect(stdout).toMatch(/^CCO: pKd -?\d+\.\d\d \(-?\d+\.\d\d to -?\d+\.\d\d\)$/m)
})

/** Runs the example and returns its request, as `GET /path`. */
async function runExample({ command, answer }: Example, variables: Variables): Promise<string> {
  const { sent, kept } = await readCommand(command, variables)
  const { url, method } = sent
  const wanted: unknown = answer?.language === 'json' ? JSON.parse(answer.text) : null
  let real = await send(sent)
  // Repeats a read until its work is finished, as a script would.
  while (method === 'GET' && isUnderWay(wanted, real)) {
    await sleep(LOOK_INTERVAL_MS)
    real = await send(sent)
  }
  expect(real.text, 'something comes back').not.toBe('')
  if (wanted !== null) expect(findDifferences(wanted, JSON.parse(real.text))).toEqual([])
  else for (const line of (answer?.text ?? '').split('\n')) expect(real.text).toContain(line)
  if (kept !== null) variables[kept.name] = readField(JSON.parse(real.text), kept.field)
  return `${method} ${new URL(url).pathname}`
}

async function send({ url, ...request }: Awaited<ReturnType<typeof readCommand>>['sent']) {
  const answer = await fetch(url, request)
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
  return { text }
}

function isUnderWay(wanted: unknown, { text }: { text: string }): boolean {
  return ['status', 'structure_status'].some((field) => {
    const status = fieldOf(wanted, field)
    return status !== undefined && status !== fieldOf(JSON.parse(text), field)
  })
}

function fieldOf(answer: unknown, field: string): unknown {
  return typeof answer === 'object' && answer !== null ? Reflect.get(answer, field) : undefined
}

function readField(answer: unknown, field: string): string {
  let value = answer
  for (const [name] of field.matchAll(/\w+/g)) value = Object(value)[name]
  expect(typeof value, field).toBe('string')
  return String(value)
}

async function readUserCalls(baseURL: string): Promise<{ call: string; pattern: RegExp }[]> {
  const { paths } = (await (await fetch(`${baseURL}/openapi.json`)).json()) as {
    paths: Record<string, object>
  }
  return Object.entries(paths)
    .filter(([path]) => !path.startsWith('/admin/'))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => {
        const call = `${method.toUpperCase()} ${path}`
        const pattern = call.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')
        return { call, pattern: new RegExp(`^${pattern}$`) }
      }),
    )
}
