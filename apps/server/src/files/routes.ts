/** HTTP face of files. */
import {
  chooseChain,
  deleteCompound,
  deleteFile,
  deleteTarget,
  listCompounds,
  listFiles,
  listTargets,
  readCompound,
  readStructure,
  readTarget,
  readUsage,
  renameCompound,
  renameFile,
  renameTarget,
  TOTAL_COUNT_HEADER,
  uploadFile,
} from '@pkdex/contract'
import { route } from '#server/auth/guarded-routes.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { type App, type Feature } from '#server/platform/http/route.ts'
import * as deletion from './deletion.ts'
import { type FilesDependencies, importUpload } from './import-upload.ts'
import { declaredBytes, readUpload, STALL_MS_MAX, watchConnection } from './read-upload.ts'
import * as renaming from './renaming.ts'
import * as files from './service.ts'
import * as lists from './list-files.ts'
import { openReceivingBudget, openUserLimiter } from './upload-limits.ts'

/** Uploads of one user that are read at the same time: the screen has two boxes, each sends one by one. */
const UPLOADS_AT_A_TIME = 4
/** A page asks for two; a list of tens of thousands is held in memory while it is made. */
const LISTS_AT_A_TIME = 2

type RouteDependencies = FilesDependencies & {
  uploadBytesMax: number
  receivingBytesMax: number
  stallMsMax?: number
}

export function filesRoutes(dependencies: RouteDependencies): Feature {
  const { db, uploadBytesMax: bytesMax, stallMsMax = STALL_MS_MAX } = dependencies
  const budget = openReceivingBudget(dependencies.receivingBytesMax)
  const limitUploads = openUserLimiter(UPLOADS_AT_A_TIME)
  const limitLists = openUserLimiter(LISTS_AT_A_TIME)
  return (app) => {
    route(app, uploadFile, async ({ userId, request, expectStillSignedIn }) => {
      const { gone, end } = watchConnection(request)
      const read = async () => {
        const giveBack = budget.reserve(declaredBytes(request, bytesMax))
        try {
          const upload = await readUpload(request, { bytesMax, stallMsMax })
          await expectStillSignedIn()
          return await importUpload(dependencies, { userId, upload, gone })
        } finally {
          giveBack()
        }
      }
      return limitUploads(userId, read, gone).finally(end)
    })
    route(app, listTargets, ({ userId }) => limitLists(userId, () => files.listTargets(db, userId)))
    route(app, listCompounds, ({ userId }) =>
      limitLists(userId, () => files.listCompounds(db, userId)),
    )
    route(app, readTarget, ({ userId, param }) => files.readTarget(db, userId, param('name')))
    route(app, readCompound, async ({ userId, param }) => {
      const compound = await files.readCompound(db, userId, param('name'))
      const { standard_smiles: smiles } = compound.report
      const described = await dependencies.parsingWorkers.describeCompound(userId, smiles)
      if (!described.ok) return compound
      return { ...compound, log_p: described.value.logP, tpsa: described.value.tpsa }
    })
    route(app, readStructure, ({ userId, param }) =>
      limitLists(userId, () => files.readStructure(db, userId, param('name'))),
    )
    route(app, readUsage, ({ userId }) =>
      files.readUsage(db, userId, dependencies.storedBytesPerUser),
    )
    route(app, chooseChain, ({ userId, param, body }) =>
      files.chooseChain(db, { userId, name: param('name'), chain: body.chain }),
    )
  }
}

/** What a user keeps: seen, named and deleted. `release` lets go of what hangs on what is deleted. */
export function libraryRoutes(dependencies: { db: Database; release: deletion.Release }): Feature {
  return (app) => {
    route(app, listFiles, async ({ userId, query, reply }) => {
      const { total, files: page } = await lists.listFiles(dependencies.db, userId, query)
      void reply.header(TOTAL_COUNT_HEADER, total)
      return { files: page }
    })
    deletionRoutes(app, dependencies)
    renamingRoutes(app, dependencies.db)
  }
}

function deletionRoutes(app: App, dependencies: { db: Database; release: deletion.Release }): void {
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
