/** What a column of a table contains, by its heading and its contents. */
import { genericValues, has, speak, type Spoken, wordsOf } from './heading.ts'
import { plain, readScale, readType } from './kinds.ts'
import { leadingNumber } from './marks.ts'
import { numberIn, readRelation } from './value.ts'

export type Role =
  | 'smiles'
  | 'name'
  | 'value'
  | 'unit'
  | 'type'
  | 'relation'
  | 'error'
  | 'count'
  | 'assay'
  | 'date'
  /** Rates, percentages, EC50 and other results that are not a Kd, Ki or IC50. */
  | 'other result'
  | 'other'

/** Of values: what the heading says, too. */
export type Column = Omit<Spoken, 'isLog'> & {
  role: Role
  /** 0 to 1. */
  confidence: number
}

/** Rows that are examined. */
const SAMPLED_ROWS = 200
const CELL_CHARACTERS = 500
const HEADING_CHARACTERS = 120

/** Characters of a SMILES. Whether it is a molecule is checked by the chemistry. */
const smilesCharacters =
  /^(?:\[[^\][]+\]|Br|Cl|[BCNOSPFI]|[bcnosp]|[=#$:/\\.\-()~*]|%\d\d|\d)*(?:\[[^\][]+\]|Br|Cl|[BCNOSPFIbcnosp)\d])$/

/** Whether a cell may be a SMILES, with an extension or not. */
export function isSmilesLike(cell: string): boolean {
  const [word = '', rest = '|'] = cell.slice(0, CELL_CHARACTERS).trim().split(/\s/, 2)
  if (!rest.startsWith('|')) return false
  return /[a-z]/i.test(word) && smilesCharacters.test(word) && !isKnownWord(word)
}

/** Whether its rings and branches are closed too, as in no code such as `COC-1`. */
export function isWholeSmiles(cell: string): boolean {
  const word = /^\S*/.exec(cell.slice(0, CELL_CHARACTERS).trim())?.[0] ?? ''
  return isSmilesLike(cell) && isClosed(word)
}

function isClosed(word: string): boolean {
  if (word.length === CELL_CHARACTERS) return true
  const bare = word.replaceAll(/\[[^\][]*\]/g, '')
  const rings = new Set<string>()
  for (const [ring] of bare.matchAll(/%\d\d|\d/g)) {
    if (!rings.delete(ring)) rings.add(ring)
  }
  return rings.size === 0 && bare.split('(').length === bare.split(')').length
}

/** `Ki`, `pIC50`, `nM`: words of headings that have only letters of SMILES. */
function isKnownWord(word: string): boolean {
  return (
    readType(word) !== null ||
    /^(?:p?ic50|p?ki|p?kd|ic|sn|no|id|n)(?:\[[a-zµμ%\d/]*\])?$/iu.test(word)
  )
}

const errorWords =
  /^(?:sd|se|sem|err|errors?|std|stdev|stddev|stderr|stdevs?|deviation|uncertainty|variance|cv|rsd|ci\d{0,2}|95%?|lower|upper|lcl|ucl|min|max|low|high|range|limit|quantile|percentile|plusminus|mad|iqr|unc)$/
const countWords = /^(?:n|#|count|counts|replicates?|reps?|repeats?|runs|nobs|nreps?|num)$/
const rateWords =
  /^(?:ka|kon|koff|kass|kdiss?|kass?oc|kdisso?c|kobs|kinact|kcat|km|rates?|residence|halflife|t1|on|off|tau|slope|hill|nh|chi2?|rmax|emax)$/
const percentWords =
  /^(?:%.*|.*%|percent|pct|inhibition|inhib|inh|activation|residual|remaining|efficacy|viability|occupancy)$/
const otherResults =
  /^(?:p?ec\d\d|p?ac50|p?gi50|p?cc50|p?ld50|p?ed50|p?xc50|ic(?!50)\d\d|p?mic|d?tm|deltatm|dg|ddg|dh|deltag|deltah|le|lle|lipe|bei|sei|fit|score|docking|predicted|prediction|pred|calc|calculated|auc|shift|relative|normali[sz]ed|papp|logp|logd|clogp|alogp|pka|fold|ratio|selectivity|zscore|pvalue|comment|flag|est|estimated?|model(?:led)?|sim|simulated|rel|r2)$/
/** Concentrations that are no result, unless a type stands beside them. */
const concentrations =
  /^(?:conc|concentrations?|doses?|dosage|solubility|sol|cmax|probe|substrate|atp|plasma|tracer|enzyme|protein|dmso|stock)$/
const rateUnits =
  /\b1\s*\/\s*m?s\b|\b(?:1\s*\/\s*)?m-?1\s*\.?s-?1|\bs\^?-1|\/\s*s(?:ec)?\b|\/\s*ms\b|\bmin\^?-1|\/\s*min\b|[([]\s*(?:s|sec|min|h|°?c|%)\s*[)\]]|\bkcal|\bkj|[([]\s*(?:1\s*\/\s*[fpnum]?M|[fpnum]?M\s*\^?-1)\s*[)\]]|\b1\s*\/\s*(?:k[di]|ic)/i
/** A difference of two values, or how well they fit. */
const difference =
  /(?:[Δ∆]\s?|\bdelta[\s_-]?|\bd{1,2})p\s?(?:ic|k[di])|[Δ∆]\s?(?:k[di]|ic|log)|\br\^2/iu
/** The last word of a heading that says something about its value. */
const aspects =
  /^(?:rank|class|category|date|units?|types?|qualifiers?|qual|operators?|modifiers?|mod|relation|comments?|notes?|id)$/
/** By heading and contents. The most certain column of a role is the best. */
export function columnOf(heading: string, contents: string[]): Column {
  const title = heading.slice(0, HEADING_CHARACTERS)
  const full = contents.filter((cell) => cell.trim() !== '')
  const cells = full.slice(0, SAMPLED_ROWS).map((cell) => cell.slice(0, CELL_CHARACTERS))
  const share = (isIt: (cell: string) => boolean) =>
    cells.filter(isIt).length / Math.max(1, cells.length)
  const words = wordsOf(title)
  return (
    ofSmiles(words, share, { filled: full.length, all: contents.length }) ??
    ofRelation(words, share, cells.length) ??
    ofUnit(words, share, cells.length) ??
    ofType(words, share, cells.length) ??
    ofNumbers(title, words, share) ??
    ofWords(words, contents, cells) ?? { role: 'other', confidence: 0.5 }
  )
}

type Share = (isIt: (cell: string) => boolean) => number
/** How many cells are filled, of all. */
type Filled = { filled: number; all: number }

const isNumber = (cell: string) =>
  numberIn(cell.replaceAll(/^["']+/g, '')) !== '' && !/^\d+-\d+-\d+$/.test(cell.trim())

/** Parts and relatives of the compound of a row. */
const otherMolecules =
  /^(?:scaffold|murcko|bemis|core|fragment|r\d|rgroup|reactants?|reagents?|products?|rxn|reaction|salt|solvent|linker|warhead|bb\d?|building|block|template|query|reference|ref|neighbou?r|analog(?:ue)?|nearest|control|counterion|peptide)$/
/** `murcko_smiles`, `MurckoSMILES`. */
const otherPrefix = /^(?:scaffold|murcko|core|fragment|reactant|product|rxn|salt)/

function ofSmiles(words: string[], share: Share, { filled, all }: Filled): Column | null {
  const isNamed = has(words, /smiles$|^smi$|^cxsmi$|^smiles/)
  const like = share(isWholeSmiles)
  if (isNamed) {
    const isOther = has(words, otherMolecules) || has(words, otherPrefix)
    // Of two columns, the one with stereochemistry.
    const isBest = has(words, /iso(?:meric)?smiles|^isomeric$|^cx/)
    const isPlain = words.length === 1 && has(words, /^smiles$/)
    const weight = (isOther ? 0.4 : 0.9) + (isBest ? 0.1 : isPlain ? 0.05 : 0)
    const fit = filled === 0 ? 0.3 : (0.3 + 0.7 * like) * (0.5 + (0.5 * filled) / all)
    return { role: 'smiles', confidence: weight * fit }
  }
  if (filled === 0) return null
  const isStructure = has(words, /^structures?$/)
  const isLong = share((cell) => cell.trim().length > 3) > 0.3
  if (like < 0.8 || (!isLong && !isStructure) || has(words, otherMolecules)) return null
  return { role: 'smiles', confidence: isStructure ? 0.6 : 0.5 }
}

function ofRelation(words: string[], share: Share, filled: number): Column | null {
  if (filled === 0) return null
  const signs = share((cell) => /[<>≤≥~=≈]/u.test(cell) && readRelation(cell) !== null)
  const isCertain = has(words, /^(?:relations?|qualifiers?|inequality|censor(?:ed|ing)?)$/)
  const isNamed =
    isCertain || has(words, /^(?:relationship|operators?|modifiers?|prefix|comparators?|sign|rel)$/)
  const isReadable = isCertain || share((cell) => readRelation(cell) !== null) > 0
  if (signs <= 0.5 && !(isNamed && isReadable)) return null
  return { role: 'relation', confidence: isNamed ? 1 : 0.8 }
}

function ofUnit(words: string[], share: Share, filled: number): Column | null {
  const isBare = (cell: string) => leadingNumber(cell.trim()) === cell.trim()
  if (has(words, /^(?:units?|uom)$/) && filled > 0 && share(isBare) < 0.5) {
    return { role: 'unit', confidence: 1 }
  }
  const isUnits = filled > 0 && share((cell) => !/^\d/.test(cell) && readScale(cell) !== null) > 0.5
  return isUnits ? { role: 'unit', confidence: 0.8 } : null
}

/** Types that are no affinity, in a column of types. */
const isTypeWord = (cell: string) =>
  readType(cell) !== null ||
  otherResults.test(cell.trim().toLowerCase()) ||
  (percentWords.test(cell.trim().toLowerCase()) && !/^[<>~]? ?\d/.test(cell.trim()))

function ofType(words: string[], share: Share, filled: number): Column | null {
  if (filled === 0) return null
  if (share((cell) => isTypeWord(cell)) > 0.5) return { role: 'type', confidence: 0.9 }
  const isNamed =
    has(words, /^type$/) &&
    words.every((word) =>
      /^(?:standard|activity|measurement|value|result|endpoint|type)$/.test(word),
    )
  return isNamed ? { role: 'type', confidence: 0.7 } : null
}

/** A number that is no value of Kd, Ki or IC50. */
function ofOtherNumbers(heading: string, words: string[], isOtherLog: boolean): Column | null {
  if (has(words, countWords) || /number of|^no\. of/i.test(heading)) {
    return { role: 'count', confidence: 0.9 }
  }
  const isHighOrLow = words.length === 1 && has(words, /^(?:low|high)$/)
  if (has(words, errorWords) && !isHighOrLow) return { role: 'error', confidence: 0.9 }
  if (/^(?:±|\+\/-)|(?:±|\+\/-)\s?(?:[([][^()[\]]*[)\]])?$/u.test(plain(heading))) {
    return { role: 'error', confidence: 0.9 }
  }
  const isOther = [rateWords, percentWords, otherResults].some((some) => has(words, some))
  const plainHeading = plain(heading)
  const isOtherResult =
    isOther || isOtherLog || rateUnits.test(plainHeading) || difference.test(plainHeading)
  return isOtherResult ? { role: 'other result', confidence: 0.9 } : null
}

function ofNumbers(heading: string, words: string[], share: Share): Column | null {
  const { isLog, ...spoken } = speak(heading)
  // A logarithm that is not negative is one of nM, or of something else.
  const isOtherLog = spoken.isNegated === true && share((cell) => /^[-−–]/u.test(cell.trim())) < 0.5
  const other = ofOtherNumbers(heading, words, isOtherLog)
  if (other !== null) return other
  if (aspects.test(words.at(-1) ?? '')) return null
  if (spoken.type === undefined && has(words, concentrations)) {
    return { role: 'other result', confidence: 0.9 }
  }
  const isGeneric = has(words, genericValues) && !has(words, /^(?:type|comment|id|date|units?|p)$/)
  if (spoken.type === undefined && spoken.scale === undefined && !isGeneric && !isLog) return null
  const evidence = (spoken.type ? 0.3 : 0) + (spoken.scale ? 0.4 : 0) + (isGeneric ? 0.2 : 0)
  return {
    role: 'value',
    confidence: Math.min(1, 0.3 * Math.min(1, share(isNumber) * 2) + evidence),
    ...spoken,
  }
}

const describesOther =
  /^(?:target|protein|gene|assay|file|user|vendor|supplier|project|organism|cell|author|document|series|column|source|plate|well|salt|solvent|operator|chemist|mutant|mutation|variant|strain|species|receptor|kinase|enzyme|uniprot|reference|journal|company|batch|lot)$/
const keys = /^(?:inchi|inchikey|key|cas|formula|iupac)$/

/** Names are best if every row has one, and another. */
function ofWords(words: string[], contents: string[], cells: string[]): Column | null {
  const column = ofHeading(words)
  const all = Math.min(contents.length, SAMPLED_ROWS)
  if (column?.role !== 'name' || all === 0) return column
  const distinct = new Set(cells).size / Math.max(1, cells.length)
  return {
    ...column,
    confidence: column.confidence * Math.min(1, cells.length / all) * (0.3 + 0.7 * distinct),
  }
}

function ofHeading(words: string[]): Column | null {
  if (has(words, /^(?:date|day|created|updated|timestamp)$/)) {
    return { role: 'date', confidence: 0.8 }
  }
  if (has(words, describesOther)) {
    return { role: has(words, /^assay$/) ? 'assay' : 'other', confidence: 0.7 }
  }
  if (has(words, keys)) return { role: 'other', confidence: 0.6 }
  const isCompound = has(
    words,
    /^(?:compounds?|molecules?|mol|cpds?|cmpds?|ligands?|drugs?|corporate|sample|substance|reg|registry|registration|chembl|inhibitor|catalog)$/,
  )
  const isNumbered = has(words, /^(?:id|ids|no|number|nr|code|identifier)$/)
  const isName = has(words, /^(?:names?|title|label)$/)
  if (isCompound && isName) return { role: 'name', confidence: 1 }
  const isSample = has(words, /^(?:sample|substance|catalog)$/)
  if (isCompound) {
    return { role: 'name', confidence: (isNumbered ? 0.95 : 0.8) - (isSample ? 0.1 : 0) }
  }
  if (words.length === 1 && has(words, /^ids?$/)) return { role: 'name', confidence: 0.9 }
  if (isName) return { role: 'name', confidence: 0.85 }
  return isNumbered ? { role: 'name', confidence: 0.4 } : null
}
