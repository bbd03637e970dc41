import type { DataLabel, Effect } from '../turn/tool/tool.ts'

/** Where a text in the conversation came from, for the card: "after reading a page from …". */
export interface FlowSource {
  readonly tool: string
  readonly app?: string
  /** A URL, a file name, a subject: short and sanitized. */
  readonly name?: string
  readonly callId?: string
}

/** What the data-flow rule says about a call. */
export type FlowVerdict =
  | { readonly type: 'allow' }
  | {
      readonly type: 'ask' | 'deny'
      /** Names the reason. */
      readonly rule: string
      /** The untrusted texts that led here. */
      readonly sources: readonly FlowSource[]
      /** The values that are not trusted. */
      readonly destinations: readonly string[]
    }

/**
 * Who words the results of a tool. `made`: the assistant can make up any text there, by a command or by what it tells a
 * sub-agent. `summarised`: a model worded this one anew. `repeated`: it gives back a part of an earlier result. `described`:
 * it tells what a third party says about its tools.
 */
export type ResultText = 'made' | 'summarised' | 'repeated' | 'described'

/** A tool, as far as the data-flow rule needs it. */
export interface FlowTool {
  readonly name: string
  readonly description?: string
  readonly effect: Effect
  readonly returns: readonly DataLabel[]
  readonly destinations: readonly string[]
  /** Absent: somebody else words them. */
  readonly text?: ResultText
  /** The app it acts in. What a call asks another app for leaves for that app. */
  readonly app?: string
}
