import type { Tool } from '../../../turn/tool/tool.ts'
import type { ParsedCall } from '../../seams.ts'
import { readJsonBody } from '../arguments/json-body.ts'
import type { KnownTools } from '../known-tools.ts'
import type { Markup } from './markup.ts'
import { nameIn, peekMarkup } from './markup.ts'
import { readParameters } from '../arguments/parameter-body.ts'
import { POSITIONAL_NAME, readPositional } from '../arguments/pformat.ts'
import { malformed } from '../arguments/read-arguments.ts'
import { resolveJsonBody } from '../arguments/resolve-json-body.ts'
import type { Reading, ReplySource } from './reply-source.ts'
import { seek, skipSpace } from './reply-source.ts'
import type { ReadCall } from './segment.ts'
import { text } from './segment.ts'
import { CUT_OFF, isToolName } from '../to-calls.ts'

/** Which forms of calls a scan reads. */
export interface CallSyntax {
  readonly tools: KnownTools
  /** Whether `name[a|b|c]` is read as a call. */
  readonly isPositional: boolean
}

/** Reads the element that a call tag or its wrapper opens. The source must be at the tag. */
export function* readCallElement(
  source: ReplySource,
  opening: Markup,
  syntax: CallSyntax,
): Reading<ReadCall> {
  source.keep()
  let tag = opening
  for (;;) {
    source.at = tag.end
    const name = tag.name === 'invoke' ? nameIn(tag.attributes) : undefined
    if (tag.selfClosing) return endAtOnce(source, name)
    const from = source.keptLength
    if (!(yield* skipSpace(source))) return { segments: [text(source.release())] }
    const next = yield* peekMarkup(source)
    if (name !== undefined && source.text.charAt(source.at) !== '{')
      return yield* readParameters(source, name, syntax.tools)
    if (name === undefined && (next?.type === 'call-open' || next?.type === 'wrapper-open')) {
      tag = next
      continue
    }
    if (tag.type === 'wrapper-open') return { segments: [text(source.release())] }
    const positional =
      syntax.isPositional && name === undefined ? yield* peekPositional(source, syntax.tools) : undefined
    if (positional) return yield* readPositionalBody(source, positional)
    return resolveJsonBody(source, yield* readJsonBody(source), { from, name })
  }
}

function endAtOnce(source: ReplySource, name: string | undefined): ReadCall {
  const written = source.release()
  if (name === undefined || !isToolName(name)) return { segments: [text(written)] }
  return { segments: [{ type: 'calls', calls: [{ tool: name, arguments: {} }], source: written }] }
}

interface Positional {
  readonly tool: string
  /** Absent for an unknown tool. */
  readonly input: Tool['input'] | undefined
}

const WORD = /[\p{L}\p{N}_]*/uy
const MAX_NAME_CHARS = 128

function* peekPositional(source: ReplySource, tools: KnownTools): Reading<Positional | undefined> {
  for (;;) {
    WORD.lastIndex = source.at
    const word = WORD.exec(source.text)?.[0] ?? ''
    const next = source.text.charAt(source.at + word.length)
    if (next === '' && !source.ended && word.length <= MAX_NAME_CHARS) {
      yield
      continue
    }
    if (next !== '[' || !POSITIONAL_NAME.test(word)) return undefined
    return { tool: word, input: tools.find(word)?.input }
  }
}

function* readPositionalBody(source: ReplySource, { tool, input }: Positional): Reading<ReadCall> {
  const from = source.keptLength
  for (;;) {
    // Without its close tag the value may be truncated, even when its brackets match.
    if (!(yield* seek(source, '<'))) return cutOff(tool, source.release(), from)
    const to = source.keptLength
    const markup = yield* peekMarkup(source)
    source.at = markup?.end ?? source.at + 1
    if (markup?.type !== 'call-close') continue
    const written = source.release()
    return {
      segments: [
        { type: 'calls', calls: [toCall(tool, input, written.slice(from, to).trimEnd())], source: written },
      ],
    }
  }
}

/** Without its close tag, a call that has its last bracket may also be text about calls. */
function cutOff(tool: string, written: string, from: number): ReadCall {
  if (written.includes(']', from)) return { segments: [text(written)] }
  const calls = [{ tool, ...malformed(written.slice(from), CUT_OFF) }]
  return { segments: [{ type: 'calls', calls, source: written }] }
}

function toCall(tool: string, input: Tool['input'] | undefined, body: string): ParsedCall {
  if (!input) return { tool, ...malformed(body, `There is no tool "${tool}".`) }
  const inside = body.endsWith(']') ? readPositional(body.slice(tool.length + 1, -1), input) : undefined
  if (inside) return { tool, arguments: inside }
  return {
    tool,
    ...malformed(
      body,
      `The call must end with the "]" that closes "${tool}[", and a "]" in a value is written "\\]".`,
    ),
  }
}
