import { resolve } from 'node:path'
import type { JsonObject } from '../turn/json.ts'
import type { Effect, Tool } from '../turn/tool/tool.ts'
import { defineTool } from '../turn/tool/tool.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail, succeed } from '../turn/tool/tool-outcome.ts'
import { locate } from './files/locate.ts'
import { createRoots } from './files/roots.ts'
import { labelled } from './labelled.ts'
import type { CommandClass, CommandVerdict } from './shell/command-class.ts'
import { classifyCommand } from './shell/command-class.ts'
import { reachesOutside } from './shell/reaches-outside.ts'
import type { CommandEnd } from './shell/run-command.ts'
import { runCommand } from './shell/run-command.ts'

/** Options for the shell tool. */
export interface ShellOptions {
  /** Commands run in these folders; the first is where they begin. */
  readonly roots: readonly string[]
  /** Off by default. */
  readonly enabled?: boolean
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
 * Runs commands by `/bin/sh`. How far one reaches is judged from its words, and what reaches outside of the roots counts
 * as `admin`. This is a judgement and no sandbox: a program that was let run can do all that this user can.
 */
export function createShellTool({
  roots: folders,
  enabled = false,
  allowHidden = false,
  maxOutputChars = 1_000_000,
}: ShellOptions): Tool {
  const roots = createRoots(folders)
  const home = roots.paths[0]!

  return defineTool({
    name: 'shell',
    description:
      'Run a command in a POSIX shell and get its output and exit code. It has no terminal and no input. Write it plainly: ' +
      'no $(…), no backticks, no background jobs, no eval or sh -c.',
    effect: ({ command, cwd }) => effectOf(command, cwd),
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
          description: `Stop it after so many seconds, at most ${MAX_TIMEOUT_SECS}. Default: it may take its time.`,
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
        timeout_secs,
      } = args as { command: string; cwd?: string; timeout_secs?: number }
      const refusal = refuse(command, { enabled, allowHidden })
      if (refusal) return refusal
      const place = await locate(cwd, { roots, allowSecretFiles: false }, { forWriting: false })
      if ('refusal' in place) return place.refusal
      const end = await runCommand({
        command,
        folder: place.path,
        maxChars: maxOutputChars,
        clock: run.clock,
        signal,
        ...(timeout_secs === undefined
          ? undefined
          : { timeoutMs: Math.min(timeout_secs, MAX_TIMEOUT_SECS) * 1_000 }),
      })
      return toOutcome(end, timeout_secs)
    },
  })

  function effectOf(command: JsonObject[string], cwd: JsonObject[string]): Effect {
    if (typeof command !== 'string') return 'admin'
    const verdict = classifyCommand(command)
    const folder = resolve(home, typeof cwd === 'string' ? cwd : '')
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

function toOutcome(
  { exitCode, output, stoppedBy }: CommandEnd,
  timeoutSecs: number | undefined,
): ToolOutcome {
  const shown = output.trimEnd()
  const below = shown === '' ? '' : `\n${shown}`
  if (stoppedBy === 'timeout')
    return fail(`The command was stopped after ${timeoutSecs} seconds.${below}`, { timedOut: true })
  if (stoppedBy === 'abort') return fail(`The command was stopped.${below}`, { cancelled: true })
  if (exitCode !== 0) return fail(`The command ended with exit code ${exitCode}.${below}`, { exitCode })
  return succeed(shown === '' ? '(no output)' : shown)
}
