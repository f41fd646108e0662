/** Documents name files that exist: back-quoted paths, and links. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './prepare.mjs'

const made = new Set(['node_modules', 'dist', 'data', '.git', '.venv', '.tsbuild', 'test-results'])
const files = globSync('**/*', { cwd: root, exclude: (path) => made.has(basename(path)) }).map(
  (file) => file.replaceAll('\\', '/'),
)
/** Templates of the model card become documents of another folder. */
const documents = files.filter((file) => /^(?!training\/affinity_model\/).*\.md$/.test(file))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Ends of paths that a document may write: `pdb/read-structure`, `places.test`, `files/parsing/`. */
const ends = new Set(
  files.flatMap((file) => {
    const parts = file.split('/')
    return parts.flatMap((_, from) => parts.slice(from).map((_, to) => partOf(parts, from, to)))
  }),
)

function partOf(parts: string[], from: number, to: number): string {
  const path = parts.slice(from, from + to + 1).join('/')
  return path.replace(/(?:\.deep)?(\.test|\.spec)?\.(?:tsx?|mjs)$/, '$1')
}

/** Pages for people who change the code. */
const pages = ['CONTRIBUTING.md', 'docs/architecture.md', 'docs/evidence.md', 'docs/security.md']

test.each(pages)('every path in %s exists', (document) => {
  const paths = [...read(document).matchAll(/`(\w[^`\s]*)`/g)]
    .map(([, path = '']) => path.replace(/\/$/, ''))
    .filter((path) => /^[\w.-]+(?:\/[\w.-]+)+$|\.(?:tsx?|mjs|py|md|json|test|spec)$/.test(path))
  expect(paths.length).toBeGreaterThan(0)
  expect(paths.filter((path) => !ends.has(partOf([path], 0, 0)))).toEqual([])
})

test.each(documents)('every link in %s leads to a file', (document) => {
  const prose = read(document).replaceAll(/```[^]*?```|`[^`]*`/g, '')
  const links = [...prose.matchAll(/\]\((?!https?:|#|\{)([^)#\s]+)/g)].map(([, to = '']) => to)
  expect(links.filter((to) => !existsSync(join(root, dirname(document), to)))).toEqual([])
})
