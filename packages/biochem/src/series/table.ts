/** The SAR table of a series: its core, the groups at two of its positions, the compounds, and the gaps. */
import { drawLaidOut, type DrawingOptions, type DrawingTheme } from '../draw/draw-molecule.ts'
import { type RdkitModule, trapped } from '../smiles/rdkit.ts'
import { decompose, type Decomposition, isBridged, type SeriesRow } from './decompose.ts'
import { type FoundCore, listCores, orderCores, type SeriesCore } from './find-cores.ts'
import { type Joiner, openJoiner } from './join-groups.ts'

export type SeriesTableRequest = {
  /** Standard SMILES; null for a compound that could not be read. */
  smiles: (string | null)[]
  /** Indices of compounds whose best core is used: those of one series among several. */
  own?: number[] | undefined
  /** SMILES of a core to use instead of the detected one. */
  core?: string | undefined
  /** Labels such as `R1` of the positions along the table's sides. */
  rows?: string | undefined
  columns?: string | undefined
  theme: DrawingTheme
}

type SeriesGroup = { smiles: string; compounds: number; svg: string | null }

/** `row` and `column` are indices into the lists of groups. */
type SeriesCell = { row: number; column: number; compounds: number[] }
type SeriesGap = { row: number; column: number; smiles: string }

export type SeriesTable = {
  /** Cores to choose from, the best first. */
  cores: SeriesCore[]
  /** Null if no core was found, or no compound has the given one. */
  core: { smiles: string; svg: string } | null
  /** Labels of all positions at which the compounds differ. */
  positions: string[]
  /** Null if the compounds do not differ, or at one position only. */
  rows: { label: string; groups: SeriesGroup[] } | null
  columns: { label: string; groups: SeriesGroup[] } | null
  cells: SeriesCell[]
  /** Combinations without a compound, with the molecule they represent. */
  gaps: SeriesGap[]
  /** Indices of compounds that are not in the table. */
  left_out: number[]
}

/** Groups along one side: the most common ones. */
const GROUPS_MAX = 30
const CORE_PICTURE = { width: 280, height: 200 }
const GROUP_PICTURE = { width: 160, height: 110 }

/** Cached results for a list of compounds; a caller keeps them for its next table, with other sides or another core. */
export type FoundSeries = {
  cores?: FoundCore[]
  /** For the core used last. */
  divided?: { core: string; decomposition: Decomposition | null }
}

/** Null if the given core cannot be read. Throws an `RdkitTrap` if RDKit breaks. */
export function buildSeriesTable(
  rdkit: RdkitModule,
  request: SeriesTableRequest,
  beginStep: () => void = () => undefined,
  cache: FoundSeries = {},
): SeriesTable | null {
  const { smiles } = request
  cache.cores ??= listCores(rdkit, smiles, beginStep)
  const cores = orderCores(cache.cores, smiles.length, request.own)
  const { core = cores[0]?.smiles } = request
  const empty = { ...emptyTable, cores, left_out: [...smiles.keys()] }
  if (core === undefined) return empty
  const found = divide(rdkit, { core, smiles, cache }, beginStep)
  if (found === null) return null
  if (found.rows.length === 0) return empty
  return { ...emptyTable, cores, ...fillTable(rdkit, { request, core, found }, beginStep) }
}

function divide(
  rdkit: RdkitModule,
  { core, smiles, cache }: { core: string; smiles: (string | null)[]; cache: FoundSeries },
  beginStep: () => void,
): Decomposition | null {
  if (cache.divided?.core !== core) {
    cache.divided = { core, decomposition: decompose(rdkit, { core, smiles }, beginStep) }
  }
  return cache.divided.decomposition
}

function fillTable(
  rdkit: RdkitModule,
  { request, core, found }: { request: SeriesTableRequest; core: string; found: Decomposition },
  beginStep: () => void,
) {
  const { smiles, theme } = request
  const sides = chooseSides(found, request)
  const cells = fillCells(found.rows, sides)
  const shown = new Set(cells.flatMap(({ compounds }) => compounds))
  const draw = (side: Side | null) =>
    side && {
      label: side.label,
      groups: side.groups.map((group) => drawSeriesGroup(rdkit, group, theme)),
    }
  return {
    core: {
      smiles: core,
      svg: drawPart(rdkit, found.rows[0]?.core ?? core, { ...CORE_PICTURE, theme }) ?? '',
    },
    positions: found.varying,
    rows: draw(sides.rows),
    columns: draw(sides.columns),
    cells,
    gaps: findGaps(rdkit, { found: found.rows, sides, cells, smiles }, beginStep),
    left_out: [...smiles.keys()].filter((compound) => !shown.has(compound)),
  }
}

const emptyTable: SeriesTable = {
  cores: [],
  core: null,
  positions: [],
  rows: null,
  columns: null,
  cells: [],
  gaps: [],
  left_out: [],
}

type Group = { smiles: string; compounds: number }
type Side = { label: string; groups: Group[] }
type Sides = { rows: Side | null; columns: Side | null }

function chooseSides(
  { rows, varying }: Decomposition,
  wanted: { rows?: string | undefined; columns?: string | undefined },
): Sides {
  const isVarying = (label: string | undefined) => label !== undefined && varying.includes(label)
  const columns = isVarying(wanted.columns)
    ? wanted.columns
    : varying.find((one) => one !== wanted.rows)
  const across = isVarying(wanted.rows) && wanted.rows !== columns
  const down = across ? wanted.rows : varying.find((one) => one !== columns)
  return { rows: listGroups(rows, down), columns: listGroups(rows, columns) }
}

function listGroups(rows: SeriesRow[], label: string | undefined): Side | null {
  if (label === undefined) return null
  const counts = new Map<string, number>()
  for (const { groups } of rows) {
    const group = groups[label]
    if (group !== undefined) counts.set(group, (counts.get(group) ?? 0) + 1)
  }
  const groups = [...counts].map(([smiles, compounds]) => ({ smiles, compounds }))
  groups.sort((a, b) => b.compounds - a.compounds || a.smiles.length - b.smiles.length)
  return { label, groups: groups.slice(0, GROUPS_MAX) }
}

function fillCells(rows: SeriesRow[], sides: Sides): SeriesCell[] {
  const cells = new Map<string, SeriesCell>()
  for (const { compound, groups } of rows) {
    const row = placeOf(sides.rows, groups)
    const column = placeOf(sides.columns, groups)
    if (row < 0 || column < 0) continue
    const cell = cells.get(`${row} ${column}`) ?? { row, column, compounds: [] }
    cell.compounds.push(compound)
    cells.set(`${row} ${column}`, cell)
  }
  return [...cells.values()]
}

/** A table with one side only has one row. */
function placeOf(side: Side | null, groups: Record<string, string>): number {
  if (side === null) return 0
  return side.groups.findIndex(({ smiles }) => smiles === groups[side.label])
}

type GapSearch = {
  found: SeriesRow[]
  sides: Sides
  cells: SeriesCell[]
  smiles: (string | null)[]
}

/** A gap has the core and the other groups of a compound in its row, otherwise of one in its column. */
function findGaps(
  rdkit: RdkitModule,
  { found, sides: { rows, columns }, cells, smiles }: GapSearch,
  beginStep: () => void,
): SeriesGap[] {
  if (rows === null || columns === null) return []
  const isFilled = new Set(cells.map(({ row, column }) => `${row} ${column}`))
  const known = new Set(smiles)
  const gaps: SeriesGap[] = []
  const joiner = openJoiner(rdkit)
  for (const [row, down] of rows.groups.entries()) {
    for (const [column, across] of columns.groups.entries()) {
      if (isFilled.has(`${row} ${column}`)) continue
      if (isBridged(down.smiles) || isBridged(across.smiles)) continue
      beginStep()
      const groups = { [rows.label]: down.smiles, [columns.label]: across.smiles }
      const made = makeGap(joiner, found, groups)
      if (made !== null && !known.has(made)) gaps.push({ row, column, smiles: made })
    }
  }
  joiner.delete()
  return gaps
}

/** Templates tried per gap; another compound's core may differ in bond order or stereo. */
const TEMPLATES_MAX = 3

function makeGap(
  joiner: Joiner,
  found: SeriesRow[],
  groups: Record<string, string>,
): string | null {
  const templates = Object.entries(groups).flatMap(([label, group]) =>
    found.filter((row) => row.groups[label] === group).slice(0, TEMPLATES_MAX),
  )
  for (const { core, groups: others } of templates) {
    const made = joiner.join({ core, groups: { ...others, ...groups } })
    if (made !== null) return made
  }
  return null
}

function drawSeriesGroup(rdkit: RdkitModule, group: Group, theme: DrawingTheme): SeriesGroup {
  return { ...group, svg: drawGroup(rdkit, group.smiles, theme) }
}

/** A group with its attachment point, possibly written as a star. */
export function drawGroup(rdkit: RdkitModule, smiles: string, theme: DrawingTheme): string | null {
  const labelled = smiles.replace(/(?<!\[)\*(?!:)/, '[*:1]')
  return drawPart(rdkit, labelled, { ...GROUP_PICTURE, theme })
}

/** With its attachment points as R1, R2 and so on; null if RDKit cannot lay it out. */
function drawPart(rdkit: RdkitModule, smiles: string, options: DrawingOptions): string | null {
  return trapped(() => {
    using molecule = rdkit.get_mol(smiles, '{"mappedDummiesAreRGroups":true}')
    if (molecule === null || !molecule.set_new_coords(true)) return null
    return drawLaidOut(molecule, options)
  })
}
