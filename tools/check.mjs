// npm run check: types, lint, format, import boundaries, dead code, coverage of the specification.
// Every step runs, so that one look shows all there is to mend.
import { spawnSync } from 'node:child_process'
import { environment, prepare, root, scriptOf } from './prepare.mjs'

const node = prepare()
/** @type {[name: string, args: string[]][]} */
const steps = [
  ['types', [scriptOf('typescript', 'tsc'), '-b']],
  ['lint', [scriptOf('oxlint'), '--type-aware', '--deny-warnings']],
  ['format', [scriptOf('oxfmt'), '--check']],
  ['boundaries', [scriptOf('vitest'), 'run', '--project=tools', 'boundaries']],
  ['dead code', [scriptOf('knip')]],
  ['specification', ['tools/spec-coverage.mjs', '--check']],
]

const failed = steps.filter(([name, args]) => {
  console.log(`\n== ${name}`)
  return spawnSync(node, args, { cwd: root, stdio: 'inherit', env: environment() }).status !== 0
})

console.log(
  failed.length === 0
    ? '\nAll checks passed.'
    : `\nFailed: ${failed.map(([name]) => name).join(', ')}`,
)
process.exit(failed.length === 0 ? 0 : 1)
