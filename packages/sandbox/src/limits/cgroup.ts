import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxLimits } from '@capstan/harness/sandbox'
import type { CgroupPlace } from './find-cgroup.ts'
import type { Hold } from './hold.ts'
import { maxTasks } from './hold.ts'

const NAME = /^capstan-(\d+)-\d+$/
const REMOVE_AFTER_MS = [20, 100, 500, 2_000]
const TRY_TIMEOUT_MS = 5_000
const EXIT_TRIES = 6
const EXIT_PAUSE_MS = 10

/** A shell that joins the group, which it cannot leave any more, and becomes the program. */
const JOIN = ['/bin/sh', '-c', 'echo $$ > "$1/cgroup.procs" || exit 1; shift; exec "$@"', 'sh']

const made = new Set<string>()
let number = 0

/** A group with these limits for one program. Throws when it cannot be made. */
export function createCgroupHold(place: CgroupPlace, limits: SandboxLimits): Hold {
  const folder = join(place.folder, `capstan-${process.pid}-${++number}`)
  if (made.size === 0) process.on('exit', removeAll)
  mkdirSync(folder)
  made.add(folder)
  try {
    setLimits(place, folder, limits)
  } catch (error) {
    remove(folder)
    throw error
  }
  return {
    prefix: [...JOIN, folder],
    wasOutOfMemory: () => /^oom_kill [1-9]/m.test(read(join(folder, 'memory.events'))),
    release: () => removeSoon(folder),
  }
}

/** Whether a program can really be put into a group here. Removes groups of processes that were killed. */
export function canHoldByCgroup(place: CgroupPlace): boolean {
  try {
    removeStale(place.folder)
    const { prefix, release } = createCgroupHold(place, { processes: 10, memoryMb: 64, fileMb: 1 })
    const [shell = '', ...args] = prefix
    const { status } = spawnSync(shell, [...args, '/bin/true'], { env: {}, timeout: TRY_TIMEOUT_MS })
    release()
    return status === 0
  } catch {
    return false
  }
}

/** Whether the kernel counts the memory of groups here, too. */
export const limitsMemory = ({ version, folder }: CgroupPlace): boolean =>
  version === 2 && read(join(folder, 'cgroup.subtree_control')).split(/\s/).includes('memory')

function setLimits({ version, folder: parent }: CgroupPlace, folder: string, limits: SandboxLimits): void {
  const set = (name: string, value: string): void => writeFileSync(join(folder, name), value)
  if (version === 2 && !existsSync(join(folder, 'pids.max'))) enable(parent)
  set('pids.max', String(maxTasks(limits)))
  // In version 1 memory has a tree of its own; there it is only watched.
  if (version === 1 || !existsSync(join(folder, 'memory.max'))) return
  set('memory.max', `${limits.memoryMb}M`)
  set('memory.oom.group', '1')
  if (existsSync(join(folder, 'memory.swap.max'))) set('memory.swap.max', '0')
}

function enable(parent: string): void {
  writeFileSync(join(parent, 'cgroup.subtree_control'), '+pids')
  try {
    writeFileSync(join(parent, 'cgroup.subtree_control'), '+memory')
  } catch {
    // Memory is watched instead.
  }
}

function removeStale(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(NAME.exec(name)?.[1])
    if (pid > 0 && !isAlive(pid)) remove(join(parent, name))
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** The last processes of a group may need a moment to end. */
function removeSoon(folder: string, [afterMs, ...later]: readonly number[] = REMOVE_AFTER_MS): void {
  if (remove(folder) || afterMs === undefined) return
  setTimeout(() => removeSoon(folder, later), afterMs).unref()
}

function remove(folder: string): boolean {
  try {
    rmdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return false
  }
  made.delete(folder)
  if (made.size === 0) process.off('exit', removeAll)
  return true
}

/** At the end of this process there are no timers any more. What is left then is removed at the next start. */
function removeAll(): void {
  const nothing = new Int32Array(new SharedArrayBuffer(4))
  for (let tries = 0; tries < EXIT_TRIES && made.size > 0; tries++) {
    if (tries > 0) Atomics.wait(nothing, 0, 0, EXIT_PAUSE_MS)
    for (const folder of made) remove(folder)
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
