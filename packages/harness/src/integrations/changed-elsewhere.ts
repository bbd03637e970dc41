import type { BusEvent } from '../ports/event-bus.ts'
import type { Connections } from './connections/connections.ts'
import type { ConnectorSet } from './connector-set.ts'
import type { Directory } from './directory/directory.ts'
import type { Integrations } from './integrations.ts'

/** Takes over what another node changed. Events come last, so that a subscriber finds the change in the directory. */
export function createChangedElsewhere(parts: {
  readonly connectors: Pick<ConnectorSet, 'get'>
  readonly directory: Directory
  readonly connections: Pick<Connections, 'begunElsewhere'>
  readonly publish: (event: BusEvent) => void
}): Integrations['changedElsewhere'] {
  const { connectors, directory, connections, publish } = parts

  async function takeOver(event: BusEvent): Promise<void> {
    if (event.type !== 'connections-changed') return
    const { connection } = event
    if (connection.status === 'pending') connections.begunElsewhere()
    await connectors.get(connection.connector)?.release?.(connection)
  }

  return async (userId, events) => {
    directory.invalidate(userId)
    // Nobody needs the apps of a user here who is not known here.
    const warming = directory.last(userId) ? directory.warm(userId) : undefined
    for (const event of events) takeOver(event).catch(() => {})
    await warming
    for (const event of events) publish(event)
  }
}
