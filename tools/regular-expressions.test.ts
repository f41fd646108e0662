/**
 * No regular expression of the server may take quadratic time or worse: a single text could then block all users. The
 * exceptions below read only short texts, or run under a time limit.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from '@swc/core'
import { analyse } from 'scslre'
import { expect, test } from 'vitest'

const root = new URL('..', import.meta.url)

/** The reason for each exception. */
const allowed: Record<string, string> = {
  'apps/server/src/inference/compound-kinds.ts': 'a SMILES of a compound has a bounded length',
  'packages/intake/src/kinds.ts': 'a unit is cut at 120 characters',
  'packages/biochem/src/pdb/residue-names.ts': 'reads a constant',
  'packages/biochem/src/smiles/molecule-graph.ts':
    'runs on a parsing thread, whose time is limited',
  'packages/protein-picture/src/describe-protein.ts': 'reads a title of bounded length',
}

type Literal = { pattern: string; flags: string }

function* literalsIn(node: unknown): Generator<Literal> {
  if (typeof node !== 'object' || node === null) return
  if ('type' in node && node.type === 'RegExpLiteral') yield node as unknown as Literal
  for (const child of Object.values(node)) yield* literalsIn(child)
}

function parse(code: string) {
  return parseSync(code, { syntax: 'typescript', target: 'esnext' })
}

function readLiterals(code: string): Literal[] {
  return [...literalsIn(parse(code))]
}

/** Calls of `new RegExp(text)` and `RegExp(text)`: their expressions are known only when they run. */
function countBuilt(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 0
  const isBuilt = 'callee' in node && isBuilder(node.callee)
  return Object.values(node).reduce((sum, child) => sum + countBuilt(child), Number(isBuilt))
}

function isBuilder(callee: unknown): boolean {
  const { type, value, property } = Object(callee)
  if (type === 'Identifier') return value === 'RegExp'
  return type === 'MemberExpression' && property?.value === 'RegExp'
}

function isSlow({ pattern, flags }: Literal): boolean {
  return analyse({ source: pattern, flags }).reports.length > 0
}

const paths = ['apps/server/src', 'packages'].flatMap((folder) =>
  readdirSync(fileURLToPath(new URL(folder, root)), { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(?!.*(?:node_modules|fixtures)).*(?<!\.test)\.ts$/.test(path))
    .map((path) => `${folder}/${path}`),
)
const codeOf = (path: string) => readFileSync(new URL(path, root), 'utf8')
const literals = paths.flatMap((path) =>
  readLiterals(codeOf(path)).map((literal) => ({ path, literal })),
)

test('every regular expression of the server runs in linear time', () => {
  expect(literals.length).toBeGreaterThan(100)
  const slow = literals.filter(({ literal }) => isSlow(literal))
  const faults = slow.filter(({ path }) => allowed[path] === undefined)
  expect(faults).toEqual([])
  // Exceptions that are no longer needed must be removed.
  expect(Object.keys(allowed).filter((path) => !slow.some((one) => one.path === path))).toEqual([])
})

test('no regular expression of the server is built from text, which hides it from the test above', () => {
  expect(paths.filter((path) => countBuilt(parse(codeOf(path))) > 0)).toEqual([])
})

test.each([
  'new RegExp(text)',
  'RegExp(text)',
  "new globalThis.RegExp(`^${text}`, 'u')",
  'if (ok) read((text) => new RegExp(text).exec(line))',
])('a planted “%s” is found', (planted) => {
  expect(countBuilt(parse(planted))).toBe(1)
})

test('a literal and a test for a regular expression are allowed', () => {
  expect(countBuilt(parse('/a/.test(text) && value instanceof RegExp'))).toBe(0)
})

test.each([
  String.raw`(\s*)*x`,
  String.raw`\s*\s*x`,
  String.raw`^a(\d+)([^,]*)$`,
  String.raw`\s+$`,
  String.raw`^(\w+\d*)*$`,
])('a planted /%s/ is found', (pattern) => {
  const planted = readLiterals(`export const read = (text: string) => /${pattern}/.test(text)`)
  expect(planted.map(isSlow)).toEqual([true])
})

test.each([String.raw`^\s*x`, String.raw`^(\d+),([^,]*)$`])('/%s/ is allowed', (pattern) => {
  expect(readLiterals(`/${pattern}/`).map(isSlow)).toEqual([false])
})
