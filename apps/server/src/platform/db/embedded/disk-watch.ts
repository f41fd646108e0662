/** Knows whether the disk of the data folder has room, says so in the log, and refuses what would fill it. */
import { statfs } from 'node:fs/promises'
import { AppError } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/log.ts'
import { type DiskReserve, RESERVE_BYTES } from './disk-reserve.ts'

/** Whether more can be stored. */
export type Room = {
  /** One sentence where nothing more is accepted. */
  problem(): string | null
  /** Throws `unavailable` where so many bytes more would leave too little. */
  expect(bytes: number): Promise<void>
}

/** Where the database looks after its own disk. */
export const otherDisk: Room = { problem: () => null, expect: async () => undefined }

type Statfs = (folder: string) => Promise<{ bavail: number; bsize: number }>

type Watched = {
  folder: string
  /** Less than this is full. */
  bytesMin: number
  reserve: DiskReserve
  log: Pick<Log, 'error' | 'warn'>
  statfs?: Statfs
  intervalMs?: number
}

const INTERVAL_MS = 2000
const RETRY_AFTER_SECONDS = 60
/** What is uploaded is written to the log of the database and to its table. */
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
    if (isFull) log.error(`the disk is full: ${left}; nothing new is accepted until there is room`)
    else log.warn(`the disk has room again: ${left}`)
  }
  const lookLogged = () =>
    look().catch((error: unknown) => log.error({ err: error }, 'the disk could not be looked at'))
  const timer = setInterval(() => void lookLogged(), intervalMs).unref()
  return {
    problem: () => (isFull ? 'The disk of the server is full.' : null),
    async expect(bytes) {
      await lookLogged()
      if (!isFull && (await readFree()) - WRITTEN_PER_BYTE * bytes >= bytesMin) return
      throw new AppError(
        'unavailable',
        'The server has no room on its disk at the moment, so nothing new can be stored. What is there is safe. Please tell your administrator.',
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      )
    },
    look,
    stop: () => clearInterval(timer),
  }
}
