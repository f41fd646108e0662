import { describe, expect, test } from 'vitest'
import { cpuMsSince, succeeded } from '../fixtures/results.ts'
import { openRdkit } from '../smiles/rdkit.ts'
import { type DrawingTheme, drawMolecule, paletteColours } from './draw-molecule.ts'

const imatinib = 'Cc1ccc(NC(=O)c2ccc(CN3CCN(C)CC3)cc2)cc1Nc1nccc(-c2cccnc2)n1'
const size = { width: 600, height: 260 }

const rdkit = await openRdkit()

function draw(smiles: string, theme: DrawingTheme = 'light', picture = size): string {
  return succeeded(drawMolecule(rdkit, smiles, { ...picture, theme })).svg
}

/** Every point of a path. */
function pointsOf(svg: string): { x: number; y: number }[] {
  return [...svg.matchAll(/ d="([^"]*)"/g)].flatMap((match) =>
    [...(match[1] ?? '').matchAll(/(-?[\d.]+)[ ](-?[\d.]+)/g)].map((pair) => ({
      x: Number(pair[1]),
      y: Number(pair[2]),
    })),
  )
}

function spread(values: number[]): number {
  return Math.max(...values) - Math.min(...values)
}

describe('the picture', () => {
  test('contains only paths, on a transparent background', () => {
    const svg = draw(imatinib)
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="600" height="260"/)
    const elements = new Set([...svg.matchAll(/<([a-z!?]+)/gi)].map((match) => match[1]))
    expect([...elements]).toEqual(['svg', 'path'])
    expect(svg).not.toMatch(/style|class|href|script|on[a-z]+=/i)
  })

  test.each(['light', 'dark'] as const)('in %s uses only the colours of that palette', (theme) => {
    for (const smiles of [imatinib, 'C[Si](C)(C)CCl', '[Na]C(F)Br', 'OB(O)c1cc(I)ccc1SP']) {
      const colours = [...draw(smiles, theme).matchAll(/#[0-9A-F]{6}/g)].map((match) => match[0])
      expect(colours.length).toBeGreaterThan(1)
      for (const colour of colours) expect(paletteColours(theme)).toContain(colour)
    }
  })

  test.each([
    ['as wide', size],
    ['as tall', { width: 240, height: 500 }],
    ['as small', { width: 96, height: 64 }],
  ])('stays within its frame, %s as requested', (_, picture) => {
    for (const smiles of [imatinib, 'C'.repeat(150), 'CC(=O)Oc1ccccc1C(=O)O']) {
      for (const { x, y } of pointsOf(draw(smiles, 'light', picture))) {
        expect(x).toBeGreaterThanOrEqual(0)
        expect(x).toBeLessThanOrEqual(picture.width)
        expect(y).toBeGreaterThanOrEqual(0)
        expect(y).toBeLessThanOrEqual(picture.height)
      }
    }
  })

  test('aligns the long axis of the molecule with that of the picture', () => {
    const wide = pointsOf(draw(imatinib))
    expect(spread(wide.map(({ x }) => x))).toBeGreaterThan(2 * spread(wide.map(({ y }) => y)))
    const tall = pointsOf(draw(imatinib, 'light', { width: 260, height: 600 }))
    expect(spread(tall.map(({ y }) => y))).toBeGreaterThan(2 * spread(tall.map(({ x }) => x)))
  })

  test('does not enlarge a small molecule', () => {
    const points = pointsOf(draw('CC'))
    const [length, breadth] = [points.map(({ x }) => x), points.map(({ y }) => y)].map(spread)
    expect(Math.hypot(length ?? 0, breadth ?? 0)).toBeCloseTo(84, 0)
  })

  test('shows which enantiomer it is', () => {
    const left = draw('N[C@@H](C)C(=O)O')
    expect(left).not.toBe(draw('N[C@H](C)C(=O)O'))
    expect(left).not.toBe(draw('NC(C)C(=O)O'))
  })

  test('keeps the atoms of a dense cage apart, unlike CoordGen', () => {
    const cage =
      'C[Fe]C=C5=C=C[Fe]C3%10[Fe]79=C=[Fe]8%10=C=[Fe]89CCC=C[Fe]1C=[Fe][Fe]C=C[Fe]CC=[Fe]6=C=C=[Fe]7=C=[Fe]C6=CC2C4[Fe]=[Fe]12345'
    expect(spread(pointsOf(draw(cage)).map(({ x }) => x))).toBeGreaterThan(50)
  })

  test('a ring too large for CoordGen is drawn as a ring in less than a second', () => {
    const started = process.threadCpuUsage()
    const points = pointsOf(draw(`C1${'C'.repeat(98)}C1`))
    expect(spread(points.map(({ y }) => y))).toBeGreaterThan(50)
    expect(cpuMsSince(started)).toBeLessThan(1000)
  })

  test.each(['C', '[2H]C', '[H][H]', '[Na+].[Cl-]'])('of %s contains its symbols', (smiles) => {
    expect(pointsOf(draw(smiles)).length).toBeGreaterThan(10)
  })
})

test.each([imatinib, 'CC(=O)Oc1ccccc1C(=O)O', 'CCCCCCCCC(=O)N1CCC(CC1)c1ccccc1'])(
  '%s fills its frame, and its letters are legible at a width of 270 pixels',
  (smiles) => {
    const frame = { width: 640, height: 480 }
    const svg = draw(smiles, 'light', frame)
    const points = pointsOf(svg)
    const width = spread(points.map(({ x }) => x)) / frame.width
    const height = spread(points.map(({ y }) => y)) / frame.height
    expect(Math.max(width, height)).toBeGreaterThan(0.65)
    const letters = [...svg.matchAll(/<path fill="#B3261E" d="([^"]*)"/g)].flatMap((match) =>
      (match[1] ?? '').split('M').filter((part) => part !== ''),
    )
    const oxygen = letters.map((part) => spread(pointsOf(`<path d="M${part}"`).map(({ y }) => y)))
    expect(Math.max(...oxygen) * (270 / frame.width)).toBeGreaterThan(6.3)
  },
)

describe('a molecule that cannot be drawn is refused with a reason', () => {
  test.each([
    ['C'.repeat(151), 'The molecule has 151 heavy atoms; the drawing limit is 150.'],
    ['C1CC', 'Ring 1 is opened here but never closed (character 2).'],
    ['CC(C)(C)(C)C', 'This is not valid SMILES.'],
  ])('%s', (smiles, reason) => {
    expect(drawMolecule(rdkit, smiles, { ...size, theme: 'light' })).toEqual({ ok: false, reason })
  })
})

describe('colours contrast with the background', () => {
  test.each([
    ['light', '#FFFFFF'],
    ['light', '#F9FAFA'],
    ['dark', '#141B1B'],
    ['dark', '#1A2222'],
  ] as const)('%s on %s, at 4.5 to 1 or better', (theme, ground) => {
    for (const colour of paletteColours(theme)) {
      const [low = 0, high = 0] = [luminance(colour), luminance(ground)].toSorted((a, b) => a - b)
      expect((high + 0.05) / (low + 0.05)).toBeGreaterThanOrEqual(4.5)
    }
  })
})

describe('the text alternative', () => {
  test.each([
    [imatinib, 'Structural formula of C29H31N7O: 37 heavy atoms, 5 rings.'],
    ['CCO', 'Structural formula of C2H6O: 3 heavy atoms, no rings.'],
    ['C', 'Structural formula of CH4: 1 heavy atom, no rings.'],
    ['C1CC2CCC1CC2', 'Structural formula of C8H14: 8 heavy atoms, 2 rings.'],
    ['C1CC1.[Na+]', 'Structural formula of C3H6Na+: 4 heavy atoms, 1 ring.'],
  ])('of %s', (smiles, alt) => {
    expect(drawMolecule(rdkit, smiles, { ...size, theme: 'light' })).toMatchObject({ alt })
  })
})

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const part = Number.parseInt(colour.slice(from, from + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
