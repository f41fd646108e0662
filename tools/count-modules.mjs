// npm run count-modules: how many files are under 30 lines, and how many only one other file imports, though no boundary asks
// for a file of its own. Tests and journeys are not counted.
import { readFileSync } from 'node:fs'
import { root } from './prepare.mjs'
import { readImports } from './read-imports.mjs'

process.chdir(root)

/** What stands by itself whoever imports it: what a room shows, a migration, a part that is loaded late, a page. */
const shown =
  /(^|\/)(service|routes)\.ts$|\/migrations\/|^packages\/contract\/|\/fixtures\/|-page\.tsx$/

const places = ['apps', 'packages', 'bench', 'tools', 'training/export']
const { modules } = await readImports(places, { withTests: false })
const files = modules.filter(
  ({ source }) =>
    places.some((place) => source.startsWith(`${place}/`)) && /\.(ts|tsx|mjs)$/.test(source),
)
const late = new Set(
  files.flatMap(({ dependencies }) =>
    dependencies.filter(({ dynamic }) => dynamic).map(({ resolved }) => resolved),
  ),
)
const small = files.filter(({ source }) => readFileSync(source, 'utf8').split('\n').length <= 30)
const once = files.filter(({ dependents }) => dependents.length === 1)
const unshown = once.filter(
  ({ source, dependents: [by] }) =>
    !shown.test(source) && !late.has(source) && !by.endsWith('/src/index.ts'),
)
console.log(`${files.length} files, ${small.length} under 30 lines`)
console.log(
  `${once.length} imported by one file only, ${unshown.length} of them that no room shows`,
)
if (process.argv.includes('--list')) for (const { source } of unshown) console.log(source)
