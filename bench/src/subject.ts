import type { JSONSchema7 } from '@ai-sdk/provider'
import type { ScriptedCall, ScriptedReply, WriteLateCall } from './script.ts'
import type { Tape } from './tape.ts'

/** A harness to measure, used in its own way with the fake model. */
export interface Subject {
  /** Opens an empty conversation. */
  open(stage: Stage): Conversation | Promise<Conversation>
  /** Pieces of text that arrive together may reach the listener as one. No text is lost. */
  readonly joinsDeltas?: true
  /** The model sees the beginning of a long result, and how to read on. */
  readonly shortens?: true
  /** Absent: a late tool is called like any other. */
  readonly writeLateCall?: WriteLateCall
  /** Other forms in which this subject may send the same conversation, for the prefix measure only. */
  readonly variants?: Readonly<Record<string, Subject>>
  /** Its own sub-agents. Absent: a tool that opens another conversation of the subject. */
  readonly nested?: NestedSubject
  /** How it takes connected apps, by name of the form. Absent: each action of an app is a tool. */
  readonly withApps?: Readonly<Record<string, AppsSubject>>
}

/** A subject with sub-agents of its own. */
export interface NestedSubject {
  /** The tools are those of the agent at the end of the chain. */
  open(stage: Stage, chain: readonly string[]): Conversation | Promise<Conversation>
  /** The call that delegates to an agent of the chain. */
  readonly writeDelegation: (agent: string) => Pick<ScriptedCall, 'tool' | 'args'>
}

/** One form in which a subject takes connected apps. */
export interface AppsSubject extends Pick<Subject, 'open'> {
  /** The replies of a model that makes these calls in an app, one after the other, without the final text. */
  readonly writeAppTurn: WriteAppTurn
}

/** `isFirst`: the conversation does not know the actions of the app yet. */
export type WriteAppTurn = (turn: {
  readonly app: BenchApp
  readonly calls: readonly { readonly id: number; readonly tool: string; readonly i: number }[]
  readonly isFirst: boolean
}) => readonly ScriptedReply[]

/** What every subject gets. */
export interface Stage {
  readonly instructions: string
  readonly tools: readonly BenchTool[]
  /** Connected apps, for subjects that support apps. */
  readonly apps?: readonly BenchApp[]
  /** Gives the fake model its next reply, and records its requests. */
  readonly tape: Tape
  /** Enough for the script; a lower default cap of a subject is raised to it. */
  readonly maxIterations: number
  /** Absent: there is no listener, and a subject may use its faster path without streaming. */
  readonly onDelta?: (delta: string) => void
}

export interface Conversation {
  /** One turn, to its final text. */
  send(text: string): Promise<string>
  /** From the next turn on, this tool exists too. */
  addTool(tool: BenchTool): void
  /** Closes what the conversation holds open. Not measured. */
  close?(): Promise<void>
}

/** An app and its actions. */
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
  run(args: { readonly i: number }): string | Promise<string>
}

export const ARGUMENT_DESCRIPTION = 'The number of the entry, counted from zero.'

/** The input of every tool, for subjects that take JSON Schema. */
export const INPUT_SCHEMA = {
  type: 'object' as const,
  properties: { i: { type: 'number' as const, description: ARGUMENT_DESCRIPTION } },
  required: ['i'],
  additionalProperties: false,
} satisfies JSONSchema7
