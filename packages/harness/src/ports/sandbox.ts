/** A folder that a confined program sees, by its true path. */
export interface SandboxFolder {
  readonly path: string
  readonly access: 'read' | 'write'
}

/** `any` includes services on this machine. A list names hosts: `example.com`, `*.example.com`, `example.com:8080`. */
export type SandboxNetwork = 'off' | 'any' | readonly string[]

/** How much a program may use before it is ended. */
export interface SandboxLimits {
  /** Processes at the same time. */
  readonly processes: number
  /** Of all its processes together. */
  readonly memoryMb: number
  /** The largest file it may write. */
  readonly fileMb: number
  /** Of one process. Absent: no limit. */
  readonly cpuSecs?: number
}

/** What a program may reach. Everything that is not named here is invisible to it. */
export interface SandboxProfile {
  readonly folders: readonly SandboxFolder[]
  readonly network: SandboxNetwork
  /** The only variables it gets, beside PATH, HOME and LANG. */
  readonly env: Readonly<Record<string, string>>
  readonly limits?: Partial<SandboxLimits>
}

/** A program to start. */
export interface ConfineRequest {
  readonly command: string
  readonly args: readonly string[]
  /** Must be in one of the folders. Absent: an empty folder of its own. */
  readonly cwd?: string
  readonly profile: SandboxProfile
  /** Where a person changes this profile, for messages: `the settings of this server`. */
  readonly changedIn: string
  readonly signal?: AbortSignal
}

/** How to start a program so that it is confined. Start it with exactly this, and nothing of our own environment. */
export interface ConfinedStart {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Call it with the id of the started process: from then on its limits are watched. */
  watch(pid: number): void
  /** What the program was refused, in words and with the setting that would allow it. `printed` is from its output. */
  explain(printed: string): string | undefined
  /** Call it when the program has ended or was not started. Never throws. */
  release(): void
}

/** Whether programs can be confined on this machine. The sentences are plain English. */
export interface SandboxState {
  /** `off`: the owner of the installation has switched confinement off. */
  readonly state: 'works' | 'unavailable' | 'off'
  readonly found: string
  /** What to install or to change. Beside `works` it means that a limit is weaker here than it could be. */
  readonly next?: string
}

/** Confines programs: only named folders, hosts and variables, and limits. */
export interface Sandbox {
  /** False: programs run unconfined, because the owner asked for it. */
  readonly isConfining: boolean
  /** Starts a confined program for real. The answer may be remembered. Never throws. */
  check(): Promise<SandboxState>
  /** The folders that a command line names or needs in order to start. Starts nothing; never throws. */
  suggestFolders(command: string, args: readonly string[]): readonly SandboxFolder[]
  /**
   * Rejects with a `SandboxError` when the program cannot be confined as asked, and with the code ENOENT when it is not
   * installed. Never falls back to running it unconfined.
   */
  confine(request: ConfineRequest): Promise<ConfinedStart>
}

/** Why a program was not started. The message is for a person and says what to do. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  readonly reason: 'unavailable' | 'profile' | 'install'

  constructor(reason: SandboxError['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** No confinement at all: programs run with all rights of this user. Only for an owner who has asked for it. */
export const UNCONFINED: Sandbox = {
  isConfining: false,
  check: () =>
    Promise.resolve({
      state: 'off',
      found: 'Programs run without confinement, with all rights of this user.',
      next: 'Start without --no-sandbox, CAPSTAN_SANDBOX=off and "sandbox": "off" in config.json to confine them.',
    }),
  suggestFolders: () => [],
  confine({ command, args, cwd, profile }) {
    const { PATH = '/usr/local/bin:/usr/bin:/bin', HOME = '/', LANG = 'C.UTF-8' } = process.env
    return Promise.resolve({
      command,
      args,
      env: { PATH, HOME, LANG, ...systemVariables(), ...profile.env },
      ...(cwd === undefined ? undefined : { cwd }),
      watch() {},
      explain: () => undefined,
      release() {},
    })
  },
}

const NEEDED_ON_WINDOWS = ['PATHEXT', 'SYSTEMROOT', 'COMSPEC', 'USERPROFILE', 'APPDATA', 'TEMP']

function systemVariables(): Record<string, string> {
  if (process.platform !== 'win32') return {}
  const entries = NEEDED_ON_WINDOWS.map((name) => [name, process.env[name]] as const)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}
