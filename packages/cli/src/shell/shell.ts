import type { Readable } from 'node:stream'
import type { Environment, Output } from '../terminal/style.ts'

/** What a command may touch of the process it runs in. */
export interface Shell {
  readonly env: Environment
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  /** Hears Ctrl-C instead of letting it end the process. The result takes the listener off. */
  onInterrupt(listener: () => void): () => void
  /** Hears that the process should end, such as a service manager's word. The result takes the listener off. */
  onTerminate(listener: () => void): () => void
  /** Ends the process at once. */
  exit(code: number): void
}

/** A subcommand. Settles with the exit code; throws `UsageError` for arguments it cannot take. */
export interface Command {
  readonly summary: string
  readonly help: string
  run(args: readonly string[], shell: Shell): Promise<number>
}

/** The command line cannot be understood. The message is one sentence for the person who wrote it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** It was understood, and it cannot be done. One sentence for the person who asked, and lines below it. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly details: readonly string[]

  constructor(message: string, details: readonly string[] = []) {
    super(message)
    this.details = details
  }
}
