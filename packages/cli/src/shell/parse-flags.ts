import type { ParseArgsOptionsConfig } from 'node:util'
import { parseArgs } from 'node:util'
import { UsageError } from './shell.ts'

interface Shape<Options extends ParseArgsOptionsConfig> {
  readonly command: string
  readonly options: Options
  readonly allowPositionals?: boolean
}

/** Every command takes these, also one that has no use for them: scripts can pass them always. */
const COMMON = { home: { type: 'string' }, json: { type: 'boolean' } } as const

/** Parses the arguments of a command. Throws `UsageError` with the mistake and the help to read. */
export function parseFlags<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  { command, options, allowPositionals = false }: Shape<Options>,
) {
  try {
    return parseArgs({ args: [...args], options: { ...COMMON, ...options }, allowPositionals, strict: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // Only the first sentence describes the mistake; the rest explains parseArgs.
    const problem = error.message.split(/\. |\n/)[0]
    throw new UsageError(`${problem}. See "capstan ${command} --help".`)
  }
}

/** Reads `--limit`. Throws `UsageError` when it is not a positive whole number. */
export function parseLimit(flag: string | undefined, otherwise: number): number {
  if (flag === undefined) return otherwise
  if (!/^[1-9]\d{0,5}$/.test(flag))
    throw new UsageError(`--limit is a whole number from 1 up, not "${flag}".`)
  return Number(flag)
}
