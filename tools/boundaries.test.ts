/** Proves that the import rules still bite: the real tree keeps them, a planted tree does not. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Visitor } from '@swc/core/Visitor.js'
import { cruise } from 'dependency-cruiser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import rules from '../.dependency-cruiser.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const planted = 'packages/contract/src/planted-by-boundaries-test'

beforeAll(async () => {
  process.chdir(root)
  await mkdir(planted, { recursive: true })
  await writeFile(
    `${planted}/reader.ts`,
    "import { readFileSync } from 'node:fs'\nreadFileSync('x')\n",
  )
})
afterAll(() => rm(planted, { recursive: true, force: true }))

/** The visitor that reads the imports is older than `using` and stops there; an initialiser imports nothing statically. */
// oxlint-disable-next-line typescript/unbound-method -- called with its `this` below
const visitStatement = Visitor.prototype.visitStatement
Visitor.prototype.visitStatement = function (this: Visitor, statement) {
  const isUsing = (statement.type as string) === 'UsingDeclaration'
  return isUsing ? statement : visitStatement.call(this, statement)
}

async function broken(paths: string[]) {
  const { output } = await cruise(paths, {
    ...rules.options,
    validate: true,
    ruleSet: { forbidden: rules.forbidden },
  } as never)
  if (typeof output === 'string') throw new Error('expected an object')
  const { totalCruised, violations } = output.summary
  return {
    modules: totalCruised,
    violations: violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
  }
}

test('the tree keeps every import rule, and was actually read', async () => {
  const { modules, violations } = await broken(['apps', 'packages', 'training/export'])
  expect(violations.filter((violation) => !violation.includes(planted))).toEqual([])
  expect(modules).toBeGreaterThan(100)
})

test('a contract file that reaches for Node is caught', async () => {
  const { violations } = await broken([planted])
  expect(violations).toEqual([`contract-needs-only-zod: ${planted}/reader.ts -> fs`])
})
