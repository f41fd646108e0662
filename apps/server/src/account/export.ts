/** All data of a user as one zip: the original files, and tables from one snapshot. */
import { Readable } from 'node:stream'
import { fileHeading } from '@pkdex/contract'
import { type Compilable, sql } from 'kysely'
import { ownComments } from '#server/comments/service.ts'
import { findFileContent, type ReadFacts } from '#server/files/service.ts'
import { encodeRows } from '#server/platform/db/encode-rows.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Snapshots } from '#server/platform/db/snapshots.ts'
import { type ZipEntry, zipStream } from '#server/platform/http/zip-stream.ts'
import { isSharedWith } from '#server/sharing/service.ts'
import type { Poses } from '#server/poses/service.ts'
import {
  findPlacedTargets,
  type BestEstimates,
  historyFileColumns,
  pagesOfHistory,
  rowsOfScreen,
  writeStoredPoses,
} from '#server/predictions/service.ts'

export type ExportDependencies = {
  db: Database
  snapshots: Snapshots
  poses: Pick<Poses, 'writeStored'>
  best: BestEstimates
  readFacts: ReadFacts
  now: () => Date
}

export async function exportAccount(
  { db, snapshots, poses, best, readFacts, now }: ExportDependencies,
  userId: string,
): Promise<Readable> {
  const entries = [
    ...(await fileEntries(db, userId)),
    ...(await screenEntries({ db, best, readFacts }, userId)),
    ...(await poseEntries({ db, poses }, userId)),
  ]
  const tables = tablesOf(db, userId)
  const names = Object.keys(tables) as (keyof typeof columns)[]
  const snapshot = await snapshots.open(tables, userId)
  for (const name of names) {
    const rows = { columns: columns[name], headingOf: fileHeading, pages: snapshot.pages(name) }
    entries.unshift({ name: `${name}.csv`, open: () => toStream(encodeRows('csv', rows)) })
  }
  const predictions = {
    columns: historyFileColumns,
    headingOf: fileHeading,
    pages: pagesOfHistory({ db, best }, { userId, search: '' }),
  }
  entries.unshift({
    name: 'predictions.csv',
    open: () => toStream(encodeRows('csv', predictions)),
  })
  return zipStream(entries, now(), () => snapshot.close())
}

const columnsOfScreens = [
  'id',
  'name',
  'note',
  'status',
  'total',
  'done',
  'credits_charged',
  'model_version',
  'created_at',
] as const

const columns = {
  account: ['email', 'name', 'credits', 'created_at'],
  sign_ins: ['issuer', 'subject', 'email', 'created_at'],
  targets: ['name', 'chain', 'residues', 'file', 'created_at'],
  compounds: ['name', 'smiles', 'standard_smiles', 'mass', 'file', 'created_at', 'own_columns'],
  screens: [...columnsOfScreens, 'follow_up_of', 'tags'],
  measurements: ['target', 'compound', 'smiles', 'type', 'value', 'pk', 'bound', 'created_at'],
  make_lists: [
    'target',
    'list',
    'smiles',
    'predicted',
    'lower',
    'upper',
    'created_at',
    'list_name',
    'list_tags',
  ],
  own_ligands: ['target', 'smiles', 'molfile', 'created_at'],
  shares: ['screen_id', 'screen', 'direction', 'with', 'exports', 'created_at'],
  comments: [
    'screen_id',
    'screen',
    'row',
    'column',
    'compound',
    'target',
    'by',
    'text',
    'created_at',
    'edited_at',
  ],
  ledger: ['created_at', 'delta', 'balance_after', 'reason', 'note', 'task_id'],
} as const

function signInsOf(db: Database, userId: string): Compilable {
  return db
    .selectFrom('identities')
    .select(columns.sign_ins)
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    .orderBy('created_at')
}

function tablesOf(db: Database, userId: string): Record<keyof typeof columns, Compilable> {
  return {
    account: db.selectFrom('users').select(columns.account).where('id', '=', userId),
    sign_ins: signInsOf(db, userId),
    targets: db
      .selectFrom('targets')
      .innerJoin('files', 'files.id', 'targets.file_id')
      .select(['name', 'chain', 'residues', 'filename as file', 'created_at'])
      .where('targets.user_id', '=', userId)
      .orderBy('seq'),
    compounds: db
      .selectFrom('compounds')
      .innerJoin('files', 'files.id', 'compounds.file_id')
      .select(['name', 'smiles', 'standard_smiles', 'mass', 'filename as file', 'created_at'])
      .select(
        sql<string | null>`
        (select json_object_agg(cell ->> 0, cell ->> 1 order by place)::text
          from jsonb_array_elements(own) with ordinality as cells (cell, place))`.as('own_columns'),
      )
      .where('compounds.user_id', '=', userId)
      .orderBy('seq'),
    screens: db
      .selectFrom('orders')
      .select(columnsOfScreens)
      .select('screen_id as follow_up_of')
      .select(sql<string>`array_to_string(tags, ', ')`.as('tags'))
      .where('user_id', '=', userId)
      .where('kind', 'in', ['screen', 'call'])
      .orderBy('created_at')
      .orderBy('id'),
    measurements: db
      .selectFrom('measurements')
      // Includes values whose structure was deleted.
      .leftJoin('targets', 'targets.id', 'measurements.target_id')
      .select(['targets.name as target', 'compound', 'smiles', 'type', 'value', 'pk', 'bound'])
      .select('measurements.created_at')
      .where('measurements.user_id', '=', userId)
      .orderBy('measurements.created_at')
      .orderBy('measurements.id'),
    make_lists: makeListsOf(db, userId),
    own_ligands: db
      .selectFrom('own_ligands')
      .innerJoin('targets', 'targets.id', 'own_ligands.target_id')
      .select(['targets.name as target', 'smiles', 'molfile', 'own_ligands.created_at'])
      .where('own_ligands.user_id', '=', userId)
      .orderBy('targets.seq'),
    shares: db
      .selectFrom('shares')
      .innerJoin('orders', 'orders.id', 'shares.order_id')
      .innerJoin('users as owner', 'owner.id', 'shares.owner_id')
      .innerJoin('users as me', (join) => join.on('me.id', '=', userId))
      .select(['orders.id as screen_id', 'orders.name as screen', 'shares.exports'])
      .select(
        sql<string>`case when owner.id = me.id then 'by you' else 'with you' end`.as('direction'),
      )
      .select(
        sql<string>`case when owner.id = me.id then coalesce(shares.email, 'everyone with the link')
          else owner.name end`.as('with'),
      )
      .select('shares.created_at')
      .where((is) => is.or([is('owner.id', '=', userId), isSharedWith(userId)]))
      .orderBy('shares.created_at')
      .orderBy('shares.id'),
    comments: ownComments(db, userId),
    ledger: db
      .selectFrom('ledger')
      .select(columns.ledger)
      .where('user_id', '=', userId)
      .orderBy('id'),
  }
}

function makeListsOf(db: Database, userId: string): Compilable {
  return db
    .selectFrom('listed_molecules')
    .innerJoin('targets', 'targets.id', 'listed_molecules.target_id')
    .select(['targets.name as target', 'list', 'smiles', 'predicted', 'lower', 'upper'])
    .select(sql<string | null>`case when list = 'make' then make_list_name end`.as('list_name'))
    .select(
      sql<string | null>`case when list = 'make' then array_to_string(make_list_tags, ', ') end`.as(
        'list_tags',
      ),
    )
    .select('listed_molecules.created_at')
    .where('listed_molecules.user_id', '=', userId)
    .orderBy('listed_molecules.id')
}

async function fileEntries(db: Database, userId: string): Promise<ZipEntry[]> {
  const files = await db
    .selectFrom('files')
    .select(['id', 'filename'])
    .where('user_id', '=', userId)
    .orderBy('uploaded_at')
    .orderBy('filename')
    .orderBy('id')
    .execute()
  return files.map(({ id, filename }, at) => ({
    name: `files/${at + 1} ${safeName(filename)}`,
    open: () => openFile(db, id),
  }))
}

/** Null if the user deleted the screen during the export. */
async function openScreen(
  dependencies: Estimating,
  userId: string,
  screenId: string,
): Promise<Readable | null> {
  const rows = await rowsOfScreen(dependencies, { userId, screenId })
  return rows === null ? null : toStream(encodeRows('csv', rows))
}

/** Null if the user deleted the file during the export. */
async function openFile(db: Database, fileId: string): Promise<Readable | null> {
  const content = await findFileContent(db, fileId)
  return content === null ? null : Readable.from([content], { objectMode: false })
}

type Estimating = Pick<ExportDependencies, 'db' | 'best' | 'readFacts'>

async function screenEntries(dependencies: Estimating, userId: string): Promise<ZipEntry[]> {
  const screens = await dependencies.db
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', userId)
    .where('kind', 'in', ['screen', 'call'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return screens.map(({ id }) => ({
    name: `screens/${id}.csv`,
    open: () => openScreen(dependencies, userId, id),
  }))
}

/** One SDF per screen and target. */
async function poseEntries(
  { db, poses }: Pick<ExportDependencies, 'db' | 'poses'>,
  userId: string,
): Promise<ZipEntry[]> {
  const placed = await findPlacedTargets(db, userId)
  return placed.map(({ screenId, target }) => ({
    name: `poses/${screenId} ${target.place + 1} ${safeName(target.name)}.sdf`,
    open: () => toStream(writeStoredPoses({ db, poses }, { userId, screenId, targets: [target] })),
  }))
}

function toStream(pieces: AsyncIterable<string | Buffer>): Readable {
  return Readable.from(pieces, { objectMode: false })
}

/** Characters that some operating systems do not allow in file names. */
function safeName(filename: string): string {
  return filename.replaceAll(/[\p{Cc}/\\:*?"<>|]/gu, '_')
}
