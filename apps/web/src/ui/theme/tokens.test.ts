/** Contrasts of the colours in tokens.css that are used together, as WCAG 2 asks. */
import { expect, test } from 'vitest'
import tokens from './tokens.css?raw'

/** Foregrounds by the background that they are used on. */
const texts = {
  bg: ['ink', 'ink-2', 'ink-3', 'accent'],
  surface: ['ink', 'ink-2', 'ink-3', 'accent', 'warn'],
  sunken: ['ink', 'ink-3'],
  stage: ['ink-3'],
  accent: ['on-accent'],
  'accent-hover': ['on-accent'],
  'accent-soft': ['ink', 'ink-2', 'accent-ink'],
  band: ['ink'],
  warn: ['on-accent'],
  'warn-soft': ['ink', 'warn-ink'],
}
const lines = {
  bg: ['line-strong', 'focus'],
  surface: ['line-strong', 'focus', 'band-edge', 'warn-line'],
}

test.each(['light', 'dark'])('in the %s scheme texts and lines have enough contrast', (scheme) => {
  expect([...lowOf(scheme, texts, 4.5), ...lowOf(scheme, lines, 3)]).toEqual([])
})

function lowOf(scheme: string, uses: Record<string, string[]>, needed: number): string[] {
  return Object.entries(uses).flatMap(([background, foregrounds]) =>
    foregrounds
      .filter((role) => contrast(colour(scheme, role), colour(scheme, background)) < needed)
      .map((role) => `${role} on ${background}`),
  )
}

/** A role that the dark scheme does not define keeps its light colour. */
function colour(scheme: string, role: string): string {
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
