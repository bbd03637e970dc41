import type { ParsedCall, ResponseParser } from '../seams.ts'
import { toKnownTools } from './known-tools.ts'
import { readArguments } from './arguments/read-arguments.ts'
import { parseReplyText } from './text-parser.ts'

/** A cheap test that rules out calls in almost every reply. */
const MAY_HOLD_CALL = /tool[_-]?call|invoke/

/**
 * Reads calls as the provider delivers them. When there are none, calls written between tags are read too. JSON without
 * tags stays text, because this model can call natively. Never throws.
 */
export const nativeParser: ResponseParser = {
  dialect: 'native',
  instructions: () => '',
  parse(reply, surface) {
    const calls: ParsedCall[] = []
    for (const part of reply.parts) {
      if (part.type !== 'raw-call') continue
      const { id, tool, argumentsText, extras } = part
      const { arguments: args, malformed } = readArguments(argumentsText)
      calls.push({ id, tool, arguments: args, malformed, extras })
    }
    if (calls.length > 0 || !MAY_HOLD_CALL.test(reply.text)) return { text: reply.text, calls }
    const written = parseReplyText(reply.text, {
      tools: toKnownTools(surface),
      isPositional: false,
      readsWholeReply: false,
    })
    return written.calls.length > 0 ? written : { text: reply.text, calls }
  },
}
