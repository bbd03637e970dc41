/** A request as the fake model received it, in one form for all subjects. */
export interface CanonicalRequest {
  readonly tools: readonly CanonicalTool[]
  readonly system: string
  readonly history: readonly CanonicalMessage[]
}

export interface CanonicalTool {
  readonly name: string
  readonly description: string
  readonly parameters: unknown
}

export type CanonicalMessage =
  | { readonly role: 'system'; readonly text: string; readonly tools?: readonly CanonicalTool[] }
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly CanonicalCall[] }
  | { readonly role: 'tool'; readonly id: string; readonly text: string }

export interface CanonicalCall {
  readonly id: string
  readonly tool: string
  readonly args: unknown
}

/** The results of its calls that the model received, in order. */
export function toolResultsOf(request: CanonicalRequest): readonly string[] {
  return request.history.flatMap((message) => (message.role === 'tool' ? [message.text] : []))
}

/**
 * The bytes a provider would cache, in its order: tools, system prompt, history. One item per line and no closing
 * bracket, so that an item added at the end does not change the bytes before it.
 */
export function toBytes({ tools, system, history }: CanonicalRequest): Buffer {
  const lines = [...tools, { system }, ...history].map((item) => `${JSON.stringify(item, sortKeys)}\n`)
  return Buffer.from(lines.join(''))
}

/** The bytes of the tools of a request. */
export function toolBytes({ tools }: CanonicalRequest): number {
  return Buffer.byteLength(JSON.stringify(tools))
}

/** How much of `before` a cache could still use: its common prefix with `after`, as a share of its bytes. */
export function retention(before: CanonicalRequest, after: CanonicalRequest): number {
  const [old, next] = [toBytes(before), toBytes(after)]
  const limit = Math.min(old.length, next.length)
  let common = 0
  while (common < limit && old[common] === next[common]) common++
  return common / old.length
}

/** The order of keys does not count. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
