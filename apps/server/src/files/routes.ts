/** HTTP face of files. */
import { chooseChain, listCompounds, listTargets, uploadFile } from '@pkdex/contract'
import { type Feature, route } from '#server/http/route.ts'
import { STALL_MS_MAX, watchConnection } from './connection.ts'
import { type FilesParts, keepUpload } from './keep-upload.ts'
import * as lists from './lists.ts'
import { readUpload } from './read-upload.ts'
import * as files from './service.ts'
import { openUserSlots } from './user-slots.ts'

/** Uploads of one user that are read at the same time: the screen has two boxes, each sends one by one. */
const UPLOADS_AT_A_TIME = 4
/** A page asks for two; a list of tens of thousands is held in memory while it is made. */
const LISTS_AT_A_TIME = 2

type RouteParts = FilesParts & { uploadBytesMax: number; stallMsMax?: number }

export function filesRoutes(parts: RouteParts): Feature {
  const { db, uploadBytesMax: bytesMax, stallMsMax = STALL_MS_MAX } = parts
  const inSlot = openUserSlots(UPLOADS_AT_A_TIME)
  const inListSlot = openUserSlots(LISTS_AT_A_TIME)
  return (app) => {
    route(app, uploadFile, async ({ userId, request, expectStillSignedIn }) => {
      const { gone, end } = watchConnection(request)
      const read = async () => {
        const upload = await readUpload(request, { bytesMax, stallMsMax })
        await expectStillSignedIn()
        return keepUpload(parts, { userId, upload, gone })
      }
      return inSlot(userId, read, gone).finally(end)
    })
    route(app, listTargets, async ({ userId }) => {
      const targets = await inListSlot(userId, () => lists.listTargets(db, userId))
      return { protein_names: targets.map(({ name }) => name), targets }
    })
    route(app, listCompounds, async ({ userId }) => {
      const compounds = await inListSlot(userId, () => lists.listCompounds(db, userId))
      return { compound_names: compounds.map(({ name }) => name), compounds }
    })
    route(app, chooseChain, ({ userId, param, body }) =>
      files.chooseChain(db, { userId, name: param('name'), chain: body.chain }),
    )
  }
}
