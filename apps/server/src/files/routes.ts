/** HTTP routes for files. */
import { Readable } from 'node:stream'
import {
  chooseChain,
  deleteCompound,
  deleteFile,
  deleteTarget,
  downloadShortlist,
  listCompounds,
  listFiles,
  listTargets,
  previewDeletion as previewDeletionCall,
  readCompound,
  readStructure,
  readTarget,
  readUsage,
  renameCompound,
  renameFile,
  renameTarget,
  searchCompounds as searchCall,
  starCompound,
  TOTAL_COUNT_HEADER,
  uploadFile,
} from '@pkdex/contract'
import { route } from '#server/auth/guarded-routes.ts'
import { encodeRows, mediaTypes } from '#server/platform/db/encode-rows.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { openPlaces } from '#server/platform/limits/places.ts'
import { type App, type Feature } from '#server/platform/http/route.ts'
import { STALL_MS_MAX, watchConnection } from '#server/platform/limits/watch-sender.ts'
import { sharedRoute } from '#server/sharing/service.ts'
import { alertRoutes } from './alert-routes.ts'
import { openCompoundFacts } from './compound-facts.ts'
import * as deletion from './deletion.ts'
import { type FilesDependencies, importUpload } from './import-upload.ts'
import { declaredBytes, readUpload } from './read-upload.ts'
import { type CountAffected, previewDeletion } from './preview-deletion.ts'
import * as renaming from './renaming.ts'
import { searchCompounds } from './search-compounds.ts'
import * as files from './service.ts'
import * as lists from './list-files.ts'
import * as shortlist from './shortlist.ts'

export { importUpload } from './import-upload.ts'

/** Concurrent uploads per user: the page has two upload boxes, each of which sends one file at a time. */
const UPLOADS_AT_A_TIME = 4
/** Concurrent lists per user: a page requests two, and a list of tens of thousands is in memory while it is built. */
const LISTS_AT_A_TIME = 2
const SEARCHES_AT_A_TIME = 1

type RouteDependencies = FilesDependencies & {
  uploadBytesMax: number
  stallMsMax?: number
}

function namedTarget({ param }: { param: (name: string) => string }) {
  return { target: param('name') }
}

export function filesRoutes(dependencies: RouteDependencies): Feature {
  const bindAlerts = alertRoutes(dependencies)
  const { db, uploadBytesMax: bytesMax, stallMsMax = STALL_MS_MAX } = dependencies
  const readFacts = openCompoundFacts(dependencies)
  const uploads = openPlaces({ perUser: UPLOADS_AT_A_TIME })
  const lists = openPlaces({ perUser: LISTS_AT_A_TIME })
  const searches = openPlaces({ perUser: SEARCHES_AT_A_TIME })
  return (app) => {
    bindAlerts(app)
    route(app, uploadFile, async ({ userId, request, expectStillSignedIn }) => {
      const { gone, end } = watchConnection(request)
      const read = async () => {
        const giveBack = app.receiving.reserve(declaredBytes(request, bytesMax))
        try {
          const upload = await readUpload(request, { bytesMax, stallMsMax })
          await expectStillSignedIn()
          return await importUpload(dependencies, { userId, upload, gone })
        } finally {
          giveBack()
        }
      }
      return uploads.use(userId, read, { gone, endsWhenGone: true }).finally(end)
    })
    route(app, listTargets, ({ userId }) => lists.use(userId, () => files.listTargets(db, userId)))
    route(app, listCompounds, ({ userId }) =>
      lists.use(userId, () => files.listCompounds(db, userId)),
    )
    route(app, searchCall, ({ userId, query, gone }) =>
      searches.use(userId, () => searchCompounds(dependencies, { userId, query, gone }), {
        gone,
        endsWhenGone: true,
      }),
    )
    sharedRoute(app, readTarget, namedTarget, ({ userId, param }) =>
      files.readTarget(db, userId, param('name')),
    )
    sharedRoute(
      app,
      readCompound,
      ({ param }) => ({ compound: param('name') }),
      async ({ userId, param }) => {
        const compound = await files.readCompound(db, userId, param('name'))
        const { standard_smiles: smiles } = compound.report
        const facts = (await readFacts(userId, [smiles])).get(smiles)
        if (facts === undefined) return compound
        const { properties, alerts } = facts
        return { ...compound, log_p: properties.log_p, tpsa: properties.tpsa, properties, alerts }
      },
    )
    sharedRoute(app, readStructure, namedTarget, ({ userId, caller, param }) =>
      lists.use(caller.userId, () => files.readStructure(db, userId, param('name'))),
    )
    route(app, readUsage, ({ userId }) =>
      files.readUsage(db, userId, dependencies.storedBytesPerUser),
    )
    route(app, chooseChain, ({ userId, param, body }) =>
      files.chooseChain(db, { userId, name: param('name'), chain: body.chain }),
    )
  }
}

/** The user's library: list, rename and delete. `release` deletes other features' data about deleted items. */
type LibraryDependencies = {
  db: Database
  release: deletion.Release
  countAffected: CountAffected
}

export function libraryRoutes(dependencies: LibraryDependencies): Feature {
  return (app) => {
    route(app, listFiles, async ({ userId, query, reply }) => {
      const { total, files: page } = await lists.listFiles(dependencies.db, userId, query)
      void reply.header(TOTAL_COUNT_HEADER, total)
      return { files: page }
    })
    deletionRoutes(app, dependencies)
    renamingRoutes(app, dependencies.db)
    shortlistRoutes(app, dependencies.db)
  }
}

function deletionRoutes(app: App, dependencies: LibraryDependencies): void {
  route(app, previewDeletionCall, ({ userId, query }) =>
    previewDeletion(dependencies, userId, query),
  )
  route(app, deleteFile, ({ userId, param }) =>
    deletion.deleteFile(dependencies, { userId, fileId: param('fileId') }),
  )
  route(app, deleteTarget, ({ userId, param }) =>
    deletion.deleteNamed(dependencies, { userId, kind: 'targets', name: param('name') }),
  )
  route(app, deleteCompound, ({ userId, param }) =>
    deletion.deleteNamed(dependencies, { userId, kind: 'compounds', name: param('name') }),
  )
}

function renamingRoutes(app: App, db: Database): void {
  route(app, renameFile, ({ userId, param, body }) =>
    renaming.renameFile(db, { userId, fileId: param('fileId'), to: body.filename }),
  )
  route(app, renameTarget, ({ userId, param, body: { name: to } }) =>
    renaming.renameNamed(db, { userId, kind: 'targets', from: param('name'), to }),
  )
  route(app, renameCompound, ({ userId, param, body: { name: to } }) =>
    renaming.renameNamed(db, { userId, kind: 'compounds', from: param('name'), to }),
  )
}

function shortlistRoutes(app: App, db: Database): void {
  route(app, starCompound, ({ userId, param, body: { starred: isStarred } }) =>
    shortlist.starCompound(db, { userId, name: param('name'), isStarred }),
  )
  route(app, downloadShortlist, async ({ userId, reply }) => {
    void reply.type(mediaTypes.csv)
    void reply.header('Content-Disposition', 'attachment; filename="shortlist.csv"')
    const pages = shortlist.pagesOfShortlist(db, userId)
    return Readable.from(encodeRows('csv', { columns: shortlist.shortlistColumns, pages }))
  })
}
