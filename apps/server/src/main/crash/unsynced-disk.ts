/**
 * A disk whose power can be cut: a file system of its own on a file. What it was not told to sync lies in the memory of the
 * system alone, so that a copy of the file holds what a disk would hold after a cut; its journal is replayed when the
 * copy is mounted, as after one. Linux, as root, with loop devices.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Longer than any round: the file system writes nothing unasked before. */
const OPTIONS = 'loop,noatime,commit=600'

export type UnsyncedDisk = {
  /** Where it is mounted; another place after each cut. */
  folder: () => string
  /** What is not on the disk is gone, for whoever opens the folder next. Nobody may write meanwhile. */
  cut: (whileOff: () => Promise<void>) => Promise<void>
  remove: () => void
}

/** Null where file systems cannot be mounted. */
export function openUnsyncedDisk(place: string, megabytes: number): UnsyncedDisk | null {
  let life = 0
  const image = () => join(place, `disk-${life}.img`)
  const folder = () => join(place, `disk-${life}`)
  const mount = () => {
    mkdirSync(folder())
    return succeeds('mount', '-o', OPTIONS, image(), folder())
  }
  const isMounted =
    succeeds('truncate', '-s', `${megabytes}M`, image()) &&
    succeeds('mkfs.ext4', '-q', image()) &&
    mount()
  if (!isMounted) return null
  return {
    folder,
    async cut(whileOff) {
      const [oldImage, oldFolder] = [image(), folder()]
      life += 1
      if (!succeeds('cp', '--sparse=always', oldImage, image())) throw new Error('no copy was made')
      await whileOff()
      unmount(oldFolder)
      rmSync(oldImage)
      if (!mount()) throw new Error('what the cut left cannot be mounted')
    },
    remove: () => unmount(folder()),
  }
}

function unmount(folder: string): void {
  succeeds('umount', '-l', folder)
}

function succeeds(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}
