import type { JSONSchema7 } from '@ai-sdk/provider'
import type { WriteLateCall } from './script.ts'
import type { Tape } from './tape.ts'

/** A harness under measurement, played by its own rules on the fake model. */
export interface Subject {
  /** A conversation with an empty history. What opening costs is not measured. */
  open(stage: Stage): Conversation | Promise<Conversation>
  /** Pieces of text that come at once may reach the listener as one. All of the text reaches it all the same. */
  readonly joinsDeltas?: true
  /** Absent: a late tool is called like any other. */
  readonly writeLateCall?: WriteLateCall
  /** Other shapes in which this subject may send the same conversation, for the prefix measure alone. */
  readonly variants?: Readonly<Record<string, Subject>>
  /** How it takes connected apps, by name of the form. Absent: an action of an app is a tool like any other. */
  readonly withApps?: Readonly<Record<string, Pick<Subject, 'open'>>>
}

/** What every subject is given. */
export interface Stage {
  readonly instructions: string
  readonly tools: readonly BenchTool[]
  /** For those who know apps: all of them connected. */
  readonly apps?: readonly BenchApp[]
  /** Where the fake model gets its next reply, and leaves what it was asked. */
  readonly tape: Tape
  /** Enough for the script; subjects whose own cap is lower are raised to it. */
  readonly maxIterations: number
  /** Absent: nobody listens, and a subject may take its faster way without streaming. */
  readonly onDelta?: (delta: string) => void
}

export interface Conversation {
  /** One turn, to its final text. */
  send(text: string): Promise<string>
  /** From the next turn on, this tool exists too. */
  addTool(tool: BenchTool): void
  /** Lets go of what the conversation held open. Not measured. */
  close?(): Promise<void>
}

/** An app and what can be done in it. */
export interface BenchApp {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly tools: readonly BenchTool[]
}

/** Every tool takes `{ i: number }` and answers with a line of text. */
export interface BenchTool {
  readonly name: string
  readonly description: string
  run(args: { readonly i: number }): string
}

export const ARGUMENT_DESCRIPTION = 'The number of the entry, counted from zero.'

/** The input of every tool, for subjects that take JSON Schema. */
export const INPUT_SCHEMA = {
  type: 'object' as const,
  properties: { i: { type: 'number' as const, description: ARGUMENT_DESCRIPTION } },
  required: ['i'],
  additionalProperties: false,
} satisfies JSONSchema7
