// npm run architecture: draws the imports between the server's folders as a diagram in docs/architecture.md. With --check
// it only reports whether the diagram is current.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'
import { readImports } from './read-imports.mjs'

process.chdir(root)

/** Folders whose subfolders are modules as well. */
const parents = new Set(['platform', 'auth'])

const page = join(root, 'docs/architecture.md')
const before = readFileSync(page, 'utf8')
const after = put(before, 'server', await draw('apps/server/src/'))

if (process.argv.includes('--check')) {
  if (after !== before) console.error('docs/architecture.md is stale: run npm run architecture')
  process.exitCode = after === before ? 0 : 1
} else {
  writeFileSync(page, after)
}

/** An arrow is an import. Transitive imports are omitted. */
async function draw(source) {
  const { modules } = await readImports([source], { withTests: false })
  const imports = new Map()
  for (const { source: file, dependencies } of modules) {
    const from = moduleOf(file, source)
    const targets = dependencies.map(({ resolved }) => moduleOf(resolved, source))
    const others = targets.filter((name) => name !== null && name !== from)
    if (from !== null) imports.set(from, new Set([...(imports.get(from) ?? []), ...others]))
  }
  const lines = [...imports].flatMap(([from, targets]) =>
    [...targets]
      .filter(
        (to) =>
          ![...targets].some((via) => via !== to && reaches(imports, [via, to], new Set([from]))),
      )
      .map((to) => `  ${idOf(from)}["${from}"] --> ${idOf(to)}["${to}"]`),
  )
  return ['```mermaid', 'flowchart TD', ...lines.toSorted(), '```'].join('\n')
}

/** Whether arrows lead from one module to another without passing the visited ones. */
function reaches(imports, [from, to], seen) {
  if (from === to) return true
  seen.add(from)
  const next = [...(imports.get(from) ?? [])].filter((name) => !seen.has(name))
  return next.some((name) => reaches(imports, [name, to], seen))
}

function moduleOf(file, source) {
  if (!file.startsWith(source)) return null
  const [name, inner, ...rest] = file.slice(source.length).split('/')
  if (inner === undefined) return null
  return parents.has(name) && rest.length > 0 ? `${name}/${inner}` : name
}

function idOf(name) {
  return name.replaceAll(/[^a-z]/gi, '_')
}

function put(text, name, picture) {
  const [start, end] = [`<!-- imports of ${name} -->`, `<!-- end of imports of ${name} -->`]
  const [at, until] = [text.indexOf(start), text.indexOf(end)]
  if (at === -1 || until === -1) throw new Error(`docs/architecture.md has no place for ${name}`)
  return `${text.slice(0, at + start.length)}\n\n${picture}\n\n${text.slice(until)}`
}
