/** Colours of the atoms in a structural formula, chosen for either ground and never inverted. */

export type DrawingTheme = 'light' | 'dark'

/** By atomic number; `-1` stands for every element that is not named. */
type Palette = Readonly<Record<number, string>>

const light: Palette = {
  [-1]: '#1B2624',
  1: '#1B2624',
  5: '#9A4A1F',
  6: '#1B2624',
  7: '#1F4FB8',
  8: '#B3261E',
  9: '#0B6B73',
  15: '#A84E13',
  16: '#7A5A00',
  17: '#1F7A3A',
  35: '#8A3B2A',
  53: '#6B2FA0',
}

const dark: Palette = {
  [-1]: '#DDE5E2',
  1: '#DDE5E2',
  5: '#F0AE86',
  6: '#DDE5E2',
  7: '#8FB4FF',
  8: '#FF9A8A',
  9: '#6FD6DE',
  15: '#F19A6D',
  16: '#E3C25A',
  17: '#7FD99A',
  35: '#E8A490',
  53: '#C9A6F5',
}

const palettes = { light, dark }

/** RDKit's form: atomic number to red, green and blue between 0 and 1. */
export function atomPalette(theme: DrawingTheme): Record<string, [number, number, number]> {
  const entries = Object.entries(palettes[theme]).map(([element, colour]) => [
    element,
    readColour(colour),
  ])
  return Object.fromEntries(entries) as Record<string, [number, number, number]>
}

export function inkColour(theme: DrawingTheme): [number, number, number] {
  return readColour(palettes[theme][6] ?? '')
}

export function paletteColours(theme: DrawingTheme): string[] {
  return Object.values(palettes[theme])
}

function readColour(colour: string): [number, number, number] {
  const part = (from: number) => Number.parseInt(colour.slice(from, from + 2), 16) / 255
  return [part(1), part(3), part(5)]
}
