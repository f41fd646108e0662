/** Why a data folder cannot be used, in a sentence for whoever starts the product. */
import { accessSync, constants, statfsSync } from 'node:fs'

export class FolderError extends Error {
  override name = 'FolderError'
  /** Whether starting again may help without anybody's doing. */
  readonly mayPass: boolean

  constructor(message: string, options: ErrorOptions & { mayPass: boolean }) {
    super(message, options)
    this.mayPass = options.mayPass
  }
}

/** What an opened database needs at once, its write-ahead log above all. */
const FREE_BYTES_MIN = 64 * 2 ** 20

const NOT_WRITABLE = 'is no folder that this user may write in'

/** The engine ends with one and the same word whatever went wrong, so the folder itself is looked at. */
export function explainFolder(folder: string, cause: unknown): FolderError {
  const refusal = findRefusal(folder)
  if (refusal !== null) {
    const what = refusal === 'EROFS' ? 'is on a disk that is read-only' : NOT_WRITABLE
    const message = `DATA_DIR ${folder} ${what}. Nothing was changed.`
    return new FolderError(message, { cause, mayPass: false })
  }
  if (freeBytes(folder) < FREE_BYTES_MIN) return fullDisk(folder, cause)
  const message =
    `The database in ${folder} cannot be opened: its files are damaged or not all there. ` +
    'They were left as they are. Move them aside and restore a backup (npm run restore).'
  return new FolderError(message, { cause, mayPass: false })
}

/** Rather a sentence now than an engine that breaks at its first write. */
export function expectRoomToStart(folder: string): void {
  if (freeBytes(folder) < FREE_BYTES_MIN) throw fullDisk(folder, undefined)
}

function fullDisk(folder: string, cause: unknown): FolderError {
  const message = `The disk of DATA_DIR ${folder} is full. Make room; nothing that was acknowledged is lost.`
  return new FolderError(message, { cause, mayPass: true })
}

/** The system's word for why nothing can be written there; null where it can. */
function findRefusal(folder: string): string | null {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : ''
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
