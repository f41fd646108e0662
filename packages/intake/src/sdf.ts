/** The records of an SD file: molecule block, title, data fields, and why a record is not read. */

export type SdRecord = {
  /** The line on which the record begins, from 1. */
  line: number
  title: string
  /** The molecule, up to `M  END`. */
  block: string
  fields: Map<string, string>
  /** Why the molecule is not read, or null. */
  reason: string | null
}

export function isSdf(text: string): boolean {
  return /^(?:M {2}END|\$\$\$\$)/m.test(text)
}

/** Counts records by `$$$$`; text after the last one is a record if it is more than blank lines. */
export function splitSdf(text: string): SdRecord[] {
  const records: SdRecord[] = []
  let lines: string[] = []
  let start = 1
  const all = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  for (const [at, line] of all.entries()) {
    if (line.trimEnd() !== '$$$$') {
      lines.push(line)
      continue
    }
    records.push(readRecord(lines, start))
    lines = []
    start = at + 2
  }
  return lines.some((line) => line.trim() !== '') ? [...records, readRecord(lines, start)] : records
}

function readRecord(lines: string[], line: number): SdRecord {
  // The first three lines are a title and comments.
  const end = lines.findIndex((line, at) => at > 2 && line.startsWith('M  END'))
  const data =
    end === -1 ? lines.findIndex((line) => line.startsWith('> ') && line.includes('<')) : end + 1
  const block = lines.slice(0, data === -1 ? lines.length : data)
  const isDouble = hasMolecule(lines.slice(end + 1))
  const reason =
    end === -1
      ? 'Its line “M  END” is missing.'
      : isDouble
        ? 'It has two molecules: the line “$$$$” between them is missing.'
        : reasonOf(block)
  const fields = data === -1 || isDouble ? new Map<string, string>() : readFields(lines.slice(data))
  return { line, title: lines[0]?.trim() ?? '', block: block.join('\n'), fields, reason }
}

/** A line of counts and an end. */
function hasMolecule(lines: string[]): boolean {
  const counts = lines.findIndex((line) => /^[ \d]{6}.*V[23]000$/.test(line.trimEnd()))
  return counts !== -1 && lines.slice(counts).some((one) => one.startsWith('M  END'))
}

/** `> <name>`, then lines up to a blank one, which may hold spaces. Lines after it belong to the same field. */
function readFields(lines: string[]): Map<string, string> {
  const fields = new Map<string, string[]>()
  let values: string[] | null = null
  for (const [at, line] of lines.entries()) {
    const isBehindBlank = at === 0 || lines[at - 1]?.trim() === ''
    const name = nameOf(line, isBehindBlank)
    if (name !== null) {
      values = []
      fields.set(freeName(name, fields), values)
    } else values?.push(line.trim())
  }
  return new Map([...fields].map(([name, some]) => [name, some.join('\n').trim()]))
}

/** `> 25 <name> (X)`, or, after a blank line, `> DT12`. */
function nameOf(line: string, isBehindBlank: boolean): string | null {
  if (!line.startsWith('>')) return null
  const [from, to] = [line.indexOf('<'), line.lastIndexOf('>')]
  if (from > 0 && to > from) return line.slice(from + 1, to).trim()
  const name = line.slice(1).trim()
  return isBehindBlank && line.startsWith('> ') && name !== '' ? name : null
}

function freeName(name: string, taken: Map<string, unknown>): string {
  let free = name
  for (let count = 2; taken.has(free); count += 1) free = `${name} (${count})`
  return free
}

/** Lines of properties that change no molecule, or that both readers of molecules know. */
const harmless = new Set(
  'CHG RAD ISO END V30 STY SST SAL SBL SDI SMT SDT SDD SCD SED SLB SCN SPA SBV SPL SCL SNC SDS CRS SBT SAP ZZC'.split(
    ' ',
  ),
)
/** Groups that only name or abbreviate atoms that are drawn. */
const harmlessGroups = new Set(['DAT', 'SUP', 'MUL', 'GEN'])

const meanings: Record<string, string> = {
  APO: 'attachment points',
  RGP: 'R groups',
  LOG: 'R groups',
  ALS: 'a list of atoms',
  LIN: 'link atoms',
  ZBO: 'bonds of order zero',
}

const queryAtoms = /^(?:A|Q|X|M|L|LP|\*|R\d*|R#|AH|QH|XH|MH|POL|MOD|\[.*\]|NOT)$/

const refuse = (what: string) =>
  `Its molecule contains ${what}, which is not read. Draw it without.`

/** What changes the molecule and is not understood, by name. */
function reasonOf(block: string[]): string | null {
  const isV3000 = block[3]?.includes('V3000') === true
  for (const line of block.slice(4)) {
    const what = isV3000 ? inV3000(line) : null
    const property = what ?? inProperties(line)
    if (property !== null) return refuse(property)
  }
  const found = isV3000 ? null : inV2000(block)
  return found === null ? null : refuse(found)
}

function inProperties(line: string): string | null {
  if (/^[AG] {1,5}\d+(?: +\d+)?$/.test(line.trimEnd())) {
    return 'an atom alias (an abbreviation such as CO2Et)'
  }
  const code = /^M {2}(\S{3})/.exec(line)?.[1]
  if (code === undefined || line.startsWith('M  V30')) return null
  if (!harmless.has(code)) return meanings[code] ?? `the property “M  ${code}”`
  if (code !== 'STY') return null
  const group = [...line.slice(9).matchAll(/ \d+ ([A-Z]{3})/g)].find(
    ([, type = '']) => !harmlessGroups.has(type),
  )
  return group === undefined ? null : `a repeat unit or polymer group (${group[1]})`
}

function inV2000(block: string[]): string | null {
  const counts = block[3] ?? ''
  const [atoms, bonds] = [Number(counts.slice(0, 3)), Number(counts.slice(3, 6))]
  if (!Number.isInteger(atoms) || !Number.isInteger(bonds)) return null
  for (const line of block.slice(4, 4 + atoms)) {
    const symbol = line.slice(31, 34).trim()
    if (queryAtoms.test(symbol)) return `the query atom or group “${symbol}”`
    if (Number(line.slice(42, 45)) > 0) return 'a query for hydrogens'
  }
  for (const line of block.slice(4 + atoms, 4 + atoms + bonds)) {
    const bond = ofBond(Number(line.slice(6, 9))) ?? ofTopology(line.slice(15, 18))
    if (bond !== null) return bond
  }
  return null
}

function ofTopology(text: string): string | null {
  return Number(text) > 0 ? 'a query bond' : null
}

function ofBond(type: number): string | null {
  if (type === 9) return 'a dative bond'
  if (type === 10) return 'a hydrogen bond'
  return type >= 5 && type <= 8 ? 'a query bond' : null
}

function inV3000(line: string): string | null {
  if (!line.startsWith('M  V30 ')) return null
  if (/ ATTCHPT=/.test(line)) return 'attachment points'
  if (/ RGROUPS=/.test(line)) return 'R groups'
  if (/ ENDPTS=/.test(line)) return 'a bond to several atoms'
  if (/ (?:HCOUNT|SUBST|UNSAT|RBCNT|TOPO)=/.test(line)) return 'a query'
  if (line.startsWith('M  V30 LINKNODE')) return 'link atoms'
  const [first = '', ...others] = line.slice(7).trim().split(/ +/, 4)
  return isWhole(first) ? inNumbered(others) : null
}

const isWhole = (text: string) => /^\d{1,9}$/.test(text)

/** Lines of atoms begin with a symbol, lines of bonds have only whole numbers. */
function inNumbered(words: string[]): string | null {
  const [kind = '', next = ''] = words
  if (queryAtoms.test(kind)) return `the query atom or group “${kind}”`
  if (words.length === 3 && words.every(isWhole)) return ofBond(Number(kind))
  const isGroup = /^[A-Z]{3}$/.test(kind) && isWhole(next)
  return isGroup && !harmlessGroups.has(kind) ? `a repeat unit or polymer group (${kind})` : null
}
