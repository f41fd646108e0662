/**
 * Reads the examples of docs/api.md and runs them as curl would: splits a command into words like a shell, and supports
 * the curl options used there, and `NAME=$(curl … | jq -r .field)`, which stores a field for later examples.
 */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

export type Example = {
  command: string
  /** The documented response; null if there is none. */
  answer: { language: 'json' | 'text'; text: string } | null
}

export type Variables = Record<string, string>

type Sent = { method: string; url: string; headers: Headers; body: BodyInit | null }

/** Blocks of `sh` that call curl, each with the block of `json` or `text` that follows it. */
export function readExamples(document: string): Example[] {
  const blocks = [...document.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, language, text]) => ({
      language: language ?? '',
      text: text ?? '',
    }),
  )
  return blocks.flatMap(({ language, text }, place) => {
    if (language !== 'sh' || !text.includes('curl ')) return []
    const next = blocks[place + 1]
    const isAnswer = next?.language === 'json' || next?.language === 'text'
    const answer = isAnswer ? { language: next.language as 'json' | 'text', text: next.text } : null
    return [{ command: text.trim(), answer }]
  })
}

/** The request of one example, and the variable that stores a field of its response. */
export async function readCommand(
  command: string,
  variables: Variables,
): Promise<{ sent: Sent; kept: { name: string; field: string } | null }> {
  const keeping = /^(\w+)=\$\((curl [\s\S]*) \| jq -r '?\.([\w.[\]]+)'?\)$/.exec(command)
  const [, name = '', inner = command, field = ''] = keeping ?? []
  const [program, ...words] = splitWords(inner, variables)
  if (program !== 'curl') throw new Error(`This is no call of curl: ${command}`)
  return { sent: await readOptions(words), kept: keeping ? { name, field } : null }
}

/** In single quotes nothing is expanded; elsewhere variables are. */
function splitWords(command: string, variables: Variables): string[] {
  const line = command.replaceAll(/\\\n\s*/g, ' ')
  const words = line.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"])+/g)
  const fill = (text: string) =>
    text.replaceAll(/\$(\w+)/g, (_, name: string) => {
      const value = variables[name]
      if (value === undefined) throw new Error(`Nothing before has set $${name}: ${command}`)
      return value
    })
  return [...words].map(([word]) =>
    word.replaceAll(
      /'([^']*)'|"((?:\\.|[^"\\])*)"|([^'"]+)/g,
      (_, raw?: string, quoted?: string, bare?: string) =>
        raw ?? fill(quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? ''),
    ),
  )
}

async function readOptions(words: string[]): Promise<Sent> {
  const headers = new Headers()
  const form = new FormData()
  const single: Variables = {}
  const keep = (name: string) => (value: string) => {
    single[name] = value
  }
  const options: Record<string, (value: string) => void | Promise<void>> = {
    '-H': (value) => headers.append(...readHeader(value)),
    '-F': (value) => addPart(form, value),
    '-X': keep('method'),
    '-d': keep('data'),
    '-o': keep('file'),
  }
  const left = words.filter((word) => word !== '-N')
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const take = word.startsWith('-') ? options[word] : undefined
    if (take !== undefined) await take(left.shift() ?? '')
    else if (word.startsWith('-')) throw new Error(`No example uses curl’s ${word} yet.`)
    else single['url'] = word
  }
  return toRequest(single, headers, form)
}

/** Without an explicit method, a request with a body is a POST. */
function toRequest({ url = '', data, method }: Variables, headers: Headers, form: FormData): Sent {
  const body = data ?? ([...form.keys()].length > 0 ? form : null)
  return { method: method ?? (body === null ? 'GET' : 'POST'), url, headers, body }
}

function readHeader(text: string): [string, string] {
  const colon = text.indexOf(':')
  return [text.slice(0, colon), text.slice(colon + 1).trim()]
}

async function addPart(form: FormData, text: string): Promise<void> {
  const [name = '', value = ''] = text.split('=', 2)
  if (!value.startsWith('@')) return form.set(name, value)
  const path = value.slice(1)
  form.set(name, new Blob([await readFile(`${root}/${path}`)]), basename(path))
}

/**
 * Where a real response differs from the documented one. Whole numbers are compared exactly, others to the digits
 * shown, at most three: further digits differ between processors. Texts that are new each time (ids, hashes, keys, times)
 * need only have the same form, and row numbers are not compared. A list may be longer than shown.
 */
export function findDifferences(shown: unknown, real: unknown, path = ''): string[] {
  if (kindOf(shown) !== kindOf(real)) {
    return [`${path} is shown as ${kindOf(shown)}, is ${kindOf(real)}`]
  }
  if (Array.isArray(shown)) {
    return shown.flatMap((one, at) =>
      findDifferences(one, (real as unknown[])[at], `${path}[${at}]`),
    )
  }
  if (typeof shown === 'object' && shown !== null) {
    return Object.entries(shown).flatMap(([name, value]) =>
      findDifferences(value, (real as Record<string, unknown>)[name], `${path}.${name}`),
    )
  }
  if (path.endsWith('.id')) return []
  const isSame = typeof shown === 'number' ? isShownAs(shown, Number(real)) : isTextOf(shown, real)
  return isSame ? [] : [`${path} is shown as ${String(shown)}, is ${String(real).slice(0, 200)}`]
}

const DIGITS_MAX = 3

/** A number on the boundary of two roundings may be shown as either. */
function isShownAs(shown: number, real: number): boolean {
  const digits = String(shown).split('.')[1]?.length ?? 0
  if (digits === 0) return shown === real
  return Math.abs(shown - real) <= 1.001 * 10 ** -Math.min(digits, DIGITS_MAX)
}

/** `…` stands for omitted text. */
function isTextOf(shown: unknown, real: unknown): boolean {
  const [start = '', ...rest] = formOf(shown).split('…')
  const text = formOf(real)
  return rest.length === 0
    ? text === start
    : text.startsWith(start) && text.endsWith(rest.at(-1) ?? '')
}

/** A text in which everything that is new each time is replaced by its kind. */
function formOf(text: unknown): string {
  return String(text)
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
    .replaceAll(/[\da-f]{64}/g, '<hash>')
    .replaceAll(/[\da-f-]{36}@lab\.example/g, 'ada@lab.example')
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : typeof value
}
