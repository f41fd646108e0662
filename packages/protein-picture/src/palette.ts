/** The colours of the two themes. Each is designed for its background; neither is the other inverted. */

export type Theme = 'light' | 'dark'

export type Palette = {
  /** The background colour that distant parts fade to. */
  fog: number
  /** Share of fog on the farthest part. */
  fogShare: number
  /** Outlines where a near part crosses a far one, and their strength. */
  outline: number
  outlineShare: number
  /** Outlines against the empty background; on the dark one they would only make parts thinner. */
  silhouetteShare: number
  /** Ambient light, and the lamp's contribution. */
  ambient: number
  lamp: number
  shine: number
  /** Backlight that separates edges from a dark background. */
  rim: number
  occlusion: number
  gap: number
  /** From the first residue of a chain to its last. */
  rainbow: readonly Oklch[]
  chains: readonly Oklch[]
  /** Chains next to one with the rainbow: almost without hue. */
  companions: readonly Oklch[]
  elements: Readonly<Record<string, number>>
  otherElement: number
}

export const palettes: Readonly<Record<Theme, Palette>> = {
  light: {
    fog: 0xf9fafa,
    fogShare: 0.4,
    outline: 0x101c1e,
    outlineShare: 0.6,
    silhouetteShare: 0.5,
    ambient: 0.56,
    lamp: 0.52,
    shine: 0.16,
    rim: 0,
    occlusion: 0.9,
    gap: 0x7e8889,
    rainbow: [
      [0.52, 0.16, 265],
      [0.64, 0.135, 238],
      [0.7, 0.115, 200],
      [0.7, 0.14, 150],
      [0.8, 0.15, 108],
      [0.79, 0.155, 78],
      [0.68, 0.17, 48],
      [0.58, 0.19, 25],
    ],
    chains: [
      [0.66, 0.11, 213],
      [0.71, 0.14, 60],
      [0.6, 0.14, 298],
      [0.71, 0.14, 140],
      [0.63, 0.16, 12],
      [0.79, 0.13, 95],
      [0.57, 0.14, 262],
      [0.72, 0.11, 178],
      [0.68, 0.14, 335],
    ],
    companions: [
      [0.6, 0.03, 225],
      [0.73, 0.05, 80],
      [0.64, 0.045, 330],
    ],
    elements: {
      C: 0x3c4648,
      N: 0x2f56d6,
      O: 0xd5302b,
      S: 0xd9b020,
      P: 0xe07b1c,
      F: 0x58b04a,
      CL: 0x35a23c,
      BR: 0x94401f,
      I: 0x74309a,
      MG: 0x3f9a48,
      CA: 0x4f9e57,
      NA: 0x7a5fc4,
      K: 0x6a49b0,
      ZN: 0x6f7396,
      FE: 0xc7691f,
      CU: 0xb36a3a,
      MN: 0x8c5fb0,
    },
    otherElement: 0x9b6a94,
  },
  dark: {
    fog: 0x1a2222,
    fogShare: 0.45,
    outline: 0x0a1111,
    outlineShare: 0.85,
    silhouetteShare: 0,
    ambient: 0.68,
    lamp: 0.56,
    shine: 0.14,
    rim: 0.25,
    occlusion: 0.85,
    gap: 0x919a9b,
    rainbow: [
      [0.6, 0.15, 265],
      [0.69, 0.125, 238],
      [0.75, 0.11, 200],
      [0.76, 0.135, 150],
      [0.85, 0.14, 108],
      [0.83, 0.14, 80],
      [0.74, 0.15, 50],
      [0.66, 0.17, 27],
    ],
    chains: [
      [0.74, 0.1, 210],
      [0.78, 0.12, 62],
      [0.7, 0.12, 300],
      [0.79, 0.13, 140],
      [0.71, 0.14, 12],
      [0.86, 0.12, 95],
      [0.66, 0.13, 262],
      [0.8, 0.1, 178],
      [0.75, 0.12, 335],
    ],
    companions: [
      [0.7, 0.03, 225],
      [0.8, 0.05, 82],
      [0.74, 0.045, 330],
    ],
    elements: {
      C: 0xc6cece,
      N: 0x6b8cf5,
      O: 0xf0625a,
      S: 0xe9c63c,
      P: 0xf19a4d,
      F: 0x86d477,
      CL: 0x5fca66,
      BR: 0xc96a3f,
      I: 0xa866cf,
      MG: 0x6cc873,
      CA: 0x7ccb84,
      NA: 0xa48be6,
      K: 0x9a7ae0,
      ZN: 0xa4a8cc,
      FE: 0xf0924a,
      CU: 0xe0935f,
      MN: 0xbd90e0,
    },
    otherElement: 0xc795bf,
  },
}

/** `share` runs from 0 at the start of a chain to 1 at its end. */
export function rainbowColour(palette: Palette, share: number): number {
  return alongStops(palette.rainbow, share)
}

/** One hue per chain, a little darker at its start than at its end; after the last hue they repeat, paler. */
export function chainColour(hues: readonly Oklch[], chain: number, share: number): number {
  const [lightness, chroma, hue] = hues[chain % hues.length] ?? [0.6, 0, 0]
  const round = Math.floor(chain / hues.length) % 3
  return toRgb([lightness + 0.08 * (share - 0.5), chroma * (1 - 0.3 * round), hue + 20 * round])
}

/** 0xRRGGBB by element symbol in capitals. */
export function elementColour(palette: Palette, element: string): number {
  return palette.elements[element] ?? palette.otherElement
}

function alongStops(stops: readonly Oklch[], share: number): number {
  const at = Math.min(1, Math.max(0, share)) * (stops.length - 1)
  const from = Math.min(Math.floor(at), stops.length - 2)
  const a = stops[from]
  const b = stops[from + 1]
  return a && b ? toRgb(mixOklch(a, b, at - from)) : 0
}

// OKLCH, in which equal steps look equal (Ottosson 2020), to 0xRRGGBB in sRGB.

/** Lightness 0 to 1, chroma 0 to about 0.3, hue in degrees. */
export type Oklch = readonly [lightness: number, chroma: number, hue: number]

function toRgb([lightness, chroma, hue]: Oklch): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const red = channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)
  const green = channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)
  const blue = channel(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  return (red << 16) | (green << 8) | blue
}

function mixOklch(a: Oklch, b: Oklch, share: number): Oklch {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share]
}

function channel(linear: number): number {
  const curved = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
  return Math.round(255 * Math.min(1, Math.max(0, curved)))
}
