// Reads the import graph, with the rules of .dependency-cruiser.mjs; optionally without tests and their helpers.
import { Visitor } from '@swc/core/Visitor.js'
import { cruise } from 'dependency-cruiser'
import rules, { generated, test } from '../.dependency-cruiser.mjs'

/** The visitor that reads the imports does not support `using`, so its initialisers are skipped: they cannot import statically. */
// oxlint-disable-next-line typescript/unbound-method -- called with its `this` below
const { visitStatement } = Visitor.prototype
Visitor.prototype.visitStatement = function (statement) {
  return statement.type === 'UsingDeclaration' ? statement : visitStatement.call(this, statement)
}

/**
 * @param {string[]} paths relative to `baseDir`
 * @param {{ baseDir?: string, withTests?: boolean, forbidden?: unknown[] }} [options]
 */
export async function readImports(paths, { baseDir, withTests = true, forbidden = [] } = {}) {
  const { output } = await cruise(paths, {
    ...rules.options,
    exclude: withTests ? generated : `${generated}|${test}`,
    ...(baseDir === undefined ? {} : { baseDir }),
    validate: true,
    metrics: true,
    ruleSet: { forbidden },
  })
  if (typeof output === 'string') throw new Error('expected an object')
  return output
}
