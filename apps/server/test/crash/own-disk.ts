/**
 * A separate disk for a test: an ext4 file system in an image in memory, whose power can be cut and which can turn
 * read-only like a failing disk. Needs Linux, the right to mount, mkfs.ext4 and perl.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

export type OwnDisk = {
  folder: string
  /** From now on no write reaches the disk: unsynced data are lost, and data being synced may be cut anywhere. */
  cutPower(): void
  /** Like a disk fault: from now on all writes fail, even to open files, but existing data can be read. */
  turnReadOnly(): void
  /** The contents after unmounting: only what reached the disk. Throws if unsynced data survived. */
  mountAgain(mode?: 'read-only'): void
  close(): void
}

/** Large enough that the minimum of free disk space stays free; only written data takes memory. */
const IMAGE_SIZE = '1536M'
/** Neither the journal nor, within half a minute, the kernel writes anything on its own during a test. */
const MOUNT_OPTIONS = 'loop,commit=3600,errors=remount-ro'

/** Prints a message and returns null if no file system can be mounted. */
export function openOwnDisk(): OwnDisk | null {
  const place = mkdtempSync(join(tmpdir(), 'pkdex-disk-'))
  const [memory, folder] = [join(place, 'memory'), join(place, 'disk')]
  const image = join(memory, 'image')
  const close = () => {
    for (const mounted of [folder, memory]) tryRun('umount', ['-l', mounted])
    rmSync(place, { recursive: true, force: true })
  }
  try {
    mkdirSync(memory)
    mkdirSync(folder)
    run('mount', ['-t', 'tmpfs', '-o', `size=${IMAGE_SIZE}`, 'tmpfs', memory])
    run('truncate', ['-s', IMAGE_SIZE, image])
    run('mkfs.ext4', ['-q', '-F', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image])
    run('mount', ['-o', MOUNT_OPTIONS, image, folder])
  } catch (error) {
    close()
    const reason = error instanceof Error ? error.message.trim() : String(error)
    console.info(`a disk of its own cannot be mounted here, so its tests are skipped: ${reason}`)
    return null
  }
  return { folder, close, ...faultsOf(folder, image) }
}

const NEVER_SYNCED = 'never-synced'

function faultsOf(folder: string, image: string) {
  const witness = join(folder, NEVER_SYNCED)
  return {
    cutPower() {
      writeFileSync(witness, NEVER_SYNCED)
      run('perl', ['-e', SHUT_DOWN, folder])
    },
    turnReadOnly() {
      const [device = ''] = run('losetup', ['-n', '-O', 'NAME', '-j', image]).trim().split('\n')
      writeFileSync(`/sys/fs/ext4/${basename(device)}/trigger_fs_error`, '1')
    },
    mountAgain(mode?: 'read-only') {
      run('umount', [folder])
      run('mount', ['-o', MOUNT_OPTIONS, image, folder])
      if (existsSync(witness) && readFileSync(witness, 'utf8') !== '') {
        throw new Error('What was never synced has survived: this is no power cut.')
      }
      rmSync(witness, { force: true })
      if (mode === 'read-only') run('mount', ['-o', 'remount,ro', folder])
    },
  }
}

/** The call EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH, which Node.js cannot make. */
const SHUT_DOWN = `open(my $folder, '<', $ARGV[0]) or die $!; my $flags = pack('L', 2);
  ioctl($folder, 0x8004587d, $flags) or die $!`

function run(program: string, args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function tryRun(program: string, args: string[]): void {
  try {
    run(program, args)
  } catch {
    // It was not mounted.
  }
}
