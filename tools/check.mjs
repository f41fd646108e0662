// npm run check: types, lint, format, import boundaries and their diagram, dead code, coverage of the specification,
// and the checks of tools/training-python.mjs if a Python with their tools is available (--with-python: required).
// Every step runs, so that one run shows all problems.
import { spawnSync } from 'node:child_process'
import { environment, prepare, root, scriptOf } from './prepare.mjs'
import { findPython, pythonChecks } from './training-python.mjs'

const node = prepare()
const python = findPython()
const mustHavePython = process.argv.includes('--with-python')

/** @type {[name: string, args: string[]][]} */
const steps = [
  ['types', [scriptOf('typescript', 'tsc'), '-b']],
  ['lint', [scriptOf('oxlint'), '--type-aware', '--deny-warnings']],
  ['format', [scriptOf('oxfmt'), '--check']],
  ['boundaries', [scriptOf('vitest'), 'run', '--project=tools', 'boundaries.check']],
  ['picture of the imports', ['tools/draw-architecture.mjs', '--check']],
  ['dead code', [scriptOf('knip')]],
  ['specification', ['tools/spec.mjs', '--check']],
]

const failed = steps.filter(([name, args]) => !passes(name, node, args)).map(([name]) => name)
if (python !== null) {
  failed.push(
    ...pythonChecks.filter(([name, args]) => !passes(name, python, args)).map(([name]) => name),
  )
} else if (mustHavePython) failed.push('Python code (Python or its check tools missing)')
else console.log('\n== Python code: skipped (Python or its check tools missing)')

console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)

function passes(name, command, args) {
  console.log(`\n== ${name}`)
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', env: environment() }).status === 0
}
