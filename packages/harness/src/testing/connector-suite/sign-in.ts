import type { ConnectionRow } from '@capstan/protocol'
import { expect } from 'vitest'
import type { ConnectionState, SignInStep } from '../../ports/connector.ts'
import type { ConnectorUnderTest } from './connector-under-test.ts'

const STATE = 'state-of-128-random-bits-or-more-0123456789'
const REDIRECT_URI = 'http://127.0.0.1:8787/oauth/callback'

/** A connection row that waits for a sign-in. */
export function pendingRow(subject: ConnectorUnderTest, id = 'connection_1'): ConnectionRow {
  return {
    id,
    userId: `user of ${id}`,
    connector: subject.connector.id,
    toolkit: subject.toolkit,
    status: 'pending',
    label: '',
    isDefault: true,
    createdAt: 1_000,
    updatedAt: 1_000,
  }
}

/** Starts a sign-in. */
export async function begin(subject: ConnectorUnderTest, row: ConnectionRow): Promise<SignInStep> {
  await subject.prepare?.(row)
  return subject.connector.beginSignIn(row, {
    state: STATE,
    redirectUri: subject.redirectUri ?? REDIRECT_URI,
  })
}

/** The person comes back with these parameters, as the OAuth callback passes them on. */
export async function finish(
  subject: ConnectorUnderTest,
  row: ConnectionRow,
  params: URLSearchParams,
): Promise<ConnectionState> {
  const redirectUri = subject.redirectUri ?? REDIRECT_URI
  return subject.connector.finishSignIn(row, { params, redirectUri })
}

/** Answers the sign-in page; the parameters that come back. */
export async function visit(
  subject: ConnectorUnderTest,
  step: SignInStep,
  answer: 'allow' | 'deny',
): Promise<URLSearchParams> {
  if (step.type !== 'visit') throw new Error('nobody has to go anywhere')
  if (!subject.visit) throw new Error(`the sign-in needs a person: tell the suite how to visit`)
  const params = await subject.visit(step.url, answer)
  expect(params.get('state')).toBe(STATE)
  params.delete('state')
  return params
}

/** Signs in completely, as a person who consents. */
export async function connect(subject: ConnectorUnderTest, id?: string): Promise<ConnectionRow> {
  const row = pendingRow(subject, id)
  const step = await begin(subject, row)
  const state =
    step.type === 'settled' ? step : await finish(subject, row, await visit(subject, step, 'allow'))
  expect(state.status).toBe('active')
  return { ...row, status: 'active', label: state.label ?? '' }
}
