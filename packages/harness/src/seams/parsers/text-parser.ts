import type { Tool } from '../../turn/tool/tool.ts'
import type { ParsedReply, ResponseParser } from '../seams.ts'
import { toKnownTools } from './known-tools.ts'
import type { ScanOptions } from './scan/reply-scanner.ts'
import { ReplyScanner } from './scan/reply-scanner.ts'
import { displayOf, scanReply } from './scan/scan-reply.ts'

/** Creates a parser for a dialect that writes calls into the text of the reply. */
export function createTextParser(
  dialect: 'xml' | 'pformat',
  instructions: (tools: readonly Tool[]) => string,
): ResponseParser {
  const syntax = { isPositional: dialect === 'pformat', readsWholeReply: true }
  return {
    dialect,
    instructions,
    parse: (reply, surface) => parseReplyText(reply.text, { ...syntax, tools: toKnownTools(surface) }),
    openDisplay(surface) {
      const scanner = new ReplyScanner({ ...syntax, tools: toKnownTools(surface) })
      return {
        push: (delta) => displayOf(scanner.push(delta)),
        end: () => displayOf(scanner.end()),
      }
    },
  }
}

/** Splits a reply whose calls are written as text. */
export function parseReplyText(reply: string, options: ScanOptions): ParsedReply {
  const segments = scanReply(reply, options)
  const calls = segments.flatMap((segment) => (segment.type === 'calls' ? segment.calls : []))
  return { text: displayOf(segments).trim(), calls }
}
