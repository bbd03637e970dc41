import type { JsonObject } from '../../turn/json.ts'
import type { Tool } from '../../turn/tool/tool.ts'
import type { KnownTools } from './known-tools.ts'
import { scanReply } from './scan/scan-reply.ts'

/** The calls a reply would run, and the text a person would read. */
export interface ParsedText {
  readonly display: string
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[]
}

/**
 * Parses a reply outside a turn. `any` is what `auto` chooses for a model that takes no tools. An unreadable call is not
 * listed, and its text is kept.
 */
export function parseText(
  dialect: 'native' | 'xml' | 'pformat' | 'any',
  tools: readonly Pick<Tool, 'name' | 'input'>[],
  reply: string,
): ParsedText {
  const byName = new Map(tools.toReversed().map((tool) => [tool.name, tool]))
  const known: KnownTools = { find: (name) => byName.get(name) }
  const isPositional = dialect === 'pformat' || dialect === 'any'
  const calls: ParsedText['calls'][number][] = []
  let display = ''
  for (const segment of scanReply(reply, {
    tools: known,
    isPositional,
    readsWholeReply: dialect !== 'native',
  })) {
    const runs = segment.type === 'calls' ? segment.calls.filter((call) => !call.malformed) : []
    for (const call of runs) calls.push({ name: call.tool, arguments: call.arguments })
    const isUnreadable = segment.type === 'calls' && segment.calls.length > 0 && runs.length === 0
    display += isUnreadable ? segment.source : (segment.text ?? '')
  }
  return { display: display.trim(), calls }
}
