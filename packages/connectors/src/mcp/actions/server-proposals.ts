import type { ConnectionRow, ProposedMapping } from '@capstan/protocol'
import { proposeMappings } from '../../sync/propose/propose-mappings.ts'
import type { ConnectionSessions } from '../sessions/connection-sessions.ts'
import type { SecretCache } from '../sign-in/secret-cache.ts'
import type { ActionLists } from './action-lists.ts'
import { createCallForData } from './call-for-data.ts'
import type { ServerActions } from './server-actions.ts'

const NEVER: AbortSignal = new AbortController().signal

/** Guesses mappings for the server of a connection. */
export function createServerProposals(parts: {
  readonly sessions: ConnectionSessions
  readonly secrets: SecretCache
  readonly actions: Pick<ServerActions, 'list'>
  readonly lists: Pick<ActionLists, 'outputOf'>
  readonly callTimeoutMs: number
}) {
  const { sessions, secrets, actions, lists, callTimeoutMs: timeoutMs } = parts
  return async (connection: ConnectionRow, signal = NEVER): Promise<readonly ProposedMapping[]> => {
    const { id, toolkit: slug } = connection
    const listed = await actions.list(connection, signal)
    return proposeMappings({
      slug,
      actions: listed,
      outputOf: (action) => lists.outputOf(slug, action),
      call: createCallForData(sessions, connection, {
        timeoutMs,
        redact: (text) => secrets.redact(text, id, slug),
        list: () => Promise.resolve(listed),
      }),
      signal,
    })
  }
}
