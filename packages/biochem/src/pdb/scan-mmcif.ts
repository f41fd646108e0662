/**
 * Reads the tables of an mmCIF file into the same residues and annotations as the lines of a PDB file. Chains, residue
 * numbers and names are the author's, as PDB files have them (dictionary mmcif_pdbx v50).
 */
import { type Parsed, parsed, unreadable } from '../parsed.ts'
import { elementOf, residueNumber } from './columns.ts'
import { type CifReader, type CifRow, readCif } from './read-cif.ts'
import { isMarker, isWater } from './residue-names.ts'
import {
  type LocatedAtom,
  type Scan,
  coordinateMax,
  countUnreadable,
  countWater,
  emptyScan,
  isPolymerName,
  placeAtom,
} from './scan-atoms.ts'
import {
  addLink,
  addRange,
  atomsMax,
  endRun,
  rangesMax,
  seqresLengthMax,
  titleLengthMax,
  tooManyAtoms,
} from './scan-records.ts'

/** Whether a text is mmCIF: a data block that begins with items or tables. */
export function isMmcif(text: string): boolean {
  const head = text.slice(0, headLength).replaceAll(/\r\n?/g, '\n')
  return /^data_\S/im.test(head) && /^(loop_|_\w+[.\w])/im.test(head)
}

const headLength = 4_000

/** Fails if the file has too many atoms, or its atoms have no coordinates. */
export function scanMmcif(text: string): Parsed<Scan> {
  const reading = newReading()
  const plain = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
  readCif(plain, readersOf(reading))
  if (reading.refusal !== null) return reading.refusal
  const { scan } = reading
  scan.models = reading.models.size
  scan.seqres = seqresOf(reading)
  return parsed(scan)
}

type Reading = {
  scan: Scan
  models: Set<string>
  firstModel: string | null
  /** State of the previous atom: its chain as in the file, and whether it belongs to a polymer. */
  lastAsym: string
  isInPolymer: boolean
  entityOfChain: Map<string, string>
  /** Names of residues by author's chain, and by entity. */
  scheme: Sequences
  entities: Sequences
  refusal: Parsed<never> | null
}

/** At a site of microheterogeneity a number occurs twice; the first counts, as in SEQRES. */
type Sequences = Map<string, { names: string[]; lastNumber: string }>

function newReading(): Reading {
  return {
    scan: { ...emptyScan(), format: 'mmCIF' },
    models: new Set(),
    firstModel: null,
    lastAsym: '',
    isInPolymer: false,
    entityOfChain: new Map(),
    scheme: new Map(),
    entities: new Map(),
    refusal: null,
  }
}

function readersOf(reading: Reading): ReadonlyMap<string, CifReader> {
  const { scan } = reading
  const always = (read: (row: CifRow) => void): CifReader => {
    return (row) => {
      scan.records++
      read(row)
      return true
    }
  }
  return new Map<string, CifReader>([
    ['entry', always(({ get }) => (scan.pdbCode ??= pdbCodeOf(get('id'))))],
    ['struct', always(({ get }) => (scan.title = get('title').slice(0, titleLengthMax)))],
    ['atom_site', (row, items) => readAtomRow(reading, row, items)],
    ['pdbx_poly_seq_scheme', always((row) => addToScheme(reading, row))],
    ['entity_poly_seq', always((row) => addToEntity(reading, row))],
    ['pdbx_struct_mod_residue', always((row) => addModified(scan, row))],
    ['struct_conf', always((row) => addHelix(scan, row))],
    ['struct_conn', always((row) => addConnection(scan, row))],
    ['struct_sheet_range', always((row) => addSpan(scan, 'strand', row))],
  ])
}

function pdbCodeOf(id: string): string | null {
  return /^[0-9][0-9A-Za-z]{3}$/.test(id) ? id.toUpperCase() : null
}

const coordinates = ['cartn_x', 'cartn_y', 'cartn_z'] as const

function readAtomRow(reading: Reading, row: CifRow, items: ReadonlyMap<string, number>): boolean {
  const { scan } = reading
  if (!coordinates.every((item) => items.has(item))) {
    const sentence =
      'The atoms of this mmCIF file have no coordinates: _atom_site.Cartn_x, _y and _z.'
    reading.refusal = unreadable(row.lineNumber, sentence)
    return false
  }
  scan.records++
  if (!isInFirstModel(reading, row.get('pdbx_pdb_model_num'))) return true
  scanAtomRow(reading, row)
  if (scan.atoms <= atomsMax) return true
  reading.refusal = unreadable(row.lineNumber, tooManyAtoms)
  return false
}

function isInFirstModel(reading: Reading, model: string): boolean {
  reading.firstModel ??= model
  if (reading.models.size < modelsMax) reading.models.add(model)
  return model === reading.firstModel
}

const modelsMax = 100_000

function scanAtomRow(reading: Reading, row: CifRow): void {
  const { scan } = reading
  const { get } = row
  const residueName = (get('auth_comp_id') || get('label_comp_id')).toUpperCase()
  if (isMarker(residueName)) return
  const atom = atomOf(get, residueName)
  const written = get('auth_seq_id') || get('label_seq_id')
  const isUnnumbered = written === '' && !isPolymerName(residueName)
  const number = isUnnumbered ? 1 : residueNumber(written)
  if (atom === null || number === null) return countUnreadable(scan, row.lineNumber)
  const chainId = get('auth_asym_id') || get('label_asym_id')
  const insertionCode = get('pdbx_pdb_ins_code')
  const position = isUnnumbered
    ? `unnumbered ${get('label_asym_id')}`
    : String(number).padStart(4) + (insertionCode || ' ')
  endPolymer(reading, row, chainId)
  if (isWater(residueName)) {
    return countWater(scan, isUnnumbered ? `${chainId} ${get('id')}` : chainId + position)
  }
  const isHetero = get('group_pdb').toUpperCase() === 'HETATM'
  placeAtom(scan, { atom, residueName, number, position, insertionCode, chainId, isHetero })
}

function atomOf(get: CifRow['get'], residueName: string): LocatedAtom | null {
  const [x, y, z] = coordinates.map((item) => decimal(get(item)))
  if (x === undefined || y === undefined || z === undefined) return null
  if (
    !(Math.abs(x) < coordinateMax && Math.abs(y) < coordinateMax && Math.abs(z) < coordinateMax)
  ) {
    return null
  }
  const name = get('auth_atom_id') || get('label_atom_id')
  const occupancy = decimal(get('occupancy'))
  return {
    name,
    element: elementOf(get('type_symbol'), name, residueName),
    x,
    y,
    z,
    altloc: get('label_alt_id'),
    occupancy: Number.isNaN(occupancy) ? 1 : occupancy,
  }
}

function decimal(text: string): number {
  return text === '' ? Number.NaN : Number(text)
}

/** A change of the file's own chain id ends a polymer, which a PDB file marks with TER. */
function endPolymer(reading: Reading, { get }: CifRow, chainId: string): void {
  const asym = get('label_asym_id')
  const entity = get('label_entity_id')
  const isPolymer = get('label_seq_id') !== '' || reading.entities.has(entity)
  if (asym !== '' && asym !== reading.lastAsym && reading.isInPolymer) endRun(reading.scan)
  reading.lastAsym = asym
  reading.isInPolymer = isPolymer
  const { entityOfChain } = reading
  if (isPolymer && !entityOfChain.has(chainId)) entityOfChain.set(chainId, entity)
}

// Sequences.

function addToScheme(reading: Reading, { get }: CifRow): void {
  addResidue(reading.scheme, get('pdb_strand_id') || get('asym_id'), {
    number: get('seq_id'),
    name: get('mon_id'),
  })
}

function addToEntity(reading: Reading, { get }: CifRow): void {
  addResidue(reading.entities, get('entity_id'), { number: get('num'), name: get('mon_id') })
}

function addResidue(
  sequences: Sequences,
  key: string,
  { number, name }: { number: string; name: string },
): void {
  const sequence = sequences.get(key) ?? { names: [], lastNumber: '' }
  sequences.set(key, sequence)
  if (number === sequence.lastNumber || name === '' || sequence.names.length > seqresLengthMax) {
    return
  }
  sequence.lastNumber = number
  sequence.names.push(name.toUpperCase())
}

/** By author's chain, or through the entity of the chain's atoms. */
function seqresOf({ scheme, entities, entityOfChain }: Reading): Map<string, string[]> {
  const seqres = new Map<string, string[]>()
  for (const [chainId, entity] of entityOfChain) {
    const names = (scheme.get(chainId) ?? entities.get(entity))?.names
    if (names !== undefined) seqres.set(chainId, names)
  }
  return seqres
}

// Annotations.

function addModified(scan: Scan, { get }: CifRow): void {
  const name = (get('auth_comp_id') || get('label_comp_id')).toUpperCase()
  const parent = get('parent_comp_id').toUpperCase()
  if (name !== '' && parent !== '' && scan.modres.size < rangesMax) scan.modres.set(name, parent)
}

function addConnection(scan: Scan, { get }: CifRow): void {
  if (!get('conn_type_id').toLowerCase().startsWith('covale')) return
  if (get('ptnr1_symmetry') !== get('ptnr2_symmetry')) return
  addLink(
    scan,
    ['ptnr1', 'ptnr2'].map((end) => ({
      atom: get(`${end}_label_atom_id`),
      residue: (get(`${end}_auth_comp_id`) || get(`${end}_label_comp_id`)).toUpperCase(),
      chainId: get(`${end}_auth_asym_id`) || get(`${end}_label_asym_id`),
      number: residueNumber(get(`${end}_auth_seq_id`) || get(`${end}_label_seq_id`)),
    })),
  )
}

function addHelix(scan: Scan, row: CifRow): void {
  if (row.get('conf_type_id').toUpperCase().startsWith('HELX')) addSpan(scan, 'helix', row)
}

function addSpan(scan: Scan, kind: 'helix' | 'strand', { get }: CifRow): void {
  const place = (end: 'beg' | 'end') => ({
    number: residueNumber(get(`${end}_auth_seq_id`)),
    insertionCode: get(`pdbx_${end}_pdb_ins_code`),
  })
  addRange(scan, kind, get('beg_auth_asym_id'), { from: place('beg'), to: place('end') })
}
