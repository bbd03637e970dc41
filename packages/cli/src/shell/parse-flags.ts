import type { ParseArgsOptionsConfig } from 'node:util'
import { parseArgs } from 'node:util'
import { UsageError } from './shell.ts'

interface Shape<Options extends ParseArgsOptionsConfig> {
  readonly command: string
  readonly options: Options
  readonly allowPositionals?: boolean
}

/** Reads the arguments of a command. Throws `UsageError`, naming what is wrong and where to look. */
export function parseFlags<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  { command, options, allowPositionals = false }: Shape<Options>,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals, strict: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // Only the first sentence is about the mistake; the rest is about parseArgs.
    const problem = error.message.split(/\. |\n/)[0]
    throw new UsageError(`${problem}. See "capstan ${command} --help".`)
  }
}
