import type { JsonObject } from '../turn/json.ts'
import type { DataLabel, Effect } from '../turn/tool/tool.ts'

/** Where a text in the conversation came from, for the card: "after reading a page from …". */
export interface FlowSource {
  readonly tool: string
  readonly app?: string
  /** A URL, a file, a title: short and sanitized. */
  readonly name?: string
  readonly callId?: string
}

/** What the rule says about a call. */
export type FlowVerdict =
  | { readonly type: 'allow'; readonly rule: string }
  | {
      readonly type: 'ask' | 'deny'
      readonly rule: string
      readonly sources: readonly FlowSource[]
      readonly destinations: readonly string[]
    }

/** The facts about a tool that the rule needs. */
export interface FlowTool {
  readonly name: string
  readonly description?: string
  readonly effect: Effect
  readonly returns: readonly DataLabel[]
  readonly destinations: readonly string[]
}

/** The state as plain JSON. */
export interface FlowState {
  readonly version: 1
  readonly user: string
  readonly labels: readonly DataLabel[]
  readonly sources: readonly FlowSource[]
}

const MAX_SOURCES = 20
const MAX_USER_CHARS = 1_000_000

/** What a thread has read, and where values came from. One per thread; sub-agents share it. */
export class DataFlow {
  #user = ''
  readonly #labels = new Set<DataLabel>()
  #sources: FlowSource[] = []

  userSaid(text: string): void {
    this.#user = `${this.#user}\n${text.toLowerCase()}`.slice(-MAX_USER_CHARS)
  }

  toolsOffered(tools: readonly FlowTool[]): void {
    for (const { name } of tools) if (name === '') throw new TypeError('a tool has no name')
  }

  judge(tool: FlowTool, args: JsonObject): FlowVerdict {
    const destinations = tool.destinations.flatMap((name) => textsOf(args[name]))
    const acts = tool.effect !== 'read' || destinations.length > 0
    const holds = this.#labels.has('private') && this.#labels.has('untrusted')
    if (!acts || !holds) return { type: 'allow', rule: 'nothing-to-stop' }
    const isKnown = destinations.length > 0 && destinations.every((text) => this.#user.includes(text.toLowerCase()))
    if (isKnown) return { type: 'allow', rule: 'user-named-it' }
    return { type: 'ask', rule: 'unnamed-destination', sources: this.#sources, destinations }
  }

  returned(tool: FlowTool, _args: JsonObject, _text: string, source?: FlowSource): void {
    for (const label of tool.returns) this.#labels.add(label)
    if (tool.returns.includes('untrusted'))
      this.#sources = [source ?? { tool: tool.name }, ...this.#sources].slice(0, MAX_SOURCES)
  }

  toJSON(): FlowState {
    return { version: 1, user: this.#user, labels: [...this.#labels], sources: this.#sources }
  }

  static restore({ user, labels, sources }: FlowState): DataFlow {
    const flow = new DataFlow()
    flow.#user = user
    for (const label of labels) flow.#labels.add(label)
    flow.#sources = [...sources]
    return flow
  }
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return value === undefined || value === null ? [] : [JSON.stringify(value)]
}
