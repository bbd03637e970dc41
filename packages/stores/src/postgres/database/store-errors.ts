import { StoreError } from '@capstan/harness'
import type { StoreProblem } from '@capstan/harness/stores'

/** Turns an error of PostgreSQL, its driver or JSON into the one error a store may throw. */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const [kind, message] = describe(error)
  return new StoreError(kind, message, { cause: error })
}

type Problem = readonly [kind: StoreProblem, message: string]

function describe(error: unknown): Problem {
  if (isConnectionLoss(error)) return ['io', 'The database cannot be reached. Try again in a moment.']
  const code = codeOf(error)
  const reason = error instanceof Error ? error.message : String(error)
  if (!SQL_STATE.test(code)) {
    const isSystem = /^E[A-Z]+$/.test(code)
    return isSystem
      ? ['io', `The database cannot be reached: ${reason}.`]
      : ['invalid', `The store cannot keep this: ${reason}`]
  }
  return (
    BY_CODE.get(code) ??
    BY_CLASS.get(code.slice(0, 2))?.(reason, error) ?? ['io', `The database failed: ${reason}.`]
  )
}

const BY_CODE: ReadonlyMap<string, Problem> = new Map<string, Problem>([
  ['53100', ['full', "The database's disk is full: nothing was stored. It works again when there is space."]],
  [
    '53300',
    ['io', 'The database has no free connection. Raise max_connections, or lower the size of the pool.'],
  ],
  ['25006', ['io', 'The database is read-only: nothing was stored. Is it a replica?']],
  ['28P01', ['io', 'The database refused the password.']],
  ['28000', ['io', 'The database refused this user.']],
  ['3D000', ['io', 'There is no such database. Create it first.']],
  ['55P03', ['locked', 'Another node is changing this. Try again in a moment.']],
  [
    '57014',
    ['locked', 'The database took too long and was stopped. Nothing was stored. Try again in a moment.'],
  ],
])

const BUSY: Problem = ['locked', 'Other nodes changed this at the same time. Try again in a moment.']

/** By the first two characters of the code. */
const BY_CLASS: ReadonlyMap<string, (reason: string, error: unknown) => Problem> = new Map([
  ['22', (reason: string): Problem => ['invalid', `The store cannot keep this: ${reason}.`]],
  [
    '23',
    (reason: string, error: unknown): Problem => [
      'invalid',
      TAKEN.get(constraintOf(error)) ?? `The store refused this: ${reason}.`,
    ],
  ],
  ['40', (): Problem => BUSY],
  ['42', (reason: string): Problem => ['damaged', `The tables are not as Capstan made them: ${reason}.`]],
  ['54', (reason: string): Problem => ['invalid', `This is too long to be stored: ${reason}.`]],
  ['XX', (reason: string): Problem => ['damaged', `The database reports damaged data: ${reason}.`]],
])

const TAKEN: ReadonlyMap<string, string> = new Map([
  ['runs_pkey', 'There already is a run with this id.'],
  ['runs_by_message', 'There already is a message with this id.'],
  ['approvals_pkey', 'There already is an approval with this id.'],
  ['connections_pkey', 'There is a connection with this id already.'],
  ['sign_in_flows_pkey', 'This sign-in was started already.'],
])

const SQL_STATE = /^[\dA-Z]{5}$/

/**
 * True when the connection was lost, so that it is not known whether the statement on it was executed. Also when it is of no
 * use any more: another node has changed a table, and the statements that were prepared on it are old.
 */
export function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error)
  if (code === '0A000') return (error as { readonly routine?: unknown }).routine === 'RevalidateCachedQuery'
  if (LOSSES.has(code) || (SQL_STATE.test(code) && code.startsWith('08'))) return true
  return code === '' && error instanceof Error && LOST.test(error.message)
}

/** True when the database undid the transaction because of another one: it may be repeated. */
export const isSerializationFailure = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error))

/** True when the database refuses every change. */
export const isReadOnly = (error: unknown): boolean =>
  codeOf(error instanceof StoreError ? error.cause : error) === '25006'

/** True for a text that no column can hold, so that no row has it. */
export const isUnstorableText = (error: unknown): boolean => ['22021', '22P05'].includes(codeOf(error))

// 57P01 to 57P05: the server or the session was shut down.
const LOSSES = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH 57P01 57P02 57P03 57P05'.split(' '),
)
const LOST =
  /^(connection terminated|client has encountered a connection error|query read timeout|timeout e)/i

const codeOf = (error: unknown): string => {
  const { code } = (typeof error === 'object' && error !== null ? error : {}) as { readonly code?: unknown }
  return typeof code === 'string' ? code : ''
}

const constraintOf = (error: unknown): string =>
  String((error as { readonly constraint?: unknown }).constraint)
