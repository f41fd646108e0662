/** The contrast table at the end of tokens.css, recomputed from the colours above it. */
import { expect, test } from 'vitest'
import tokens from './tokens.css?raw'

const rows = [...tokens.matchAll(/^ +(light|dark) +([\w-]+) +([\w-]+) +([\d.]+) +>= ([\d.]+)$/gm)]

test('the whole table of contrasts is read', () => {
  expect(rows).toHaveLength(54)
})

const claims = rows.map(([, scheme, foreground, background, stated, needed]) => ({
  scheme,
  foreground,
  background,
  stated: Number(stated),
  needed: Number(needed),
}))

test.each(claims)(
  'in the $scheme scheme $foreground on $background has the contrast $stated',
  ({ scheme, foreground, background, stated, needed }) => {
    const ratio = contrast(colour(scheme, foreground), colour(scheme, background))
    expect(ratio).toBeCloseTo(stated, 1)
    expect(ratio).toBeGreaterThanOrEqual(needed)
  },
)

/** A role that the dark scheme does not define keeps its light colour. */
function colour(scheme = '', role = ''): string {
  const [light = '', dark = ''] = tokens.split("[data-mantine-color-scheme='dark']")
  const declared = new RegExp(`--${role}: (#[0-9a-f]{6});`, 'i')
  const found = (scheme === 'dark' && declared.exec(dark)) || declared.exec(light)
  if (!found) throw new Error(`no colour for ${role}`)
  return found[1] ?? ''
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Relative luminance as defined by WCAG 2. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
