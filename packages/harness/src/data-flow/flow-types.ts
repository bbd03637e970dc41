import type { DataLabel, Effect } from '../turn/tool/tool.ts'

/** Where a text in the conversation came from, for the card: "after reading a page from …". */
export interface FlowSource {
  readonly tool: string
  readonly app?: string
  /** A URL, a file name, a subject: short and sanitized. */
  readonly name?: string
  readonly callId?: string
}

/** What the data-flow rule says about a call. `rule` names the reason. */
export type FlowVerdict =
  | { readonly type: 'allow'; readonly rule: string }
  | {
      readonly type: 'ask' | 'deny'
      readonly rule: string
      /** The untrusted texts that led here. */
      readonly sources: readonly FlowSource[]
      /** The values that are not trusted. */
      readonly destinations: readonly string[]
    }

/** A tool, as far as the data-flow rule needs it. */
export interface FlowTool {
  readonly name: string
  readonly description?: string
  readonly effect: Effect
  readonly returns: readonly DataLabel[]
  readonly destinations: readonly string[]
  /** The app it acts in. What a call asks another app for leaves for that app. */
  readonly app?: string
}

/** What a `DataFlow` knows, as plain JSON of bounded size. */
export interface FlowState {
  readonly version: 1
  readonly user: readonly string[]
  readonly sources: readonly StoredSource[]
  readonly descriptions: readonly StoredDescription[]
  /** Arguments of calls that were not allowed without a question. */
  readonly written: readonly string[]
  readonly forgotten: string
  readonly hasPrivate: boolean
  readonly hasUntrusted: boolean
  /** Values that the assistant made. Absent in states of an older version. */
  readonly own?: readonly string[]
}

/** A tool's description that was offered to the model. */
interface StoredDescription {
  readonly tool: string
  readonly text: string
}

/** A text that the assistant got. */
interface StoredSource {
  readonly private: boolean
  readonly untrusted: boolean
  readonly lead: 'user' | 'neutral' | 'untrusted'
  readonly text: string
  readonly from: FlowSource
}
