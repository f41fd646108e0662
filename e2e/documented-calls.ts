/**
 * Reads the examples of docs/api.md and runs them as curl would: the words of a command as a shell splits them, the
 * options of curl that the document uses, and `NAME=$(curl … | jq -r .field)`, which keeps a field for later examples.
 */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

export type Example = {
  command: string
  /** What comes back, as the document shows it; null where it shows nothing. */
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

/** The request of one example, and the variable that keeps a field of its answer. */
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

/** Single quotes keep everything as it is; elsewhere variables are filled in. */
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

/** What carries something is posted, where no method is named. */
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
 * Where a real answer lacks what the document shows: a field that is not there, or is of another kind. Of a list the
 * first entry is looked at; null stands for anything.
 */
export function findDifferences(shown: unknown, real: unknown, path = ''): string[] {
  if (shown === null) return real === undefined ? [`${path} is missing`] : []
  if (kindOf(shown) !== kindOf(real)) {
    return [`${path} is shown as ${kindOf(shown)}, is ${kindOf(real)}`]
  }
  if (Array.isArray(shown)) {
    return shown.length === 0 ? [] : findDifferences(shown[0], (real as unknown[])[0], `${path}[0]`)
  }
  if (typeof shown !== 'object') return []
  return Object.entries(shown).flatMap(([name, value]) =>
    findDifferences(value, (real as Record<string, unknown>)[name], `${path}.${name}`),
  )
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  return Array.isArray(value) ? 'a list' : typeof value
}
