import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs'

/**
 * Numbers beside the file: how far it is known to reach. When the file has fewer pages at the next start, its log was
 * deleted, cut or overwritten, or an older copy took its place.
 */
export interface Reach {
  /**
   * The last page that must be there; 0 when nothing is known. Until the machine starts again, that is the last page that
   * was committed; after that, the last one that was on the disk.
   */
  readonly noted: number
  /** How many pages an earlier start has missed, while no process has ended in good order since. */
  readonly lost: number
  /** Call after the page was committed. Like all of these it never fails: without the note the next check is weaker. */
  committed(page: number): void
  /** Call after the page was synced. */
  synced(page: number): void
  /** Pages are missing: forgets what was noted, and keeps how many. */
  lose(count: number, page: number): void
  /** Call at an end in good order: the loss was told. */
  close(page: number): void
}

const DIGITS = 16

interface Numbers {
  readonly synced: number
  readonly committed: number
  readonly lost: number
}

/** `boot`: names this start of the machine; empty when it has no name. */
export function openReach(path: string, boot: string = readBoot()): Reach {
  const name = `${path}-reach`
  const before = readNumbers(name, boot)
  let now = before
  let file: number | undefined
  const write = (changed: Partial<Numbers>): void => {
    now = { ...now, ...changed }
    const { synced, committed, lost } = now
    try {
      file ??= openSync(name, constants.O_WRONLY | constants.O_CREAT, 0o600)
      writeSync(file, `${[synced, committed, lost].map(toDigits).join(' ')} ${boot}\n`, 0)
    } catch {
      // A full disk is told by what needs the disk.
    }
  }
  return {
    noted: Math.max(before.synced, before.committed),
    lost: before.lost,
    committed(page) {
      if (page > now.committed) write({ committed: page })
    },
    synced(page) {
      if (page > now.synced) write({ synced: page })
    },
    lose: (count, page) => write({ synced: page, committed: page, lost: count }),
    close(page) {
      write({ synced: page, committed: page, lost: 0 })
      if (file !== undefined) closeSync(file)
    },
  }
}

const toDigits = (page: number): string => String(page).padStart(DIGITS, '0')

function readNumbers(name: string, boot: string): Numbers {
  const [synced, committed, lost, notedIn] = readText(name).trim().split(' ')
  // After a power cut only what was on the disk is left.
  const isSameBoot = boot !== '' && notedIn === boot
  return { synced: toPage(synced), committed: isSameBoot ? toPage(committed) : 0, lost: toPage(lost) }
}

function toPage(text: string | undefined): number {
  const page = Number(text)
  return Number.isSafeInteger(page) && page > 0 ? page : 0
}

/** Linux gives each start of the machine a name. */
const readBoot = (): string => readText('/proc/sys/kernel/random/boot_id').trim()

function readText(name: string): string {
  try {
    return readFileSync(name, 'utf8')
  } catch {
    return ''
  }
}
