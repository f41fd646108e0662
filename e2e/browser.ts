/**
 * Provides the browser for the e2e tests: Chromium from its npm package, unpacked once per version into the
 * checkout's cache. On platforms without that package the installed Chrome is used.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const version = readVersion()
const folder = join(root, '.cache', `chromium-${version}`)
const isPackaged = process.platform === 'linux' && process.arch === 'x64'

/** Launch options for Playwright; call `unpackBrowser` once before. */
export const browserLaunch = isPackaged
  ? { executablePath: join(folder, 'chromium'), args: chromiumFlags(), env: libraryPath() }
  : { channel: 'chrome', args: chromiumFlags() }

/** Unpacks into a temporary folder and renames it, so that a half-unpacked browser is never used. */
export async function unpackBrowser(): Promise<void> {
  if (!isPackaged || existsSync(join(folder, 'chromium'))) return
  const unpacking = `${folder}.unpacking`
  rmSync(unpacking, { recursive: true, force: true })
  mkdirSync(unpacking, { recursive: true })
  process.env['TMPDIR'] = unpacking
  const { default: chromium, inflate } = await import('@sparticuz/chromium')
  await chromium.executablePath()
  await inflate(join(packageFolder(), 'bin', 'al2023.tar.br'))
  delete process.env['TMPDIR']
  renameSync(unpacking, folder)
}

function chromiumFlags(): string[] {
  const isRoot = process.getuid?.() === 0
  return [
    ...(isRoot ? ['--no-sandbox'] : []),
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    // Pages are put together without the emulated card, which took a third of the time of journeys; WebGL still has it.
    '--disable-gpu-compositing',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    '--font-render-hinting=none',
  ]
}

/** The package contains the few system libraries that a bare machine may lack; they are used only where missing. */
function libraryPath(): Record<string, string> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )
  const isComplete = spawnSync('ldconfig', ['-p'], { encoding: 'utf8' }).stdout?.includes(
    'libnss3.so',
  )
  if (isComplete) return env
  const libraries = join(folder, 'al2023', 'lib')
  return {
    ...env,
    LD_LIBRARY_PATH: [libraries, env['LD_LIBRARY_PATH']].filter(Boolean).join(delimiter),
  }
}

function packageFolder(): string {
  const entry = createRequire(pathToFileURL(join(root, 'e2e/browser.ts'))).resolve(
    '@sparticuz/chromium',
  )
  return join(entry.slice(0, entry.lastIndexOf('chromium')), 'chromium')
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8'))
  return String((manifest as { version: unknown }).version)
}
