/** Proves that the import rules work: the real tree satisfies them, and each rule reports a planted violation. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import rules, { folderRules, planted } from '../.dependency-cruiser.mjs'
import { readImports } from './read-imports.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
beforeAll(() => process.chdir(root))

async function broken(paths: string[], baseDir?: string) {
  const place = baseDir === undefined ? {} : { baseDir }
  const files = await readImports(paths, { ...place, forbidden: rules.forbidden })
  const folders = await readImports(paths, { ...place, withTests: false, forbidden: folderRules })
  const violations = [...files.summary.violations, ...folders.summary.violations]
  return {
    modules: files.summary.totalCruised,
    violations: violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
  }
}

test('the source tree satisfies every import rule, and enough of it was read', async () => {
  const { modules, violations } = await broken(['apps', 'packages', 'training/export'])
  expect(violations).toEqual([])
  expect(modules).toBeGreaterThan(100)
})

test('every rule has an example of its violation', () => {
  const names = [...rules.forbidden, ...folderRules].map(({ name }) => name)
  expect(new Set(planted.map(([name]) => name))).toEqual(new Set(names))
})

test.each(planted)('a planted violation is caught: %s %j', async (name, violation) => {
  const folder = await plant(violation)
  const { violations } = await broken(['apps', 'packages', 'training'], folder)
  expect(violations.filter((caught) => caught.startsWith(`${name}: `))).not.toEqual([])
})

// Import rules also count imports of types, which load nothing.
test('the service of inference loads no model: only its threads do', async () => {
  const program = `import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) })
    await import('./apps/server/src/inference/service.ts')`
  const ran = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  const loaded = ran.stdout.match(/(?<=\/inference\/).+(?=\.ts)/g)
  expect(loaded).toContain('service')
  expect(loaded).not.toContain('open-model')
  expect(loaded).not.toContain('regression')
})

/** A source tree in a temporary folder: every file, its imports, and the packages that exist. */
async function plant(violation: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pkdex-planted-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await Promise.all(['apps', 'packages', 'training'].map((name) => mkdir(join(folder, name))))
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await write('package.json', '{ "name": "planted" }')
  for (const name of ['@rdkit/rdkit', '@mantine/core', 'undeclared']) {
    await write(`node_modules/${name}/package.json`, `{ "name": "${name}", "main": "index.js" }`)
    await write(`node_modules/${name}/index.js`, '')
  }
  const isOurs = (path: string) => /^(apps|packages|training)\//.test(path)
  for (const imported of Object.values(violation)) {
    if (isOurs(imported)) await write(imported, 'export const planted = 1\n')
  }
  for (const [file, imported] of Object.entries(violation)) {
    const path = relative(dirname(file), imported)
    const specifier = isOurs(imported) ? (path.startsWith('.') ? path : `./${path}`) : imported
    await write(file, `export * from '${specifier}'\n`)
  }
  return folder
}
