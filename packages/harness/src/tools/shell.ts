import { resolve } from 'node:path'
import type { ConfinedStart, Sandbox, SandboxLimits, SandboxNetwork } from '../ports/sandbox.ts'
import { SandboxError } from '../ports/sandbox.ts'
import type { JsonObject } from '../turn/json.ts'
import type { Effect, Tool } from '../turn/tool/tool.ts'
import { defineTool } from '../turn/tool/tool.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail, succeed } from '../turn/tool/tool-outcome.ts'
import { locate } from './files/locate.ts'
import { createRoots } from './files/roots.ts'
import { labelled } from './labelled.ts'
import { refuseUnconfined } from './refuse-unconfined.ts'
import type { CommandClass, CommandVerdict } from './shell/command-class.ts'
import { classifyCommand } from './shell/command-class.ts'
import { followPath } from './shell/follow-path.ts'
import { reachesOutside } from './shell/reaches-outside.ts'
import type { CommandEnd } from './shell/run-command.ts'
import { runCommand } from './shell/run-command.ts'
import { safeEnvironmentOf } from './shell/safe-environment.ts'

/** Options for the shell tool. */
export interface ShellOptions {
  /** Commands run in these folders; the first is where they begin. */
  readonly roots: readonly string[]
  /** Off by default. */
  readonly enabled?: boolean
  /** Confines every command. Without one, none is run. */
  readonly sandbox?: Sandbox
  /** What commands may reach. Default `off`. */
  readonly network?: SandboxNetwork
  readonly limits?: Partial<SandboxLimits>
  /** Also run what hides what it runs: substitution, background, `sh -c`. It is still asked about. */
  readonly allowHidden?: boolean
  /** How much of the output is kept, beginning and end. */
  readonly maxOutputChars?: number
}

const MAX_TIMEOUT_SECS = 1_800

const EFFECTS: Record<CommandClass, Effect> = {
  read: 'read',
  write: 'write',
  network: 'admin',
  install: 'admin',
  destructive: 'admin',
}

/**
 * Runs commands by `/bin/sh` in a sandbox that sees the roots and nothing else of this machine. How far a command
 * reaches is judged from its words first, and what reaches outside of the roots counts as `admin`.
 */
export function createShellTool(options: ShellOptions): Tool {
  const { roots: folders, enabled = false, allowHidden = false, maxOutputChars = 1_000_000 } = options
  const roots = createRoots(folders)
  const home = roots.paths[0]!

  return defineTool({
    name: 'shell',
    description:
      'Run a command in a POSIX shell and get its output and exit code. It has no terminal and no input. Write it plainly: ' +
      'no $(…), no backticks, no background jobs, no eval or sh -c.',
    effect: ({ command, cwd }) => effectOf(command, cwd),
    resultsFrom: 'command',
    returns: ['private', 'untrusted'],
    destinations: [],
    timeoutMs: false,
    input: {
      type: 'object',
      properties: {
        command: { type: 'string', minLength: 1, description: 'The command line.' },
        cwd: { type: 'string', description: 'The folder to run it in, relative to the working folder.' },
        timeout_secs: {
          type: 'integer',
          minimum: 1,
          description: `Stop it after so many seconds. Default, and at most: ${MAX_TIMEOUT_SECS}.`,
        },
      },
      required: ['command'],
      additionalProperties: false,
    },
    command: ({ command }) => (typeof command === 'string' ? command : undefined),
    label: labelled('Run a command', 'command'),
    async run(args, { run, signal }) {
      const {
        command,
        cwd = '.',
        timeout_secs = MAX_TIMEOUT_SECS,
      } = args as { command: string; cwd?: string; timeout_secs?: number }
      const limitSecs = Math.min(timeout_secs, MAX_TIMEOUT_SECS)
      const refusal = refuse(command, { enabled, allowHidden })
      if (refusal) return refusal
      const place = await locate(cwd, { roots, allowSecretFiles: false }, { forWriting: false })
      if ('refusal' in place) return place.refusal
      const start = await confine(command, place.path, signal)
      if ('refusal' in start) return start.refusal
      const end = await runCommand({
        start,
        maxChars: maxOutputChars,
        clock: run.clock,
        signal,
        timeoutMs: limitSecs * 1_000,
      })
      return toOutcome(end, limitSecs)
    },
  })

  async function confine(
    command: string,
    cwd: string,
    signal: AbortSignal,
  ): Promise<ConfinedStart | { readonly refusal: ToolOutcome }> {
    const { sandbox, network = 'off', limits } = options
    try {
      if (!sandbox)
        throw new SandboxError('unavailable', 'Commands run only in a sandbox, and there is none.')
      return await sandbox.confine({
        command: '/bin/sh',
        args: ['-c', command],
        cwd,
        profile: {
          folders: roots.paths.map((path) => ({ path, access: 'write' })),
          network,
          env: { TERM: 'dumb', ...safeEnvironmentOf(command) },
          ...(limits ? { limits } : undefined),
        },
        changedIn: 'Settings',
        signal,
      })
    } catch (error) {
      return { refusal: refuseUnconfined(error) }
    }
  }

  function effectOf(command: JsonObject[string], cwd: JsonObject[string]): Effect {
    if (typeof command !== 'string') return 'admin'
    const folder = followPath('/', resolve(home, typeof cwd === 'string' ? cwd : ''))
    const verdict = classifyCommand(command, folder)
    return reachesOutside(verdict, folder, roots) ? 'admin' : EFFECTS[verdict.class]
  }
}

function refuse(
  command: string,
  { enabled, allowHidden }: { readonly enabled: boolean; readonly allowHidden: boolean },
): ToolOutcome | undefined {
  if (!enabled) return fail('Commands are switched off here. Nothing was run.', { deniedBy: 'policy' })
  if (process.platform === 'win32')
    return fail('There is no POSIX shell on this system.', { errorCode: 'unsupported' })
  if (command.includes('\0'))
    return fail('The command has a NUL character in it.', { errorCode: 'invalid_arguments' })
  const verdict = classifyCommand(command)
  return verdict.isHidden && !allowHidden ? hiddenRefusal(verdict) : undefined
}

const hiddenRefusal = ({ hiddenBy }: CommandVerdict): ToolOutcome =>
  fail(
    `This command hides what it runs (${hiddenBy}), so nobody could approve it. Nothing was run. Write out plainly what ` +
      'should run, in several calls if need be.',
    { deniedBy: 'policy' },
  )

function toOutcome({ exitCode, output, stoppedBy, refusal }: CommandEnd, timeoutSecs: number): ToolOutcome {
  const shown = output.trimEnd()
  const below = [refusal, shown]
    .filter(Boolean)
    .map((text) => `\n${text}`)
    .join('')
  if (stoppedBy === 'timeout')
    return fail(`The command was stopped after ${timeoutSecs} seconds.${below}`, { timedOut: true })
  if (stoppedBy === 'abort') return fail(`The command was stopped.${below}`, { cancelled: true })
  if (exitCode !== 0) return fail(`The command ended with exit code ${exitCode}.${below}`, { exitCode })
  return succeed(shown === '' ? '(no output)' : shown)
}
