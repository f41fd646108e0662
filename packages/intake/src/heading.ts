/** What the heading of a column says about its values: type, unit, logarithm, and what is open. */
import type { MeasurementType } from '@pkdex/contract'
import { plain, readScale, readType, type Scale } from './kinds.ts'

export type Spoken = {
  type?: MeasurementType
  scale?: Scale
  /** The values are log10 of mol/L. */
  isNegated?: boolean
  /** A unit that is neither known nor absent, in words. */
  unread?: string
  /** Why the column may hold something else, in words. */
  doubt?: string
  isLog: boolean
}

export const RATE = 'may be a rate constant'

/** A part of a heading, and its one spelling. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/<\/?(?:sub|sup|i|b|em)>/gi, ''],
  [/(?:±|\+\/-) ?(?:s\.?d|s\.?e\.?m?|std|error)?\b\.?/gi, ' '],
  [/\bn ?= ?\d{1,4}\b/gi, ' '],
  [/(?:equilibrium )?dissociation constant(?! *\(?kd)/gi, 'Kd'],
  [/inhibition constant(?! *\(?ki)/gi, 'Ki'],
  [/\b(p?[acegi]c|p?gi)[ .-]50\b/gi, '$150'],
  [/\bp ?\(? ?(?=ic50|k[di]\b)/gi, 'p'],
  [/(IC50|K[id])(?=(?:[nup]M|M)\b)/gi, '$1 '],
]

/** Without tags, errors and counts: `K<sub>i</sub> ± SD (n=3)` is `Ki`. */
function spell(heading: string): string {
  return spellings.reduce((text, [from, to]) => text.replaceAll(from, to), plain(heading)).trim()
}

/** `IC50_EGFR (nM)` is `ic50`, `egfr`, `nm`. */
export function wordsOf(heading: string): string[] {
  const words = spell(heading)
    .replaceAll(/([a-z]{2})([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9%#]+/)
    .filter((word) => word !== '')
  return words.map((word, at) => joined(word, words[at + 1])).filter((word) => word !== '50')
}

/** `IC 50` and `K_d` are one word. */
function joined(word: string, next: string | undefined): string {
  if (/^p?ic$|^[eg]c$/.test(word) && next === '50') return `${word}50`
  return /^p?k$/.test(word) && (next === 'd' || next === 'i') ? `${word}${next}` : word
}

/** Whether some word is one of a list. */
export const has = (words: string[], pattern: RegExp) => words.some((word) => pattern.test(word))

/** Words for results that leave the type to others. */
export const genericValues =
  /^(?:value|values|affinity|activity|potency|result|results|measured|measurement)$/
const logWords = /^(?:pchembl|pactivity|paffinity|ppotency|pvalues?activity|pk|pxc50)$/
const quantity = /^(p|log(?:10)?|)(kd|ki|ic50)(?:app|obs)?$/

export function speak(heading: string): Spoken {
  const words = wordsOf(heading)
  const spoken = words.map((word) => quantity.exec(word)).find((one) => one !== null)
  const type = readType(spoken?.[2] ?? '')?.type
  const known = type === undefined ? {} : { type }
  const spelled = spell(heading.replaceAll(/-?log10|-?log/gi, ' '))
  const unit = scaleIn(spelled)
  const log = logOf(plain(heading).toLowerCase(), words, spoken?.[1] ?? '')
  if (has(words, /^(?:ln|log2|loge)$/)) {
    return { ...known, isLog: true, unread: 'a logarithm of another base than 10' }
  }
  if (log === null) return { ...known, isLog: false, ...ofConcentration(spelled, type, unit) }
  if (unit.unread !== '' || (unit.scale !== null && unit.scale.unit !== 'M')) {
    return { ...known, isLog: true, unread: 'a logarithm of another unit than mol/L' }
  }
  const isNegated = log === 'log' ? { isNegated: true } : {}
  return { ...known, isLog: true, scale: { unit: 'p', factor: 1 }, ...isNegated }
}

function ofConcentration(
  spelled: string,
  type: MeasurementType | undefined,
  { scale, unread }: { scale: Scale | null; unread: string },
): Partial<Spoken> {
  const doubt = doubtOf(spelled, type, scale)
  return {
    ...(scale !== null && { scale }),
    ...(unread !== '' && { unread }),
    ...(doubt !== null && { doubt }),
  }
}

/** `-log`: a pK; `log`: its negative. */
function logOf(heading: string, words: string[], prefix: string): '-log' | 'log' | null {
  const isNegative = /(?:- ?|neg(?:ative)?[\s_.-]*|minus[\s_.-]*)log/.test(heading)
  if (prefix === 'p' || isNegative || has(words, logWords)) return '-log'
  return prefix !== '' || has(words, /^log(?:10)?$/) ? 'log' : null
}

function doubtOf(
  spelled: string,
  type: MeasurementType | undefined,
  scale: Scale | null,
): string | null {
  const isLower = /(?<![a-zA-Z])k[ _.]?[dD](?![a-z])/.test(spelled)
  if (type === 'Kd' && scale === null && isLower) return RATE
  const isOpen = type === undefined && scale !== null && !has(wordsOf(spelled), genericValues)
  return isOpen ? 'does not say Kd, Ki or IC50' : null
}

/** A power of ten, or another number by which the values are multiplied. */
const multiplier = /(?:[x*·×] ?)(?:10+\b|1e)\S*|\b10 ?\^\S*|\b1e[-+]?\d+\S*|\b10-\d+/i
/** A concentration that belongs to the assay: `at 1 mM ATP`. */
const condition = /(?<![\w.^])\d[\d.,]* ?(?:[fpnum]|mc)?M\b(?!\^?-)/gi

type Found = { scales: Scale[]; unread: string }

/** The one unit of a heading; or what may be a unit and is not read. */
function scaleIn(spelled: string): { scale: Scale | null; unread: string } {
  const { rest, ...bracketed } = inBrackets(spelled)
  const words = rest
    .replaceAll(condition, ' ')
    .split(/[\s_,:;()[\]{}<>]+|\.{1,2}/)
    .filter((word) => word !== '')
  const bare = inWords(words)
  const scales = [...bracketed.scales, ...bare.scales]
  const unread = bracketed.unread || (multiplier.exec(rest)?.[0] ?? '') || bare.unread
  const kinds = new Set(scales.map(({ unit, factor }) => `${factor} ${unit}`))
  if (kinds.size > 1) return { scale: null, unread: scales.map(({ unit }) => unit).join(', ') }
  const [one = null] = scales
  if (one !== null) return { scale: one, unread }
  const apart = readScale(words.slice(-2).join(' ')) ?? readScale(words.slice(-3).join(' '))
  return { scale: apart, unread: apart === null ? unread : '' }
}

/** A unit in brackets is read as a whole, and is no word of the rest. */
function inBrackets(spelled: string): Found & { rest: string } {
  const scales: Scale[] = []
  let unread = ''
  const rest = spelled.replaceAll(/[([{<]([^()[\]{}<>]*)[)\]}>]/g, (all, inside: string) => {
    const scale = readScale(inside)
    if (scale !== null) scales.push(scale)
    else if (isOtherUnit(inside)) unread = unread || inside.trim()
    return scale === null ? all : ' '
  })
  return { scales, unread, rest }
}

function inWords(words: string[]): Found {
  const found: Found = { scales: [], unread: '' }
  for (const word of words) {
    const whole = readScale(word)
    const parts = word.split('/')
    const scale = whole ?? readScale(parts.at(-1) ?? '')
    const isRatio = whole === null && parts.slice(0, -1).some((one) => readScale(one) !== null)
    if (isRatio || otherUnits.test(word)) found.unread = found.unread || word
    else if (scale !== null) found.scales.push(scale)
  }
  return found
}

/** Words that are units wherever they stand. */
const otherUnits = /^(?:[fnupm]?mol(?:es?)?|[fnupmk]?g\/[a-z\d]+|ppm|ppb|[num]g)$/i

/** A unit that is none of concentration: a mass, a percentage, a number of units, or letters that were lost. */
function isOtherUnit(text: string): boolean {
  const plainText = plain(text)
  return (
    /%|\uFFFD|^\S{1,2}M$|^[a-z]?g(?:$|\s?[/.])|mol|\/\s?m?l$/iu.test(plainText) ||
    /^(?:a\.?u\.?|r[fl]?u|i?u|units?|counts?|fold|x|[k°]|ppm|ppb|[x*·×]? ?\d[\d.,]* ?[fpnum]?M)$/iu.test(
      plainText,
    )
  )
}
