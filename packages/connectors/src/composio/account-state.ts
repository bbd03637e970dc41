import { isRecord, sanitizeLine } from '@capstan/harness/connectors'
import type { ConnectionState } from '@capstan/harness/connectors'

const MAX_REASON_CHARS = 200
const MAX_LABEL_CHARS = 120

/** The fields that are read of an account. Composio sends its tokens with it; they are never read. */
export interface ServiceAccount {
  readonly status?: unknown
  readonly status_reason?: unknown
  readonly is_disabled?: unknown
  readonly alias?: unknown
  readonly word_id?: unknown
  readonly state?: unknown
  readonly data?: unknown
}

const SAID: Readonly<Record<string, readonly [ConnectionState['status'], string]>> = {
  ACTIVE: ['active', ''],
  CONNECTED: ['active', ''],
  EXPIRED: ['expired', 'The sign-in has expired.'],
  FAILED: ['failed', 'The sign-in failed.'],
  ERROR: ['failed', 'The sign-in failed.'],
  INITIALIZING: ['pending', 'The sign-in is not finished.'],
  INITIATED: ['pending', 'The sign-in is not finished.'],
  PENDING: ['pending', 'The sign-in is not finished.'],
  // Disabled on purpose: at the app, or in the settings of Composio.
  INACTIVE: ['revoked', 'The account was switched off at Composio.'],
  REVOKED: ['revoked', 'The authorisation was taken back.'],
  DELETED: ['revoked', 'The account was deleted at Composio.'],
}

/** The state of an account, in our words. An unknown status is a failure that quotes it. Pure. */
export function toConnectionState(account: ServiceAccount): ConnectionState {
  const said = typeof account.status === 'string' ? account.status.toUpperCase() : ''
  const disabled = account.is_disabled === true
  const known = disabled ? SAID['INACTIVE'] : Object.hasOwn(SAID, said) ? SAID[said] : undefined
  const [status, words] = known ?? ['failed', `Its status at Composio is "${sanitizeLine(said, 40)}".`]
  const label = labelOf(account)
  const why = sanitizeLine(account.status_reason, MAX_REASON_CHARS)
  const reason = status === 'active' ? '' : why ? `${words} (${why})` : words
  return { status, ...(label && { label }), ...(reason && { reason }) }
}

/** Fields that name an account, the best first. Any other field may hold a token. */
const NAMING = [
  'email',
  'user_email',
  'emailAddress',
  'login',
  'username',
  'user_name',
  'display_name',
  'workspace_name',
  'team_name',
  'account_name',
  'subdomain',
]

function labelOf({ alias, word_id, state, data }: ServiceAccount): string {
  const value = isRecord(state) ? state['val'] : undefined
  const fields = [value, data].filter(isRecord)
  const named = NAMING.flatMap((field) => fields.map((from) => from[field]))
  const found = [alias, ...named, word_id].find((text) => typeof text === 'string' && text.trim() !== '')
  return sanitizeLine(found, MAX_LABEL_CHARS)
}
