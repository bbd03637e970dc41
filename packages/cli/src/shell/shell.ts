import type { Readable } from 'node:stream'
import type { FailureClass } from '@capstan/protocol'
import type { Environment, Output } from '../terminal/style.ts'

/** The parts of the process that a command may use. */
export interface Shell {
  readonly env: Environment
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  /** Calls the listener at Ctrl-C instead of ending the process. The result removes the listener. */
  onInterrupt(listener: () => void): () => void
  /** Calls the listener when the process should end, as at SIGTERM. The result removes the listener. */
  onTerminate(listener: () => void): () => void
  /** Ends the process at once. */
  exit(code: number): void
}

/** A subcommand. Settles with the exit code; throws `UsageError` for wrong arguments. */
export interface Command {
  readonly help: string
  run(args: readonly string[], shell: Shell): Promise<number>
}

/** The command line is wrong. The message is one sentence for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What a `CommandError` may add to its sentence. */
interface CommandProblem {
  /** Default `unknown`. */
  readonly class?: FailureClass
  /** What to do about it, in one sentence. Absent where the message says it. */
  readonly next?: string
  /** Lines below the message. */
  readonly details?: readonly string[]
}

/** The command failed. The message says to the user what happened. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly problem: CommandProblem

  constructor(message: string, problem: CommandProblem = {}) {
    super(message)
    this.problem = problem
  }
}
