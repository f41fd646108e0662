/** Licences and install scripts of the packages installed with the product. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Package = {
  dev?: boolean
  license?: string
  hasInstallScript?: boolean
  link?: boolean
  resolved?: string
  optionalDependencies?: Record<string, string>
}

const readJson = (name: string) =>
  JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
const packages: [path: string, found: Package][] = Object.entries(
  readJson('package-lock.json').packages,
)
const ours = /^(|apps|packages|training|e2e|bench|torture)(\/|$)/
const theirs = packages.filter(([path, { link }]) => !link && !ours.test(path))

/** LGPL: libvips, a separate library that sharp loads. MPL: applies only to changes of its own files. */
const allowed = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'MPL-2.0',
  'LGPL-3.0-or-later',
  'Python-2.0',
  'CC0-1.0',
  'Unlicense',
  'Zlib',
])

test('all dependencies have licences that allow distribution', () => {
  const shipped = theirs.filter(([, { dev }]) => !dev)
  const isAllowed = (license: string) =>
    license
      .replaceAll(/[()]/g, '')
      .split(/ AND /)
      .every((part) => part.split(' OR ').some((one) => allowed.has(one)))
  const strange = shipped.filter(([, { license }]) => license === undefined || !isAllowed(license))
  expect(shipped.length).toBeGreaterThan(100)
  expect(strange.map(([path, { license }]) => `${path}: ${license}`)).toEqual([])
})

test('a package with an install script is listed and blocked', () => {
  const denied = Object.keys(readJson('package.json').allowScripts)
  const running = theirs
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
  expect(running.filter((name) => !denied.includes(name) && name !== 'fsevents')).toEqual([])
})

test('the lock file uses only the public registry', () => {
  const hosts = theirs.flatMap(([, { resolved }]) =>
    resolved === undefined ? [] : [new URL(resolved).host],
  )
  expect(new Set([...hosts, 'registry.npmjs.org'])).toEqual(new Set(['registry.npmjs.org']))
})

test('the lock file lists every optional package, so npm ci installs from it on every platform', () => {
  const locked = new Map(packages)
  const missing = packages.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !locked.has(`node_modules/${name}`) && !locked.has(`${path}/node_modules/${name}`),
    ),
  )
  expect(missing).toEqual([])
})
