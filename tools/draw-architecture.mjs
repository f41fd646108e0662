// npm run architecture: draws which folder imports which into docs/architecture.md. With --check it only
// says whether the picture there is current.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'
import { readImports } from './read-imports.mjs'

process.chdir(root)

/** Folders whose own folders are rooms, too. */
const corridors = new Set(['platform', 'auth', 'features', 'routes'])

const page = join(root, 'docs/architecture.md')
const before = readFileSync(page, 'utf8')
let after = before
for (const app of ['server', 'web']) after = put(after, app, await draw(`apps/${app}/src/`))

if (process.argv.includes('--check')) {
  if (after !== before) console.error('docs/architecture.md is stale: run npm run architecture')
  process.exitCode = after === before ? 0 : 1
} else {
  writeFileSync(page, after)
}

/** An arrow is an import; one that a longer way of arrows leads to as well is left out. */
async function draw(source) {
  const { modules } = await readImports([source], { withTests: false })
  const imports = new Map()
  for (const { source: file, dependencies } of modules) {
    const from = roomOf(file, source)
    const rooms = dependencies.map(({ resolved }) => roomOf(resolved, source))
    const others = rooms.filter((room) => room !== null && room !== from)
    if (from !== null) imports.set(from, new Set([...(imports.get(from) ?? []), ...others]))
  }
  const lines = [...imports].flatMap(([from, rooms]) =>
    [...rooms]
      .filter(
        (to) =>
          ![...rooms].some((via) => via !== to && reaches(imports, [via, to], new Set([from]))),
      )
      .map((to) => `  ${idOf(from)}["${from}"] --> ${idOf(to)}["${to}"]`),
  )
  return ['```mermaid', 'flowchart TD', ...lines.toSorted(), '```'].join('\n')
}

/** Whether arrows lead from one room to another without passing those that were seen. */
function reaches(imports, [from, to], seen) {
  if (from === to) return true
  seen.add(from)
  const next = [...(imports.get(from) ?? [])].filter((room) => !seen.has(room))
  return next.some((room) => reaches(imports, [room, to], seen))
}

function roomOf(file, source) {
  if (!file.startsWith(source)) return null
  const [room, inner, ...rest] = file.slice(source.length).split('/')
  if (inner === undefined) return null
  return corridors.has(room) && rest.length > 0 ? `${room}/${inner}` : room
}

function idOf(room) {
  return room.replaceAll(/[^a-z]/gi, '_')
}

function put(text, name, picture) {
  const [start, end] = [`<!-- imports of ${name} -->`, `<!-- end of imports of ${name} -->`]
  const [at, until] = [text.indexOf(start), text.indexOf(end)]
  if (at === -1 || until === -1) throw new Error(`docs/architecture.md has no place for ${name}`)
  return `${text.slice(0, at + start.length)}\n\n${picture}\n\n${text.slice(until)}`
}
