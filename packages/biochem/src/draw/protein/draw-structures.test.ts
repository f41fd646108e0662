/** Every real structure that can be a target has a picture. Needs the folder that PKDEX_SHARED names. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readStructure } from '../../pdb/read-structure.ts'
import { describeProtein } from './describe-protein.ts'
import { drawProtein } from './draw-protein.ts'

const shared = process.env['PKDEX_SHARED'] ?? ''
const folder = `${shared}/structures`
const isThere = shared !== '' && existsSync(folder)
const targets = isThere ? readTargets() : []

describe.skipIf(!isThere)('real structures (PKDEX_SHARED names their folder)', () => {
  test('most of the files are targets', () => {
    expect(targets.length).toBeGreaterThan(40)
  })

  test.each(targets)('draws and describes $file', ({ structure }) => {
    const { rgba } = drawProtein(structure, { width: 160, height: 120, theme: 'light' })
    const covered = rgba.filter((value, index) => index % 4 === 3 && value > 0).length
    expect(covered / (160 * 120)).toBeGreaterThan(0.04)
    expect(covered / (160 * 120)).toBeLessThan(0.75)
    expect(describeProtein(structure)).toMatch(/^Cartoon of .+ protein chain/)
  })
})

function readTargets() {
  return readdirSync(folder).flatMap((file) => {
    const structure = readStructure(readFileSync(`${folder}/${file}`, 'utf8'))
    return structure.ok ? [{ file, structure: structure.value }] : []
  })
}
