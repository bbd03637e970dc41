import type { BusEvent, Directory } from '@capstan/harness/integrations'
import type { ConnectionStore } from '@capstan/harness/stores'
import type { ConnectionRow } from '@capstan/protocol'

/**
 * Everything that may have changed for a user, as events: each connection as it is now, also one that was known here and
 * is disconnected. Which of them changed is not known after a gap.
 */
export async function readChanges(
  userId: string,
  directory: Pick<Directory, 'last'>,
  store: Pick<ConnectionStore, 'get' | 'list'>,
): Promise<readonly BusEvent[]> {
  const rows = await store.list(userId)
  const present = new Set(rows.map(({ id }) => id))
  const known = directory.last(userId)?.toolkits.flatMap(({ connections }) => connections) ?? []
  const gone = await Promise.all(
    known.filter(({ id }) => !present.has(id)).map(async ({ id }) => store.get(id)),
  )
  const toEvent = (connection: ConnectionRow): BusEvent => ({
    type: 'connections-changed',
    userId,
    connection,
  })
  return [
    ...rows.map(toEvent),
    ...gone.filter((row) => row !== undefined).map(toEvent),
    { type: 'toolkits-changed', userId },
  ]
}
