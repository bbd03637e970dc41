import type { OutcomeFacts, ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail, isToolOutcome, succeed } from '../turn/tool/tool-outcome.ts'

/** Converts what a tool returned to an outcome. Never throws. */
export function toOutcome(value: unknown): ToolOutcome {
  if (isToolOutcome(value)) return withText(value)
  if (typeof value === 'string') return succeed(value)
  if (value === undefined) return succeed('Done.')
  try {
    return succeed(JSON.stringify(value) ?? typeof value)
  } catch {
    return fail('The tool returned something that cannot be written down as JSON.')
  }
}

/** Converts what a tool threw to an outcome with its facts. Never throws. */
export function toThrownOutcome(thrown: unknown): ToolOutcome {
  if (isToolOutcome(thrown)) return withText(thrown)
  return fail(reasonOf(thrown), factsOf(thrown))
}

// A tool in plain JavaScript may return anything as text.
function withText(outcome: ToolOutcome): ToolOutcome {
  const text: unknown = outcome.text
  return typeof text === 'string' ? outcome : { ...outcome, text: toOutcome(text).text }
}

function reasonOf(thrown: unknown): string {
  const message = read(thrown, 'message')
  if (typeof message === 'string' && message !== '') return message
  if (typeof thrown === 'string' && thrown !== '') return thrown
  return 'The tool failed and gave no reason.'
}

function factsOf(thrown: unknown): OutcomeFacts {
  const name = read(thrown, 'name')
  const httpStatus =
    number(thrown, 'status', 'statusCode', 'httpStatus') ?? number(read(thrown, 'response'), 'status')
  const exitCode = number(thrown, 'exitCode')
  const retryAfterMs = number(thrown, 'retryAfterMs')
  const code = read(thrown, 'code') ?? read(read(thrown, 'cause'), 'code')
  return {
    ...(name === 'TimeoutError' ? { timedOut: true } : undefined),
    ...(name === 'AbortError' ? { cancelled: true } : undefined),
    ...(httpStatus === undefined ? undefined : { httpStatus }),
    ...(exitCode === undefined ? undefined : { exitCode }),
    ...(retryAfterMs === undefined ? undefined : { retryAfterMs }),
    ...(typeof code === 'string' ? { errorCode: code } : undefined),
  }
}

function number(from: unknown, ...keys: string[]): number | undefined {
  for (const key of keys) {
    const value = read(from, key)
    if (typeof value === 'number' && Number.isFinite(value)) return value
  }
  return undefined
}

// A thrown value may be anything, also an object whose getters throw.
function read(from: unknown, key: string): unknown {
  if (typeof from !== 'object' || from === null) return undefined
  try {
    return (from as Record<string, unknown>)[key]
  } catch {
    return undefined
  }
}
