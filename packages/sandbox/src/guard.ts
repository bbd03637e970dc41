import { SandboxError } from '@capstan/harness/sandbox'
import type { SandboxLimits } from '@capstan/harness/sandbox'
import { identityOf } from './identity.ts'
import { maxTasks } from './limits/hold.ts'
import type { Mount } from './mounts.ts'
import { isInside, realOrSame } from './paths.ts'
import { findProgram } from './programs/find-program.ts'

const REPLACED =
  'The sandbox found another file or folder than the one that was checked: somebody replaced it while the program ' +
  'started. Nothing was run.'

// An idle Node has reserved half a gigabyte that it does not use. What is really used is watched from outside.
const RESERVED_MB = 1024

// Thousands of busy processes must not keep us from ending them.
const YIELD = 'command -v nice >/dev/null && set -- nice -n 5 "$@"'

/**
 * A shell that runs inside, before the program: it ends when something else is mounted than what lies there now, sets the
 * limits of the kernel, and becomes the program. Throws a `SandboxError` when something to mount is gone or a link.
 */
export function guardArguments(mounts: readonly Mount[], limits: SandboxLimits): readonly string[] {
  return ['/bin/sh', '-c', `${compareMounts(mounts)}\n${setLimits(limits)}\nexec "$@"`, 'sh']
}

// bubblewrap finds what it mounts by its path, after we have looked at it. What is mounted stays.
function compareMounts(mounts: readonly Mount[]): string {
  const visible = mounts.filter(
    ({ at }, index) => !mounts.slice(index + 1).some((later) => isInside(later.at, at)),
  )
  const identities = new Map(
    visible.map((mount) => [mount, identityOf(mount.source) ?? refuseReplaced(mount.source)]),
  )
  const paths = visible.map(({ at }) => quote(at)).join(' ')
  const inner = visible.flatMap((mount, index) => {
    const outer = visible.slice(0, index).findLast(({ at }) => isInside(at, mount.at))
    const isFolder = mount.source === mount.at
    return outer && isFolder ? [[mount.at, outer.at, identities.get(mount)!].map(quote).join(' ')] : []
  })
  return [
    `stat=${quote(findStat())}`,
    `refuse() { echo ${quote(REPLACED)} >&2; exit 126; }`,
    `[ "$("$stat" -c %d:%i ${paths})" = ${quote([...identities.values()].join('\n'))} ] 2>/dev/null || refuse`,
    ...(inner.length === 0 ? [] : [IS_LAID_OVER, ...inner.map((words) => `is_laid_over ${words} || refuse`)]),
  ].join('\n')
}

/**
 * A path inside of a folder that others change may be right when it is looked at, and lead elsewhere when something is
 * mounted there. So an open folder is asked for its inode and its mount, which must not be the mount of the folder around.
 */
const IS_LAID_OVER = `
mount_of() { while read -r name id; do [ "$name" != mnt_id: ] || echo "$id"; done </proc/self/fdinfo/3; }
is_laid_over() {
  { own=$(mount_of); found=$("$stat" -Lc %d:%i /proc/self/fd/3); } 3<"$1" || return 1
  { around=$(mount_of); } 3<"$2" || return 1
  [ "$found" = "$3" ] && [ -n "$own" ] && [ "$own" != "$around" ]
}`

/** Limits that are lower already stay. */
function setLimits(limits: SandboxLimits): string {
  const { memoryMb, fileMb, cpuSecs } = limits
  const tasks = maxTasks(limits)
  const lines = [
    'ulimit -c 0',
    `ulimit -d ${(memoryMb + RESERVED_MB) * 1024}`,
    `ulimit -f ${fileMb * 2048}`,
    // bash calls it -u, dash -p. The kernel counts per namespace since 5.14.
    `ulimit -u ${tasks} || ulimit -p ${tasks}`,
    ...(cpuSecs === undefined ? [] : [`ulimit -t ${cpuSecs}`]),
  ]
  return `{ ${lines.join('; ')}; ${YIELD}; } 2>/dev/null`
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const refuseReplaced = (path: string): never => {
  throw new SandboxError('profile', `${path} was replaced while the program was about to start.`)
}

function findStat(): string {
  const found = findProgram('stat', '/')
  if (found !== undefined) return realOrSame(found)
  throw new SandboxError('unavailable', 'The program "stat" is not installed. Install coreutils.')
}
