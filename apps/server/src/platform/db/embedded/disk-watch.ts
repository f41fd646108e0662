/** Watches free space on the data disk, logs when it is low, and refuses writes that would fill it. */
import { statfs } from 'node:fs/promises'
import { AppError } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import { type DiskReserve, RESERVE_BYTES } from './disk-reserve.ts'

/** Whether more data can be stored. */
export type Room = {
  /** One sentence if nothing more can be stored; null otherwise. */
  problem(): string | null
  /** Throws `unavailable` if this many more bytes would leave too little space. */
  expect(bytes: number): Promise<void>
}

/** For PostgreSQL servers, which watch their own disk. */
export const otherDisk: Room = { problem: () => null, expect: async () => undefined }

type Statfs = (folder: string) => Promise<{ bavail: number; bsize: number }>

type Watched = {
  folder: string
  /** Below this the disk counts as full. */
  bytesMin: number
  reserve: DiskReserve
  log: Pick<Log, 'error' | 'warn'>
  statfs?: Statfs
  intervalMs?: number
}

const INTERVAL_MS = 2000
const RETRY_AFTER_SECONDS = 60
/** Each uploaded byte is written twice: to the write-ahead log and to the table. */
const WRITTEN_PER_BYTE = 2

export type DiskWatch = Room & { look(): Promise<void>; stop(): void }

export function watchDisk({
  folder,
  bytesMin,
  reserve,
  log,
  statfs: readDisk = statfs,
  intervalMs = INTERVAL_MS,
}: Watched): DiskWatch {
  let isFull = false
  const readFree = async () => {
    const { bavail, bsize } = await readDisk(folder)
    return bavail * bsize
  }
  const look = async () => {
    const free = await readFree()
    if (!reserve.isHeld() && free >= bytesMin + RESERVE_BYTES) reserve.hold()
    const isFullNow = free < bytesMin || !reserve.isHeld()
    if (isFullNow === isFull) return
    isFull = isFullNow
    const left = `${Math.floor(free / 2 ** 20)} MiB are free in ${folder}`
    if (isFull) {
      log.error(`disk full: ${left}; uploads and predictions are refused until space is freed`)
    } else log.warn(`disk space available again: ${left}`)
  }
  const lookLogged = () =>
    look().catch((error: unknown) => log.error({ err: error }, 'could not check the disk'))
  const timer = setInterval(() => void lookLogged(), intervalMs).unref()
  return {
    problem: () => (isFull ? 'The disk of the server is full.' : null),
    async expect(bytes) {
      await lookLogged()
      if (!isFull && (await readFree()) - WRITTEN_PER_BYTE * bytes >= bytesMin) return
      throw diskFull()
    },
    look,
    stop: () => clearInterval(timer),
  }
}

export function diskFull(cause?: unknown): AppError {
  return new AppError(
    'unavailable',
    'The server’s disk is full, so nothing new can be saved. Existing data is safe. Tell your administrator.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS, cause },
  )
}
