import { existsSync, statSync } from 'node:fs'
import type { SandboxFolder, SandboxLimits, SandboxNetwork } from '@capstan/harness/sandbox'
import { guardArguments } from './guard.ts'
import type { Mount } from './mounts.ts'
import { bindArguments, toFolderMounts } from './mounts.ts'
import { isInside } from './paths.ts'
import { INNER_HOME, INNER_UID, runtimeFiles } from './runtime-folder.ts'
import { nodeMounts, ownSystemFiles, SYSTEM_FOLDERS, systemArguments } from './system-files.ts'

/** What bubblewrap is asked for. Everything in it was checked. */
export interface Confinement {
  readonly folders: readonly SandboxFolder[]
  readonly network: SandboxNetwork
  readonly limits: SandboxLimits
  /** Folders and files, covered by an empty one wherever they would show. */
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
}

export const INNER_SOCKET = '/tmp/.capstan-proxy.sock'
export const INNER_FORWARDER = '/tmp/.capstan-forward.cjs'
const FIXED = [
  `--uid ${INNER_UID} --gid ${INNER_UID} --hostname sandbox`,
  '--die-with-parent --new-session --cap-drop ALL',
].flatMap((options) => options.split(' '))
const TMP_BYTES = 512 * 1024 * 1024

const coverArguments = (secret: string): readonly string[] =>
  statSync(secret).isDirectory()
    ? ['--tmpfs', secret, '--remount-ro', secret]
    : ['--ro-bind', '/dev/null', secret]

/**
 * The options of bubblewrap up to the program, with the shell that guards its start. Later options are laid over earlier
 * ones. Throws a `SandboxError` when something to mount is not where it was.
 */
export function toArguments(confinement: Confinement): readonly string[] {
  const { folders, network, files, home, cwd, abilities, limits, proxySocket, forwarder } = confinement
  const tmpfs = (path: string): readonly string[] => [
    ...(abilities.size ? ['--size', String(TMP_BYTES)] : []),
    '--tmpfs',
    path,
  ]
  const readOnly = (source: string, at = source): Mount => ({ source, at, access: 'read' })
  // A program that sees them could change them for others.
  const hidden = [...confinement.hidden, runtimeFiles().folder].filter((path) => existsSync(path))
  const shown: readonly Mount[] = [
    ...ownSystemFiles(network),
    ...nodeMounts(),
    ...(home === undefined ? [] : [{ source: home, at: INNER_HOME, access: 'write' } as const]),
    ...files.map((file) => readOnly(file)),
    ...toFolderMounts(folders, hidden),
  ]
  const helpers: readonly Mount[] = [
    ...(proxySocket === undefined ? [] : [readOnly(proxySocket, INNER_SOCKET)]),
    ...(forwarder === undefined ? [] : [readOnly(forwarder, INNER_FORWARDER)]),
  ]
  const bound = [...SYSTEM_FOLDERS, ...shown.map(({ at }) => at)]
  return [
    '--unshare-all',
    '--unshare-user',
    ...(abilities.disableUserns ? ['--disable-userns'] : []),
    ...(network === 'any' ? ['--share-net'] : []),
    ...FIXED,
    ...systemArguments(network),
    ...tmpfs('/dev/shm'),
    ...tmpfs('/tmp'),
    ...(home === undefined ? tmpfs(INNER_HOME) : []),
    ...shown.flatMap(bindArguments),
    ...hidden.filter((secret) => bound.some((path) => isInside(path, secret))).flatMap(coverArguments),
    ...helpers.flatMap(bindArguments),
    // A write outside of the folders fails, and is not lost silently.
    '--remount-ro',
    '/',
    '--chdir',
    cwd ?? INNER_HOME,
    '--',
    ...guardArguments([...shown, ...helpers], limits),
  ]
}
