import { spawnSync } from 'node:child_process'
import { release } from 'node:os'
import type { SandboxLimits } from '@capstan/harness/sandbox'
import { findProgram } from '../programs/find-program.ts'
import type { Hold } from './hold.ts'
import { maxTasks } from './hold.ts'

// The kernel takes no smaller number.
const LEAST_PIDS = 400
const TRY_TIMEOUT_MS = 5_000

// The first process of a namespace gets only signals that it handles, and its input would be lost without the third file.
const SCRIPT =
  'echo "$1" > /proc/sys/kernel/pid_max || exit 1; shift; trap "exit 143" TERM; exec 3<&0; "$@" <&3 3<&- & wait $!'

/** Starts a program where there are only so many process ids. Needs the root user and Linux 6.14. */
function createPidNamespaceHold(unshare: string, limits: SandboxLimits): Hold {
  const most = String(Math.max(LEAST_PIDS, maxTasks(limits)))
  const options = '--pid --fork --kill-child --mount-proc'.split(' ')
  return {
    prefix: [unshare, ...options, '--', '/bin/sh', '-c', SCRIPT, 'sh', most],
    wasOutOfMemory: () => false,
    release() {},
  }
}

/** Undefined when it does not work here. */
export function findPidNamespaceHold(kernel = release()): ((limits: SandboxLimits) => Hold) | undefined {
  const unshare = findProgram('unshare', '/')
  if (unshare === undefined || !hasOwnPidMax(kernel)) return undefined
  const { prefix } = createPidNamespaceHold(unshare, { processes: 1, memoryMb: 1, fileMb: 1 })
  const [command = '', ...args] = prefix
  const { status } = spawnSync(command, [...args, '/bin/true'], { env: {}, timeout: TRY_TIMEOUT_MS })
  return status === 0 ? (limits) => createPidNamespaceHold(unshare, limits) : undefined
}

/** Older kernels would change the number of the whole machine, so this is asked before anything is tried. Pure. */
function hasOwnPidMax(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split('.').map(Number)
  return major > 6 || (major === 6 && minor >= 14)
}
