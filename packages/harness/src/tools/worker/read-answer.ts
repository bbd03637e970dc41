import type { JsonObject } from '../../turn/json.ts'
import type { OutcomeFacts, ToolMedia } from '../../turn/tool/tool-outcome.ts'
import type { WorkerAnswer } from './answer.ts'

const ERROR_FACTS = ['code', 'status', 'statusCode', 'httpStatus', 'exitCode', 'retryAfterMs']

/**
 * The answer in the last line of what a confined worker printed. Nothing in it is trusted: only facts that a tool may
 * claim are kept, so it cannot pretend that a person refused, or speak in our name. Undefined when there is none. Pure.
 */
export function readAnswer(printed: string): WorkerAnswer | undefined {
  const answer = parse(printed.trimEnd().split('\n').at(-1) ?? '')
  const { type, value, ok, text, message } = answer
  const facts = toObject(answer['facts'])
  if (type === 'value') return { type, value }
  if (type === 'thrown') return { type, message: toText(message), facts: errorFacts(facts) }
  if (type !== 'outcome') return undefined
  return { type, ok: ok === true, text: toText(text), media: toMedia(answer['media']), facts: toFacts(facts) }
}

function parse(line: string): JsonObject {
  try {
    return toObject(JSON.parse(line))
  } catch {
    return {}
  }
}

const toObject = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function toFacts({ exitCode, httpStatus, retryAfterMs, errorCode, timedOut }: JsonObject): OutcomeFacts {
  return {
    ...(typeof exitCode === 'number' ? { exitCode } : undefined),
    ...(typeof httpStatus === 'number' ? { httpStatus } : undefined),
    ...(typeof retryAfterMs === 'number' ? { retryAfterMs } : undefined),
    ...(typeof errorCode === 'string' ? { errorCode } : undefined),
    ...(timedOut === true ? { timedOut } : undefined),
  }
}

function errorFacts(facts: JsonObject): Readonly<Record<string, unknown>> {
  const isTimeout = facts['name'] === 'TimeoutError'
  const kept = ERROR_FACTS.filter((name) => ['string', 'number'].includes(typeof facts[name]))
  return {
    ...Object.fromEntries(kept.map((name) => [name, facts[name]])),
    ...(isTimeout ? { name: 'TimeoutError' } : undefined),
  }
}

function toMedia(media: unknown): readonly ToolMedia[] {
  if (!Array.isArray(media)) return []
  return media
    .map(toObject)
    .flatMap(({ mediaType, name, data }) =>
      typeof mediaType === 'string' && typeof data === 'string'
        ? [{ mediaType, data, ...(typeof name === 'string' ? { name } : undefined) }]
        : [],
    )
}
