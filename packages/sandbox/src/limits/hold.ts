import type { SandboxLimits } from '@capstan/harness/sandbox'

/** What keeps one program and all that it starts below its limits. */
export interface Hold {
  /** Goes before the command line. Fails, and starts nothing, when the program cannot be held. */
  readonly prefix: readonly string[]
  /** Whether the kernel has ended it because of its memory. */
  readonly wasOutOfMemory: () => boolean
  /** Call it when the program has ended. Never throws. */
  readonly release: () => void
}

/** How programs are held on this machine. The sentences are plain English. */
export interface Holding {
  readonly found: string
  /** What to change, when nothing holds them. */
  readonly next?: string
  /** Throws when it does not work any more. */
  readonly create: (limits: SandboxLimits) => Hold
}

// Threads count too, and each Node has about a dozen.
const TASKS_PER_PROCESS = 16

/** How many tasks the kernel allows: far more than processes, which are counted from outside. */
export const maxTasks = ({ processes }: Pick<SandboxLimits, 'processes'>): number =>
  processes * TASKS_PER_PROCESS
