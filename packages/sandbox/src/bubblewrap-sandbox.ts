import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type {
  ConfinedStart,
  ConfineRequest,
  Sandbox,
  SandboxLimits,
  SandboxState,
} from '@capstan/harness/sandbox'
import { SandboxError } from '@capstan/harness/sandbox'
import type { Bubblewrap } from './bubblewrap.ts'
import { findBubblewrap } from './bubblewrap.ts'
import { checkFolders, checkWorkingFolder, createHiddenCheck } from './check-profile.ts'
import { explainRefusal } from './explain-refusal.ts'
import type { HostProxy } from './network/host-proxy.ts'
import { startHostProxy } from './network/host-proxy.ts'
import { readEntry } from './network/match-host.ts'
import type { Hold, Holding } from './limits/hold.ts'
import { findHolding } from './limits/find-holding.ts'
import type { PassedLimit } from './limits/watch-limits.ts'
import { watchLimits } from './limits/watch-limits.ts'
import { closeArguments, inheritedFiles } from './inherited-files.ts'
import { isInside, realOrSame } from './paths.ts'
import { findProgram, innerPath } from './programs/find-program.ts'
import { installPackage } from './programs/install-package.ts'
import { readPackageRunner } from './programs/package-runner.ts'
import { suggestFolders } from './programs/suggest-folders.ts'
import { INNER_HOME, runtimeFiles } from './runtime-folder.ts'
import { SYSTEM_FOLDERS } from './system-files.ts'
import type { Confinement } from './to-arguments.ts'
import { INNER_FORWARDER, INNER_SOCKET, toArguments } from './to-arguments.ts'
import { tryOut } from './try-out.ts'

/** Options of `createBubblewrapSandbox`. */
export interface BubblewrapOptions {
  /** Never visible to a confined program, whatever its profile says: our data folder and its key. */
  readonly hidden: readonly string[]
  /** Holds what package runners fetch, a folder for each package. Absent: they fetch at each start. */
  readonly packagesFolder?: string
  /** Default: found on PATH. */
  readonly bubblewrap?: string
}

const LIMITS: SandboxLimits = { processes: 200, memoryMb: 2048, fileMb: 1024 }

// Read by the loader of bubblewrap, or by the shell that starts it. Both are not confined yet.
const LOADER_VARIABLE =
  /^(LD_|GLIBC_|MALLOC_|LOCPATH$|NLSPATH$|GCONV_PATH$|BASH|SHELLOPTS$|ENV$|PS4$|IFS$|POSIXLY_CORRECT$)/

/** How a program is started beside what its profile says. */
interface StartOptions {
  readonly home?: string
  /** Its hosts are named by us, and may lead to private addresses. */
  readonly allowsPrivate?: boolean
}

/** Builds a start without asking first whether bubblewrap works. */
export type Build = (request: ConfineRequest, options?: StartOptions) => Promise<ConfinedStart>

/** Confines programs with bubblewrap, which must be installed. Linux only. */
export function createBubblewrapSandbox(options: BubblewrapOptions): Sandbox {
  const hidden = options.hidden.map(realOrSame)
  const find = (): Bubblewrap => findBubblewrap(options.bubblewrap)
  const checkHidden = createHiddenCheck(hidden)
  let holding: Holding | undefined
  const build: Build = async (request, more = {}) => {
    const bubblewrap = find()
    checkHidden()
    return buildStart(request, { ...more, hidden, bubblewrap, holding: (holding ??= findHolding()) })
  }
  let working: SandboxState | undefined
  const check = async (): Promise<SandboxState> => {
    holding = undefined
    const state = await tryOut(build, hidden, () => (holding ??= findHolding()))
    working = state.state === 'works' ? state : undefined
    return state
  }
  return {
    isConfining: true,
    check,
    suggestFolders: (command, args) => suggestFolders(command, args, hidden),
    async confine(request) {
      const { state, found, next } = working ?? (await check())
      if (state !== 'works') throw new SandboxError('unavailable', [found, next].filter(Boolean).join(' '))
      const runner = readPackageRunner(request.command, request.args)
      if (!runner || options.packagesFolder === undefined) return build(request)
      const home = join(realOrSame(options.packagesFolder), runner.key)
      await installPackage(request, runner, { home, build })
      if (request.profile.network === 'any') return build(request, { home })
      const env = { ...runner.offlineEnv, ...request.profile.env }
      return build({ ...request, profile: { ...request.profile, env } }, { home })
    },
  }
}

let proxies = 0

async function buildStart(
  request: ConfineRequest,
  options: StartOptions & {
    readonly hidden: readonly string[]
    readonly bubblewrap: Bubblewrap
    readonly holding: Holding
  },
): Promise<ConfinedStart> {
  const { home, allowsPrivate = false, hidden, bubblewrap, holding } = options
  const { args, profile, changedIn } = request
  const folders = checkFolders(request, hidden)
  const cwd = request.cwd === undefined ? undefined : checkWorkingFolder(request.cwd, folders, changedIn)
  const isVisible = (path: string): boolean =>
    [...SYSTEM_FOLDERS, ...folders.map((folder) => folder.path)].some((folder) => isInside(folder, path))
  const found = findProgram(request.command, cwd ?? '/')
  if (found === undefined)
    throw Object.assign(new Error(`${request.command} is not installed`), { code: 'ENOENT' })
  const program = isVisible(found) ? found : realOrSame(found)
  if (hidden.some((secret) => isInside(secret, program)))
    throw new SandboxError('profile', `The program ${program} is part of the assistant's own data.`)
  const limits = { ...LIMITS, ...profile.limits }
  const hosts = typeof profile.network === 'string' ? [] : profile.network
  const needsProxy = hosts.length > 0
  const hold = holding.create(limits)
  const { folder, forwarder } = runtimeFiles()
  const proxySocket = needsProxy ? join(folder, `proxy-${++proxies}.sock`) : undefined
  const proxy =
    proxySocket === undefined
      ? undefined
      : await startHostProxy({ socketPath: proxySocket, hosts, allowsPrivate })
  const { plain, loader } = splitVariables(profile.env)
  const supervision = toSupervision(request, limits, { proxy, proxySocket, hold })
  const confinement: Confinement = {
    folders,
    network: profile.network,
    limits,
    hidden,
    files: isVisible(program) ? [] : [program],
    ...(home === undefined ? undefined : { home }),
    ...(proxySocket === undefined ? undefined : { proxySocket, forwarder }),
    ...(cwd === undefined ? undefined : { cwd }),
    abilities: bubblewrap,
  }
  const [command, ...before] = [...hold.prefix, bubblewrap.path]
  try {
    return {
      command,
      args: [
        ...before,
        ...toArguments(confinement),
        ...closeArguments(inheritedFiles()),
        ...(needsProxy ? [process.execPath, INNER_FORWARDER, INNER_SOCKET, noProxyFor(hosts)] : []),
        ...setVariables(loader),
        program,
        ...args,
      ],
      // Not by options: they would be visible to other users in the list of processes.
      env: { PATH: innerPath(), HOME: INNER_HOME, LANG: process.env['LANG'] ?? 'C.UTF-8', ...plain },
      cwd: '/',
      ...supervision,
    }
  } catch (error) {
    supervision.release()
    throw error
  }
}

function toSupervision(
  { profile, changedIn }: ConfineRequest,
  limits: SandboxLimits,
  {
    proxy,
    proxySocket,
    hold,
  }: {
    readonly proxy: HostProxy | undefined
    readonly proxySocket: string | undefined
    readonly hold: Hold
  },
): Pick<ConfinedStart, 'watch' | 'explain' | 'release'> {
  let passed: PassedLimit | undefined
  let unwatch = (): void => {}
  return {
    watch(pid) {
      unwatch = watchLimits(pid, limits, (limit) => (passed = limit))
    },
    explain(printed) {
      if (hold.wasOutOfMemory()) passed ??= 'memory'
      const most = passed === 'memory' ? limits.memoryMb : limits.processes
      const hosts = proxy?.refused ?? []
      return explainRefusal({ profile, changedIn, hosts, passed: passed && { limit: passed, most } }, printed)
    },
    release() {
      unwatch()
      hold.release()
      proxy?.close()
      if (proxySocket !== undefined) rmSync(proxySocket, { force: true })
    },
  }
}

function splitVariables(env: Readonly<Record<string, string>>): {
  readonly plain: Readonly<Record<string, string>>
  readonly loader: Readonly<Record<string, string>>
} {
  const entries = Object.entries(env)
  const isLoader = ([name]: readonly [string, string]): boolean => LOADER_VARIABLE.test(name)
  return {
    plain: Object.fromEntries(entries.filter((entry) => !isLoader(entry))),
    loader: Object.fromEntries(entries.filter(isLoader)),
  }
}

/** Last of all: what is read before must not be theirs. */
function setVariables(env: Readonly<Record<string, string>>): readonly string[] {
  const entries = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  // A program with this sign in its path would be taken for a variable.
  return entries.length === 0 ? [] : ['/usr/bin/env', ...entries, '/bin/sh', '-c', 'exec "$@"', 'sh']
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1']

/** The loopback inside is the program's own, unless the one outside was named. */
function noProxyFor(hosts: readonly string[]): string {
  const isNamed = hosts.some((host) => LOOPBACK.includes(readEntry(host).name))
  return isNamed ? '' : LOOPBACK.join(',')
}
