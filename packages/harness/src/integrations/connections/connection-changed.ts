import type { ConnectionRow } from '@capstan/protocol'
import type { EventBus } from '../../ports/event-bus.ts'
import type { Directory } from '../directory/directory.ts'

/**
 * A connection was added, removed or changed. The directory is brought up to date before the event is published, so
 * that a subscriber finds the change there.
 */
export async function connectionChanged(
  connection: ConnectionRow,
  { directory, publish }: { readonly directory: Directory; readonly publish: EventBus['publish'] },
): Promise<void> {
  directory.invalidate(connection.userId)
  await directory.warm(connection.userId)
  publish({ type: 'connections-changed', userId: connection.userId, connection })
}
