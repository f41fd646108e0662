/**
 * PGlite that survives a power cut and does not block the event loop. Stock PGlite never syncs to disk: here its
 * file system gets a real fsync, and its server starts with fsync on. This relies on PGlite's internals, so every
 * opening checks that the sync counter rises.
 */
import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { DiskReserve } from './disk-reserve.ts'
import { endOnFullDisk, endWithoutDisk } from './lost-disk.ts'

export async function openDurablePglite(
  folder: string,
  reserve: DiskReserve,
): Promise<YieldingPglite> {
  const fs = new SyncedNodeFs(folder, reserve)
  const pglite = new YieldingPglite({ fs, startParams })
  await pglite.waitReady
  await expectSync(pglite, fs)
  return pglite
}

/** Yields to timers and sockets after every query; a loop of awaited queries would starve them. */
export class YieldingPglite extends PGlite {
  override async execProtocolStream(
    ...[message, options]: Parameters<PGlite['execProtocolStream']>
  ): ReturnType<PGlite['execProtocolStream']> {
    const answer = await super.execProtocolStream(message, options)
    if (message[0] === SYNC || message[0] === SIMPLE_QUERY) await setImmediate()
    return answer
  }
}

/** First bytes of the wire messages that end a query. */
const SYNC = 0x53
const SIMPLE_QUERY = 0x51

const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...[
    'fsync=on',
    'wal_sync_method=fsync',
    'max_wal_size=64MB',
    'min_wal_size=32MB',
    // All of it is taken at start, 128 MB by default. What does not fit comes from the operating system, 10 µs a page.
    'shared_buffers=16MB',
  ].flatMap((setting) => ['-c', setting]),
]

/** Parts of Emscripten's file system that PGlite does not declare. */
type Stream = { nfd?: number; node: unknown }
type WriteArguments = [
  stream: Stream,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
]
type Write = (...call: WriteArguments) => number
type NodeFileSystem = {
  stream_ops: { fsync?: (stream: Stream) => number; write: Write; open: Change }
  node_ops: Record<'mknod' | 'rename' | 'unlink', Change>
  realPath(node: unknown): string
}
type Change = (...call: unknown[]) => unknown
type Module = { NODEFS?: NodeFileSystem; FS: { filesystems?: { NODEFS?: NodeFileSystem } } }

class SyncedNodeFs extends NodeFS {
  syncs = 0
  readonly #folder: string
  readonly #reserve: DiskReserve

  constructor(folder: string, reserve: DiskReserve) {
    super(folder)
    this.#folder = folder
    this.#reserve = reserve
  }

  override async init(...[pg, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options)
    const addSync = (module: unknown) => this.#addSync(module as Module)
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...preRunOf(emscriptenOpts), addSync] } }
  }

  #addSync(module: Module): void {
    const nodeFs = module.NODEFS ?? module.FS.filesystems?.NODEFS
    if (nodeFs === undefined) throw new Error('PGlite has changed: its NODEFS is out of reach.')
    const { stream_ops: streams, node_ops: nodes } = nodeFs
    const orEnd = <Call extends unknown[], Done>(work: (...call: Call) => Done) =>
      endWithoutDisk(this.#folder, work)
    streams.fsync = orEnd((stream) => {
      try {
        if (stream.nfd === undefined) syncFolder(nodeFs.realPath(stream.node))
        else fdatasyncSync(stream.nfd)
      } catch (error) {
        if (isDiskFull(error)) endOnFullDisk(this.#folder)
        throw error
      }
      this.syncs++
      return 0
    })
    const write = writeFromReserve(streams.write, this.#reserve, ({ node }) => {
      if (nodeFs.realPath(node).includes(LOG_FOLDER)) endOnFullDisk(this.#folder)
    })
    streams.write = orEnd(write)
    streams.open = orEnd(streams.open)
    nodes.mknod = orEnd(nodes.mknod)
    nodes.rename = orEnd(nodes.rename)
    nodes.unlink = orEnd(nodes.unlink)
  }
}

/** ENOSPC, as named by Node.js and numbered by Emscripten. */
const diskFull = new Set<unknown>(['ENOSPC', 51])

/** A write elsewhere that fails ends its statement only. */
const LOG_FOLDER = '/pg_wal/'

/** Writes to the last byte: a disk that has just become full accepts a part and refuses the rest. */
function writeFromReserve(
  write: Write,
  reserve: DiskReserve,
  onRefused: (stream: Stream) => void,
): Write {
  return (...[stream, buffer, offset, length, position]) => {
    let written = 0
    while (written < length) {
      try {
        const left = length - written
        const taken = write(stream, buffer, offset + written, left, position + written)
        if (taken === 0) return written
        written += taken
      } catch (error) {
        if (!isDiskFull(error)) throw error
        if (reserve.release()) continue
        onRefused(stream)
        if (written > 0) return written
        throw error
      }
    }
    return written
  }
}

function isDiskFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, errno } = error as { code?: unknown; errno?: unknown }
  return diskFull.has(code) || diskFull.has(errno)
}

function preRunOf({ preRun }: { preRun?: unknown }): ((module: unknown) => void)[] {
  return (Array.isArray(preRun) ? preRun : [preRun]).filter((hook) => typeof hook === 'function')
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

async function expectSync(pglite: PGlite, fs: SyncedNodeFs): Promise<void> {
  const before = fs.syncs
  await pglite.query(`select pg_logical_emit_message(true, 'start', '')`)
  if (fs.syncs === before) {
    throw new Error('PGlite has changed: a commit was not synced to disk. Refusing to start.')
  }
}
