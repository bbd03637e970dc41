import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { SandboxFolder, SandboxLimits, SandboxNetwork } from '@capstan/harness/sandbox'
import { maxTasks } from './limits/hold.ts'
import { isInside } from './paths.ts'
import { INNER_HOME, INNER_UID } from './runtime-folder.ts'
import { nodeArguments, SYSTEM_FOLDERS, systemArguments } from './system-files.ts'

/** What bubblewrap is asked for. Everything in it was checked. */
export interface Confinement {
  readonly folders: readonly SandboxFolder[]
  readonly network: SandboxNetwork
  readonly limits: SandboxLimits
  /** Covered by an empty folder wherever they would show. */
  readonly hidden: readonly string[]
  /** Files outside of the folders that the program needs, read only. */
  readonly files: readonly string[]
  /** A folder of ours that is its home folder. Absent: an empty one that is gone afterwards. */
  readonly home?: string
  readonly proxySocket?: string
  readonly forwarder?: string
  readonly cwd?: string
  /** What the installed bubblewrap understands. */
  readonly abilities: { readonly size: boolean; readonly disableUserns: boolean }
  /** Variables that would change bubblewrap itself. */
  readonly loaderEnv: Readonly<Record<string, string>>
}

export const INNER_SOCKET = '/tmp/.capstan-proxy.sock'
export const INNER_FORWARDER = '/tmp/.capstan-forward.cjs'
const FIXED = [
  `--uid ${INNER_UID} --gid ${INNER_UID} --hostname sandbox`,
  '--die-with-parent --new-session --cap-drop ALL',
].flatMap((options) => options.split(' '))
const TMP_BYTES = 512 * 1024 * 1024

/** The options of bubblewrap up to the program. Later options are laid over earlier ones. */
export function toArguments(confinement: Confinement): readonly string[] {
  const { folders, network, hidden, files, home, cwd, abilities, loaderEnv } = confinement
  const { proxySocket, forwarder } = confinement
  const tmpfs = (path: string, bytes: number): readonly string[] => [
    ...(abilities.size ? ['--size', String(bytes)] : []),
    '--tmpfs',
    path,
  ]
  const node = nodeArguments()
  const bound = [...SYSTEM_FOLDERS, ...node, ...folders.map(({ path }) => path)].filter((path) =>
    isAbsolute(path),
  )
  return [
    '--unshare-all',
    '--unshare-user',
    ...(abilities.disableUserns ? ['--disable-userns'] : []),
    ...(network === 'any' ? ['--share-net'] : []),
    ...FIXED,
    ...systemArguments(network),
    ...tmpfs('/dev/shm', TMP_BYTES),
    ...tmpfs('/tmp', TMP_BYTES),
    ...node,
    ...(home === undefined ? tmpfs(INNER_HOME, TMP_BYTES) : ['--bind', home, INNER_HOME]),
    ...files.flatMap((file) => ['--ro-bind', file, file]),
    ...folders.flatMap(({ path, access }) => [access === 'write' ? '--bind' : '--ro-bind', path, path]),
    ...hidden
      .filter((secret) => existsSync(secret) && bound.some((path) => isInside(path, secret)))
      .flatMap((secret) => ['--tmpfs', secret, '--remount-ro', secret]),
    ...(proxySocket === undefined ? [] : ['--ro-bind', proxySocket, INNER_SOCKET]),
    ...(forwarder === undefined ? [] : ['--ro-bind', forwarder, INNER_FORWARDER]),
    ...Object.entries(loaderEnv).flatMap(([name, value]) => ['--setenv', name, value]),
    // A write outside of the folders fails, and is not lost silently.
    '--remount-ro',
    '/',
    '--chdir',
    cwd ?? INNER_HOME,
    '--',
  ]
}

// An idle Node has reserved half a gigabyte that it does not use. What is really used is watched from outside.
const RESERVED_MB = 1024

// Thousands of busy processes must not keep us from ending them.
const YIELD = 'command -v nice >/dev/null && set -- nice -n 5 "$@"'

/** A shell that sets the limits of the kernel and becomes the program. Limits that are lower already stay. */
export function limitArguments(limits: SandboxLimits): readonly string[] {
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
  return ['/bin/sh', '-c', `{ ${lines.join('; ')}; ${YIELD}; } 2>/dev/null; exec "$@"`, 'sh']
}
