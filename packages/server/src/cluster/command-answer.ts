import { StoppingError, StoreError } from '@capstan/harness'
import type { ApiProblem } from '@capstan/protocol'
import { ApiError, toProblem } from '../http/api-error.ts'
import { toApiError } from '../http/to-api-error.ts'
import type { Answer } from './commands.ts'

type Stored = { readonly value: unknown } | { readonly refused: ApiProblem['error']; readonly status: number }

/**
 * Does the work, and describes its result or its error for another node. Errors are those that a client may see. Undefined
 * when another node is to do the work.
 */
export async function toAnswer(work: () => Promise<unknown>): Promise<Answer | undefined> {
  try {
    const value = (await work()) ?? null
    return { json: JSON.stringify({ value } satisfies Stored), isRefused: false }
  } catch (error) {
    if (isForAnother(error)) return undefined
    return toRefusal(toApiError(error))
  }
}

/** Describes why a command was refused. */
export function toRefusal(shown: ApiError): Answer {
  const refused: Stored = { refused: toProblem(shown).error, status: shown.status }
  return { json: JSON.stringify(refused), isRefused: true }
}

/** Whether this node may not do the work any more, and another one will: it has lost the thread, or is about to stop. */
const isForAnother = (error: unknown): boolean =>
  error instanceof StoppingError || (error instanceof StoreError && error.kind === 'moved')

/** The result that another node has described. Throws its error. */
export function readAnswer(answer: string): unknown {
  const stored = JSON.parse(answer) as Stored
  if ('value' in stored) return stored.value
  const { code, message, ...more } = stored.refused
  throw new ApiError(code, message, { ...more, status: stored.status as ApiError['status'] })
}
