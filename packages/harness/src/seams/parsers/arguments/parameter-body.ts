import type { JsonObject, JsonValue } from '../../../turn/json.ts'
import type { KnownTools } from '../known-tools.ts'
import { nameIn, peekMarkup } from '../scan/markup.ts'
import { positionsOf } from './pformat.ts'
import { malformed } from './read-arguments.ts'
import { readJson } from './read-json.ts'
import type { Reading, ReplySource } from '../scan/reply-source.ts'
import { seek, skipSpace } from '../scan/reply-source.ts'
import type { ReadCall } from '../scan/segment.ts'
import { text } from '../scan/segment.ts'
import { isToolName } from '../to-calls.ts'

interface Parameter {
  readonly name: string | undefined
  readonly from: number
  readonly to: number
}

const CLOSE = '</parameter>'

/** Reads the `<parameter>` elements of `<invoke name="…">`, up to its close tag. */
export function* readParameters(source: ReplySource, tool: string, tools: KnownTools): Reading<ReadCall> {
  const parameters: Parameter[] = []
  let hasOther = false
  for (;;) {
    if (!(yield* skipSpace(source))) return { segments: [text(source.release())] }
    const opening = yield* peekParameter(source)
    if (opening) {
      source.at += opening.length
      const parameter = yield* readParameter(source, opening)
      if (!parameter) return { segments: [text(source.release())] }
      parameters.push(parameter)
      continue
    }
    const markup = yield* peekMarkup(source)
    const isNext =
      markup?.type === 'call-open' || markup?.type === 'quote-open' || markup?.type === 'quote-close'
    // Another element begins before any parameter, so the tag was only mentioned.
    if (isNext && parameters.length === 0) return { segments: [text(source.release())] }
    source.at = markup?.end ?? source.at + 1
    if (markup?.type === 'call-close') return resolve(source.release(), { tool, parameters, hasOther }, tools)
    if (markup?.type !== 'comment') hasOther = true
    else if (yield* seek(source, '-->')) source.at += 3
  }
}

/** The longest tag. Limits how much text is held back while a tag is incomplete. */
const MAX_TAG_CHARS = 512
const OPENING = /^<parameter(?:\s[^<>]*|\/)?>/
const UNFINISHED_OPENING = /^<parameter(?:\s[^<>]*|\/)?$/

function* peekParameter(source: ReplySource): Reading<string | undefined> {
  for (;;) {
    const ahead = source.text.slice(source.at, source.at + MAX_TAG_CHARS)
    const opening = OPENING.exec(ahead)
    if (opening) return opening[0]
    const isBegun = '<parameter'.startsWith(ahead) || UNFINISHED_OPENING.test(ahead)
    if (source.ended || !isBegun || ahead.length === MAX_TAG_CHARS) return undefined
    yield
  }
}

/** Undefined when the reply ends inside the parameter. */
function* readParameter(source: ReplySource, opening: string): Reading<Parameter | undefined> {
  const name = nameIn(opening)
  const from = source.keptLength
  if (opening.endsWith('/>')) return { name, from, to: from }
  if (!(yield* skipSpace(source))) return undefined
  const cdata = yield* peekMarkup(source)
  if (cdata?.type === 'cdata' && !(yield* seek(source, ']]>'))) return undefined
  if (!(yield* seek(source, CLOSE))) return undefined
  const to = source.keptLength
  source.at += CLOSE.length
  return { name, from, to }
}

interface ParameterBody {
  readonly tool: string
  readonly parameters: readonly Parameter[]
  /** True when there is something else between the parameters. */
  readonly hasOther: boolean
}

function resolve(
  written: string,
  { tool, parameters, hasOther }: ParameterBody,
  tools: KnownTools,
): ReadCall {
  if (!isToolName(tool) || (hasOther && parameters.length === 0)) return { segments: [text(written)] }
  const { args, problem } = toArguments(written, parameters, tools.find(tool)?.input)
  const found = hasOther ? 'There is text between the parameters.' : problem
  const call = found === undefined ? { tool, arguments: args } : { tool, ...malformed(written, found) }
  return { segments: [{ type: 'calls', calls: [call], source: written }] }
}

/** One of these tags inside a value means that a parameter was not closed; which one is unknown. */
const OWN_TAG = /<\/?(?:invoke|parameter)\b/

function toArguments(
  written: string,
  parameters: readonly Parameter[],
  input: Parameters<typeof positionsOf>[0] | undefined,
): { args: JsonObject; problem?: string } {
  const args = new Map<string, JsonValue>()
  const seen = new Map<string, string>()
  const types = new Map(input ? positionsOf(input).map(({ name, type }) => [name, type]) : [])
  for (const { name, from, to } of parameters) {
    const raw = written.slice(from, to)
    if (name === undefined) return { args: {}, problem: 'A parameter has no name.' }
    if (!CDATA.test(raw) && OWN_TAG.test(raw))
      return { args: {}, problem: `The parameter "${name}" is not closed.` }
    if (seen.has(name) && seen.get(name) !== raw) {
      return { args: {}, problem: `The parameter "${name}" is given twice, with different values.` }
    }
    seen.set(name, raw)
    args.set(name, toValue(unwrap(raw), types.get(name)))
  }
  return { args: Object.fromEntries(args) }
}

/** A JSON number, boolean, null, list or object keeps its type, unless the tool wants a string. All else is a string. */
function toValue(raw: string, type: string | undefined): JsonValue {
  if (type === 'string' || !/^\s*(?:[[{\-\d]|true|false|null)/.test(raw)) return raw
  const reading = readJson(raw)
  return 'problem' in reading || reading.repaired || reading.duplicate !== undefined ? raw : reading.value
}

const CDATA = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/
const OUTER_LINES = /^[ \t]*\r?\n|\r?\n[ \t]*$/g

/** Removes the line breaks and the space next to the tags. */
function unwrap(raw: string): string {
  const cdata = CDATA.exec(raw)
  if (cdata) return cdata[1] ?? ''
  const inner = raw.replaceAll(OUTER_LINES, '')
  return decodeEntities(inner.includes('\n') ? inner : inner.trim())
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const ENTITY = /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi

/** Decodes only a value that is escaped throughout. A bare `<` or `&` means that the model did not escape it. */
function decodeEntities(value: string): string {
  if (value.includes('<') || value.replaceAll(ENTITY, '').includes('&')) return value
  return value.replaceAll(ENTITY, (entity, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity
  })
}
