// The Python that checks the training code, the Python client and deploy/: the checkout's own environment, which
// .ci/run creates, or the machine's.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'

const folder = join(root, '.cache/training-python')
const interpreter = join(folder, 'bin/python')

/** The one that trains and tests: PKDEX_PYTHON, the checkout's or the machine's. */
export const trainingPython =
  process.env['PKDEX_PYTHON'] ?? (existsSync(interpreter) ? interpreter : 'python3')

/** @type {[name: string, args: string[]][]} */
export const pythonChecks = [
  ['training: lint', ['-m', 'ruff', 'check', 'training']],
  ['training: layout', ['-m', 'ruff', 'format', '--check', 'training']],
  ['training: types', ['-m', 'mypy', '--config-file', 'training/pyproject.toml']],
  ['Python client: lint', ['-m', 'ruff', 'check', 'clients/python']],
  ['Python client: layout', ['-m', 'ruff', 'format', '--check', 'clients/python']],
  ['Python client: types', ['-m', 'mypy', '--config-file', 'clients/python/pyproject.toml']],
  // Validators of deploy/ that are written in Python.
  [
    'deploy: compose file',
    ['-m', 'check_jsonschema', '--builtin-schema', 'vendor.compose-spec', 'deploy/compose.yaml'],
  ],
  [
    'deploy: Kubernetes manifest',
    ['-m', 'kubernetes_validate', '--strict', 'deploy/kubernetes.yaml'],
  ],
]

/** Null if no available Python has the checks' tools, and httpx, whose types the client uses. */
export function findPython() {
  const candidates = [process.env['PKDEX_PYTHON'], interpreter, 'python3']
  return candidates.find((candidate) => candidate && canCheck(candidate)) ?? null
}

function canCheck(interpreter) {
  if (interpreter.includes('/') && !existsSync(interpreter)) return false
  const needed = ['-c', 'import check_jsonschema, httpx, kubernetes_validate, mypy, ruff']
  return spawnSync(interpreter, needed, { stdio: 'ignore' }).status === 0
}
