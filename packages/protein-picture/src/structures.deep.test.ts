/**
 * Every real structure that can be a target has a picture: the PDB entries in the reader's tests, and, if PKDEX_SHARED
 * is set, the structure collection in that folder.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { readStructure } from '@pkdex/biochem'
import { describe, expect, test } from 'vitest'
import { describeProtein } from './describe-protein.ts'
import { drawProtein } from './draw-protein.ts'

const entries = new URL('../../biochem/src/pdb/fixtures/structures/', import.meta.url)
const shared = process.env['PKDEX_SHARED'] ?? ''

describe('PDB entries of this repository', () => {
  const files = readdirSync(entries).filter((file) => /\.(pdb|ent)\.gz$/.test(file))
  const texts = files.map((file) => {
    const text = gunzipSync(readFileSync(new URL(file, entries))).toString('latin1')
    return [file, text] as const
  })

  test('there are a dozen', () => {
    expect(files.length).toBe(12)
  })

  test.each(texts)('draws and describes %s', (_, text) => {
    const { covered, description } = pictureOf(text)
    expect(covered).toBeGreaterThan(0.04)
    expect(covered).toBeLessThan(0.75)
    expect(description).toMatch(/^Cartoon of .+ protein chain/)
  })
})

describe.skipIf(shared === '')('the structure collection (PKDEX_SHARED names its folder)', () => {
  const folder = `${shared}/structures`
  const files = shared === '' ? [] : readdirSync(folder)
  const texts = files.map((file) => [file, readFileSync(`${folder}/${file}`, 'utf8')] as const)
  const targets = texts.filter(([, text]) => readStructure(text).ok)

  test('most of the files contain a target', () => {
    expect(targets.length).toBeGreaterThan(40)
  })

  test.each(targets)('draws and describes %s', (_, text) => {
    const { covered, description } = pictureOf(text)
    expect(covered).toBeGreaterThan(0.04)
    expect(covered).toBeLessThan(0.75)
    expect(description).toMatch(/^Cartoon of .+ protein chain/)
  })
})

/** Share of the picture that is covered, and the description. */
function pictureOf(text: string) {
  const read = readStructure(text)
  if (!read.ok) throw new Error(read.reason)
  const { rgba } = drawProtein(read.value, { width: 160, height: 120, theme: 'light' })
  const covered = rgba.filter((value, index) => index % 4 === 3 && value > 0).length
  return { covered: covered / (160 * 120), description: describeProtein(read.value) }
}
